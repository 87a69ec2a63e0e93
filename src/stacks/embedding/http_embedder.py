"""Models behind a server with OpenAI's `/embeddings` API.

A server may change the model behind a name. So the revision of such a model is a sketch of the
vector it returns for one fixed sentence: the signs of 128 random projections. Servers compute
with small differences from one answer to the next, which flip a few of those signs; another model
flips about half of them. Two revisions match if at most 8 differ (a cosine of about 0.98).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import threading
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from stacks.embedding.embedder import Embedder, EmbedderKind, Identity
from stacks.embedding.model_endpoint import ModelEndpoint, RetryPolicy, send_in_parts
from stacks.embedding.model_kinds import take_number
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["HTTP_EMBEDDER", "HttpEmbedder", "HttpModel"]

_KEY_VARIABLE = "STACKS_EMBEDDING_KEY"
_PROBE = "The librarian walked through the stacks and found the book about bridges."
_SIGNS = 128
_MOST_FLIPPED = 8
_BATCH = 64


class HttpModel(NamedTuple):
    """Which model to ask a server for, and what to send with the texts."""

    name: str
    dimension: int | None = None
    query_input_type: str = ""
    document_input_type: str = ""


class _Item(msgspec.Struct):
    """The vector of one text: numbers, or their bytes in base64."""

    embedding: list[float] | str
    index: int | None = None


class _EmbeddingAnswer(msgspec.Struct):
    """What a server answers; other fields are ignored."""

    data: list[_Item]
    model: str | None = None


_DECODER = msgspec.json.Decoder(_EmbeddingAnswer)


class HttpEmbedder(Embedder):
    """Asks a server; its model is identified when the identity is first needed."""

    def __init__(self, endpoint: ModelEndpoint, model: HttpModel, batch: int = _BATCH) -> None:
        self.batch = batch
        self._endpoint = endpoint
        self._model = model
        self._lock = threading.Lock()
        self._identity: Identity | None = None

    @property
    def identity(self) -> Identity:
        """The model's name as given and a sketch of its vectors; the first call asks the server."""
        with self._lock:
            if self._identity is None:
                self._identity = self._probe()
            return self._identity

    def matches(self, stored: Identity) -> bool:
        """Return whether a stored model returned nearly the same vector for the fixed sentence."""
        name, revision, dimension = self.identity
        if (name, dimension) != (stored.name, stored.dimension):
            return False
        return _count_flipped(revision, stored.revision) <= _MOST_FLIPPED

    def encode_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Ask for the vectors of texts."""
        return self._encode(texts, self._model.document_input_type)

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Ask for the vectors of queries."""
        return self._encode(texts, self._model.query_input_type)

    def close(self) -> None:
        """Close all connections."""
        self._endpoint.close()

    def _probe(self) -> Identity:
        """Ask for the vector of the fixed sentence, and derive the identity from it."""
        answer = self._ask([_PROBE], self._model.document_input_type)
        vector = self._read(answer, 1)[0]
        reported = (answer.model or self._model.name).replace("\n", " ")
        return Identity(self._model.name, f"{reported}~{_make_sketch(vector)}", len(vector))

    def _encode(self, texts: Sequence[str], input_type: str) -> NDArray[np.float32]:
        def send(part: Sequence[str]) -> list[NDArray[np.float32]]:
            return self._read(self._ask(part, input_type), len(part))

        rows = send_in_parts(send, texts, self.batch)
        dimension = self.identity.dimension
        for row in rows:
            if len(row) != dimension:
                raise self._endpoint.make_unusable(
                    f"answered with a vector of {len(row)} values after one of {dimension}"
                )
        return np.stack(rows)

    def _ask(self, texts: Sequence[str], input_type: str) -> _EmbeddingAnswer:
        """Ask for the vectors of some texts."""
        question: dict[str, object] = {"model": self._model.name, "input": list(texts)}
        if self._model.dimension is not None:
            question["dimensions"] = self._model.dimension
        if input_type:
            question["input_type"] = input_type
        body = self._endpoint.ask(question)
        try:
            return _DECODER.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self._endpoint.make_unusable("did not answer with embeddings") from None

    def _read(self, answer: _EmbeddingAnswer, count: int) -> list[NDArray[np.float32]]:
        """Read the vectors in the order of the texts, exactly one for each."""
        items = [
            (position if item.index is None else item.index, item)
            for position, item in enumerate(answer.data)
        ]
        if sorted(index for index, _ in items) != list(range(count)):
            raise self._endpoint.make_unusable(
                f"answered with {len(items)} vectors, not with one for each of {count} texts"
            )
        vectors = [self._read_vector(item) for _, item in sorted(items, key=lambda pair: pair[0])]
        wanted = self._model.dimension or len(vectors[0])
        for vector in vectors:
            if len(vector) != wanted or wanted == 0:
                raise self._endpoint.make_unusable(
                    f"answered with a vector of {len(vector)} values; {wanted} were expected"
                )
        return vectors

    def _read_vector(self, item: _Item) -> NDArray[np.float32]:
        """Read one vector."""
        if not isinstance(item.embedding, str):
            with np.errstate(
                over="ignore"
            ):  # values that are too large become infinite, and are refused
                return np.asarray(item.embedding, dtype=np.float64).astype(np.float32)
        try:
            data = base64.b64decode(item.embedding, validate=True)
            return np.frombuffer(data, dtype="<f4").astype(np.float32)
        except (binascii.Error, ValueError):
            raise self._endpoint.make_unusable(
                "answered with a vector that is not valid base64"
            ) from None


def _make_sketch(vector: NDArray[np.float32]) -> str:
    """Return the signs of 128 random projections of a vector, as a hexadecimal number."""
    if not np.isfinite(vector).all():
        raise EmbeddingError(
            "the server returned a vector whose values are not finite numbers; use another model"
        )
    size = len(vector) * _SIGNS // 8
    bits = np.frombuffer(hashlib.shake_256(b"sketch").digest(size), dtype=np.uint8)
    signs = np.unpackbits(bits).reshape(_SIGNS, len(vector)).astype(np.float64) * 2 - 1
    return np.packbits(signs @ vector > 0).tobytes().hex()


def _count_flipped(one: str, other: str) -> int:
    """Count the signs in which the sketches of two revisions differ; all if one has none."""
    try:
        numbers = [int(revision.rpartition("~")[2], 16) for revision in (one, other)]
    except ValueError:
        return _SIGNS
    return (numbers[0] ^ numbers[1]).bit_count()


def _open(location: str, options: Mapping[str, str]) -> Embedder:
    """Open a model behind an address, without a request."""
    name = options.get("model", "").strip()
    if not name:
        raise EmbeddingError(
            "http needs the model's name: http=http://localhost:8080/v1,model=NAME"
        )
    model = HttpModel(
        name,
        take_number(options, "dimension"),
        options.get("query_input_type", ""),
        options.get("document_input_type", ""),
    )
    seconds = take_number(options, "timeout")
    retry_policy = RetryPolicy(timeout=float(seconds)) if seconds else RetryPolicy()
    endpoint = ModelEndpoint(location, "/embeddings", _KEY_VARIABLE, retry_policy)
    return HttpEmbedder(endpoint, model, take_number(options, "batch") or _BATCH)


HTTP_EMBEDDER = EmbedderKind(
    name="http",
    description=f"a server with OpenAI's /embeddings; its key is read from {_KEY_VARIABLE}",
    example="http=http://localhost:8080/v1,model=bge-small",
    open=_open,
    options={
        "model": "the model's name, as the server knows it",
        "dimension": "ask for vectors of this length (sent as dimensions)",
        "query_input_type": "sent as input_type with queries (Voyage, Cohere)",
        "document_input_type": "sent as input_type with documents",
        "batch": f"how many texts a request holds at most, {_BATCH} unless given",
        "timeout": "how many seconds an answer may take, 60 unless given",
    },
)
