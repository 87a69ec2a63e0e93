"""Corpora of an index that was moved or copied together with the folders it was made from.

An index remembers the folder that it was saved in, and its corpora by their absolute paths. If it
now lies elsewhere, a corpus that this save names counts as one that the index holds if it lies in
the same direction from the index as the stored one did.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from pathlib import Path

    from stacks.index.index_file import PreviousIndex
    from stacks.index.requests import Corpus

__all__ = ["find_moved", "move_pages", "remember_folder"]

_FOLDER = "folder"


def remember_folder(connection: sqlite3.Connection, path: Path) -> None:
    """Store the folder that an index is saved in."""
    row = (_FOLDER, str(path.parent.resolve()))
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)


def find_moved(
    previous: PreviousIndex, corpora: Iterable[Corpus]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the stored corpora that lie elsewhere now, each with its present source and place."""
    before, now = previous.facts.get(_FOLDER, ""), str(previous.path.parent.resolve())
    if before in ("", now):
        return {}
    named = {corpus.identity for corpus in corpora}
    moved = {}
    for source, location in previous.corpora - named:
        if os.path.isabs(location):  # noqa: PTH117 - a text; it may be no path at all
            place = os.path.normpath(os.path.join(now, os.path.relpath(location, before)))  # noqa: PTH118 - pathlib cannot shorten a/..
            if (source, place) in named:
                moved[source, location] = (source, place)
    return moved


def move_pages(
    connection: sqlite3.Connection, moved: dict[tuple[str, str], tuple[str, str]]
) -> None:
    """Store the present places of corpora that were moved."""
    sql = "UPDATE pages SET location = ? WHERE source = ? AND location = ?"
    rows = [(place, source, before) for (source, before), (_, place) in moved.items()]
    connection.executemany(sql, rows)
