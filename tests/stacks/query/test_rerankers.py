"""Scores are put to the right texts, whatever form a server gives them in."""

from __future__ import annotations

import math
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from tests.stacks.embedding.servers import Reply, always, serve

from stacks.embedding import ModelSpec
from stacks.errors import EmbeddingError
from stacks.query.rerankers import RERANKERS, Reranker, open_reranker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

pytestmark = pytest.mark.server

TEXTS = ["a", "ccc", "bb"]


def score(location: str, texts: list[str], query: str = "word") -> list[float]:
    with closing(open_reranker(f"http={location}")) as reranker:
        return reranker.score(query, texts)


def rank(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(results, key=lambda result: -next(iter(result.values())))


def answer_as(wrap: Callable[[list[dict[str, Any]]], Any], name: str, field: str) -> Any:
    def answer(body: Any) -> Reply:
        return Reply(
            wrap(rank([{name: len(text) / 8, "index": n} for n, text in enumerate(body[field])]))
        )

    return answer


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ("model=m", answer_as(lambda r: {"id": "1", "results": r}, "relevance_score", "documents")),
        (
            "model=m",
            answer_as(lambda r: {"object": "list", "data": r}, "relevance_score", "documents"),
        ),
        ("field=texts", answer_as(lambda r: r, "score", "texts")),
    ],
)
def test_the_usual_forms_of_answers_are_read(options: str, answer: Any) -> None:
    with serve(answer) as asked:
        assert score(f"{asked.url}/v1,{options}", TEXTS) == [0.125, 0.375, 0.25]
    assert asked.paths == ["/v1/rerank"]
    assert asked.bodies[0]["query"] == "word"
    assert asked.bodies[0].get("model") == ("m" if options == "model=m" else None)


def test_the_key_of_reranking_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STACKS_RERANK_KEY", "rk")
    monkeypatch.setenv("STACKS_EMBEDDING_KEY", "ek")
    with serve(answer_as(lambda r: r, "score", "documents")) as asked:
        score(asked.url, TEXTS)
    assert asked.headers[0]["authorization"] == "Bearer rk"


def test_many_texts_are_sent_in_parts() -> None:
    texts = ["x" * (n % 7 + 1) for n in range(230)]
    with serve(answer_as(lambda r: r, "score", "documents")) as asked:
        scores = score(asked.url, texts)
    assert scores == [len(text) / 8 for text in texts]
    assert [len(body["documents"]) for body in asked.bodies] == [100, 100, 30]


def test_blank_texts_are_last_and_not_sent() -> None:
    with serve(answer_as(lambda r: r, "score", "documents")) as asked:
        assert score(asked.url, ["", "aa", " "]) == [-math.inf, 0.25, -math.inf]
        assert score(asked.url, []) == []
        assert score(asked.url, ["a"], query=" ") == [-math.inf]
    assert [body["documents"] for body in asked.bodies] == [["aa"]]


@pytest.mark.parametrize(
    "body",
    [
        {"results": []},
        {"results": [{"index": 0, "score": 1.0}] * 3},
        {"results": [{"index": n, "score": 1.0} for n in (0, 1, 3)]},
        {"results": [{"index": n} for n in range(3)]},
        {"results": [{"index": n, "score": 1.0} for n in range(4)]},
        {"results": "none"},
        {},
        b"<html>",
        b"",
        [[1, 2]],
    ],
)
def test_scores_that_do_not_fit_are_refused(body: Any) -> None:
    with (
        serve(always(Reply(body))) as asked,
        pytest.raises(EmbeddingError, match=r"is .* the right address"),
    ):
        score(asked.url, TEXTS)


def test_a_kind_of_its_own_is_held_to_finite_scores() -> None:
    class Given(Reranker):
        def rate(self, query: str, texts: Sequence[str]) -> list[float]:
            return [math.nan for text in texts if query in text]

    with pytest.raises(EmbeddingError, match="finite number"):
        Given().score("a", ["a"])
    with pytest.raises(EmbeddingError, match="1 scores for 2 texts"):
        Given().score("a", ["a", "b"])


def test_unknown_kinds_and_options_suggest_near_ones() -> None:
    with pytest.raises(EmbeddingError, match="unknown reranker 'htp': did you mean http"):
        open_reranker("htp=http://localhost")
    with pytest.raises(EmbeddingError, match="http has no option 'modle'; did you mean"):
        open_reranker("http=http://localhost,modle=a")
    for name, kind in zip(RERANKERS.names(), RERANKERS.values(), strict=True):
        assert ModelSpec.parse(kind.example).kind == name


def make_folder(folder: Path) -> Path:
    pytest.importorskip("onnxruntime", reason="the extra for ONNX models is not installed")
    pytest.importorskip("onnx", reason="onnx, which builds the models of these tests, is missing")
    from tests.stacks.embedding.encoders import write_cross_encoder, write_tokenizer

    write_tokenizer(folder, marked=True)
    write_cross_encoder(folder / "model.onnx")
    return folder


def test_a_cross_encoder_scores_pairs(tmp_path: Path) -> None:
    reranker = open_reranker(f"onnx={make_folder(tmp_path)}")
    # Each word of the query counts once, each of the text twice: cat 2, dog -1.
    scores = reranker.score("cat", ["dog", "cat cat cat", "", "dog cat"])
    assert scores == [0.0, 14.0, -math.inf, 4.0]


def test_pairs_of_any_length_keep_their_order(tmp_path: Path) -> None:
    reranker = open_reranker(f"onnx={make_folder(tmp_path)}")
    counts = [(n * 29) % 50 + 1 for n in range(60)]
    assert reranker.score("dog", ["cat " * n for n in counts]) == [4.0 * n - 1 for n in counts]


def test_an_encoder_of_sentences_is_no_cross_encoder(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    from tests.stacks.embedding.encoders import write_encoder

    write_encoder(folder / "model.onnx")
    with pytest.raises(EmbeddingError, match="a cross-encoder gives one value for each"):
        open_reranker(f"onnx={folder}")
