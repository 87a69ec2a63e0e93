"""A local ONNX model and its tokenizer: texts in, the model's outputs out. Nothing is fetched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from stacks.embedding.loading import load_tokenizer, require
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from stacks.embedding.onnx_files import OnnxFiles

__all__ = ["EXTRA", "ModelRun", "OnnxModel"]

EXTRA = "onnx"
"""The extra that brings what ONNX models need."""

_INTEGERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_QUIET = 3  # errors only; they are raised as well


class ModelRun(NamedTuple):
    """What a model made of a batch: its outputs by name, and which tokens are none of a text."""

    outputs: Mapping[str, NDArray[np.float32]]
    mask: NDArray[np.int64]


class OnnxModel:
    """A session of onnxruntime on the processor, and the tokenizer in front of it."""

    def __init__(self, files: OnnxFiles, length: int | None = None) -> None:
        self.files = files
        self.length = length or files.length
        self._tokenizer = load_tokenizer(files.tokenizer, EXTRA)
        self._tokenizer.enable_truncation(self.length)
        self._session = _open_session(files.model)
        self._inputs = {each.name: each.type for each in self._session.get_inputs()}
        self.outputs = tuple(each.name for each in self._session.get_outputs())
        self._check_inputs()

    def _check_inputs(self) -> None:
        """Refuse a model that is asked otherwise than with tokens."""
        known = {"input_ids", *_fill_inputs(np.zeros((1, 1), dtype=np.int64))}
        strange = [name for name in self._inputs if name not in known]
        wrong = [name for name, kind in self._inputs.items() if kind not in _INTEGERS]
        if strange or wrong or "input_ids" not in self._inputs:
            got = ", ".join(f"{name} {kind}" for name, kind in self._inputs.items())
            raise EmbeddingError(
                f"{self.files.model} has the inputs {got or '(none)'}; an encoder of text has "
                f"input_ids and, of integers as well, {', '.join(sorted(known - {'input_ids'}))}"
            )

    def run(
        self,
        texts: Sequence[str] | Sequence[tuple[str, str]],
        batch: int,
        read: Callable[[ModelRun], NDArray[np.float32]],
    ) -> NDArray[np.float32]:
        """Run over texts or pairs of them, those of like length together; `read` makes the rows."""
        encodings = self._tokenizer.encode_batch_fast(list(texts))
        tokens = [np.asarray(each.ids, dtype=np.int64) for each in encodings]
        segments = [np.asarray(each.type_ids, dtype=np.int64) for each in encodings]
        order = sorted(range(len(tokens)), key=lambda place: len(tokens[place]))
        parts = []
        for start in range(0, len(order), batch):
            chosen = order[start : start + batch]
            parts.append(
                read(self._run_batch([tokens[i] for i in chosen], [segments[i] for i in chosen]))
            )
        rows = np.concatenate(parts)
        return rows[np.argsort(order)]

    def _run_batch(
        self, tokens: Sequence[NDArray[np.int64]], segments: Sequence[NDArray[np.int64]]
    ) -> ModelRun:
        """Run over one batch, filled up to its longest text."""
        ids = _stack(tokens, self.files.padding)
        mask = _stack([np.ones_like(each) for each in tokens], 0)
        values = {
            **_fill_inputs(mask),
            "input_ids": ids,
            "token_type_ids": _stack(segments, 0),
        }
        asked = {name: values[name].astype(_INTEGERS[kind]) for name, kind in self._inputs.items()}
        try:
            made = self._session.run(None, asked)
        except Exception as error:  # noqa: BLE001 - its errors have no base of their own
            raise EmbeddingError(
                f"{self.files.model} failed on {ids.shape[0]} texts of {ids.shape[1]} tokens "
                f"({_shorten(error)}); a smaller length= may help"
            ) from None
        return ModelRun(dict(zip(self.outputs, made, strict=True)), mask)


def _fill_inputs(mask: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """Make the inputs beside the tokens that an encoder may have."""
    positions = np.broadcast_to(np.arange(mask.shape[1], dtype=np.int64), mask.shape)
    return {
        "attention_mask": mask,
        "token_type_ids": np.zeros_like(mask),
        "position_ids": positions,
    }


def _stack(rows: Sequence[NDArray[np.int64]], filling: int) -> NDArray[np.int64]:
    """Make one array of rows of several lengths; it is never without columns."""
    stacked = np.full((len(rows), max(1, *map(len, rows))), filling, dtype=np.int64)
    for line, row in zip(stacked, rows, strict=True):
        line[: len(row)] = row
    return stacked


def _open_session(path: Path) -> Any:
    """Open a model on the processor, with as many threads as this process may use."""
    require("onnxruntime", EXTRA)
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _count_cores()
    options.inter_op_num_threads = 1
    options.log_severity_level = _QUIET
    try:
        return onnxruntime.InferenceSession(
            str(path), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # noqa: BLE001 - its errors have no base of their own
        raise EmbeddingError(
            f"{path} is no model that onnxruntime can run ({_shorten(error)})"
        ) from None


def _count_cores() -> int:
    """Count the processor's cores that are ours."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shorten(error: Exception) -> str:
    """Cut a library's complaint to its first line."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:200]
