"""How the time to save an index grows with its documents, and how fast it answers.

A synthetic corpus of documentation is saved at five sizes, each in a fresh process. The words
follow Zipf's law, the commonest being English function words; titles are CamelCase names. The
exponent of time over documents is fitted on a log-log scale; the time that making the documents
takes is left out, since it grows linearly and would flatter the exponent. At each size a fixed
mixed list of identifier, fragment and prose queries is asked, after one round to warm up: names
and parts of names of documents, and prose in the corpus's own words with their own frequencies,
from two words to eight, function words included. The list is asked five times over, and a query
counts with the median of its times: a shared machine may be busy for a moment.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stacks.index import Request, save
from stacks.model import Document, Page, Symbol
from stacks.query import open_index
from stacks.query.query_parser import STOP_WORDS
from stacks.sources import PageError, Source, SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stacks.query import Index

SIZES = (20_000, 50_000, 100_000, 200_000, 350_000)
PAGE = 500
ROUNDS = 5
MOST_EXPONENT, MOST_P50, MOST_P95, MOST_RATIO = 1.10, 10.0, 60.0, 2.0
KINDS = ("struct", "class", "protocol", "enum", "method", "method", "property", "function")
SYLLABLE_TEXT = """
    ba co di fu ge ha ji ko lu ma ne po qua re si to vu wa xi yo za ster ment pro con
"""
SYLLABLES = SYLLABLE_TEXT.split()


class Words:
    """A vocabulary with the frequencies of natural text."""

    def __init__(self, seed: int = 1) -> None:
        self.random = np.random.default_rng(seed)
        made: dict[str, None] = dict.fromkeys(sorted(STOP_WORDS))
        letters = random.Random(seed)  # noqa: S311 - repeatable, not secret
        while len(made) < 60_000:
            made["".join(letters.choices(SYLLABLES, k=letters.randint(2, 4)))] = None
        self.words = np.array(list(made))
        odds = 1.0 / np.arange(1, len(self.words) + 1)
        self.odds = np.cumsum(odds / odds.sum())

    def draw(self, count: int) -> np.ndarray:
        """Draw words as they occur in text."""
        return self.words[np.searchsorted(self.odds, self.random.random(count))]

    def name(self, parts: int) -> str:
        """Make a CamelCase name of words from the middle of the vocabulary."""
        chosen = self.words[self.random.integers(200, 8_000, parts)]
        return "".join(str(word).capitalize() for word in chosen)


class Synthetic(Source):
    """So many documents, made page by page."""

    def __init__(self, location: str) -> None:
        self.documents = int(location)
        self.text_bytes = 0
        self.making = 0.0

    def pages(self) -> Iterator[Page | PageError]:
        """Number the pages."""
        for start in range(0, self.documents, PAGE):
            yield Page(str(start), str(start).encode())

    def read(self, page: Page) -> Iterator[Document]:
        """Make the documents of a page, the same ones each time."""
        start = int(page.key)
        words = Words.__new__(Words)
        words.__dict__.update(VOCABULARY.__dict__, random=np.random.default_rng(start))
        for number in range(start, min(start + PAGE, self.documents)):
            began = time.perf_counter()
            document = make_document(words, number)
            self.making += time.perf_counter() - began
            self.text_bytes += sum(
                len(text)
                for text in (
                    document.title,
                    document.content,
                    document.summary,
                    document.uri,
                    document.symbols[0].signature,
                )
            )
            yield document


def make_document(words: Words, number: int) -> Document:
    """Make one page of reference documentation."""
    title = words.name(int(words.random.integers(1, 4)))
    kind = KINDS[int(words.random.integers(len(KINDS)))]
    framework = f"framework{int(words.random.zipf(1.3)) % 340}"
    body = " ".join(words.draw(int(words.random.lognormal(4.6, 0.6)) + 10))
    summary = " ".join(words.draw(9))
    return Document(
        uri=f"synthetic://{framework}/{title.lower()}-{number:x}",
        title=title,
        content=body,
        framework=framework,
        module=framework.capitalize(),
        language="swift",
        kind=kind,
        summary=summary,
        symbols=(Symbol(title, kind, f"{kind} {title}"),),
    )


class Measured(NamedTuple):
    """One size: how long saving took, how large the file is, and how fast it answers."""

    documents: int
    seconds: float
    ratio: float
    p50: float
    p95: float


def make_queries(index_path: Path) -> list[str]:
    """A fixed mixed list: names, parts of names, and prose."""
    words = Words.__new__(Words)
    words.__dict__.update(VOCABULARY.__dict__, random=np.random.default_rng(7))
    queries = []
    with open_index(index_path) as index:
        rows = index.databases[0].rows(
            "SELECT title, symbol_components FROM docs_structured "
            "WHERE id % 1009 = 1 ORDER BY id LIMIT 40"
        )
    queries += [title for title, _ in rows[:20]]
    queries += [components.split()[-1] for _, components in rows if components][:20]
    queries += [" ".join(words.draw(2 + count % 7)) for count in range(21)]
    return queries


def measure(size: int, folder: Path) -> Measured:
    """Save and ask, in this process."""
    sources: list[Synthetic] = []

    def open_source(location: str) -> Synthetic:
        sources.append(Synthetic(location))
        return sources[-1]

    kind = SourceKind("synthetic", "made up", "synthetic=1000", open_source, prefers_symbols=True)
    began = time.perf_counter()
    (saved,) = save([Request(kind, str(size))], folder)
    seconds = time.perf_counter() - began - sources[0].making
    queries = make_queries(saved.path)
    with open_index(saved.path) as index:
        for query in queries:
            index.search(query)
        rounds = [[ask(index, query) for query in queries] for _ in range(ROUNDS)]
    p50, p95 = np.percentile(np.median(rounds, axis=0), (50, 95))
    ratio = saved.path.stat().st_size / sources[0].text_bytes
    return Measured(size, seconds, ratio, float(p50), float(p95))


def ask(index: Index, query: str) -> float:
    """Ask one query; return the milliseconds that it took."""
    index.databases[0].frequencies.clear()
    began = time.perf_counter()
    index.search(query)
    return 1000 * (time.perf_counter() - began)


def measure_apart(size: int) -> Measured:
    """Measure in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--one", str(size), "--folder", folder]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return Measured(**json.loads(done.stdout))


def main() -> int:
    """Print the table; exit with 1 where a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--one", type=int, help="measure one size in this process")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.folder)._asdict()))
        return 0
    print("documents   save s   docs/s   file/text   p50 ms   p95 ms")
    rows = []
    for size in options.sizes:
        row = measure_apart(size)
        rows.append(row)
        print(
            f"{row.documents:>9,} {row.seconds:>8.1f} {row.documents / row.seconds:>8,.0f}"
            f" {row.ratio:>11.2f} {row.p50:>8.1f} {row.p95:>8.1f}",
            flush=True,
        )
    logs = np.log([[row.documents, row.seconds] for row in rows])
    exponent = float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])
    last = rows[-1]
    promises = {
        f"exponent {exponent:.2f}, at most {MOST_EXPONENT}": exponent <= MOST_EXPONENT,
        f"p50 {last.p50:.1f} ms, at most {MOST_P50:g}": last.p50 <= MOST_P50,
        f"p95 {last.p95:.1f} ms, at most {MOST_P95:g}": last.p95 <= MOST_P95,
        f"file {last.ratio:.2f} times its text, under {MOST_RATIO:g}": last.ratio < MOST_RATIO,
    }
    for promise, kept in promises.items():
        print(f"{'kept' if kept else 'NOT KEPT'}: {promise}")
    return 0 if all(promises.values()) else 1


VOCABULARY = Words()

if __name__ == "__main__":
    sys.exit(main())
