"""CPU time per query: stacks beside plain FTS5, tantivy and bm25s on the same pages, one process.

Python's standard library is asked the queries of `suites/python-docs`; the Swift documentation in
the folder that `real_data.py` names is asked those of `suites/apple-docs` and names of its own
pages. Every engine gives ten hits. stacks gives them with all their fields; plain FTS5, tantivy
and bm25s index title and text, and give ids. A query counts with the least of three rounds,
after one to warm up; what stacks remembers of the frequencies of words is forgotten before each
query, and posting lists are read from the file. Give `--python FOLDER` and `--swift FOLDER` to
measure indexes that are there.
"""

from __future__ import annotations

import argparse
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from real_data import COLLECTIONS, reason_to_skip
from stacks.query import Index, open_index

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

SUITES = Path(__file__).resolve().parents[1] / "suites"
SWIFT = COLLECTIONS / "swift"
ROUNDS = 3
LIMIT = 10
SOURCES = {
    "python": ["pydoc=stdlib"],
    "swift": [
        f"apple-docs={SWIFT / 'stdlib_docc.tar.gz'}",
        f"swift-evolution={SWIFT / 'evolution'}",
        f"swift-book={SWIFT / 'book'}",
        f"swift-org={SWIFT / 'org'}",
    ],
}

_PAGES = """
SELECT s.title, s.declaration || ' ' || s.abstract || ' ' || s.overview
FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id ORDER BY m.id
"""
_FTS5 = "SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, 10.0, 1.0) LIMIT ?"


class Promise(NamedTuple):
    """The most milliseconds of CPU time that a percentile of queries may take."""

    corpus: str
    engine: str
    percentile: int
    most: float


PROMISES = (
    Promise("python", "stacks words", 50, 2.5),
    Promise("python", "stacks smart", 50, 5.0),
    Promise("swift", "stacks words", 95, 10.0),
)


def save_index(sources: Sequence[str], folder: Path) -> None:
    """Save an index with vectors."""
    command = [sys.executable, "-m", "stacks", "save", "--embedder", "wordllama", "--quiet"]
    told = [word for source in sources for word in ("--from", source)]
    subprocess.run([*command, "--to", str(folder), *told], check=True, stdout=subprocess.DEVNULL)


def read_queries(suite: str, index: Index) -> list[str]:
    """Read the queries of a bundled project, and as many names of pages as there are of them."""
    read = (tomllib.loads(path.read_text()) for path in sorted((SUITES / suite).glob("*.toml")))
    asked = [query["text"] for each in read for query in each.get("query", ())]
    titles = [title for title, _ in index.databases[0].rows(_PAGES)]
    step = max(1, len(titles) // len(asked))
    return [*asked, *titles[::step]] if suite == "apple-docs" else asked


def use_stacks(index: Index, mode: str) -> Callable[[str], object]:
    """Search an open index, as a server does."""

    def search(text: str) -> object:
        for database in index.databases:
            database.frequencies.clear()
        return index.search(text, limit=LIMIT, mode=mode)

    return search


def use_fts5(pages: Sequence[tuple[str, str]]) -> Callable[[str], object]:
    """Index both fields with FTS5's own stemmer; any word of the query may occur."""
    opened = sqlite3.connect(":memory:", check_same_thread=False)
    opened.execute("CREATE VIRTUAL TABLE pages USING fts5(title, text, tokenize='porter')")
    opened.executemany("INSERT INTO pages VALUES (?, ?)", pages)
    opened.execute("INSERT INTO pages (pages) VALUES ('optimize')")

    def search(text: str) -> object:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", text))
        return opened.execute(_FTS5, (words, LIMIT)).fetchall() if words else []

    return search


def use_tantivy(pages: Sequence[tuple[str, str]], folder: Path) -> Callable[[str], object]:
    """Index both fields with English stemming."""
    import tantivy

    folder.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("id", stored=True)
    builder.add_text_field("title", tokenizer_name="en_stem")
    builder.add_text_field("text", tokenizer_name="en_stem")
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(heap_size=100_000_000)
    for number, (title, text) in enumerate(pages):
        writer.add_document(tantivy.Document(id=number, title=title, text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(text: str) -> object:
        query, _ = index.parse_query_lenient(text, ["title", "text"])
        found = searcher.search(query, LIMIT).hits
        return [searcher.doc(address)["id"][0] for _, address in found]

    return search


def use_bm25s(pages: Sequence[tuple[str, str]]) -> Callable[[str], object]:
    """Index title and text as one, with its English stop words and a stemmer."""
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    retriever = bm25s.BM25()
    texts = [" ".join(page) for page in pages]
    tokens = bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)
    retriever.index(tokens, show_progress=False)

    def search(text: str) -> object:
        tokens = bm25s.tokenize([text], stopwords="en", stemmer=stemmer, show_progress=False)
        return retriever.retrieve(tokens, k=LIMIT, show_progress=False)

    return search


def time_queries(search: Callable[[str], object], queries: Sequence[str]) -> NDArray[np.float64]:
    """Return the milliseconds of CPU time that each query takes."""

    def ask(text: str) -> float:
        began = time.process_time_ns()
        search(text)
        return (time.process_time_ns() - began) / 1e6

    rounds = [[ask(text) for text in queries] for _ in range(ROUNDS + 1)]
    least: NDArray[np.float64] = np.array(rounds[1:]).min(axis=0)
    return least


def measure(corpus: str, folder: Path, every: int) -> dict[tuple[str, int], float]:
    """Print p50, p95 and mean of every engine; return the percentiles of stacks."""
    suite = {"python": "python-docs", "swift": "apple-docs"}[corpus]
    percentiles: dict[tuple[str, int], float] = {}
    with closing(open_index(folder)) as index, tempfile.TemporaryDirectory() as place:
        queries = read_queries(suite, index)[::every]
        pages = index.databases[0].rows(_PAGES)
        print(f"{corpus}: {len(pages):,} pages, {len(queries)} queries, ms of CPU time each")
        print(f"{'engine':16} {'p50':>8} {'p95':>8} {'mean':>8}")
        engines: dict[str, Callable[[str], object]] = {
            "stacks words": use_stacks(index, "fts5"),
            "stacks smart": use_stacks(index, "smart"),
            "stacks plain": use_stacks(index, "plain"),
            "plain FTS5": use_fts5(pages),
            "tantivy": use_tantivy(pages, Path(place) / "tantivy"),
            "bm25s": use_bm25s(pages),
        }
        for name, search in engines.items():
            taken = time_queries(search, queries)
            p50, p95 = np.percentile(taken, (50, 95))
            percentiles |= {(name, 50): float(p50), (name, 95): float(p95)}
            print(f"{name:16} {p50:8.2f} {p95:8.2f} {taken.mean():8.2f}", flush=True)
    return percentiles


def main() -> int:
    """Print the tables; exit with 1 if a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path, help="an index of Python's standard library")
    parser.add_argument("--swift", type=Path, help="an index of the Swift documentation")
    parser.add_argument("--every", type=int, default=1, help="ask every nth query only")
    parser.add_argument("--corpus", choices=SOURCES, action="append", help="one of both")
    given = vars(parser.parse_args())
    kept = True
    for corpus in given["corpus"] or SOURCES:
        if corpus == "swift" and not SWIFT.exists() and not given[corpus]:
            print(f"not measured: {reason_to_skip('swift')}")
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = given[corpus] or Path(place) / "index"
            if not folder.exists():
                save_index(SOURCES[corpus], folder)
            measured = measure(corpus, folder, given["every"])
        for promise in PROMISES:
            if promise.corpus == corpus:
                found = measured[promise.engine, promise.percentile]
                kept &= found <= promise.most
                verdict = "kept" if found <= promise.most else "NOT KEPT"
                print(
                    f"{verdict}: {promise.engine} p{promise.percentile} {found:.2f}, "
                    f"at most {promise.most:g}"
                )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
