"""What a check has to say about a suite: findings, each with its place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Finding", "Severity"]


class Severity(StrEnum):
    """How much a finding matters: an error stops a run, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know about a suite, and where it stands as far as that can be told.

    `file` is what the line is a line of: the suite, or one of the files in a suite that is a
    folder, or its ledger. A check fills it in.
    """

    severity: Severity
    message: str
    query_id: str = ""
    line: int | None = None
    file: str = ""
