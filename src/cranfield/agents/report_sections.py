"""Sections of a report of agents: each task with its answers and findings, and what was found."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.agents.answer_checks import CheckOutcome
from cranfield.agents.mediation import is_page_of
from cranfield.formats import CellKind, Column, Detail, Line, Lines, Section, Table, Tone, Verbatim

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.agents.answer_checks import AnswerFinding
    from cranfield.agents.answers import AgentEvaluation, CheckedAnswer
    from cranfield.agents.mediation import RetrievalOutcomes
    from cranfield.agents.tasks import Task
    from cranfield.formats import Block
    from cranfield.statistics import ProportionInterval

__all__ = [
    "retrieval_data",
    "retrieval_section",
    "task_sections",
]

_SAME = "The answers are the same."


def task_sections(evaluation: AgentEvaluation) -> Iterator[Section]:
    """Yield a section for every task that has an answer."""
    for task in evaluation.tasks:
        answers = [each for arm in evaluation.arms for each in evaluation.of(arm, task.id)]
        if answers:
            yield Section(task.id, tuple(_blocks(task, answers)), detail=_detail(answers))


def _detail(answers: Sequence[CheckedAnswer]) -> Detail:
    """Show a task with something wrong wherever changes are shown, others only among all."""
    return Detail.CHANGED if any(each.failures for each in answers) else Detail.ALL


def _blocks(task: Task, answers: Sequence[CheckedAnswer]) -> Iterator[Block]:
    yield Verbatim("prompt", task.prompt.strip(), detail=Detail.ALL)
    if task.hints:
        hints = tuple(Line(hint) for hint in task.hints)
        yield Lines(hints, title="Hints for readers", detail=Detail.ALL)
    yield _outcomes(answers)
    lines = tuple(line for each in answers for line in _finding_lines(each))
    if lines:
        yield Lines(lines, title="Findings")
    for each in answers:
        yield Verbatim(_name(each), each.code or each.answer.answer, detail=Detail.ALL)
    yield from _differences(answers)
    yield from _searches(task, answers)


def _name(checked: CheckedAnswer) -> str:
    repeat = checked.answer.repeat
    return f"{checked.answer.arm}, repetition {repeat + 1}" if repeat else checked.answer.arm


def _outcomes(answers: Sequence[CheckedAnswer]) -> Table:
    checks = list(dict.fromkeys(result.check for each in answers for result in each.results))
    columns = (
        Column("arm"),
        *(Column(check) for check in checks),
        Column("names unknown", CellKind.COUNT),
    )
    return Table(
        columns,
        tuple(_outcome_row(each, checks) for each in answers),
        title="Checks",
        detail=Detail.ALL,
    )


def _outcome_row(checked: CheckedAnswer, checks: Sequence[str]) -> tuple[Any, ...]:
    outcomes = (checked.outcome(check) for check in checks)
    shown = ("–" if each is None else str(each) for each in outcomes)
    return (_name(checked), *shown, checked.names.unknown if checked.names else 0)


def _finding_lines(checked: CheckedAnswer) -> Iterator[Line]:
    """Yield what is wrong; among all, also what could not be resolved, once for all checks."""
    findings = [finding for result in checked.results for finding in result.findings]
    kept = {_identity(each): each for each in reversed(findings)}
    for each in (each for each in findings if kept[_identity(each)] is each):
        is_wrong = each.outcome is CheckOutcome.FAIL
        place = "" if each.line is None else f"line {each.line}: "
        about = "" if is_wrong or not each.symbol else f"{each.symbol}: "
        yield Line(
            f"{_name(checked)}, {place}{about}{each.reason}",
            Tone.BAD if is_wrong else Tone.NEUTRAL,
            each.check if is_wrong else f"{each.check}, unknown",
            detail=Detail.NONE if is_wrong else Detail.ALL,
        )


def _identity(finding: AnswerFinding) -> tuple[Any, ...]:
    check = finding.check if finding.outcome is CheckOutcome.FAIL else ""
    return check, finding.line, finding.column, finding.symbol, finding.reason


def _differences(answers: Sequence[CheckedAnswer]) -> Iterator[Verbatim]:
    """Compare the first answer of every other arm with the first answer of the first arm."""
    firsts = {each.answer.arm: each for each in reversed(answers)}
    arms = list(dict.fromkeys(each.answer.arm for each in answers))
    base = firsts[arms[0]]
    for arm in arms[1:]:
        lines = unified_diff(
            base.code.splitlines(), firsts[arm].code.splitlines(), arms[0], arm, lineterm=""
        )
        yield Verbatim(f"from {arms[0]} to {arm}", "\n".join(lines) or _SAME, detail=Detail.ALL)


def _searches(task: Task, answers: Sequence[CheckedAnswer]) -> Iterator[Table]:
    """List what was retrieved; mark the pages of what the task needs, and what was read."""
    columns = (
        Column("query", CellKind.QUERY),
        Column("rank", CellKind.RANK),
        Column("hit", CellKind.ID),
        Column("needed"),
        Column("read"),
    )
    for each in answers:
        rows = tuple(_search_rows(task, each))
        if rows:
            yield Table(columns, rows, title=f"Retrieved by {_name(each)}", detail=Detail.ALL)


def _search_rows(task: Task, checked: CheckedAnswer) -> Iterator[tuple[Any, ...]]:
    answer = checked.answer
    shown = {hit for search in answer.searches for hit in search.hits}
    for search in answer.searches:
        if not search.hits:
            yield search.query, None, "no hit", "", ""
        for rank, hit in enumerate(search.hits, start=1):
            yield search.query, rank, hit, *_marks(task, hit, answer.read)
    for document in answer.read:
        if document not in shown:
            yield "", None, document, *_marks(task, document, answer.read)


def _marks(task: Task, document: str, read: Sequence[str]) -> tuple[str, str]:
    is_needed = any(is_page_of(document, need) for need in task.needs)
    return "yes" if is_needed else "", "yes" if document in read else ""


_TITLE = "Needed pages: found, and right? A relation between tasks, no proof of a cause"


def retrieval_section(outcomes: Sequence[RetrievalOutcomes]) -> Section:
    """Show how often answers are right by what was found, and the difference."""
    rates = Table(
        (Column("arm"), Column("needed page"), Column("tasks", CellKind.COUNT),
         Column("right", CellKind.VALUE), Column("95 % interval", CellKind.RANGE)),
        tuple(
            (each.arm, str(group.retrieval), group.tasks, *_cells(group.rate))
            for each in outcomes for group in each.groups
        ),
    )  # fmt: skip
    differences = Table(
        (Column("arm"), Column("found minus not found", CellKind.DIFFERENCE),
         Column("95 % interval", CellKind.INTERVAL)),
        tuple((each.arm, *_cells(each.difference)) for each in outcomes),
    )  # fmt: skip
    return Section(_TITLE, (rates, differences))


def _cells(rate: ProportionInterval | None) -> tuple[Any, Any]:
    return (None, None) if rate is None else (rate.value, (rate.low, rate.high))


def retrieval_data(outcomes: RetrievalOutcomes) -> dict[str, Any]:
    """Return the same for machines."""
    return {
        "arm": outcomes.arm,
        "groups": [
            {"needed_page": str(each.retrieval), "tasks": each.tasks, "answers": each.answers,
             "right": msgspec.to_builtins(each.rate)}
            for each in outcomes.groups
        ],
        "difference": msgspec.to_builtins(outcomes.difference),
    }  # fmt: skip
