"""Stored answers graded again: by other rules or measures, and to see that every figure holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cranfield.errors import DamagedStoreError, StoreError
from cranfield.runs.grading import Evaluator
from cranfield.runs.lookup import require_runs
from cranfield.runs.records import AskedSuite
from cranfield.runs.runner import Run, RunOptions, measured_by
from cranfield.runs.store import open_store
from cranfield.runs.store_rows import answer_row
from cranfield.suites import hash_query

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cranfield.measures import Measure
    from cranfield.model import Suite
    from cranfield.runs.records import Answer
    from cranfield.runs.store import Store
    from cranfield.runs.truth import Truth

__all__ = [
    "AuditFinding",
    "StoreAudit",
    "audit_run",
    "audit_store",
    "regrade",
    "regrade_by",
]


def regrade(
    run: Run,
    suite: Suite,
    measures: Sequence[Measure] = (),
    *,
    selection: str = "",
    truth: Truth | None = None,
) -> Run:
    """Return a run in memory with the same answers, as far as `suite` has their queries.

    Queries are the same by their ids; what they expect may differ. Without `measures`, the run's
    own stay. The stored run is not changed. Figures are computed again only if something that
    they follow from differs. With a `truth`, right answers come from there, and the queries stay
    what they are.
    """
    header = run.header
    before = header.suite.queries
    places = {query.id: place for place, query in enumerate(before)}
    hashes = tuple(
        header.asked.hashes[places[query.id]]
        if query == before[places[query.id]]
        else hash_query(query)
        for query in suite.queries
    )
    known = truth.queries if truth else {}
    pairs = zip(hashes, suite.queries, strict=True)
    queries = tuple(known.get(key, query) for key, query in pairs)
    chosen = header.measures
    if measures or suite.query_class != header.suite.query_class:
        options = RunOptions(header.limit, measures=tuple(measures))
        chosen = tuple(str(measure) for measure in measured_by(suite, options))
    graded = replace(
        header,
        asked=AskedSuite(replace(suite, queries=queries), hashes),
        measures=chosen,
        truth=header.truth if truth is None else truth.sources,
        selection=" ".join(filter(None, (header.selection, selection))),
    )
    copied = Run(graded, open_store(name=run.store.name))
    copied.store.begin(graded)
    rows = [answer_row(header.id, answer) for answer in _answers(run, copied)]
    if rows:
        copied.store.add(header.id, rows)
    return copied


def regrade_by(run: Run, measures: Sequence[Measure]) -> Run:
    """Return a run in memory with the same answers, measured by these measures and no others."""
    header = replace(run.header, measures=tuple(str(measure) for measure in measures))
    copied = Run(header, open_store())
    copied.store.begin(header)
    if rows := [answer_row(header.id, answer) for answer in _answers(run, copied)]:
        copied.store.add(header.id, rows)
    return copied


def _answers(run: Run, copied: Run) -> Iterator[Answer]:
    """Yield the answers at their new places, measured again if need be."""
    before, now = run.header.suite.queries, copied.header.suite.queries
    places = {query.id: place for place, query in enumerate(now)}
    evaluator = Evaluator(copied.header.suite, copied.measures)
    same_measures = run.header.measures == copied.header.measures
    for answer in run.store.answers(run.header.id):
        query = before[answer.place]
        if query.id not in places:
            continue
        place = places[query.id]
        if same_measures and now[place] == query:
            yield replace(answer, place=place)
        else:
            yield evaluator.evaluate(place, answer.repeat, answer.response)


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
