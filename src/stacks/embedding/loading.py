"""Optional libraries and tokenizers, loaded where they are needed or refused with the remedy."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizers import Tokenizer

__all__ = ["load_tokenizer", "require"]


def require(package: str, extra: str = "stacks") -> None:
    """Raise `EmbeddingError` with the extra to install where a package is missing."""
    if find_spec(package) is None:
        raise EmbeddingError(
            f"this model needs the package {package}, which is not installed; "
            f"pip install 'cranfield[{extra}]'"
        )


def load_tokenizer(path: Path, extra: str = "stacks") -> Tokenizer:
    """Read a tokenizer's file; what it says of padding and truncation is put aside."""
    require("tokenizers", extra)
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_buffer(path.read_bytes())
    except OSError as error:
        raise EmbeddingError(f"{path} cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise EmbeddingError(f"{path} is no file of a tokenizer ({error})") from None
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
