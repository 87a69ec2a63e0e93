"""Lists of queries: a text file, one query a line, and nothing expected of them yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cranfield.formats import count_of, count_queries
from cranfield.model import Query, Suite
from cranfield.suites.formats.file_parts import read_bytes, text_lines
from cranfield.suites.formats.suite_formats import SuiteFormat
from cranfield.suites.suite_source import Finding, FindingSeverity, SuiteSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["QUERY_LIST_FORMAT", "UNJUDGED", "make_ids", "note_unjudged"]

UNJUDGED = {"anything": True}
"""What is expected of a query whose right hits nobody has named: any result."""
_LONGEST_ID = 60


def make_ids(queries: Sequence[tuple[str, str]]) -> list[str]:
    """Return the ids of queries, made of the text if none is given, so that they survive sorting.

    Texts that give the same id are numbered.
    """
    taken = {name for name, _ in queries if name}
    made = []
    for name, text in queries:
        plain = "-".join(re.findall(r"\w+", text.casefold()))[:_LONGEST_ID].strip("-_") or "query"
        candidate, number = plain, 1
        while not name and candidate in taken:
            number += 1
            candidate = f"{plain}-{number}"
        taken.add(name or candidate)
        made.append(name or candidate)
    return made


def note_unjudged(count: int) -> Iterator[Finding]:
    """Say what cannot be measured of queries without expectations."""
    yield Finding(
        FindingSeverity.WARNING,
        f"nothing says which hits of the {count_queries(count)} are right: a run measures only "
        "whether there is a result (AnyResult), and compares which hits two systems share; name "
        "right hits in a CSV file with the columns query and expected, or judge them with --qrels",
    )


def _read(path: Path) -> SuiteSource:
    """Read a query from each line that is not blank; a line that starts with # is a comment."""
    lines = list(text_lines(read_bytes(path)))
    parts = [part for part in lines if not part.content.lstrip().startswith(b"#")]
    first: dict[str, int] = {}
    for part in parts:
        first.setdefault(" ".join(part.content.decode().split()), part.line)
    names = make_ids([("", text) for text in first])
    queries = tuple(Query(name, text, UNJUDGED) for name, text in zip(names, first, strict=True))
    suite = Suite(path.stem, "unjudged", queries)
    findings = [*note_unjudged(len(queries))]
    if comments := len(lines) - len(parts):
        begin = count_of(comments, "line begins", "lines begin")
        kind = "a comment" if comments == 1 else "comments"
        text = f"{begin} with #, read as {kind}; a CSV file keeps such queries"
        findings.append(Finding(FindingSeverity.NOTE, text))
    if repeated := len(parts) - len(first):
        text = f"{repeated} lines repeat a query and are left out"
        findings.append(Finding(FindingSeverity.NOTE, text))
    return SuiteSource(suite, path, tuple(first.values()), tuple(findings))


QUERY_LIST_FORMAT = SuiteFormat(
    name="query-list",
    summary="a .txt file with one query a line",
    recognises=lambda path: path.is_file() and path.suffix.lower() == ".txt",
    read=_read,
)
