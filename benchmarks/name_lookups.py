"""How often a page is found first by its own name: names of pages, drawn at random.

Suites have some hundred queries that somebody chose; this asks for names that nobody chose. Of
Python's and Swift's documentation (see `query_speed.py`, whose `--python FOLDER` and `--swift
FOLDER` it takes), 250 types and 250 members are drawn whose titles are on no other page. Searching
by words for such a name, without its arguments, should give a page of that name first; so should
150 names that are one page's in any spelling, beside ordinary words: the word for their kind, their
framework, *how to use*. Beside it stands plain BM25. Exits with 1 if fewer than 99 % are first.

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
from typing import TYPE_CHECKING, NamedTuple

from query_speed import SOURCES, save_index
from real_data import COLLECTIONS, reason_to_skip
from stacks.query import open_index

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from stacks.query import Index

DRAWN = 250
DRAWN_BESIDE_WORDS = 150
SEED = 7
LEAST = 0.99
KINDS = {
    "types": ("class", "struct", "enum", "protocol", "module", "actor"),
    "members": ("method", "property", "function", "initializer", "case"),
}

FORMS = {
    "and kind": "{name} {kind}",
    "and framework": "{framework} {name}",
    "how to use": "how to use {name}",
}

_PAGES = """
SELECT s.title, m.kind, m.framework
FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id ORDER BY m.id
"""


class Page(NamedTuple):
    """A page whose title no other has: its name without arguments, its kind and framework."""

    name: str
    kind: str
    framework: str


def draw_pages(
    index: Index, kinds: Collection[str], count: int, identify: Callable[[str], str]
) -> list[Page]:
    """Draw pages of some kinds whose titles, or what identifies them, are on no other page."""
    rows = [row for database in index.databases for row in database.rows(_PAGES)]
    titles = Counter(identify(title) for title, _, _ in rows)
    usable = [
        Page(_bare(title), kind, framework)
        for title, kind, framework in rows
        if kind in kinds and titles[identify(title)] == 1 and 2 < len(title) < 60
    ]
    drawing = random.Random(SEED)  # noqa: S311 - a sample, no secret
    return drawing.sample(usable, min(count, len(usable)))


def count_first(index: Index, pages: list[Page], form: str, mode: str) -> int:
    """Count the pages whose name the first hit has, if they are asked for in a form."""
    first = 0
    for page in pages:
        query = form.format(**page._asdict())
        hits = list(index.search(query, limit=1, mode=mode))
        first += bool(hits) and _last(_bare(hits[0].title)) == _last(page.name)
    return first


def _bare(title: str) -> str:
    return title.partition("(")[0]


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def list_samples(index: Index) -> Iterator[tuple[str, list[Page], str]]:
    """List what is drawn: its heading, pages, and the form of their queries."""
    for group, kinds in KINDS.items():
        yield group, draw_pages(index, kinds, DRAWN, str), "{name}"
    named = [kind for kinds in KINDS.values() for kind in kinds if kind != "module"]
    pages = draw_pages(index, named, DRAWN_BESIDE_WORDS, lambda title: _last(_bare(title)).lower())
    pages = [page._replace(name=_last(page.name)) for page in pages]
    for heading, form in FORMS.items():
        yield heading, pages, form


def measure(corpus: str, folder: Path) -> bool:
    """Print the figures of a corpus; return whether its promise is kept."""
    is_kept = True
    with closing(open_index(folder)) as index:
        for heading, pages, form in list_samples(index):
            stacks, plain = (count_first(index, pages, form, mode) for mode in ("fts5", "plain"))
            is_kept &= stacks >= LEAST * len(pages)
            print(f"{corpus:8} {heading:13} {len(pages):6} {stacks:8} {plain:8}")
    return is_kept


def main() -> int:
    """Measure both corpora, as far as they are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    for corpus in SOURCES:
        parser.add_argument(f"--{corpus}", type=Path, help=f"an index of {corpus} to measure")
    given = vars(parser.parse_args())
    print(f"{'corpus':8} {'names':13} {'drawn':>6} {'stacks':>8} {'plain':>8}")
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
