"""Encoders of sentences from a local directory, by onnxruntime."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stacks.embedding.embedder import Embedder, EmbedderKind, Identity, register_embedder
from stacks.embedding.onnx_files import POOLINGS, OnnxFiles, Prompts
from stacks.embedding.onnx_model import OnnxModel
from stacks.embedding.specs import take_choice, take_number
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from stacks.embedding.onnx_model import ModelRun

__all__ = ["OnnxEmbedder"]

_POOLED = "sentence_embedding"
_TOKENS = ("last_hidden_state", "token_embeddings")


class OnnxEmbedder(Embedder):
    """An encoder of sentences; what its directory says of itself holds unless overridden."""

    batch = 32

    def __init__(self, model: OnnxModel, prompts: Prompts, pooling: str | None = None) -> None:
        self._model = model
        self._prompts = prompts
        self._output = _choose_output(model, pooling)
        self._pooling = "" if self._output == _POOLED else pooling or model.files.pooling or "mean"
        if model.files.has_dense and self._output != _POOLED:
            raise EmbeddingError(
                f"{model.files.folder} describes a dense layer behind the encoder, which "
                f"{model.files.model.name} lacks; export the whole model, with the output {_POOLED}"
            )
        dimension = self._encode(["a"]).shape[1]
        digest = model.files.digest(self._pooling, prompts.document, model.length)
        self._identity = Identity(f"onnx:{model.files.name}", digest, dimension)

    @property
    def identity(self) -> Identity:
        """Name the model; its revision is a digest of all that decides over a document's vector."""
        return self._identity

    def encode_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts behind the prefix for documents."""
        return self._encode([self._prompts.document + text for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode queries behind the prefix for queries."""
        return self._encode([self._prompts.query + text for text in texts])

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._model.run(texts, self.batch, self._pool)

    def _pool(self, run: ModelRun) -> NDArray[np.float32]:
        """Make one row of each text's tokens; an output that is pooled already stays as it is."""
        values = np.asarray(run.outputs[self._output], dtype=np.float32)
        if values.ndim == 2:
            return values
        if values.ndim != 3:
            raise EmbeddingError(
                f"the output {self._output} of {self._model.files.model} has "
                f"{values.ndim} dimensions; an encoder's has 3 (texts, tokens, values) or 2"
            )
        return _POOLS[self._pooling or "mean"](values, run.mask)


def _choose_output(model: OnnxModel, pooling: str | None) -> str:
    """Choose the output to be read: the pooled one, unless a way of pooling is asked for."""
    wanted = _TOKENS if pooling else (_POOLED, *_TOKENS)
    return next((name for name in wanted if name in model.outputs), model.outputs[0])


def _pool_mean(values: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """Average the tokens of each text, and none of the filling."""
    weights = mask[:, :, np.newaxis].astype(np.float32)
    # Filling may hold anything, and nothing times infinity is no number.
    kept = np.where(weights > 0, values, np.float32(0))
    counts = np.maximum(weights.sum(axis=1), 1)
    return np.asarray(kept.sum(axis=1) / counts, dtype=np.float32)


def _pool_first(values: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """Take the first token of each text, which such models make to stand for all."""
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
    return OnnxEmbedder(OnnxModel(files, take_number(options, "length")), prompts, pooling)


register_embedder(
    EmbedderKind(
        name="onnx",
        description="an encoder of sentences in a local directory (onnxruntime)",
        example="onnx=models/e5-small,query=query: ,document=passage: ",
        open=_open,
        options={
            "pooling": "how tokens become one vector: mean or cls; otherwise as the model says",
            "query": "what is written in front of a query",
            "document": "what is written in front of a document",
            "length": "how many tokens of a text are read",
            "file": "which model of the directory, such as onnx/model_int8.onnx",
        },
    )
)
