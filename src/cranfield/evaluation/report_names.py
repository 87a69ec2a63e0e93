"""The files that the reports of a mode are written to: one name a suite, a language, a time."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING

from cranfield_shared.files import file_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.runs import RunHeader

__all__ = ["REPORT_FIELDS", "fields_of", "name_report"]

REPORT_FIELDS = ("suite", "language", "date", "time")
_FIELD = re.compile(r"\{([^{}]*)\}")
_UNFIT = re.compile(r"[^\w.]+")


def fields_of(file: str) -> Iterator[str]:
    """Return the fields in braces that a file's name has."""
    return (found[1] for found in _FIELD.finditer(file))


def name_report(file: str, header: RunHeader) -> str:
    """Fill in the fields of a file's name, for the report of one run.

    `{date}` and `{time}` are those of the run's start. What a suite says (`{suite}`, `{language}`)
    is one part of a path, whatever it says. A run of a part of the suite is written
    beside the whole suite's report, under a name that says which part.
    """
    started = datetime.fromisoformat(header.started).astimezone(UTC)
    languages = dict.fromkeys(query.language for query in header.suite.queries if query.language)
    values = {
        "suite": file_name(header.suite.id),
        "language": file_name("-".join(languages) or "all"),
        "date": f"{started:%Y-%m-%d}",
        "time": f"{started:%Y-%m-%dT%H%M%SZ}",
    }
    named = PurePath(_FIELD.sub(lambda found: values[found[1]], file))
    part = _UNFIT.sub("-", header.selection.replace("--", "")).strip("-")
    return str(named.with_name(f"{named.stem}.{part}{named.suffix}") if part else named)
