"""Whether a change has anything to do with search, by the paths it touches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["find_triggers"]

_PART = re.compile(r"\*\*/|\*\*|\*|\?|.", re.DOTALL)
_MEANINGS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def find_triggers(patterns: Sequence[str], paths: Iterable[str]) -> list[str]:
    """Find the paths that fit one of some patterns, in order.

    A pattern is a path from the root of the repository: `*` stands for anything within a folder,
    `**` for any folders, and one that ends in a slash for everything below it.
    """
    expressions = [re.compile(_write(pattern)) for pattern in patterns]
    cleaned = (path.strip().removeprefix("./").lstrip("/") for path in paths)
    return [path for path in cleaned if path and any(each.fullmatch(path) for each in expressions)]


def _write(pattern: str) -> str:
    pattern = pattern.strip().removeprefix("./").lstrip("/")
    if pattern.endswith("/"):
        pattern += "**"
    return "".join(_MEANINGS.get(part) or re.escape(part) for part in _PART.findall(pattern))
