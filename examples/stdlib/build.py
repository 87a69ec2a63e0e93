"""Make the example's judgments and runs: two ways to search Python's own module documentation.

Both index the same docstrings with SQLite's FTS5. The plain one treats all text alike; the
weighted one stems words and trusts names and first lines more than the rest. The committed files
were made with Python 3.11; another version has other docstrings and gives other runs.
"""

from __future__ import annotations

import csv
import importlib
import pkgutil
import re
import sqlite3
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).parent
DEPTH = 20
INNER = {"asyncio", "concurrent", "email", "html", "http", "importlib", "json", "logging", "xml"}
LEFT_OUT = {"antigravity", "this", "idlelib", "test", "lib2to3", "turtledemo", "__main__"}

Page = tuple[str, str, str]


def pages() -> list[Page]:
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


def search(
    everything: list[Page], tokenizer: str, weights: str
) -> dict[str, list[tuple[str, float]]]:
    """Search every query; the words of a query are joined by OR."""
    database = sqlite3.connect(":memory:")
    database.execute(
        f"CREATE VIRTUAL TABLE page USING fts5(name, summary, text, tokenize='{tokenizer}')"
    )
    database.executemany("INSERT INTO page VALUES (?, ?, ?)", everything)
    statement = (
        f"SELECT name, -bm25(page, {weights}) FROM page WHERE page MATCH ?"  # noqa: S608 - constants
        f" ORDER BY bm25(page, {weights}), name LIMIT {DEPTH}"
    )
    return {
        query["id"]: database.execute(
            statement, [" OR ".join(f'"{word}"' for word in re.findall(r"\w+", query["query"]))]
        ).fetchall()
        for query in queries()
    }


def queries() -> list[dict[str, str]]:
    """Read the authored queries."""
    with (HERE / "queries.tsv").open() as table:
        return list(csv.DictReader(table, delimiter="\t"))


def main() -> None:
    """Write `qrels.txt`, `plain.run` and `weighted.run`."""
    everything = pages()
    builds = {
        "plain": ("unicode61", "1, 1, 1"),
        "weighted": ("porter unicode61", "10, 5, 1"),
    }
    for build, (tokenizer, weights) in builds.items():
        lines = [
            f"{query} Q0 {name} {rank} {score:.6f} {build}\n"
            for query, hits in search(everything, tokenizer, weights).items()
            for rank, (name, score) in enumerate(hits, start=1)
        ]
        (HERE / f"{build}.run").write_text("".join(lines))
    judgments = [
        f"{query['id']} 0 {answer.replace('=', ' ')}\n"
        for query in queries()
        for answer in query["answers"].split()
    ]
    (HERE / "qrels.txt").write_text("".join(judgments))


if __name__ == "__main__":
    main()
