"""How often a page is found first by its own name: names of pages, drawn at random.

Suites have some hundred queries that somebody chose; this asks for names that nobody chose. Of
Python's and Swift's documentation (see `query_speed.py`, whose `--python FOLDER` and `--swift
FOLDER` it takes), 250 types and 250 members are drawn whose titles are on no other page. Searching
by words for such a name, without its arguments, should give a page of that name first. Beside it
stands plain BM25. Exits with 1 if fewer than 99 % are first.

    python benchmarks/name_lookups.py
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from query_speed import SOURCES, save_index
from real_data import COLLECTIONS, reason_to_skip
from stacks.query import open_index

if TYPE_CHECKING:
    from stacks.query import Index

DRAWN = 250
SEED = 7
LEAST = 0.99
KINDS = {
    "types": ("class", "struct", "enum", "protocol", "module", "actor"),
    "members": ("method", "property", "function", "initializer", "case"),
}

_PAGES = """
SELECT s.title, m.kind FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
ORDER BY m.id
"""


def draw_names(index: Index, kinds: tuple[str, ...]) -> list[str]:
    """Draw names of pages of some kinds whose titles are on no other page."""
    pages = [row for database in index.databases for row in database.rows(_PAGES)]
    count = Counter(title for title, _ in pages)
    names = [title for title, kind in pages if kind in kinds and count[title] == 1]
    usable = [_bare(title) for title in names if 2 < len(title) < 60]
    drawing = random.Random(SEED)  # noqa: S311 - a sample, no secret
    return drawing.sample(usable, min(DRAWN, len(usable)))


def count_first(index: Index, names: list[str], mode: str) -> int:
    """Count the names that the first hit has, spelled like that."""
    found = (list(index.search(name, limit=1, mode=mode)) for name in names)
    return sum(
        bool(hits) and _last(_bare(hits[0].title)) == _last(name)
        for hits, name in zip(found, names, strict=True)
    )


def _bare(title: str) -> str:
    return title.partition("(")[0]


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def measure(corpus: str, folder: Path) -> bool:
    """Print the figures of a corpus; return whether its promise is kept."""
    is_kept = True
    with closing(open_index(folder)) as index:
        for group, kinds in KINDS.items():
            names = draw_names(index, kinds)
            first = {mode: count_first(index, names, mode) for mode in ("fts5", "plain")}
            is_kept &= first["fts5"] >= LEAST * len(names)
            print(f"{corpus:8} {group:8} {len(names):6} {first['fts5']:8} {first['plain']:8}")
    return is_kept


def main() -> int:
    """Measure both corpora, as far as they are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    for corpus in SOURCES:
        parser.add_argument(f"--{corpus}", type=Path, help=f"an index of {corpus} to measure")
    given = vars(parser.parse_args())
    print(f"{'corpus':8} {'names of':8} {'drawn':>6} {'stacks':>8} {'plain':>8}")
    is_kept = True
    with tempfile.TemporaryDirectory() as scratch:
        for corpus, sources in SOURCES.items():
            if corpus == "swift" and not given[corpus] and not COLLECTIONS.is_dir():
                print(reason_to_skip())
                continue
            folder = given[corpus] or Path(scratch) / corpus
            if not given[corpus]:
                save_index(sources, folder)
            is_kept &= measure(corpus, folder)
    print(f"at least {LEAST:.0%} first by their name: {'yes' if is_kept else 'NO'}")
    return 0 if is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
