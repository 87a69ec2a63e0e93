"""A local ONNX model and its tokenizer: texts in, the model's outputs out. No downloads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from stacks.embedding.model_kinds import load_tokenizer, require_package
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from stacks.embedding.onnx_files import OnnxFiles

__all__ = ["OnnxModel", "OnnxOutputs"]

_EXTRA = "onnx"

_INTEGERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_QUIET = 3  # errors only, which are also raised


class OnnxOutputs(NamedTuple):
    """A model's outputs for a batch, by name; `mask` is 0 for padding."""

    outputs: Mapping[str, NDArray[np.float32]]
    mask: NDArray[np.int64]


class OnnxModel:
    """An onnxruntime session on the CPU, with its tokenizer."""

    def __init__(self, files: OnnxFiles, length: int | None = None) -> None:
        self.files = files
        self.length = length or files.length
        self._tokenizer = load_tokenizer(files.tokenizer, _EXTRA)
        self._tokenizer.enable_truncation(self.length)
        self._session = _open_session(files.model)
        self._inputs = {each.name: each.type for each in self._session.get_inputs()}
        self.outputs = tuple(each.name for each in self._session.get_outputs())
        self._check_inputs()

    def _check_inputs(self) -> None:
        """Refuse a model whose inputs are not tokens."""
        known = {"input_ids", *_fill_inputs(np.zeros((1, 1), dtype=np.int64))}
        strange = [name for name in self._inputs if name not in known]
        wrong = [name for name, kind in self._inputs.items() if kind not in _INTEGERS]
        if strange or wrong or "input_ids" not in self._inputs:
            got = ", ".join(f"{name} {kind}" for name, kind in self._inputs.items())
            raise EmbeddingError(
                f"{self.files.model} has the inputs {got or '(none)'}; a text encoder has "
                f"input_ids and, also as integers, {', '.join(sorted(known - {'input_ids'}))}"
            )

    def run(
        self,
        texts: Sequence[str] | Sequence[tuple[str, str]],
        batch: int,
        read: Callable[[OnnxOutputs], NDArray[np.float32]],
    ) -> NDArray[np.float32]:
        """Run over texts or pairs of texts, sorted by length; `read` turns outputs into rows."""
        encodings = self._tokenizer.encode_batch_fast(list(texts))
        tokens = [np.asarray(each.ids, dtype=np.int64) for each in encodings]
        segments = [np.asarray(each.type_ids, dtype=np.int64) for each in encodings]
        order = sorted(range(len(tokens)), key=lambda position: len(tokens[position]))
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
    ) -> OnnxOutputs:
        """Run over one batch, padded to its longest text."""
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
        except Exception as error:  # noqa: BLE001 - its errors have no common base class
            raise EmbeddingError(
                f"{self.files.model} failed on {ids.shape[0]} texts of {ids.shape[1]} tokens "
                f"({_shorten(error)}); a smaller length= may help"
            ) from None
        return OnnxOutputs(dict(zip(self.outputs, made, strict=True)), mask)


def _fill_inputs(mask: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """Return the inputs other than tokens that an encoder may have."""
    positions = np.broadcast_to(np.arange(mask.shape[1], dtype=np.int64), mask.shape)
    return {
        "attention_mask": mask,
        "token_type_ids": np.zeros_like(mask),
        "position_ids": positions,
    }


def _stack(rows: Sequence[NDArray[np.int64]], padding: int) -> NDArray[np.int64]:
    """Stack rows of different lengths into one array of at least one column."""
    stacked = np.full((len(rows), max(1, *map(len, rows))), padding, dtype=np.int64)
    for line, row in zip(stacked, rows, strict=True):
        line[: len(row)] = row
    return stacked


def _open_session(path: Path) -> Any:
    """Open a model on the CPU, with as many threads as this process may use."""
    require_package("onnxruntime", _EXTRA)
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _count_cores()
    options.inter_op_num_threads = 1
    options.log_severity_level = _QUIET
    try:
        return onnxruntime.InferenceSession(
            str(path), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # noqa: BLE001 - its errors have no common base class
        raise EmbeddingError(
            f"{path} is not a model that onnxruntime can run ({_shorten(error)})"
        ) from None


def _count_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shorten(error: Exception) -> str:
    """Return the first line of a library's error."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:200]
