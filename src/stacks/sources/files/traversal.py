"""The files of a folder in a stable order: hidden ones too, but not the ignored ones."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import SourceError
from stacks.sources.file_selection import get_reason, make_printable
from stacks.sources.files.ignore_rules import (
    IGNORE_FILES,
    RuleLayer,
    is_ignored,
    is_never_entered,
    parse_rules,
)
from stacks.sources.folders import read_regular
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["FoundFile", "walk_files"]

_LARGEST_RULES = 2**20  # bytes


class FoundFile(NamedTuple):
    """Anything in a folder except a folder; `key` is its path in a form that can be stored."""

    key: str
    path: tuple[str, ...]
    entry: os.DirEntry[str]


class _Waiting(NamedTuple):
    """An entry that was listed but not visited yet, with the ignore rules of its folder."""

    found: FoundFile
    rules: RuleLayer | None


def walk_files(root: Path) -> Iterator[FoundFile | PageError]:
    """Yield the files of a folder and its subfolders in the order of their names.

    Raises `SourceError` if the folder itself cannot be listed.
    """
    try:
        waiting = _list_folder(str(root), (), None)
    except OSError as error:
        raise SourceError(
            f"{root} cannot be listed: {get_reason(error)}; give a folder that can be read"
        ) from None
    while waiting:
        item = waiting.pop()
        if isinstance(item, PageError):
            yield item
            continue
        found, rules = item
        is_folder = False
        try:
            is_folder = found.entry.is_dir(follow_symlinks=False)
            if is_never_entered(found.path) or is_ignored(rules, found.path, is_folder=is_folder):
                continue
            if is_folder:
                waiting += _list_folder(found.entry.path, found.path, rules)
        except OSError as error:
            yield PageError(f"{found.key} cannot be listed: {get_reason(error)}")
            continue
        if not is_folder:
            yield found


def _list_folder(
    place: str, path: tuple[str, ...], above: RuleLayer | None
) -> list[_Waiting | PageError]:
    """List one folder, last name first, with its own rules and those above it."""
    with os.scandir(place) as entries:
        ordered = sorted(entries, key=lambda entry: entry.name)
    prefix = "".join(f"{make_printable(folder)}/" for folder in path)
    items: list[_Waiting | PageError] = []
    rules = _read_rules(ordered, prefix, len(path), above)
    if isinstance(rules, PageError):
        items.append(rules)
        rules = above
    taken: set[str] = set()
    for entry in ordered:
        name = make_printable(entry.name)
        if name in taken:
            items.append(PageError(f"{prefix}{name} is written like another name beside it"))
            continue
        if "\\" in name:
            taken.add(name)
        items.append(_Waiting(FoundFile(prefix + name, (*path, entry.name), entry), rules))
    items.reverse()
    return items


def _read_rules(
    entries: list[os.DirEntry[str]], prefix: str, depth: int, above: RuleLayer | None
) -> RuleLayer | PageError | None:
    """Read the ignore rules of a folder; those of `.stacksignore` come last, so they decide."""
    files = {entry.name: entry for entry in entries if entry.name in IGNORE_FILES}
    texts: list[str] = []
    for name in IGNORE_FILES:
        entry = files.get(name)
        if entry is None or not entry.is_file(follow_symlinks=False):
            continue
        regular = read_regular(entry.path, prefix + name, _LARGEST_RULES)
        if isinstance(regular, PageError):
            continue  # reported when the file itself is read
        if regular.data is None:
            return PageError(
                f"{prefix}{name} has {regular.size:,} bytes; its rules are not respected, "
                f"at most {_LARGEST_RULES:,} bytes are read"
            )
        texts.append(regular.data.decode("utf-8", "surrogateescape"))
    rules = parse_rules("\n".join(texts))
    return RuleLayer(rules, depth, above) if rules else above
