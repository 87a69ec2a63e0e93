"""Which commit a folder is at, as git's own files say; no git is needed."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["find_commit"]

_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def find_commit(folder: str | Path) -> str:
    """Return the commit of the work tree that a folder is in; empty if there is none."""
    start = Path(folder).absolute()
    for parent in (start, *start.parents):
        try:
            if (parent / ".git").exists():
                return _read_commit(_git_folder(parent / ".git"))
        except (OSError, ValueError):
            return ""
    return ""


def _git_folder(found: Path) -> Path:
    """Follow the file that stands for git's folder in a further work tree."""
    if found.is_dir():
        return found
    named = found.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
    return found.parent / named


def _read_commit(folder: Path) -> str:
    head = (folder / "HEAD").read_text(encoding="utf-8").strip()
    if not head.startswith("ref:"):
        return head if _HASH.fullmatch(head) else ""
    name = head.removeprefix("ref:").strip()
    common = folder / "commondir"
    shared = folder / common.read_text(encoding="utf-8").strip() if common.is_file() else folder
    for place in (folder / name, shared / name):
        if place.is_file():
            commit = place.read_text(encoding="utf-8").strip()
            return commit if _HASH.fullmatch(commit) else ""
    return _find_packed(shared / "packed-refs", name)


def _find_packed(file: Path, name: str) -> str:
    if not file.is_file():
        return ""
    for line in file.read_text(encoding="utf-8").splitlines():
        commit, _, ref = line.partition(" ")
        if ref == name and _HASH.fullmatch(commit):
            return commit
    return ""
