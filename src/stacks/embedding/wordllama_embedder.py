"""The default model: the average of a text's token vectors, from the package wordllama.

The weights are read from the package's folder without importing it, which would load an HTTP
client and set up logging. The average is computed as the package does: over all tokens except
special ones, without truncation.
"""

from __future__ import annotations

import json
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from stacks.embedding.embedder import Embedder, EmbedderKind, Identity
from stacks.embedding.model_kinds import load_tokenizer, take_choice
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["WORDLLAMA_EMBEDDER", "WordLlamaEmbedder"]

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_TENSOR = "embedding.weight"
_LONGEST_HEADER = 100_000  # bytes: that of wordllama has fewer than 100
_DIMENSIONS = ("64", "128", "256")
_MOST_PER_LETTER = 0.6  # tokens: English has 0.3, Spanish 0.4, Hindi 1 and more
_MOST_TOKENS = 1_024  # summed at once: saves memory and rounding errors
_FEW_TEXTS = 32
_FOLDED = "+capitals"  # of the revision: texts in capitals alone are read in lower case
_INSTALL = "pip install 'cranfield[stacks]'"


class WordLlamaEmbedder(Embedder):
    """Averages the vectors of a text's tokens.

    The model is trained so the first 64 or 128 values of a vector are usable by themselves.
    """

    def __init__(self, dimension: int = 256) -> None:
        folder = _find_folder()
        self._identity = Identity("wordllama", f"{_find_version()}{_FOLDED}", dimension)
        self._vectors = _load_vectors(folder / _WEIGHTS)[:, :dimension]
        self._tokenizer = load_tokenizer(folder / _TOKENIZER)

    @property
    def identity(self) -> Identity:
        """Name the package, its version, and that texts in capitals were in lower case."""
        return self._identity

    def encode_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Sum the vectors of each text's tokens; only the direction of the sum matters."""
        rows = np.zeros((len(texts), self._identity.dimension), dtype=np.float32)
        encodings = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        # A search needs a few of 32,000 vectors, and a save nearly all of them.
        look_up = self._wide.__getitem__ if len(texts) > _FEW_TEXTS else self._widen_some
        last = len(self._vectors) - 1
        for row, encoding in enumerate(encodings):
            tokens = np.minimum(encoding.ids, last)
            for start in range(0, len(tokens), _MOST_TOKENS):
                rows[row] += look_up(tokens[start : start + _MOST_TOKENS]).sum(axis=0)
        return rows

    @cached_property
    def _wide(self) -> NDArray[np.float32]:
        return _widen(self._vectors)

    def _widen_some(self, tokens: NDArray[np.int64]) -> NDArray[np.float32]:
        return _widen(self._vectors[tokens])

    def reads(self, text: str) -> bool:
        """Return whether tokens have several letters; Devanagari is split into single characters.

        The vectors of single characters mean nothing, and are nearly the same for any text.
        """
        text = self._clean(text)
        letters = sum(not character.isspace() for character in text)
        tokens = len(self._tokenizer.encode(text, add_special_tokens=False).ids)
        return tokens < _MOST_PER_LETTER * letters


def _widen(values: NDArray[np.float16]) -> NDArray[np.float32]:
    """Convert 16-bit numbers to 32 bits: by a table, which is faster than `astype`."""
    return _list_halves()[values.view(np.uint16)]


@cache
def _list_halves() -> NDArray[np.float32]:
    """List all numbers of 16 bits, by their bits."""
    return np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)


def _find_folder() -> Path:
    """Find the folder of the package without importing it."""
    found = find_spec("wordllama")
    if found is None or not found.submodule_search_locations:
        raise EmbeddingError(
            f"the default embedder needs the package wordllama, which is not installed; {_INSTALL}"
        )
    return Path(next(iter(found.submodule_search_locations)))


def _find_version() -> str:
    """Return the version of the package, which identifies the weights."""
    try:
        return version("wordllama")
    except PackageNotFoundError:
        return "unknown"


def _load_vectors(path: Path) -> NDArray[np.float16]:
    """Map the vectors into memory, one row for each token, in 16 bits as they are stored.

    A search reads a few of 16 megabytes. The file is in the format of safetensors: the length of
    its header in 8 bytes, the header as JSON, and the numbers.
    """
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(min(length, _LONGEST_HEADER)))
        tensor = header[_TENSOR]
        kind = {"F16": np.float16}[tensor["dtype"]]
        begin = 8 + length + tensor["data_offsets"][0]
        return np.asarray(np.memmap(path, kind, "r", begin, tuple(tensor["shape"])))
    except (OSError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise EmbeddingError(
            f"wordllama's weights cannot be read from {path} ({error}); "
            f"install the package again: {_INSTALL}"
        ) from None


def _open(location: str, options: Mapping[str, str]) -> Embedder:
    """Open the model; it has no location."""
    if location:
        raise EmbeddingError(f"wordllama={location}: this model has no location; write wordllama")
    return WordLlamaEmbedder(int(take_choice(options, "dimension", _DIMENSIONS) or 256))


WORDLLAMA_EMBEDDER = EmbedderKind(
    name="wordllama",
    description="a small static model, bundled in its package",
    example="wordllama",
    open=_open,
    options={"dimension": "how long vectors are: 64, 128 or 256 (the default)"},
)
