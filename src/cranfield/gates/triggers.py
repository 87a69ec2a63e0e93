"""Whether a change has anything to do with search, by the paths it touches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["find_triggers", "read_changed_paths"]

_PART = re.compile(r"\*\*/|\*\*|\*|\?|.", re.DOTALL)
_MEANINGS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_UNKNOWN = re.compile(r"[{}\[\]]|^!")
_LIST = "make the list with `git diff --name-only --no-renames`"
_DRIVE = re.compile(r"[A-Za-z]:")


def read_changed_paths(content: bytes) -> list[str]:
    """Read a list of paths, one a line, as git writes them from the root of the repository.

    Anything that is not certainly such a list is refused: a path that is misread fits no pattern,
    and a gate would be skipped for it.
    """
    if b"\0" in content:
        raise CranfieldError(
            f"the list of changed paths has NUL in it, as from `-z` or in UTF-16; {_LIST}, in UTF-8"
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CranfieldError(f"the list of changed paths is not in UTF-8; {_LIST}") from None
    lines = [line.rstrip("\r") for line in text.split("\n") if line.strip()]
    for line in lines:
        _refuse(line)
    return lines


def _refuse(line: str) -> None:
    """Refuse a line that is no path from the root of the repository."""
    is_quoted = line.startswith('"') and line.endswith('"')
    reasons = {
        "has a character that was lost on the way (U+FFFD)": "\ufffd" in line,
        "has a tab, as lists with statuses or numbers have": "\t" in line,
        "has a backslash; paths have slashes": "\\" in line and not is_quoted,
        "is not from the root of the repository": bool(line[0] == "/" or _DRIVE.match(line)),
    }
    for reason, is_so in reasons.items():
        if is_so:
            raise CranfieldError(f"the changed path {line!r} {reason}; {_LIST}")


def find_triggers(
    patterns: Sequence[str], paths: Iterable[str], always: Sequence[str] = ()
) -> list[str]:
    """Find the paths that fit one of some patterns, in order, or are among those `always` meant.

    A pattern is a path from the root of the repository: `*` stands for anything within a folder,
    `**` for any folders; what fits a folder fits everything below it. A path in the quotes that git
    puts around unusual ones is taken out of them.
    """
    written = [_write(pattern) for pattern in patterns]
    written += [f"{re.escape(path)}(?:/.*)?" for path in always]
    expressions = [re.compile(each) for each in written]
    cleaned = (_unquote(path.strip()).removeprefix("./").lstrip("/") for path in paths)
    return [path for path in cleaned if path and any(each.fullmatch(path) for each in expressions)]


def _write(pattern: str) -> str:
    pattern = pattern.strip().removeprefix("./").strip("/")
    if _UNKNOWN.search(pattern):
        raise CranfieldError(
            f"the pattern {pattern!r} of [gate] paths has a sign that means nothing there: only "
            "* ** and ? do. Write one pattern for each of {several}, ? for one character, and "
            "leave out what begins with !"
        )
    written = (_MEANINGS.get(part) or re.escape(part) for part in _PART.findall(pattern))
    return "".join(written) + "(?:/.*)?"


def _unquote(path: str) -> str:
    """Undo the quotes and the octal numbers that git writes unusual paths with."""
    if not (path.startswith('"') and path.endswith('"') and len(path) > 1):
        return path
    inside = path[1:-1].encode().decode("unicode_escape", "replace")
    return inside.encode("latin-1", "replace").decode("utf-8", "replace")
