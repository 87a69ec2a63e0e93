"""A server's vectors are put to the right texts, and its failures become one sentence."""

from __future__ import annotations

import base64
import gzip
import math
import socket
import threading
import time
import zlib
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.stacks.embedding.servers import Reply, always, answer_embeddings, embed, serve

from stacks.embedding import Identity, ModelEndpoint, RetryPolicy, open_embedder
from stacks.embedding.http_embedder import HttpEmbedder, HttpModel
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.server

KEY = "sk-very-secret"
HURRIED = RetryPolicy(timeout=0.5, attempts=1)
QUICK = RetryPolicy(timeout=5, attempts=3, first_delay=0.01, longest_delay=2)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STACKS_EMBEDDING_KEY", KEY)


def open_quickly(url: str, retry_policy: RetryPolicy = QUICK) -> HttpEmbedder:
    endpoint = ModelEndpoint(url, "/embeddings", "STACKS_EMBEDDING_KEY", retry_policy)
    return HttpEmbedder(endpoint, HttpModel("tiny"))


def unit(text: str) -> list[float]:
    vector = embed(text)
    return [value / math.hypot(*vector) for value in vector]


def fail_with(answer: Callable[[Any], Reply]) -> str:
    with serve(answer) as asked:
        embedder = open_quickly(asked.url)
        with pytest.raises(EmbeddingError) as caught:
            embedder.embed_query("word")
        embedder.close()
    message = str(caught.value)
    assert KEY not in message
    assert "\n" not in message
    assert len(message) < 500
    return message


def test_texts_are_sent_in_batches_and_come_back_in_order() -> None:
    texts = ["x" * (n + 1) for n in range(150)]
    with serve(answer_embeddings) as asked, open_embedder(f"http={asked.url}/v1,model=m") as model:
        got = model.embed_documents(texts)
    assert np.abs(got - [unit(text) for text in texts]).max() < 1e-6
    assert [len(body["input"]) for body in asked.bodies] == [1, 64, 64, 22]
    assert set(asked.paths) == {"/v1/embeddings"}
    assert all(set(body) == {"model", "input"} for body in asked.bodies)


def test_the_key_is_sent_in_the_header_alone() -> None:
    with serve(answer_embeddings) as asked, open_embedder(f"http={asked.url},model=m") as model:
        model.embed_query("word")
        assert KEY not in repr(model.identity)
    assert asked.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(asked.bodies) + repr(asked.paths)


def test_without_a_key_no_header_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STACKS_EMBEDDING_KEY")
    monkeypatch.setenv("NETRC", "/dev/null")
    with serve(answer_embeddings) as asked, open_embedder(f"http={asked.url},model=m") as model:
        model.embed_query("word")
    assert "authorization" not in asked.headers[0]


def test_a_key_that_no_header_holds_is_refused_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STACKS_EMBEDDING_KEY", "sk-a\nsecret")
    with pytest.raises(EmbeddingError, match="set it again") as caught:
        open_embedder("http=http://localhost:1,model=m")
    assert "secret" not in str(caught.value)


def test_vectors_are_ordered_by_their_index() -> None:
    def answer(body: Any) -> Reply:
        reply = answer_embeddings(body)
        reply.body["data"].reverse()
        return reply

    with serve(answer) as asked, open_quickly(asked.url) as model:
        got = model.embed_documents(["a", "bbb", "eee"])
    assert np.abs(got - [unit("a"), unit("bbb"), unit("eee")]).max() < 1e-6


def test_base64_and_missing_indexes_are_read() -> None:
    def answer(body: Any) -> Reply:
        rows = [np.array(embed(text), dtype="<f4").tobytes() for text in body["input"]]
        return Reply({"data": [{"embedding": base64.b64encode(row).decode()} for row in rows]})

    with serve(answer) as asked, open_quickly(asked.url) as model:
        got = model.embed_documents(["a", "bbb"])
    assert np.abs(got - [unit("a"), unit("bbb")]).max() < 1e-6


def test_kinds_of_input_and_the_dimension_are_sent_where_given() -> None:
    options = "model=m,dimension=3,query_input_type=query,document_input_type=document"
    with serve(answer_embeddings) as asked, open_embedder(f"http={asked.url},{options}") as model:
        model.embed_documents(["a"])
        model.embed_query("a")
    assert [body["input_type"] for body in asked.bodies] == ["document", "document", "query"]
    assert {body["dimensions"] for body in asked.bodies} == {3}


def test_blank_texts_are_not_sent() -> None:
    with serve(answer_embeddings) as asked, open_quickly(asked.url) as model:
        got = model.embed_documents(["", "a", " "])
    assert got[[0, 2]].tolist() == [[0] * 3] * 2
    assert asked.bodies[1]["input"] == ["a"]


def test_an_address_with_the_path_is_understood() -> None:
    spec = "http={}/v1/embeddings/,model=m"
    with serve(answer_embeddings) as asked, open_embedder(spec.format(asked.url)) as model:
        model.embed_query("a")
    assert asked.paths[0] == "/v1/embeddings"


@pytest.mark.parametrize("code", [429, 500, 502, 503, 529])
def test_a_busy_server_is_asked_again(code: int) -> None:
    count = 0

    def answer(body: Any) -> Reply:
        nonlocal count
        count += 1
        return Reply({"error": "busy"}, code) if count < 3 else answer_embeddings(body)

    with serve(answer) as asked, open_quickly(asked.url) as model:
        assert model.identity.dimension == 3
    assert count == 3


def test_a_connection_that_breaks_is_made_again() -> None:
    count = 0

    def answer(body: Any) -> Reply:
        nonlocal count
        count += 1
        if count == 1:
            raise ConnectionError
        return answer_embeddings(body)

    with serve(answer) as asked, open_quickly(asked.url) as model:
        assert model.identity.dimension == 3


def test_the_wait_that_a_server_asks_for_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    past = format_datetime(datetime(2020, 1, 1, tzinfo=UTC), usegmt=True)
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    replies = iter([Reply({}, 429, {"retry-after": "2"}), Reply({}, 503, {"retry-after": past})])

    def answer(body: Any) -> Reply:
        return next(replies, None) or answer_embeddings(body)

    with serve(answer) as asked, open_quickly(asked.url) as model:
        assert model.identity.dimension == 3
    assert waits == [2.0, 0.0]


def test_waits_double_where_the_server_names_none(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    bad = {"retry-after": "soon"}
    message = fail_with(always(Reply({}, 503, bad)))
    assert waits == [0.01, 0.02]
    assert "503 Service Unavailable (asked 3 times)" in message


def test_a_wait_beyond_patience_fails_at_once() -> None:
    message = fail_with(always(Reply({"error": "quota"}, 429, {"retry-after": "3600"})))
    assert "429 Too Many Requests: quota; wait" in message


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply({"error": {"message": f"bad key {KEY}"}}, 401), "bad key ***; put a valid key into"),
        (Reply({"detail": "no\nsuch model"}, 404), "404 Not Found: no such model; fix the"),
        (Reply({"message": "x" * 9_000}, 400), "xxx…; fix"),
        (Reply(b"<html><body>Bad gateway</body></html>", 403), "403 Forbidden; put a key"),
        (Reply(b"", 307, {"location": "http://elsewhere/"}), "redirects are not followed"),
        (Reply(b"\xff\xfe plain", 418), "418 I'm a Teapot: "),
        (Reply(b"?", 499), "answered 499: ?"),
        (Reply(b"<html>welcome</html>"), "did not answer with embeddings"),
        (Reply(b""), "did not answer with embeddings"),
        (Reply([]), "did not answer with embeddings"),
        (Reply({"data": [{"embedding": {"float": []}}]}), "did not answer with embeddings"),
        (Reply({"data": []}), "0 vectors, not with one for each of 1"),
        (Reply({"data": [{"embedding": [1.0]}] * 2}), "2 vectors, not with one for each of 1"),
        (
            Reply({"data": [{"embedding": [1.0], "index": 4}]}),
            "1 vectors, not with one for each of 1",
        ),
        (Reply({"data": [{"embedding": []}]}), "a vector of 0 values"),
        (Reply({"data": [{"embedding": "***"}]}), "not valid base64"),
        (Reply({"data": [{"embedding": "AAA="}]}), "not valid base64"),
        (Reply({"data": [{"embedding": [1e300, 1.0]}]}), "not finite numbers"),
        (Reply(b'{"data": [{"embedding": [NaN]}]}'), "did not answer with embeddings"),
        (Reply(b"[" * 100_000), "did not answer with embeddings"),
    ],
)
def test_a_useless_answer_is_one_short_sentence(reply: Reply, words: str) -> None:
    assert words in fail_with(always(reply))


def test_rows_of_several_lengths_are_refused() -> None:
    def answer(body: Any) -> Reply:
        rows = [[1.0] * (2 if text == "odd" else 3) for text in body["input"]]
        return Reply({"data": [{"embedding": row} for row in rows]})

    with serve(answer) as asked, open_quickly(asked.url) as model:
        with pytest.raises(EmbeddingError, match="a vector of 2 values after one of 3"):
            model.embed_documents(["odd"])
        with pytest.raises(EmbeddingError, match="a vector of 2 values; 3 were expected"):
            model.embed_documents(["even", "odd"])


def test_another_dimension_than_asked_for_is_refused() -> None:
    spec = "http={},model=m,dimension=8"
    with (
        serve(answer_embeddings) as asked,
        open_embedder(spec.format(asked.url)) as model,
        pytest.raises(EmbeddingError, match="of 3 values; 8 were expected"),
    ):
        model.embed_query("a")


def test_requests_that_are_too_large_are_halved() -> None:
    def answer(body: Any) -> Reply:
        if len(body["input"]) > 5 or "giant" in body["input"]:
            return Reply({"error": "batch size > maximum"}, 413)
        return answer_embeddings(body)

    texts = ["x" * (n + 1) for n in range(17)]
    with serve(answer) as asked, open_quickly(asked.url) as model:
        assert np.abs(model.embed_documents(texts) - [unit(text) for text in texts]).max() < 1e-6
        with pytest.raises(EmbeddingError, match="longer than this server allows"):
            model.embed_documents(["a", "giant"])


def test_a_server_that_is_not_there_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with (
            open_quickly(url) as model,
            pytest.raises(EmbeddingError, match=r"cannot be reached.*asked 3 times"),
        ):
            model.embed_query("a")


def test_a_server_that_never_answers_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with (
            open_quickly(url, QUICK._replace(timeout=0.2)) as model,
            pytest.raises(EmbeddingError, match=r"no answer within 0\.2 s; raise timeout="),
        ):
            model.embed_query("a")


@pytest.mark.parametrize("sent", [b"HTTP/1.1 200 OK\r\nx-long: ", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_a_server_that_sends_a_byte_at_a_time_is_given_up(sent: bytes) -> None:
    def drip() -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.sendall(sent)
            while not over.wait(0.02):
                connection.sendall(b"x")

    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        dripping = threading.Thread(target=drip)
        dripping.start()
        with (
            open_quickly(f"http://127.0.0.1:{listening.getsockname()[1]}", HURRIED) as model,
            pytest.raises(EmbeddingError, match=r"no answer within 0\.5 s; raise timeout="),
        ):
            model.embed_query("a")
        over.set()
        dripping.join()


def test_an_answer_packed_many_times_is_refused() -> None:
    body = gzip.compress(gzip.compress(b'{"data": []}'))
    reply = Reply(body, headers={"content-encoding": "gzip, gzip"})
    assert "cannot be unpacked: it is packed as 'gzip, gzip'" in fail_with(always(reply))


def test_an_answer_that_unpacks_to_too_much_is_refused() -> None:
    pack = zlib.compressobj(9, wbits=31)
    body = b"".join(pack.compress(bytes(1 << 20)) for _ in range(80)) + pack.flush()
    reply = Reply(body, headers={"content-encoding": "gzip"})
    assert "answered with more than 64 MiB; send fewer texts" in fail_with(always(reply))


def answer_with(vectors: Any) -> Callable[[Any], Reply]:
    return always(Reply({"data": [{"embedding": vectors}], "model": "tiny-2"}))


def identify(vector: Any) -> Identity:
    with serve(answer_with(list(vector))) as asked, open_quickly(asked.url) as model:
        return model.identity


def test_a_model_is_known_again_by_what_it_makes_not_by_its_name() -> None:
    randomness = np.random.default_rng(5)
    vector = randomness.normal(size=384)
    noisy = vector + randomness.normal(size=384) * 0.01
    stored = identify(vector)
    assert stored.name == "tiny"
    assert stored.dimension == 384
    assert stored.revision.startswith("tiny-2~")
    with serve(answer_with(list(noisy * 3))) as asked, open_quickly(asked.url) as same:
        assert same.matches(stored)
        assert same.matches(stored._replace(revision=stored.revision.replace("tiny-2", "alias")))
        assert not same.matches(stored._replace(name="other"))
        assert not same.matches(stored._replace(dimension=2))
        assert not same.matches(stored._replace(revision="0.4.0"))
    strange = answer_with(list(randomness.normal(size=384)))
    with serve(strange) as asked, open_quickly(asked.url) as other:
        assert not other.matches(stored)


def test_the_sketch_of_a_vector_never_changes() -> None:
    # Indexes hold it: a change here makes all of them strange to their models.
    assert identify([0.5, -0.25, 0.125]).revision == "tiny-2~cb10bcf45f115031017e79afb23005d2"
