"""Words as they are compared, whatever the language."""

from __future__ import annotations

import re

from stacks.text.natural import find_words, fold

__all__ = ["fold_words"]

_APOSTROPHES = re.compile(r"(?<=\w)['’](?=\w)")


def fold_words(text: str) -> tuple[str, ...]:
    """Take a text apart into folded words; `can't` is one."""
    return tuple(fold(word) for word in find_words(_APOSTROPHES.sub("", text)))
