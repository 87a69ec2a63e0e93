"""Search the documentation of the modules of this Python: two builds of one small program.

Both index the same docstrings with SQLite's FTS5. The plain one treats all text alike; the
weighted one stems words and trusts names and first lines more than the rest.

    python3 search.py plain "parse json" 10
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import re
import sqlite3
import sys
import warnings
from pathlib import Path

BUILDS = {"plain": ("unicode61", "1, 1, 1"), "weighted": ("porter unicode61", "10, 5, 1")}
INDEXES = Path(__file__).parent / ".cranfield"
INNER = {"asyncio", "concurrent", "email", "html", "http", "importlib", "json", "logging", "xml"}
LEFT_OUT = {"antigravity", "this", "idlelib", "test", "lib2to3", "turtledemo", "__main__"}


def pages() -> list[tuple[str, str, str]]:
    """Return name, first line and whole text of every documented module."""
    found = []
    for name in sorted(module_names()):
        try:
            with warnings.catch_warnings(action="ignore"):
                module = importlib.import_module(name)
        except (ImportError, SystemExit, OSError):
            continue
        if text := (module.__doc__ or "").strip():
            found.append((name, text.splitlines()[0], text))
    return found


def module_names() -> set[str]:
    """Name the public modules of the standard library, and those inside a few packages."""
    names = {name for name in sys.stdlib_module_names if name not in LEFT_OUT}
    for package in INNER:
        folder = importlib.import_module(package).__path__
        names.update(f"{package}.{inner.name}" for inner in pkgutil.iter_modules(folder))
    return {name for name in names if not name.startswith("_") and "__" not in name}


def open_index(build: str) -> sqlite3.Connection:
    """Open a build's index, made at the first question; several may be asked at once."""
    index = INDEXES / f"{build}-{sys.version_info.major}.{sys.version_info.minor}.db"
    if not index.exists():
        INDEXES.mkdir(exist_ok=True)
        beside = index.with_suffix(f".{os.getpid()}")
        database = sqlite3.connect(beside)
        database.execute(
            "CREATE VIRTUAL TABLE page USING fts5"
            f"(name, summary, text, tokenize='{BUILDS[build][0]}')"
        )
        database.executemany("INSERT INTO page VALUES (?, ?, ?)", pages())
        database.commit()
        database.close()
        beside.replace(index)
    return sqlite3.connect(f"file:{index}?mode=ro", uri=True)


def search(index: sqlite3.Connection, build: str, text: str, limit: int) -> list[tuple[str, float]]:
    """Return names and scores, best first; the words of a query are joined by OR."""
    weights = BUILDS[build][1]
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", text))
    statement = (
        f"SELECT name, -bm25(page, {weights}) FROM page WHERE page MATCH ?"  # noqa: S608 - constants
        f" ORDER BY bm25(page, {weights}), name LIMIT ?"
    )
    return index.execute(statement, [words, limit]).fetchall() if words else []


def main() -> None:
    """Print the hits of one query as JSON."""
    build, text, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
    hits = search(open_index(build), build, text, limit)
    print(json.dumps({"hits": [{"id": name, "score": score} for name, score in hits]}))  # noqa: T201


if __name__ == "__main__":
    main()
