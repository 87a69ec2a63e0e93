"""A suite as read from its file: its identity, and findings that point into it."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from cranfield_shared.files import file_name

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.model import Query, Suite
    from cranfield.suites.similar_names import UnknownName

__all__ = ["Finding", "FindingSeverity", "SuiteSource", "can_name_file", "hash_query", "hash_suite"]

_HASHED = ("id", "text", "expect", "language", "filters", "pass_rank")
_NOT_HASHED = ("folder", "latency", "fixture", "judging")


class FindingSeverity(StrEnum):
    """How much a finding matters: an error stops a run, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem or remark about a suite, with its place if that is known.

    `file` is the file of the line: the suite, a file of a suite that is a folder, or the ledger.
    A check fills it in. A finding about an `unknown` name is dropped if the project accepts it.
    """

    severity: FindingSeverity
    message: str
    query_id: str = ""
    line: int | None = None
    file: str = ""
    unknown: UnknownName | None = None


@dataclass(frozen=True, slots=True)
class SuiteSource:
    """A suite as read, and the line of each query if that is known.

    `path` is the file of the lines. `findings` are remarks of the format's reader, such as unknown
    keys. `categories` are those that the format knows; without any, a suite may have its own.
    """

    suite: Suite
    path: Path
    lines: tuple[int | None, ...] = ()
    findings: tuple[Finding, ...] = ()
    categories: tuple[str, ...] = ()

    def line_of(self, place: int) -> int | None:
        """Return the line of a query by its position in the suite."""
        return self.lines[place] if place < len(self.lines) else None

    def finding(self, severity: FindingSeverity, message: str, place: int | None = None) -> Finding:
        """Make a finding about a query, by its position in the suite, or about no single query."""
        if place is None:
            return Finding(severity, message)
        return Finding(severity, message, self.suite.queries[place].id, self.line_of(place))

    def error(self, message: str, place: int | None = None) -> Finding:
        """Make a finding that stops a run."""
        return self.finding(FindingSeverity.ERROR, message, place)

    def warning(self, message: str, place: int | None = None) -> Finding:
        """Make a finding that should be looked at."""
        return self.finding(FindingSeverity.WARNING, message, place)

    def note(self, message: str, place: int | None = None) -> Finding:
        """Make a finding that is good to know."""
        return self.finding(FindingSeverity.NOTE, message, place)


def hash_query(query: Query) -> str:
    """Hash what a query asks and expects; notes, tags and category may change freely."""
    return _hash({name: getattr(query, name) for name in _HASHED})


def hash_suite(suite: Suite) -> str:
    """Hash a whole suite, gate and notes included, without what does not affect a verdict."""
    added = [name for name in ("measures", "database") if not getattr(suite, name)]
    left_out = (*_NOT_HASHED, *added)
    content = {each.name: getattr(suite, each.name) for each in fields(suite)}
    content["gate"] = [asdict(threshold) for threshold in suite.gate]
    for threshold in content["gate"]:
        del threshold["milestone"]  # a threshold of any name demands the same
    content["rules"] = asdict(suite.rules)
    if not suite.rules.latency:
        # Suites that were hashed before there was such a rule keep their hashes.
        del content["rules"]["latency"]
    return _hash({name: content[name] for name in content if name not in left_out})


def _hash(content: object) -> str:
    encoded = msgspec.json.encode(content, order="sorted")
    return hashlib.sha256(encoded).hexdigest()[:16]


def can_name_file(suite_id: str) -> bool:
    """Return whether the id of a suite can name files, as those of its baselines."""
    return file_name(suite_id) == suite_id
