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
    `**` for any folders; what fits a folder fits everything below it. A path in the quotes that git
    puts around unusual ones is taken out of them.
    """
    expressions = [re.compile(_write(pattern)) for pattern in patterns]
    cleaned = (_unquote(path.strip()).removeprefix("./").lstrip("/") for path in paths)
    return [path for path in cleaned if path and any(each.fullmatch(path) for each in expressions)]


def _write(pattern: str) -> str:
    pattern = pattern.strip().removeprefix("./").strip("/")
    written = (_MEANINGS.get(part) or re.escape(part) for part in _PART.findall(pattern))
    return "".join(written) + "(?:/.*)?"


def _unquote(path: str) -> str:
    """Undo the quotes and the octal numbers that git writes unusual paths with."""
    if not (path.startswith('"') and path.endswith('"') and len(path) > 1):
        return path
    inside = path[1:-1].encode().decode("unicode_escape", "replace")
    return inside.encode("latin-1", "replace").decode("utf-8", "replace")
