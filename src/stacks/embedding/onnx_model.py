"""A local ONNX model: the files in its directory, and texts in, outputs out. No downloads."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard, TypeVar

import msgspec
import numpy as np

from cranfield_shared.settings_files import read_limited
from stacks.embedding.model_kinds import load_tokenizer, require_package
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["POOLINGS", "OnnxFiles", "OnnxModel", "OnnxOutputs", "Prompts", "divide_by_length"]

_Work = TypeVar("_Work")
_Made = TypeVar("_Made")

POOLINGS = ("mean", "cls")
_SUBFOLDER = "onnx"
_MODELS = ("model.onnx", "model_quantized.onnx", "model_int8.onnx", "encoder_model.onnx")
_LENGTH = 512
_UNLIMITED = 100_000  # configurations write numbers such as 1e30 for "no limit"
_BLOCK = 1 << 20
_GET = "export an encoder there, such as with optimum-cli export onnx"
_EXTRA = "onnx"
_INTEGERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_TOKENS_AT_ONCE = 1_024
"""How many tokens a batch has at most, with its padding: what a layer makes fits in the cache."""
_MOST_PADDED = 1.25
"""How much longer than its shortest text a batch may be, beside `_FEW_TOKENS`."""
_FEW_TOKENS = 8
_QUIET = 3  # errors only, which are also raised


class Prompts(NamedTuple):
    """The prefixes of queries and documents."""

    query: str = ""
    document: str = ""


@dataclass(frozen=True, slots=True)
class OnnxFiles:
    """The files of one model: the graph, the tokenizer, and the folder with the settings."""

    folder: Path
    model: Path
    tokenizer: Path

    @classmethod
    def find(cls, location: str, file: str = "") -> OnnxFiles:
        """Find the files in a directory; `file` chooses one of several models."""
        folder = Path(location).expanduser()
        if not location or not folder.is_dir():
            what = "is a file" if folder.is_file() else "is not a directory"
            raise EmbeddingError(
                f"onnx={location} {what}; give the directory that holds model.onnx and "
                "tokenizer.json"
            )
        return cls(folder, _find_model(folder, file), _find_tokenizer(folder))

    @property
    def name(self) -> str:
        """The model's name in its configuration, so moving it changes nothing."""
        config = self._read("config.json")
        name = str(config.get("_name_or_path") or config.get("model_type") or "encoder")
        return name.replace("\\", "/").rstrip("/").rpartition("/")[2] or "encoder"

    @property
    def length(self) -> int:
        """How many tokens of a text the model reads."""
        lengths = [
            self._read("sentence_bert_config.json").get("max_seq_length"),
            self._read("tokenizer_config.json").get("model_max_length"),
            _LENGTH,
        ]
        most = self._read("config.json").get("max_position_embeddings")
        return min(next(filter(_is_length, lengths)), most if _is_length(most) else _UNLIMITED)

    @property
    def padding(self) -> int:
        """The token that pads the shorter texts of a batch."""
        token = self._read("config.json").get("pad_token_id")
        return token if isinstance(token, int) and token >= 0 else 0

    @property
    def pooling(self) -> str | None:
        """How tokens are pooled, None if the settings do not say; others than ours are an error."""
        path = self._find_module("Pooling", "1_Pooling")
        config = self._read(f"{path}/config.json")
        ways = [
            name.removeprefix("pooling_mode_").removesuffix("_token").removesuffix("_tokens")
            for name, value in config.items()
            if name.startswith("pooling_mode_") and value is True
        ]
        if isinstance(config.get("pooling_mode"), str):
            ways = [config["pooling_mode"]]
        if not ways:
            return None
        if len(ways) > 1 or ways[0] not in POOLINGS:
            raise EmbeddingError(
                f"{self.folder}/{path} asks for pooling by {' and '.join(ways)}; there are "
                f"{', '.join(POOLINGS)}: give one as pooling=, or use another model"
            )
        return ways[0]

    @property
    def has_dense(self) -> bool:
        """Whether a dense layer follows the pooling, which an export of the encoder lacks."""
        return bool(self._find_module("Dense", ""))

    @property
    def prompts(self) -> Prompts:
        """The prefixes that the settings name for queries and documents."""
        found = self._read("config_sentence_transformers.json").get("prompts")
        prompts = found if isinstance(found, dict) else {}
        document = prompts.get("document") or prompts.get("passage")
        return Prompts(str(prompts.get("query") or ""), str(document or ""))

    def digest(self, *settings: object) -> str:
        """Return a short digest of everything that affects a vector: model, tokenizer, settings."""
        whole = hashlib.blake2b(repr(settings).encode(), digest_size=8)
        data = sorted(self.model.parent.glob(f"{self.model.name}?data"))
        for path in [self.model, *data, self.tokenizer]:
            with path.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    whole.update(block)
        return whole.hexdigest()

    def _find_module(self, kind: str, default: str) -> str:
        """Find the folder of a module in the list of modules of sentence-transformers."""
        try:
            modules = msgspec.json.decode(read_limited(self.folder / "modules.json"))
        except (OSError, msgspec.DecodeError, RecursionError):
            return default
        listed = modules if isinstance(modules, list) else []
        listed = [each for each in listed if isinstance(each, dict)]
        paths = (
            str(each.get("path"))
            for each in listed
            if str(each.get("type")).rpartition(".")[2] == kind
        )
        return next(paths, default)

    def _read(self, name: str) -> Mapping[str, Any]:
        """Read a settings file; a missing one is empty."""
        path = self.folder / name
        try:
            settings = msgspec.json.decode(read_limited(path))
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError, RecursionError) as error:
            raise EmbeddingError(f"{path} cannot be read ({error}); fix or remove it") from None
        return settings if isinstance(settings, dict) else {}


def _is_length(value: object) -> TypeGuard[int]:
    """Return whether a setting is a number of tokens, not a number that means "no limit"."""
    return isinstance(value, int) and 0 < value < _UNLIMITED


def _find_model(folder: Path, file: str) -> Path:
    """Find the model: the one asked for, the usual one, or the only one."""
    there = [*_list_models(folder), *_list_models(folder / _SUBFOLDER)]
    names = {str(path.relative_to(folder)): path for path in there}
    if file:
        if file not in names:
            raise EmbeddingError(f"{folder} holds no {file}; {_describe_models(names)}")
        return names[file]
    usual = (f"{part}{name}" for name in _MODELS for part in ("", f"{_SUBFOLDER}/"))
    for name in usual:
        if name in names:
            return names[name]
    if len(there) == 1:
        return there[0]
    if there:
        raise EmbeddingError(
            f"{folder} holds several models; choose with file=: {_describe_models(names)}"
        )
    raise EmbeddingError(f"{folder} holds no model.onnx; {_GET}")


def _list_models(folder: Path) -> list[Path]:
    """List the models in a folder, which need not exist."""
    return sorted(path for path in folder.glob("*.onnx") if path.is_file())


def _describe_models(names: Iterable[str]) -> str:
    """List the models there are."""
    return f"there are {', '.join(names)}" if names else f"there is no model; {_GET}"


def _find_tokenizer(folder: Path) -> Path:
    """Find the tokenizer of the model."""
    for path in (folder / "tokenizer.json", folder / _SUBFOLDER / "tokenizer.json"):
        if path.is_file():
            return path
    raise EmbeddingError(
        f"{folder} holds no tokenizer.json; put the model's fast tokenizer there "
        "(older formats, such as vocab.txt, are not supported)"
    )


class OnnxOutputs(NamedTuple):
    """A model's outputs for a batch, by name; `mask` is 0 for padding."""

    outputs: Mapping[str, NDArray[np.float32]]
    mask: NDArray[np.int64]


class OnnxModel:
    """An onnxruntime session on the CPU, with its tokenizer."""

    def __init__(self, files: OnnxFiles, length: int | None = None) -> None:
        self.files = files
        self.length = length or files.length
        self._tokenizer = load_tokenizer(files.tokenizer, _EXTRA, self.length)
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
        """Run over texts or pairs of texts in batches; `read` turns outputs into rows."""
        encodings = self._tokenizer.encode_batch_fast(list(texts))
        tokens = [np.asarray(each.ids, dtype=np.int64) for each in encodings]
        segments = [np.asarray(each.type_ids, dtype=np.int64) for each in encodings]

        def run_one(chosen: Sequence[int]) -> NDArray[np.float32]:
            return read(self._run_batch([tokens[i] for i in chosen], [segments[i] for i in chosen]))

        batches = divide_by_length([len(each) for each in tokens], batch)
        rows = np.concatenate(_run_in_threads(run_one, batches))
        return rows[np.argsort(np.concatenate(batches))]

    def _run_batch(
        self, tokens: Sequence[NDArray[np.int64]], segments: Sequence[NDArray[np.int64]]
    ) -> OnnxOutputs:
        """Run over one batch, padded to its longest text."""
        ids = _stack(tokens, self.files.padding)
        mask = _stack([np.ones_like(each) for each in tokens], 0)
        values = {**_fill_inputs(mask), "input_ids": ids, "token_type_ids": _stack(segments, 0)}
        asked = {name: values[name].astype(_INTEGERS[kind]) for name, kind in self._inputs.items()}
        try:
            made = self._session.run(None, asked)
        except Exception as error:  # noqa: BLE001 - its errors have no common base class
            raise EmbeddingError(
                f"{self.files.model} failed on {ids.shape[0]} texts of {ids.shape[1]} tokens "
                f"({_shorten(error)}); a smaller length= may help"
            ) from None
        return OnnxOutputs(dict(zip(self.outputs, made, strict=True)), mask)


def divide_by_length(lengths: Sequence[int], most: int) -> list[list[int]]:
    """Divide texts into batches of at most `most` texts, few tokens, and little padding."""
    batches: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        # Texts come in the order of their length: the next is what a batch is padded to.
        longest = lengths[place]
        if not batches or not _fits(batches[-1], longest, lengths[batches[-1][0]], most):
            batches.append([])
        batches[-1].append(place)
    return batches


def _fits(batch: Sequence[int], longest: int, shortest: int, most: int) -> bool:
    """Return whether a batch takes one more text, which is the longest."""
    count = len(batch) + 1
    return (
        count <= most
        and count * longest <= _TOKENS_AT_ONCE
        and longest <= shortest * _MOST_PADDED + _FEW_TOKENS
    )


def _run_in_threads(run: Callable[[_Work], _Made], work: Sequence[_Work]) -> list[_Made]:
    """Run work in as many threads as this process has cores, in the order given."""
    threads = min(len(work), _count_cores())
    if threads < 2:
        return [run(each) for each in work]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, work))


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
    """Open a model on the CPU, with one thread: several run batches side by side.

    Threads that share the work of one batch wait for each other at every layer, which costs as
    much as it gains if other processes keep the cores busy.
    """
    require_package("onnxruntime", _EXTRA)
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
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
