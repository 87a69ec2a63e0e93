"""Whether a change can affect search, by the paths it touches."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.evaluation.project import Project

__all__ = ["find_skip_reason", "find_triggers", "read_changed_paths"]

_PART = re.compile(r"\*\*/|\*\*|\*|\?|.", re.DOTALL)
_MEANINGS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_UNKNOWN = re.compile(r"[{}\[\]]|^!")
_LIST = "make the list with `git diff --name-only --no-renames`"
_DRIVE = re.compile(r"[A-Za-z]:")


def find_skip_reason(project: Project, changed: bytes) -> str:
    """Say why a change needs no gate; empty if it does.

    `changed` is a list of paths as `git diff --name-only` writes it. The gate is needed if a path
    matches [gate] paths of the project, or is one of its suites, baselines, or tasks and recordings
    of agents.
    """
    patterns = project.content.gate_paths
    if not patterns:
        raise CranfieldError(
            "--changed-paths needs patterns to match the paths with; write them in cranfield.toml: "
            '[gate]\npaths = ["src/search/**", "suites/**"]'
        )
    paths = read_changed_paths(changed)
    if not paths or find_triggers(patterns, paths, _own_paths(project)):
        # An empty list is more likely a list that could not be made than a change of nothing.
        return ""
    return f"none of the {len(paths)} changed paths matches {', '.join(patterns)}"


def _own_paths(project: Project) -> list[str]:
    """Return the project's file and all that its gate compares, from the repository's root."""
    folder = project.folder.resolve()
    root = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)
    agents = project.content.agents
    compared = (agents.tasks, agents.baseline, agents.candidate) if agents else ()
    own = [folder / each for each in ("baselines", *project.suites, *compared)]
    own += [project.file.resolve()] if project.file else []
    whole = [Path(os.path.normpath(path)) for path in own]
    return [path.relative_to(root).as_posix() for path in whole if path.is_relative_to(root)]


def read_changed_paths(content: bytes) -> list[str]:
    """Read a list of paths, one a line, as git writes them from the root of the repository.

    Anything that may not be such a list is refused: a path that is misread matches no pattern, and
    the gate would be skipped.
    """
    if b"\0" in content:
        raise CranfieldError(
            f"the list of changed paths contains NUL, as from `-z` or in UTF-16; {_LIST}, in UTF-8"
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
    """Refuse a line that is not a path from the root of the repository."""
    is_quoted = line.startswith('"') and line.endswith('"')
    reasons = {
        "has a character that was lost in a conversion (U+FFFD)": "\ufffd" in line,
        "has a tab, as in lists with statuses or counts": "\t" in line,
        "has a backslash; paths have slashes": "\\" in line and not is_quoted,
        "is not from the root of the repository": bool(line[0] == "/" or _DRIVE.match(line)),
    }
    for reason, is_so in reasons.items():
        if is_so:
            raise CranfieldError(f"the changed path {line!r} {reason}; {_LIST}")


def find_triggers(
    patterns: Sequence[str], paths: Iterable[str], always: Sequence[str] = ()
) -> list[str]:
    """Find the paths that match a pattern, or are in `always`, in order.

    A pattern is a path from the root of the repository: `*` stands for anything within a folder,
    `**` for any folders; a pattern that matches a folder matches everything below it. Quotes that
    git puts around unusual paths are removed.
    """
    written = [_translate(pattern) for pattern in patterns]
    written += [f"{re.escape(path)}(?:/.*)?" for path in always]
    expressions = [re.compile(each) for each in written]
    cleaned = (_unquote(path.strip()).removeprefix("./").lstrip("/") for path in paths)
    return [path for path in cleaned if path and any(each.fullmatch(path) for each in expressions)]


def _translate(pattern: str) -> str:
    pattern = pattern.strip().removeprefix("./").strip("/")
    if _UNKNOWN.search(pattern):
        raise CranfieldError(
            f"the pattern {pattern!r} of [gate] paths has a special character that is not "
            "supported: only * ** and ? are. Write one pattern for each of {several}, ? for one "
            "character, and leave out what begins with !"
        )
    written = (_MEANINGS.get(part) or re.escape(part) for part in _PART.findall(pattern))
    return "".join(written) + "(?:/.*)?"


def _unquote(path: str) -> str:
    """Undo the quotes and octal numbers that git writes unusual paths with."""
    if not (path.startswith('"') and path.endswith('"') and len(path) > 1):
        return path
    inside = path[1:-1].encode().decode("unicode_escape", "replace")
    return inside.encode("latin-1", "replace").decode("utf-8", "replace")
