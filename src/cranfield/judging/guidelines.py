"""What raters go by: the guidelines of a suite, with the version that a judgment keeps."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.model import Suite

__all__ = ["Guidelines", "read_guidelines"]

_USUAL = """\
Is this a right answer to the query? Judge the text that is shown, by itself: not how well it is
written, and not whether there may be something better. If you cannot tell what the query is after,
take what most people who type it want.
"""
_LARGEST = 100_000
_VERSION_DIGITS = 12


class Guidelines(NamedTuple):
    """A text for raters; `version` changes whenever the text does."""

    text: str
    version: str


def read_guidelines(suite: Suite) -> Guidelines:
    """Read the guidelines of a suite, or those that apply to every suite without its own."""
    text = _read(Path(suite.folder, name)) if (name := suite.judging.guidelines) else _USUAL
    digest = hashlib.sha256(" ".join(text.split()).encode()).hexdigest()
    return Guidelines(text, digest[:_VERSION_DIGITS])


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(
            f"the guidelines of the suite cannot be read ({problem}); `guidelines` of [judging] "
            "names a text file in the folder of the suite",
            file=str(path),
        ) from problem
    if len(text) > _LARGEST:
        raise InputError(f"guidelines have at most {_LARGEST:,} characters", file=str(path))
    return text
