"""Vectors of an index: made once for each text, kept through everything, never mixed."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pytest

from stacks.embedding import EMBEDDERS, Embedder, EmbedderKind, Identity
from stacks.errors import EmbeddingError, QueryError
from stacks.index import Request, SaveOptions, save
from stacks.index.vector_writer import quantise, vector_cache_path
from stacks.model import Document
from stacks.query import open_index

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

Make: TypeAlias = "Callable[..., Document]"
RequestOf: TypeAlias = "Callable[..., Request]"

ANIMALS = ("cat", "dog", "lion", "kitten", "puppy")
TOPICS = {"cat": 0, "lion": 0, "kitten": 0, "dog": 1, "puppy": 1, "ship": 2, "boat": 2}


class Topics(Embedder):
    """A model that knows seven words: the direction of a text is what they are about."""

    batch = 3
    revision = "1"
    embedded: list[str] = []  # noqa: RUF012 - shared on purpose: what was given to the model
    fails_after = 10**9

    @property
    def identity(self) -> Identity:
        return Identity("topics", Topics.revision, 4)

    def encode_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if len(Topics.embedded) + len(texts) > Topics.fails_after:
            raise EmbeddingError("the model went away")
        Topics.embedded += texts
        rows = np.full((len(texts), 4), 0.01, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().replace(".", " ").split():
                if word in TOPICS:
                    rows[row, TOPICS[word]] += 1
        return rows

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        kept = list(Topics.embedded)
        rows = self.encode_documents(texts)
        Topics.embedded = kept
        return rows


BY_TOPICS = SaveOptions(embedder="topics")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = EmbedderKind("topics", "for tests", "topics", lambda *_: Topics())
    monkeypatch.setitem(EMBEDDERS._things, "topics", kind)
    Topics.revision, Topics.embedded, Topics.fails_after = "1", [], 10**9


def find(folder: Path, text: str, **settings: Any) -> list[str]:
    with open_index(folder) as index:
        return [hit.title for hit in index.search(text, **settings)]


def test_a_document_is_found_by_what_it_means(
    request_of: RequestOf, page: Make, tmp_path: Path
) -> None:
    documents = [page("a/one", "One", "the kitten"), page("a/two", "Two", "the boat")]
    save([request_of("docs", documents)], tmp_path, BY_TOPICS)
    assert find(tmp_path, "lion", mode="fts5") == []
    assert find(tmp_path, "lion", mode="semantic")[0] == "One"
    assert find(tmp_path, "lion")[0] == "One"
    assert find(tmp_path, "ship", mode="both")[0] == "Two"


def test_a_filter_holds_for_meaning_too(request_of: RequestOf, page: Make, tmp_path: Path) -> None:
    documents = [
        page("a/one", "One", "kitten", kind="class"),
        page("a/two", "Two", "boat", kind="function"),
    ]
    save([request_of("docs", documents)], tmp_path, BY_TOPICS)
    from stacks.query import Filters

    kept = Filters(kinds=("function",))
    assert find(tmp_path, "lion", mode="semantic", filters=kept) == ["Two"]


def test_what_must_and_must_not_occur_holds_for_meaning_too(
    request_of: RequestOf, page: Make, tmp_path: Path
) -> None:
    documents = [
        page("a/one", "One", "kitten in the red house"),
        page("a/two", "Two", "kitten in the green house"),
    ]
    save([request_of("docs", documents)], tmp_path, BY_TOPICS)
    for mode in ("semantic", "both"):
        assert find(tmp_path, "lion -green", mode=mode) == ["One"]
        assert find(tmp_path, 'lion "green house"', mode=mode) == ["Two"]


def test_a_name_stands_above_what_is_only_alike(
    request_of: RequestOf, page: Make, tmp_path: Path
) -> None:
    documents = [page(f"a/p{n}", f"P{n}", "kitten kitten lion") for n in range(30)]
    save([request_of("docs", [*documents, page("a/cat", "cat", "boat")])], tmp_path, BY_TOPICS)
    for mode in ("fts5", "semantic", "both"):
        assert find(tmp_path, "cat", mode=mode)[0] == "cat"


def test_each_text_is_embedded_once_however_often_it_is_saved(
    request_of: RequestOf, page: Make, tmp_path: Path
) -> None:
    documents = [page(f"a/p{n}", f"P{n}", f"cat {n}") for n in range(7)]
    save([request_of("docs", documents)], tmp_path, BY_TOPICS)
    assert len(Topics.embedded) == 14  # of each document its title, and its text below it
    save([request_of("docs", documents)], tmp_path)
    assert len(Topics.embedded) == 14
    documents[3] = page("a/p3", "P3", "dog")
    save([request_of("docs", documents)], tmp_path, SaveOptions(only_changed=True))
    assert Topics.embedded[14:] == ["P3. dog"]
    assert find(tmp_path, "puppy", mode="semantic")[0] == "P3"


def test_the_same_text_on_two_pages_is_embedded_once(
    request_of: RequestOf, page: Make, tmp_path: Path
) -> None:
    twins = [page("a/x", "Same", "cat"), page("b/x", "Same", "cat")]
    save([request_of("docs", twins)], tmp_path, BY_TOPICS)
    assert Topics.embedded == ["Same", "Same. cat"]


def test_a_save_that_broke_off_goes_on_where_it_was(
    request_of: RequestOf, page: Make, tmp_path: Path
) -> None:
    documents = [page(f"a/p{n}", f"P{n}", f"cat {n}") for n in range(10)]
    Topics.fails_after = 6
    with pytest.raises(EmbeddingError, match="went away"):
        save([request_of("docs", documents)], tmp_path, BY_TOPICS)
    assert vector_cache_path(tmp_path / "search.db").exists()
    Topics.fails_after = 10**9
    save([request_of("docs", documents)], tmp_path, BY_TOPICS)
    texts = [text for n in range(10) for text in (f"P{n}", f"P{n}. cat {n}")]
    assert sorted(Topics.embedded) == sorted(texts)
    assert not vector_cache_path(tmp_path / "search.db").exists()


def test_another_revision_of_the_model_embeds_everything_anew(
    request_of: RequestOf, page: Make, tmp_path: Path
) -> None:
    documents = [page("a/one", "One", "cat"), page("a/two", "Two", "dog")]
    save([request_of("docs", documents)], tmp_path, BY_TOPICS)
    Topics.revision = "2"
    with pytest.raises(EmbeddingError, match=r"embedded by topics 1 .* now topics 2"):
        find(tmp_path, "lion", mode="semantic")
    save([request_of("docs", documents)], tmp_path, SaveOptions(only_changed=True))
    assert len(Topics.embedded) == 8
    assert find(tmp_path, "lion", mode="semantic")[0] == "One"


def test_a_document_that_goes_takes_its_vectors_along(
    request_of: RequestOf, page: Make, tmp_path: Path
) -> None:
    documents = [page("a/one", "One", "cat"), page("a/two", "Two", "dog")]
    save([request_of("docs", documents)], tmp_path, BY_TOPICS)
    save([request_of("docs", documents[:1])], tmp_path, SaveOptions(only_changed=True))
    with sqlite3.connect(tmp_path / "search.db") as connection:
        assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (2,)
    connection.close()


def test_none_takes_the_vectors_out(request_of: RequestOf, page: Make, tmp_path: Path) -> None:
    documents = [page("a/one", "One", "cat")]
    save([request_of("docs", documents)], tmp_path, BY_TOPICS)
    save([request_of("docs", documents)], tmp_path, SaveOptions(embedder="none"))
    assert find(tmp_path, "cat") == ["One"]
    with pytest.raises(QueryError, match="has no vectors"):
        find(tmp_path, "cat", mode="both")


def test_a_long_document_is_as_near_as_its_nearest_piece(
    request_of: RequestOf, page: Make, tmp_path: Path
) -> None:
    long = page("a/long", "Long", "ship " * 500 + "kitten " * 100 + "boat " * 500)
    other = page("a/other", "Other", "cat ship boat boat")
    save([request_of("docs", [long, other])], tmp_path, BY_TOPICS)
    assert find(tmp_path, "lion", mode="semantic") == ["Long", "Other"]
    with open_index(tmp_path) as index:
        blended = [hit.blended for hit in index.search("lion", mode="semantic")]
    # A piece of Long is all kittens but for what it shares with its neighbours; Other is 1 : 3.
    assert [each.similarity > 0.8 for each in blended if each and each.similarity] == [True, False]


def test_an_empty_document_has_no_likeness(
    request_of: RequestOf, page: Make, tmp_path: Path
) -> None:
    empty = Document("docs://a/x", "", "", kind="passage")
    save([request_of("docs", [empty, page("a/y", "Y", "cat")])], tmp_path, BY_TOPICS)
    assert find(tmp_path, "lion", mode="semantic") == ["Y"]


def test_a_model_that_is_not_there_says_so_before_an_index_is_replaced(
    request_of: RequestOf, page: Make, tmp_path: Path
) -> None:
    save([request_of("docs", [page("a/one", "One", "cat")])], tmp_path)
    before = (tmp_path / "search.db").read_bytes()
    with pytest.raises(
        EmbeddingError, match=r"unknown embedder 'wordlama': did you mean wordllama"
    ):
        save([request_of("docs", [page("a/b")])], tmp_path, SaveOptions(embedder="wordlama"))
    assert (tmp_path / "search.db").read_bytes() == before


@pytest.mark.corpus
def test_the_default_model_finds_other_words_for_the_same_thing(
    request_of: RequestOf, page: Make, tmp_path: Path
) -> None:
    documents = [
        page("a/car", "One", "The automobile needs petrol and new brakes."),
        page("a/food", "Two", "Boil the pasta in salted water for ten minutes."),
        page("a/law", "Three", "The court will hear the appeal of the defendant."),
    ]
    save([request_of("docs", documents)], tmp_path, SaveOptions(embedder="wordllama"))
    assert find(tmp_path, "cooking noodles", mode="semantic")[0] == "Two"
    assert find(tmp_path, "judge", mode="semantic")[0] == "Three"
    assert find(tmp_path, "vehicle", mode="semantic")[0] == "One"


def test_a_byte_a_number_is_near_enough() -> None:
    random = np.random.default_rng(7)
    vectors = random.normal(size=(200, 256)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    stored = quantise(vectors)
    back = np.array([scale * np.frombuffer(numbers, dtype=np.int8) for scale, numbers in stored])
    assert np.abs(back @ back.T - vectors @ vectors.T).max() < 0.01
    assert quantise(np.zeros((1, 4), dtype=np.float32)) == [(1.0, bytes(4))]


def test_a_model_says_how_many_pieces_of_a_document_it_reads(
    request_of: RequestOf, page: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = " ".join(f"word{n}" for n in range(1_000))
    documents = [page("a/one", "One", text)]
    monkeypatch.setattr(Topics, "most_pieces", 2)
    save([request_of("docs", documents)], tmp_path / "two", BY_TOPICS)
    assert [each.split()[-1] for each in Topics.embedded] == ["One", "word99"]
    Topics.embedded = []
    monkeypatch.setattr(Topics, "most_pieces", 64)
    save([request_of("docs", documents)], tmp_path / "all", BY_TOPICS)
    assert len(Topics.embedded) == 12
    assert Topics.embedded[-1].endswith("word999")


def test_the_weight_of_a_model_changes_the_share_of_meaning(
    request_of: RequestOf, page: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save([request_of("docs", [page("a/one", "One", "kitten")])], tmp_path, BY_TOPICS)
    shares = []
    for weight in (1.0, 3.0):
        monkeypatch.setattr(Topics, "weight", weight)
        with open_index(tmp_path) as index:
            (hit,) = index.search("lion", mode="both")
            assert hit.blended
            shares.append(hit.blended.share)
    # Of the share of documentation, a quarter, three times as much beside three quarters of words.
    assert shares == pytest.approx([0.25, 0.5])
