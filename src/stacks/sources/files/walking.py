"""A folder's files in a stable order, hidden ones too, without what is to be ignored."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import SourceError
from stacks.sources.file_selection import get_reason, make_printable
from stacks.sources.files.ignoring import (
    IGNORE_FILES,
    Layer,
    is_ignored,
    is_never_entered,
    parse_rules,
)
from stacks.sources.folders import read_regular
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Found", "walk"]

_LARGEST_RULES = 2**20  # bytes


class Found(NamedTuple):
    """Something in a folder that is no folder; `key` is its path as it can be stored."""

    key: str
    path: tuple[str, ...]
    entry: os.DirEntry[str]


class _Waiting(NamedTuple):
    """What was listed and not yet looked at, with the rules that hold in its folder."""

    found: Found
    rules: Layer | None


def walk(root: Path) -> Iterator[Found | PageError]:
    """Yield what a folder and those below it hold, in the order of names, each listed once.

    Raises `SourceError` where the folder itself cannot be listed.
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
    place: str, path: tuple[str, ...], above: Layer | None
) -> list[_Waiting | PageError]:
    """List one folder, last name first, under its own rules and those above."""
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
        items.append(_Waiting(Found(prefix + name, (*path, entry.name), entry), rules))
    items.reverse()
    return items


def _read_rules(
    entries: list[os.DirEntry[str]], prefix: str, depth: int, above: Layer | None
) -> Layer | PageError | None:
    """Read the rules that a folder brings; those of `.stacksignore` come last and so decide."""
    files = {entry.name: entry for entry in entries if entry.name in IGNORE_FILES}
    texts: list[str] = []
    for name in IGNORE_FILES:
        entry = files.get(name)
        if entry is None or not entry.is_file(follow_symlinks=False):
            continue
        regular = read_regular(entry.path, prefix + name, _LARGEST_RULES)
        if isinstance(regular, PageError):
            continue  # said once more where the file itself is read
        if regular.data is None:
            return PageError(
                f"{prefix}{name} has {regular.size:,} bytes; its rules are not respected, "
                f"at most {_LARGEST_RULES:,} bytes are read"
            )
        texts.append(regular.data.decode("utf-8", "surrogateescape"))
    rules = parse_rules("\n".join(texts))
    return Layer(rules, depth, above) if rules else above
