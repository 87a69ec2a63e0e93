"""Names under which a person looks a page up, in the one form they are compared in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["fold_name", "names_by_nearness"]

_CALL = re.compile(r"\(.*\)$|<.*>$", re.DOTALL)
LONGEST_NAME = 200
"""A longer title is a sentence, which nobody types from memory."""


def fold_name(name: str) -> str:
    """Fold case and spaces, and drop the marks around a name: `@MainActor`, `print()`."""
    folded = " ".join(name.casefold().replace("\0", " ").split())
    folded = folded.lstrip("@#`\"'").rstrip("`\"'")
    return folded.removesuffix("()")


def names_by_nearness(title: str, names: Iterable[str]) -> dict[str, int]:
    """Give each folded name how near it is to the title: 0 itself, 1 its end, 2 another.

    `hash` is as good as `hash(into:)`; the end of `Unicode.Scalar` is `scalar`.
    """
    found: dict[str, int] = {}
    title = fold_name(title)
    base = _CALL.sub("", title)
    for name, nearness in (
        (title, 0),
        (base, 0),
        (base.rsplit(".", 1)[-1] if " " not in base else "", 1),
        *((fold_name(name), 2) for name in names),
        *((_CALL.sub("", fold_name(name)), 2) for name in names),
    ):
        if name and len(name) <= LONGEST_NAME:
            found.setdefault(name, nearness)
    return found
