"""The formats of this slice: suites that it reads and reports that it writes, by name.

To find out who reads a file, every suite asks these formats; so what reads and what writes stands
in modules that are imported when they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.formats import Format
from cranfield.suites import SuiteFormat
from cranfield.suites.formats import starts_with

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "CHUNK_SCORES",
    "CUPERTINO_JSON",
    "GOLDEN_SET",
    "GOLDEN_SET_JSON",
    "RELEVANCE_CSV",
    "RELEVANCE_SUMMARY",
    "SPELUNKER_JSON",
    "TEST_CORPUS",
]


def _is_sqlite(path: Path) -> bool:
    return path.suffix in (".db", ".sqlite", ".sqlite3") or starts_with(path, b"SQLite format 3")


def _is_corpus(path: Path) -> bool:
    is_ledger = path.name.endswith(".ledger.json")
    return path.suffix == ".json" and not is_ledger and starts_with(path, b"{")


CHUNK_SCORES = SuiteFormat(
    name="chunk-scores",
    summary="a SQLite file with the tables Questions and Scores",
    recognises=_is_sqlite,
    read="cranfield.harnesses.chunk_scores:read_chunk_scores",
    before="native",  # SQLite's first bytes are certain, whatever the name
)
GOLDEN_SET = SuiteFormat(
    name="golden-set",
    summary="a .json file with an array of queries and their expected_passages",
    recognises=lambda path: path.suffix == ".json" and starts_with(path, b"["),
    read="cranfield.harnesses.golden_sets:read_golden_set",
    before="beir",
)
TEST_CORPUS = SuiteFormat(
    name="test-corpus",
    summary="a .json file with queries and their expected_files",
    recognises=_is_corpus,
    read="cranfield.harnesses.test_corpora:read_test_corpus",
    before="beir",
)

GOLDEN_SET_JSON = Format(
    "golden-set-json", "cranfield.harnesses.json_reports:render_golden_set", ("run",)
)
RELEVANCE_CSV = Format(
    "relevance-csv",
    "cranfield.harnesses.relevance_test:render_csv",
    ("run",),
    on_screen="relevance-summary",
)
RELEVANCE_SUMMARY = Format(
    "relevance-summary",
    "cranfield.harnesses.relevance_test:render_summary",
    ("run", "comparison"),
)
CUPERTINO_JSON = Format(
    "cupertino-json", "cranfield.harnesses.json_reports:render_cupertino", ("comparison",)
)
SPELUNKER_JSON = Format(
    "spelunker-json", "cranfield.harnesses.json_reports:render_spelunker", ("run",)
)
