"""Reports of what is stored and checked: the list of runs, one ranking, an audit, suites."""

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
    show_value,
    tabulate,
)
from cranfield.model import Undefined
from cranfield.relevance import read_expectation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from cranfield.formats import Block
    from cranfield.model import Query, Response
    from cranfield.relevance import Expectation
    from cranfield.runs import Answer, AuditFinding, Run, RunHeader
    from cranfield.suites import Finding, SuiteCheck

__all__ = ["report_audit", "report_checks", "report_ranking", "report_run_list"]


def report_run_list(headers: Sequence[RunHeader]) -> Report:
    """List stored runs."""
    columns: dict[Column, Callable[[RunHeader], Any]] = {
        Column("run"): lambda header: header.id,
        Column("suite"): lambda header: header.suite.id,
        Column("system"): lambda header: header.system,
        Column("label"): lambda header: header.label or None,
        Column("queries"): lambda header: str(len(header.suite.queries)),
        Column("state"): lambda header: str(header.state),
        Column("started"): lambda header: header.started[:19].replace("T", " "),
    }
    block: Block = Table(*tabulate(headers, columns), labels=7)
    if not headers:
        block = Lines((Line("no run is stored yet; cranfield run makes one"),))
    return Report("runs", "Stored runs", (Section(blocks=(block,)),), subject=tuple(headers))


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
    )


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
    return Section(
        title=", ".join(filter(None, parts)),
        blocks=(
            _hits(response, expectation),
            *received,
            Lines(tuple(_measured(run, answer, expectation))),
        ),
    )


def _hits(response: Response, expectation: Expectation) -> Table:
    columns = (
        Column("rank", CellKind.RANK),
        Column("hit", CellKind.ID),
        Column("score", CellKind.SCORE),
        Column("meets"),
    )
    rows = []
    for rank, hit in enumerate(response.hits, start=1):
        met = ", ".join(f"target {place + 1}" for place in expectation.meets(hit))
        rows.append((rank, hit.id, hit.score, met or None))
    return Table(columns, tuple(rows), labels=4)


def _measured(run: Run, answer: Answer, expectation: Expectation) -> Iterator[Line]:
    for name, value in expectation.grade(answer.response).checks.items():
        held = value if isinstance(value, Undefined) else "held" if value > 0 else "did not hold"
        yield Line(f"{name}: {held}")
    for place, name in enumerate(run.header.measures):
        figure = answer.values[place]
        reason = f"undefined: {answer.reasons.get(place)}"
        yield Line(f"{name}: {reason if figure is None else show_value(figure)}")


def report_audit(runs: int, findings: Sequence[AuditFinding]) -> Report:
    """Report which stored figures differ from what the stored responses come to."""
    text = f"{runs} runs audited: every stored figure follows from the stored responses"
    if findings:
        text = f"{runs} runs audited, {len(findings)} figures differ"
    titles = ("run", "query", "repeat", "figure", "stored", "computed")
    rows: list[tuple[Any, ...]] = [
        (each.run, each.query, str(each.repeat), each.figure, each.stored, each.computed)
        for each in findings
    ]
    outcome = Lines((Line(text, Tone.BAD if findings else Tone.GOOD),))
    table = Table(tuple(map(Column, titles)), tuple(rows), labels=6)
    return Report(
        kind="audit",
        title="Audit of stored runs",
        sections=(Section(blocks=(outcome, table)),),
        passed=not findings,
        subject=tuple(findings),
    )


def report_checks(checked: Sequence[tuple[Path, SuiteCheck]]) -> Report:
    """Report what a check found in suites, the place of each finding first."""
    return Report(
        kind="check",
        title="Check of suites",
        sections=tuple(_check(path, each) for path, each in checked),
        passed=all(each.passed for _, each in checked),
        subject=tuple(checked),
    )


def _check(path: Path, check: SuiteCheck) -> Section:
    findings = [
        Line(f"{_place(path, finding)}: {finding.severity}: {finding.message}", Tone.WARNING)
        for finding in check.findings
    ]
    what = "cannot be read"
    if check.suite is not None:
        count, query_class = len(check.suite.asked), check.suite.query_class
        what = f"{check.suite.id}, {count} queries of the class {query_class}"
    fitness = "fit to run" if check.passed else "not fit to run"
    tone = Tone.GOOD if check.passed else Tone.BAD
    return Section(blocks=(Lines((*findings, Line(f"{path}: {what}: {fitness}", tone))),))


def _place(path: Path, finding: Finding) -> str:
    file = finding.file or str(path)
    return file if finding.line is None else f"{file}:{finding.line}"
