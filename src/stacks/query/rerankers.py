"""Rerankers: models that read a query and a text together and score the pair.

Scores order the texts of one query and mean nothing beyond it: each model has its own scale.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from cranfield_shared.registry import Registry
from stacks.embedding import (
    ModelEndpoint,
    ModelKind,
    ModelSpec,
    OnnxFiles,
    OnnxModel,
    RetryPolicy,
    make_valid,
    send_in_parts,
    take_number,
)
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from stacks.embedding import OnnxOutputs

__all__ = ["RERANKERS", "HttpReranker", "OnnxReranker", "Reranker", "RerankerKind", "open_reranker"]

_KEY_VARIABLE = "STACKS_RERANK_KEY"
"""The environment variable that holds a server's key."""
_BATCH = 100
"""How many texts are sent to a server at once."""
_PAIRS = 16
"""How many pairs of query and text a local model reads at once."""


class Reranker(ABC):
    """A model that scores how well texts answer a query.

    Subclasses implement `rate`, which is never given a blank text.
    """

    @abstractmethod
    def rate(self, query: str, texts: Sequence[str]) -> list[float]:
        """Rate each of at least one text."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score each text, higher being better; a blank text is behind all others (-inf)."""
        clean = [make_valid(text) for text in texts]
        asked = [place for place, text in enumerate(clean) if text.strip()]
        scores = [-math.inf] * len(clean)
        if not asked or not query.strip():
            return scores
        rated = self.rate(make_valid(query), [clean[place] for place in asked])
        if len(rated) != len(asked) or not all(map(math.isfinite, rated)):
            raise EmbeddingError(
                f"the reranker gave {len(rated)} scores for {len(asked)} texts, and each has to "
                "be a finite number; take another model"
            )
        for place, rate in zip(asked, rated, strict=True):
            scores[place] = float(rate)
        return scores

    def close(self) -> None:
        """Close connections and models; by default there are none."""
        return


class _TextScore(msgspec.Struct):
    """The score of one text, under the names that servers give it."""

    index: int
    relevance_score: float | None = None
    score: float | None = None


class _RerankAnswer(msgspec.Struct):
    """The response of a server: `results` (Cohere, Jina) or `data` (Voyage)."""

    results: list[_TextScore] | None = None
    data: list[_TextScore] | None = None


_DECODER: msgspec.json.Decoder[_RerankAnswer | list[_TextScore]] = msgspec.json.Decoder(
    _RerankAnswer | list[_TextScore]
)


class HttpReranker(Reranker):
    """Sends texts to the `/rerank` endpoint of a server; `field` is what it calls the texts."""

    def __init__(self, endpoint: ModelEndpoint, model: str = "", field: str = "documents") -> None:
        self._endpoint = endpoint
        self._model = model
        self._field = field

    def rate(self, query: str, texts: Sequence[str]) -> list[float]:
        """Rate texts by the server, in as many requests as it needs."""
        return send_in_parts(lambda part: self._ask(query, part), texts, _BATCH)

    def close(self) -> None:
        """Close all connections."""
        self._endpoint.close()

    def _ask(self, query: str, texts: Sequence[str]) -> list[float]:
        question: dict[str, object] = {"query": query, self._field: list(texts)}
        if self._model:
            question["model"] = self._model
        body = self._endpoint.ask(question)
        try:
            answer = _DECODER.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self._endpoint.make_unusable("answered something else than scores") from None
        results = answer if isinstance(answer, list) else answer.results or answer.data or []
        scores = {
            each.index: each.score if each.relevance_score is None else each.relevance_score
            for each in results
        }
        found = [scores.get(place) for place in range(len(texts))]
        complete = [score for score in found if score is not None]
        if len(complete) != len(texts) or len(results) != len(texts):
            raise self._endpoint.make_unusable(
                f"answered {len(results)} scores that do not belong one each to {len(texts)} texts"
            )
        return complete


class OnnxReranker(Reranker):
    """A cross-encoder in a local directory: one value for each pair of query and text."""

    def __init__(self, model: OnnxModel) -> None:
        self._model = model
        self.rate("a", ["a"])  # a model of another kind is refused before it is used

    def rate(self, query: str, texts: Sequence[str]) -> list[float]:
        """Run the model over the pairs."""
        rows = self._model.run([(query, text) for text in texts], _PAIRS, self._read)
        return [float(row) for row in rows]

    def _read(self, run: OnnxOutputs) -> NDArray[np.float32]:
        """Read one value for each pair."""
        name = "logits" if "logits" in run.outputs else next(iter(run.outputs))
        values = np.asarray(run.outputs[name], dtype=np.float32)
        if values.size != len(run.mask):
            raise EmbeddingError(
                f"the output {name} of {self._model.files.model} has the form {values.shape} for "
                f"{len(run.mask)} pairs; a cross-encoder gives one value for each"
            )
        return values.reshape(-1)


def _open_http(location: str, options: Mapping[str, str]) -> Reranker:
    """Open a model behind a URL; nothing is sent yet."""
    seconds = take_number(options, "timeout")
    retry_policy = RetryPolicy(timeout=float(seconds)) if seconds else RetryPolicy()
    endpoint = ModelEndpoint(location, "/rerank", _KEY_VARIABLE, retry_policy)
    return HttpReranker(endpoint, options.get("model", ""), options.get("field") or "documents")


def _open_onnx(location: str, options: Mapping[str, str]) -> Reranker:
    """Open the cross-encoder in a directory."""
    files = OnnxFiles.find(location, options.get("file", ""))
    return OnnxReranker(OnnxModel(files, take_number(options, "length")))


class RerankerKind(ModelKind[Reranker]):
    """A kind of reranker."""


RERANKERS = Registry("reranker", RerankerKind, group="stacks.rerankers", error=EmbeddingError)
"""Every kind of reranker by name; plug-ins offer theirs as entry points in `stacks.rerankers`."""

RERANKERS.register(
    "http",
    RerankerKind(
        name="http",
        description=f"a server with the usual /rerank; its key is read from {_KEY_VARIABLE}",
        example="http=http://localhost:8080/v1,model=bge-reranker-base",
        open=_open_http,
        options={
            "model": "the model's name, if the server has several",
            "field": "what the server calls the texts: documents unless given, texts for TEI",
            "timeout": "how many seconds an answer may take, 60 unless given",
        },
    ),
)
RERANKERS.register(
    "onnx",
    RerankerKind(
        name="onnx",
        description="a cross-encoder in a local directory (onnxruntime)",
        example="onnx=models/ms-marco-MiniLM-L6-v2",
        open=_open_onnx,
        options={
            "length": "how many tokens of a pair are read",
            "file": "which model of the directory, such as onnx/model_int8.onnx",
        },
    ),
)


def open_reranker(text: str) -> Reranker:
    """Open the reranker of a spec, such as `onnx=models/ms-marco-MiniLM-L6-v2`."""
    spec = ModelSpec.parse(text)
    return RERANKERS.get(spec.kind).open_spec(spec)
