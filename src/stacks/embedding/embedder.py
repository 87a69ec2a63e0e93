"""The one protocol that every model of meaning is used through."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stacks.embedding.kinds import ModelKind, ModelKinds
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Self

    from numpy.typing import NDArray

__all__ = [
    "EMBEDDERS",
    "Embedder",
    "EmbedderKind",
    "Identity",
    "make_valid",
    "open_embedder",
    "register_embedder",
]


class Identity(NamedTuple):
    """Which model made a vector; vectors of two identities are never compared."""

    name: str
    revision: str
    dimension: int


class Embedder(ABC):
    """A model that gives texts of like meaning vectors of like direction.

    A kind of its own writes `identity` and `encode_documents`, and `encode_queries` where queries
    are treated otherwise. What they return need not be of length 1, and they never see a text
    that is blank or that is no valid Unicode. `batch` is how many texts are best given at once.
    """

    batch: int = 256

    @property
    @abstractmethod
    def identity(self) -> Identity:
        """Say which model this is; its documents and an index of another do not go together."""

    @abstractmethod
    def encode_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Make a row for each of at least one text."""

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Make a row for each of at least one query; as for documents, unless overridden."""
        return self.encode_documents(texts)

    def matches(self, stored: Identity) -> bool:
        """Tell whether vectors made by `stored` can be compared with the ones made here."""
        return self.identity == stored

    def reads(self, text: str) -> bool:  # noqa: ARG002 - for those that do not read everything
        """Tell whether the model knows the words of a text, not only its letters."""
        return True

    def close(self) -> None:
        """Let go of what is held open."""
        return

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Make a vector of length 1 for each text; zeros for a text without any meaning."""
        clean = [make_valid(text) for text in texts]
        vectors = np.zeros((len(clean), self.identity.dimension), dtype=np.float32)
        rows = [row for row, text in enumerate(clean) if text.strip()]
        if rows:
            vectors[rows] = self._check(self.encode_documents([clean[row] for row in rows]), rows)
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Make the vector of a query, of length 1; zeros for a query without any meaning."""
        clean = make_valid(text)
        if not clean.strip():
            return np.zeros(self.identity.dimension, dtype=np.float32)
        row: NDArray[np.float32] = self._check(self.encode_queries([clean]), [0])[0]
        return row

    def _check(self, rows: NDArray[np.float32], asked: Sequence[int]) -> NDArray[np.float32]:
        """Bring rows to length 1; raise `EmbeddingError` for rows that are no vectors."""
        name, _, dimension = self.identity
        if rows.shape != (len(asked), dimension):
            raise EmbeddingError(
                f"{name} made an array of {rows.shape} of {len(asked)} texts; "
                f"({len(asked)}, {dimension}) was expected, the model cannot be used"
            )
        wide = np.asarray(rows, dtype=np.float64)  # lengths of large values stay finite
        if not np.isfinite(wide).all():
            raise EmbeddingError(
                f"{name} made a vector with values that are no finite numbers; "
                "the model is damaged, take another copy of it"
            )
        # Scaled by the largest value first: the square of a tiny one would be nothing.
        largest = np.abs(wide).max(axis=1, keepdims=True)
        wide = wide / np.where(largest > 0, largest, 1.0)
        lengths = np.linalg.norm(wide, axis=1, keepdims=True)
        return (wide / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def make_valid(text: str) -> str:
    """Replace half characters, which names of files bring and no model can read."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


EmbedderKind = ModelKind[Embedder]
"""A kind of embedder."""

EMBEDDERS: ModelKinds[Embedder] = ModelKinds("embedder", "stacks.embedders")
"""Every kind of embedder by name; a user's own come from entry points in `stacks.embedders`."""


def register_embedder(kind: ModelKind[Embedder]) -> None:
    """Add a kind of embedder; a name is taken once and for all."""
    EMBEDDERS.register(kind)


def open_embedder(spec: str) -> Embedder:
    """Open the embedder that a spec names, such as `wordllama` or `onnx=models/e5`."""
    return EMBEDDERS.open(spec)
