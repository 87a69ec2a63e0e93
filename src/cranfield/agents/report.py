"""The report of an agent evaluation: did grounding help, in which tasks, and what went wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.agents.answers import AnswerState
from cranfield.agents.arm_comparison import TaskBucket, compare_arms
from cranfield.agents.mediation import MediationStep, explain_failures, relate_retrieval
from cranfield.agents.report_sections import retrieval_data, retrieval_section, task_sections
from cranfield.formats import (
    CellKind,
    Column,
    Detail,
    Line,
    Report,
    Section,
    Table,
    Tone,
    count_of,
)
from cranfield.reports.comparison_words import verdict_tone
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.agents.answers import AgentEvaluation, CheckedAnswer
    from cranfield.agents.arm_comparison import ArmComparison, CheckComparison
    from cranfield.agents.mediation import Mediation, RetrievalOutcomes

__all__ = ["AgentFacts", "report_agents"]

_CHANGED = (TaskBucket.HURT, TaskBucket.HELPED)


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """What the report shows: the answers, each arm against the first, and why names were wrong."""

    evaluation: AgentEvaluation
    comparisons: tuple[ArmComparison, ...]
    mediations: tuple[Mediation, ...]
    retrieval: tuple[RetrievalOutcomes, ...]


def report_agents(evaluation: AgentEvaluation, detail: Detail = Detail.CHANGED) -> Report:
    """Report the answers of all arms, each compared with the first."""
    first, *others = evaluation.arms
    comparisons = tuple(compare_arms(evaluation, first, other) for other in others)
    grounded = [arm for arm in evaluation.arms if _is_grounded(evaluation, arm)]
    mediations = tuple(each for arm in grounded for each in explain_failures(evaluation, arm))
    retrieval = tuple(relate_retrieval(evaluation, arm) for arm in grounded)
    facts = AgentFacts(evaluation, comparisons, mediations, retrieval)
    return Report(
        kind="agent",
        title="Agents",
        lines=(
            *_unreached(evaluation),
            *(line for each in comparisons for line in _outcome(each)),
        ),
        sections=(
            *(_comparison_section(each) for each in comparisons),
            _answers_section(evaluation),
            *([_mediation_section(facts)] if mediations else []),
            *([retrieval_section(retrieval)] if retrieval else []),
            *task_sections(evaluation),
        ),
        notes=_notes(comparisons),
        subject=facts,
        detail=detail,
        make_data=lambda: _data(facts),
    )


def _is_grounded(evaluation: AgentEvaluation, arm: str) -> bool:
    return any(
        each.answer.searches or each.answer.read
        for each in evaluation.checked
        if each.answer.arm == arm
    )


def _unreached(evaluation: AgentEvaluation) -> Iterator[Line]:
    """Say of each arm how many answers could not be had: they count neither right nor wrong."""
    for arm in evaluation.arms:
        broken = [each for each in evaluation.broken if each.arm == arm]
        if broken:
            number = count_of(len(broken), "answer")
            text = (
                f"{arm}: {number} could not be had, left out of every figure: {broken[0].message}"
            )
            yield Line(text, Tone.WARNING)


def _outcome(comparison: ArmComparison) -> Iterator[Line]:
    counts = Counter(each.bucket for each in comparison.changes)
    words = ", ".join(f"{counts[bucket]} {bucket}" for bucket in TaskBucket if counts[bucket])
    verdict = comparison.verdict
    if verdict is None:
        text = f"{comparison.a} and {comparison.b} have no task that both answered"
        yield Line(text, Tone.WARNING)
        return
    yield Line(
        f"{comparison.b} against {comparison.a}: {words}",
        verdict_tone(verdict),
        str(verdict.kind),
        comparison.tasks_in(TaskBucket.HURT),
    )


def _comparison_section(comparison: ArmComparison) -> Section:
    columns = (
        Column("check"),
        Column("tasks", CellKind.COUNT),
        Column(comparison.a, CellKind.VALUE),
        Column(comparison.b, CellKind.VALUE),
        Column("difference", CellKind.DIFFERENCE),
        Column("95 % interval", CellKind.INTERVAL),
        Column("test", detail=Detail.MEASURES),
        Column("p", CellKind.P),
    )
    rows = tuple(_check_row(each) for each in comparison.checks)
    changed = sorted(
        (each for each in comparison.changes if each.bucket in _CHANGED),
        key=lambda each: _CHANGED.index(each.bucket),
    )
    table = Table(
        (Column("task", CellKind.ID), Column(comparison.a, CellKind.VALUE),
         Column(comparison.b, CellKind.VALUE), Column("bucket")),
        tuple((each.task, each.a, each.b, str(each.bucket)) for each in changed),
        title="Tasks that changed",
        detail=Detail.CHANGED,
    )  # fmt: skip
    blocks = (Table(columns, rows), *([table] if changed else []))
    return Section(f"{comparison.b} against {comparison.a}", blocks)


def _check_row(each: CheckComparison) -> tuple[Any, ...]:
    paired = each.paired
    if paired is None:
        return (each.check, 0, None, None, None, None, None, None)
    interval = (paired.interval.low, paired.interval.high)
    p = paired.p_adjusted if paired.is_headline else paired.class_test.p_two_sided
    return (
        each.check, paired.pairs, paired.mean_a, paired.mean_b, paired.difference, interval,
        paired.class_test.detail, p,
    )  # fmt: skip


def _answers_section(evaluation: AgentEvaluation) -> Section:
    columns = (
        Column("arm"),
        Column("answers", CellKind.COUNT),
        Column("right", CellKind.COUNT),
        Column("wrong", CellKind.COUNT),
        Column("names unknown", CellKind.SHARE),
        Column("out of budget", CellKind.COUNT),
        Column("refused", CellKind.COUNT),
        Column("not reached", CellKind.COUNT),
        Column("tokens", CellKind.COUNT),
    )
    rows = tuple(_arm_row(evaluation, arm) for arm in evaluation.arms)
    return Section("Answers", (Table(columns, rows),))


def _arm_row(evaluation: AgentEvaluation, arm: str) -> tuple[Any, ...]:
    answers = [each for each in evaluation.checked if each.answer.arm == arm]
    rights = Counter(each.is_right for each in answers)
    names = [each.names for each in answers if each.names is not None]
    unknown = sum(each.unknown for each in names)
    looked_at = unknown + sum(each.resolved for each in names)
    broken = sum(each.arm == arm for each in evaluation.broken)
    states = Counter(each.answer.state for each in answers)
    tokens = [each.answer.tokens for each in answers if each.answer.tokens is not None]
    return (
        arm, len(answers), rights[True], rights[False], (unknown, looked_at),
        states[AnswerState.LIMIT], states[AnswerState.REFUSED], broken,
        sum(tokens) if tokens else None,
    )  # fmt: skip


def _mediation_section(facts: AgentFacts) -> Section:
    counts = Counter((each.arm, each.step) for each in facts.mediations)
    arms = list(dict.fromkeys(each.arm for each in facts.mediations))
    columns = (Column("arm"), *(Column(str(step), CellKind.COUNT) for step in MediationStep))
    rows = tuple((arm, *(counts[arm, step] for step in MediationStep)) for arm in arms)
    listed = Table(
        (Column("task", CellKind.ID), Column("arm"), Column("name"), Column("check"),
         Column("step"), Column("rank", CellKind.RANK)),
        tuple(
            (each.task, each.arm, each.symbol, each.check, str(each.step), each.rank)
            for each in facts.mediations
        ),
        title="Every wrong name",
        detail=Detail.CHANGED,
    )  # fmt: skip
    return Section("Wrong names: was the right page found, read, used?",
                   (Table(columns, rows), listed))  # fmt: skip


def _notes(comparisons: tuple[ArmComparison, ...]) -> tuple[str, ...]:
    if not comparisons:
        return ()
    repeats = max(each.repeats for each in comparisons)
    unit = "right or wrong" if repeats == 1 else f"the share of right answers of {repeats}"
    test = "McNemar (exact)" if repeats == 1 else "the sign test"
    return (
        f"a task counts with {unit}; all checks together decide, by the mean difference",
        "p of all checks: two-sided, the larger of sign-flip test and interval",
        f"p of one check: that of {test}, not corrected; it decides nothing",
        "what a check could not resolve is unknown: it passes and fails nothing",
    )


def _data(facts: AgentFacts) -> dict[str, Any]:
    evaluation = facts.evaluation
    return {
        "kind": "agent",
        "schema_version": REPORT_SCHEMA_VERSION,
        "volatile": {},
        "arms": list(evaluation.arms),
        "comparisons": [_comparison_data(each) for each in facts.comparisons],
        "answers": [_answer_data(each) for each in evaluation.checked],
        "not_reached": [
            {"task": each.task, "arm": each.arm, "repeat": each.repeat, "message": each.message}
            for each in evaluation.broken
        ],
        "wrong_names": msgspec.to_builtins(facts.mediations),
        "retrieval": [retrieval_data(each) for each in facts.retrieval],
    }  # fmt: skip


def _comparison_data(comparison: ArmComparison) -> dict[str, Any]:
    verdict = comparison.verdict
    return {
        "a": comparison.a,
        "b": comparison.b,
        "verdict": None if verdict is None else str(verdict.kind),
        "queries_needed": None if verdict is None else verdict.queries_needed,
        "checks": [_check_data(each) for each in comparison.checks],
        "buckets": {str(bucket): list(comparison.tasks_in(bucket)) for bucket in TaskBucket},
    }


def _check_data(each: CheckComparison) -> dict[str, Any]:
    paired = each.paired
    if paired is None:
        return {"check": each.check}
    return {
        "check": each.check, "tasks": paired.pairs, "a": paired.mean_a, "b": paired.mean_b,
        "difference": paired.difference, "interval": [paired.interval.low, paired.interval.high],
        "test": paired.class_test.name, "p": paired.p, "test_p": paired.class_test.p_two_sided,
    }  # fmt: skip


def _answer_data(checked: CheckedAnswer) -> dict[str, Any]:
    answer = checked.answer
    return {
        "task": answer.task, "arm": answer.arm, "repeat": answer.repeat,
        "state": str(answer.state), "right": checked.is_right,
        "seconds": answer.seconds, "tokens": answer.tokens,
        "checks": {each.check: str(each.outcome) for each in checked.results},
        "findings": [
            each for result in checked.results for each in msgspec.to_builtins(result.findings)
        ],
    }  # fmt: skip
