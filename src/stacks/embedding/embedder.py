"""The protocol of every model that turns texts into vectors, and the registry of its kinds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield_shared.registry import Registry
from stacks.embedding.model_kinds import ModelKind, ModelSpec
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from numpy.typing import NDArray

__all__ = ["EMBEDDERS", "Embedder", "EmbedderKind", "Identity", "make_valid", "open_embedder"]


class Identity(NamedTuple):
    """Which model made a vector; vectors of two identities are never compared."""

    name: str
    revision: str
    dimension: int


class Embedder(ABC):
    """A model that gives texts of similar meaning vectors of similar direction.

    A subclass implements `identity` and `encode_documents`, and `encode_queries` if it treats
    queries differently. The vectors they return need not have length 1; the texts they get are
    never blank and always valid Unicode, and not in capitals alone: a model has read few such
    texts, and takes them for strings of single letters. `batch` is how many texts to encode at
    once; `most_pieces` is how many pieces of a document are embedded at most, and `weight` how much
    a rank by this model counts, relative to one by the default model, beside a rank by words.
    `has_degrees` says whether its similarities tell how much alike texts are; those of a static
    model are only good for an order.
    """

    batch: int = 256
    most_pieces: int = 64
    weight: float = 1.0
    has_degrees: bool = False

    @property
    @abstractmethod
    def identity(self) -> Identity:
        """Identify the model; its vectors cannot be compared with those of another."""

    @abstractmethod
    def encode_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each of at least one text."""

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each of at least one query; as for documents unless overridden."""
        return self.encode_documents(texts)

    def matches(self, stored: Identity) -> bool:
        """Return whether vectors made by `stored` can be compared with those of this model."""
        return self.identity == stored

    def reads(self, text: str) -> bool:  # noqa: ARG002 - for models that do not read every script
        """Return whether the model knows the words of a text, not only its letters."""
        return True

    def close(self) -> None:
        """Release files and connections."""
        return

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a vector of length 1 for each text; zeros for a text without meaning."""
        clean = [self._clean(text) for text in texts]
        vectors = np.zeros((len(clean), self.identity.dimension), dtype=np.float32)
        rows = [row for row, text in enumerate(clean) if text.strip()]
        if rows:
            vectors[rows] = self._check(self.encode_documents([clean[row] for row in rows]), rows)
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query, of length 1; zeros for a query without meaning."""
        clean = self._clean(text)
        if not clean.strip():
            return np.zeros(self.identity.dimension, dtype=np.float32)
        row: NDArray[np.float32] = self._check(self.encode_queries([clean]), [0])[0]
        return row

    def _clean(self, text: str) -> str:
        """Make a text valid, and one in capitals alone lower case: no model was trained on such."""
        valid = make_valid(text)
        return valid.lower() if _is_all_capitals(valid) else valid

    def _check(self, rows: NDArray[np.float32], asked: Sequence[int]) -> NDArray[np.float32]:
        """Scale rows to length 1; raise `EmbeddingError` if they are not usable vectors."""
        name, _, dimension = self.identity
        if rows.shape != (len(asked), dimension):
            raise EmbeddingError(
                f"{name} returned an array of shape {rows.shape} for {len(asked)} texts; "
                f"({len(asked)}, {dimension}) was expected, so the model cannot be used"
            )
        wide = np.asarray(rows, dtype=np.float64)  # lengths of large values stay finite
        if not np.isfinite(wide).all():
            raise EmbeddingError(
                f"{name} returned a vector whose values are not finite numbers; "
                "the model is damaged, get another copy of it"
            )
        # Scaled by the largest value first: the square of a tiny one would underflow.
        largest = np.abs(wide).max(axis=1, keepdims=True)
        wide = wide / np.where(largest > 0, largest, 1.0)
        lengths = np.linalg.norm(wide, axis=1, keepdims=True)
        return (wide / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def make_valid(text: str) -> str:
    """Replace lone surrogates, which file names may contain and no model can read."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _is_all_capitals(text: str) -> bool:
    """Return whether several words are written in capitals alone; one may be an abbreviation."""
    return text.isupper() and len(text.split()) > 1


class EmbedderKind(ModelKind[Embedder]):
    """A kind of embedder."""


EMBEDDERS = Registry("embedder", EmbedderKind, group="stacks.embedders", error=EmbeddingError)
"""Every kind of embedder by name; plug-ins offer theirs as entry points in `stacks.embedders`."""

EMBEDDERS.register_reference("http", "stacks.embedding.http_embedder:HTTP_EMBEDDER")
EMBEDDERS.register_reference("onnx", "stacks.embedding.onnx_embedder:ONNX_EMBEDDER")
EMBEDDERS.register_reference("wordllama", "stacks.embedding.wordllama_embedder:WORDLLAMA_EMBEDDER")


def open_embedder(text: str) -> Embedder:
    """Open the embedder of a spec, such as `wordllama` or `onnx=models/e5`."""
    spec = ModelSpec.parse(text)
    return EMBEDDERS.get(spec.kind).open_spec(spec)
