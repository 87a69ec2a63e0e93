"""Audits of stored runs: every figure computed again, and what of a store cannot be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.errors import DamagedStoreError, StoreError
from cranfield.runs.grading import Evaluator
from cranfield.runs.lookup import require_runs
from cranfield.runs.runner import Run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.runs.records import Answer
    from cranfield.runs.store import Store

__all__ = ["AuditFinding", "StoreAudit", "audit_run", "audit_store"]


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A stored figure that does not follow from its stored response."""

    run: str
    query: str
    repeat: int
    figure: str
    stored: str
    computed: str


@dataclass(frozen=True, slots=True)
class StoreAudit:
    """What an audit found: in how many runs, and what of the store is damaged.

    `damaged` has the reason by the id of each run that cannot be read; `structure` is what the
    database itself finds wrong with its file.
    """

    runs: int
    findings: tuple[AuditFinding, ...]
    damaged: Mapping[str, str]
    structure: tuple[str, ...]

    @property
    def is_damaged(self) -> bool:
        """Whether something cannot be read."""
        return bool(self.damaged or self.structure)

    @property
    def passed(self) -> bool:
        """Whether everything is as it was stored."""
        return not (self.findings or self.is_damaged)


def audit_store(store: Store, names: Sequence[str] = ()) -> StoreAudit:
    """Audit all runs of a store, or those of these names; damage is found, not raised."""
    ids = (
        [run.header.id for name in names for run in require_runs(store, name)]
        if names
        else store.run_ids()
    )
    findings: list[AuditFinding] = []
    damaged: dict[str, str] = {}
    for run in ids:
        try:
            findings += audit_run(Run(store.header(run), store))
        except StoreError as problem:
            damaged[run] = (
                problem.reason if isinstance(problem, DamagedStoreError) else str(problem)
            )
    return StoreAudit(len(ids), tuple(findings), damaged, tuple(_find_damage(store)))


def _find_damage(store: Store) -> list[str]:
    try:
        return store.find_damage()
    except DamagedStoreError as problem:
        return [problem.reason]


def audit_run(run: Run) -> list[AuditFinding]:
    """Grade and measure every stored response again, and report what differs."""
    evaluator = Evaluator(run.header.suite, run.measures)
    findings = [
        AuditFinding(run.header.id, "–", 0, what, stored, computed)
        for what, stored, computed in run.store.inconsistencies(run.header)
    ]
    for stored in run.store.answers(run.header.id):
        computed = evaluator.evaluate(stored.place, stored.repeat, stored.response)
        findings += _differences(run, stored, computed)
    # What follows from a wrong figure is not a finding of its own.
    return findings or [
        AuditFinding(run.header.id, "–", 0, *stale)
        for stale in run.store.stale_headline(run.header.id)
    ]


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
