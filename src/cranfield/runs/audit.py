"""Whether every stored figure follows from the stored responses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.runs.measuring import Measuring

if TYPE_CHECKING:
    from cranfield.runs.records import Answer
    from cranfield.runs.running import Run

__all__ = ["AuditFinding", "audit_run"]


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A stored figure that is not what its response comes to."""

    run: str
    query: str
    repeat: int
    figure: str
    stored: str
    computed: str


def audit_run(run: Run) -> list[AuditFinding]:
    """Grade and measure every stored response again, and report what differs."""
    measuring = Measuring(run.header.suite, run.measures)
    findings = [
        AuditFinding(run.header.id, "–", 0, what, stored, computed)
        for what, stored, computed in run.store.inconsistencies(run.header)
    ]
    for stored in run.store.answers(run.header.id):
        computed = measuring.answer(stored.place, stored.repeat, stored.response)
        findings += _differences(run, stored, computed)
    return findings


def _differences(run: Run, stored: Answer, computed: Answer) -> list[AuditFinding]:
    if stored == computed:
        return []
    query = run.header.suite.queries[stored.place].id
    figures = [
        ("first rank", stored.first_rank, computed.first_rank),
        *zip(run.header.measures, _shown(stored), _shown(computed), strict=True),
    ]
    return [
        AuditFinding(run.header.id, query, stored.repeat, name, str(before), str(now))
        for name, before, now in figures
        if before != now
    ]


def _shown(answer: Answer) -> list[float | str]:
    return [
        answer.reasons.get(place, "undefined") if value is None else value
        for place, value in enumerate(answer.values)
    ]
