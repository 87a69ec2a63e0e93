"""Sentence encoders in a local directory, run by onnxruntime."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stacks.embedding.embedder import Embedder, EmbedderKind, Identity
from stacks.embedding.model_kinds import take_choice, take_number
from stacks.embedding.onnx_model import POOLINGS, OnnxFiles, OnnxModel, Prompts
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from stacks.embedding.onnx_model import OnnxOutputs

__all__ = ["ONNX_EMBEDDER", "OnnxEmbedder"]

_POOLED = "sentence_embedding"
_PIECES = 2
_MOST_TEXTS = 32  # in a batch of the model; it has fewer if they are long
_TOKENS = ("last_hidden_state", "token_embeddings")


class OnnxEmbedder(Embedder):
    """A sentence encoder; the settings in its directory apply unless overridden.

    It reads ten documents in the time in which the default model reads a thousand, so only the name
    and the first text of a document are embedded unless `most_pieces` says more: on the dev queries
    of NFCorpus, four pieces of text instead of one change nothing beside words. There, a share of
    meaning of 0.4 to 0.5 is best, if a third is best for the default model: a weight of 1.5.
    """

    batch = 256
    weight = 1.5
    has_degrees = True

    def __init__(
        self,
        model: OnnxModel,
        prompts: Prompts,
        pooling: str | None = None,
        most_pieces: int = _PIECES,
    ) -> None:
        self.most_pieces = most_pieces
        self._model = model
        self._prompts = prompts
        self._output = _choose_output(model, pooling)
        self._pooling = "" if self._output == _POOLED else pooling or model.files.pooling or "mean"
        if model.files.has_dense and self._output != _POOLED:
            raise EmbeddingError(
                f"{model.files.folder} describes a dense layer after the encoder, which "
                f"{model.files.model.name} lacks; export the whole model, with the output {_POOLED}"
            )
        dimension = self._encode(["a"]).shape[1]
        digest = model.files.digest(self._pooling, prompts.document, model.length, most_pieces)
        self._identity = Identity(f"onnx:{model.files.name}", digest, dimension)

    @property
    def identity(self) -> Identity:
        """The model's name and a digest of everything that affects a document's vector."""
        return self._identity

    def encode_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts with the prefix for documents."""
        return self._encode([self._prompts.document + text for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode queries with the prefix for queries."""
        return self._encode([self._prompts.query + text for text in texts])

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._model.run(texts, _MOST_TEXTS, self._pool)

    def _pool(self, made: OnnxOutputs) -> NDArray[np.float32]:
        """Pool each text's tokens into one row; an output that is already pooled is returned."""
        values = np.asarray(made.outputs[self._output], dtype=np.float32)
        if values.ndim == 2:
            return values
        if values.ndim != 3:
            raise EmbeddingError(
                f"the output {self._output} of {self._model.files.model} has "
                f"{values.ndim} dimensions; an encoder's has 3 (texts, tokens, values) or 2"
            )
        return _POOLS[self._pooling or "mean"](values, made.mask)


def _choose_output(model: OnnxModel, pooling: str | None) -> str:
    """Choose the output to read: the pooled one, unless the user chose a pooling."""
    wanted = _TOKENS if pooling else (_POOLED, *_TOKENS)
    return next((name for name in wanted if name in model.outputs), model.outputs[0])


def _pool_mean(values: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """Average the tokens of each text, without the padding."""
    weights = mask[:, :, np.newaxis].astype(np.float32)
    # Padding may contain anything, and zero times infinity is NaN.
    kept = np.where(weights > 0, values, np.float32(0))
    counts = np.maximum(weights.sum(axis=1), 1)
    return np.asarray(kept.sum(axis=1) / counts, dtype=np.float32)


def _pool_first(values: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """Take the first token of each text, which such models train to represent it."""
    del mask
    return values[:, 0, :]


_POOLS = dict(zip(POOLINGS, (_pool_mean, _pool_first), strict=True))


def _open(location: str, options: Mapping[str, str]) -> Embedder:
    """Open the encoder in a directory."""
    files = OnnxFiles.find(location, options.get("file", ""))
    prompts = Prompts(
        options.get("query", files.prompts.query), options.get("document", files.prompts.document)
    )
    pooling = take_choice(options, "pooling", POOLINGS)
    pieces = take_number(options, "pieces") or _PIECES
    return OnnxEmbedder(OnnxModel(files, take_number(options, "length")), prompts, pooling, pieces)


ONNX_EMBEDDER = EmbedderKind(
    name="onnx",
    description="a sentence encoder in a local directory (onnxruntime)",
    example="onnx=models/e5-small,query=query: ,document=passage: ",
    open=_open,
    options={
        "pooling": "how to pool tokens into one vector: mean or cls; by default as the model says",
        "query": "a prefix for queries",
        "document": "a prefix for documents",
        "length": "how many tokens of a text to read",
        "pieces": f"how many pieces of a document to embed, its name first; {_PIECES} unless given",
        "file": "which model of the directory, such as onnx/model_int8.onnx",
    },
)
