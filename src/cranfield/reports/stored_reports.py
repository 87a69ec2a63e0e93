"""Reports of what is stored: one ranking, an audit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.errors import UnknownNameError
from cranfield.formats import (
    CellKind,
    Column,
    Line,
    Lines,
    Report,
    Section,
    Table,
    Tone,
    Verbatim,
    count_of,
    show_value,
)
from cranfield.model import Undefined
from cranfield.relevance import read_expectation
from cranfield.reports.run_facts import (
    REPORT_SCHEMA_VERSION,
    number,
    pick,
    run_facts,
    volatile_facts,
)
from cranfield.runs.grading import grade_response

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cranfield.model import Grades, Hit, Query, Response, Value
    from cranfield.relevance import Expectation
    from cranfield.runs.records import Answer
    from cranfield.runs.regrading import StoreAudit
    from cranfield.runs.runner import Run

__all__ = ["report_audit", "report_ranking"]


def report_ranking(run: Run, query_id: str) -> Report:
    """Show what came back for one query, which targets were met, and what it was measured at."""
    queries = run.header.suite.queries
    places = {query.id: place for place, query in enumerate(queries)}
    if query_id not in places:
        raise UnknownNameError(f"query of the run {run.header.id}", query_id, places)
    place = places[query_id]
    query = queries[place]
    expectation = read_expectation(query)
    answers = list(run.store.answers(run.header.id, place))
    sections = [_answer(run, answer, expectation) for answer in answers]
    unasked = Section(blocks=(Lines((Line("it has not been asked yet"),)),))
    return Report(
        kind="ranking",
        title=f"{query.id} in run {run.header.id}",
        sections=(_expected(query, expectation), *(sections or [unasked])),
        subject=tuple(answers),
        make_data=lambda: _ranking_data(run, query, expectation, answers),
    )


def _ranking_data(
    run: Run, query: Query, expectation: Expectation, answers: Sequence[Answer]
) -> dict[str, Any]:
    return {
        "kind": "ranking",
        "schema_version": REPORT_SCHEMA_VERSION,
        "volatile": volatile_facts(run.header),
        **run_facts(run),
        "query": {**pick(query, "id", "text", "category", "language"), "expect": query.expect},
        "targets": [pick(target, "name", "grade") for target in expectation.targets],
        "answers": [_answer_data(run, answer, expectation) for answer in answers],
    }


def _answer_data(run: Run, answer: Answer, expectation: Expectation) -> dict[str, Any]:
    response, names = answer.response, run.header.measures
    graded = grade_response(expectation, response)
    return {
        **pick(response, "message", "route", "raw"),
        "status": str(response.status),
        "flags": list(response.flags),
        "hits": [
            {
                "rank": rank,
                **pick(hit, "id", "score"),
                "targets": [place + 1 for place in _met(expectation, hit, graded)],
            }
            for rank, hit in enumerate(response.hits, start=1)
        ],
        "checks": {name: number(value) for name, value in _checks(graded).items()},
        "values": dict(zip(names, answer.values, strict=True)),
        "undefined": {names[place]: reason for place, reason in answer.reasons.items()},
    }


def _expected(query: Query, expectation: Expectation) -> Section:
    targets = [
        Line(f"  target {place}, grade {target.grade}: {target.name}")
        for place, target in enumerate(expectation.targets, start=1)
    ]
    rules = Line(f"expects: {', '.join(query.expect)}")
    return Section(f"{query.id}: {query.text}", (Lines((rules, *targets)),))


def _answer(run: Run, answer: Answer, expectation: Expectation) -> Section:
    response = answer.response
    status = str(response.status)
    if run.header.repeats > 1:
        status = f"repetition {answer.repeat + 1}: {status}"
    parts = [status, response.message, f"route {response.route}" if response.route else ""]
    received = (Verbatim("received", response.raw),) if response.raw else ()
    graded = grade_response(expectation, response)
    return Section(
        title=", ".join(filter(None, parts)),
        blocks=(
            _hits(response, expectation, graded),
            *received,
            Lines(tuple(_measured(run, answer, graded))),
        ),
    )


def _hits(response: Response, expectation: Expectation, graded: Grades | Undefined) -> Table:
    columns = (
        Column("rank", CellKind.RANK),
        Column("hit", CellKind.ID),
        Column("score", CellKind.SCORE),
        Column("meets"),
    )
    rows = []
    for rank, hit in enumerate(response.hits, start=1):
        met = ", ".join(f"target {place + 1}" for place in _met(expectation, hit, graded))
        rows.append((rank, hit.id, hit.score, met or None))
    return Table(columns, tuple(rows), labels=4)


def _met(expectation: Expectation, hit: Hit, graded: Grades | Undefined) -> tuple[int, ...]:
    """Return the targets that a hit meets; none are known if the answer cannot be graded."""
    return () if isinstance(graded, Undefined) else tuple(expectation.meets(hit))


def _checks(graded: Grades | Undefined) -> Mapping[str, Value]:
    return {} if isinstance(graded, Undefined) else graded.checks


def _measured(run: Run, answer: Answer, graded: Grades | Undefined) -> Iterator[Line]:
    for name, value in _checks(graded).items():
        held = value if isinstance(value, Undefined) else "held" if value > 0 else "did not hold"
        yield Line(f"{name}: {held}")
    for place, name in enumerate(run.header.measures):
        figure = answer.values[place]
        reason = f"undefined: {answer.reasons.get(place)}"
        yield Line(f"{name}: {reason if figure is None else show_value(figure)}")


def report_audit(audited: StoreAudit, store: str) -> Report:
    """Report which stored figures differ from what the stored responses come to, and damage."""
    titles = ("run", "query", "repeat", "figure", "stored", "computed")
    rows: list[tuple[Any, ...]] = [
        (each.run, each.query, str(each.repeat), each.figure, each.stored, each.computed)
        for each in audited.findings
    ]
    table = Table(tuple(map(Column, titles)), tuple(rows), labels=6)
    return Report(
        kind="audit",
        title="Audit of stored runs",
        sections=(Section(blocks=(Lines(tuple(_audit_lines(audited, store))), table)),),
        passed=audited.passed,
        subject=audited,
        make_data=lambda: {
            "kind": "audit",
            "schema_version": REPORT_SCHEMA_VERSION,
            "runs": audited.runs,
            "passed": audited.passed,
            "findings": [dict(zip(titles, row, strict=True)) for row in rows],
            "damaged": dict(audited.damaged),
            "structure": list(audited.structure),
        },
    )


def _audit_lines(audited: StoreAudit, store: str) -> Iterator[Line]:
    """Say what was audited, what is damaged, and how the rest is saved."""
    runs = count_of(audited.runs, "run")
    differ = count_of(len(audited.findings), "figure differs", "figures differ")
    text = f"{runs} audited: every stored figure follows from the stored responses"
    if audited.findings:
        text = f"{runs} audited, {differ}"
    if not audited.is_damaged:
        yield Line(text, Tone.BAD if audited.findings else Tone.GOOD)
        return
    whole = audited.runs - len(audited.damaged)
    yield Line(f"{store} is damaged: {whole} of {audited.runs} runs can be read", Tone.BAD)
    for run, reason in audited.damaged.items():
        yield Line(f"  {run}: {reason}", Tone.BAD)
    for line in audited.structure:
        yield Line(f"  structure: {line}", Tone.BAD)
    if audited.findings:
        yield Line(differ, Tone.BAD)
    if whole:
        yield Line(f"cranfield runs import {store} --store NEW copies the others to a new store")
