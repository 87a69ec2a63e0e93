"""Figures that use a model, as the reports of runs and comparisons show them beside their own."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cranfield.comparisons import name_arms
from cranfield.errors import CranfieldError
from cranfield.evaluation.sessions import set_judging
from cranfield.formats import (
    CellKind,
    Column,
    Line,
    Lines,
    Report,
    Section,
    Table,
    Tone,
    count_of,
)
from cranfield.judging.models.corrected_figures import Calibration, calibrate
from cranfield.judging.models.model_round import name_rater
from cranfield.judging.models.model_settings import read_model_settings
from cranfield.judging.models.prompts import read_prompt
from cranfield.judgments import JudgmentSource, JudgmentStore, query_key
from cranfield.reports.additions import Supplement
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION
from cranfield.runs.records import RunState
from cranfield.runs.runner import Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cranfield.evaluation.project import Project
    from cranfield.formats import Block
    from cranfield.judging.models.corrected_figures import ModelFigure
    from cranfield.judging.models.model_round import ModelRound
    from cranfield.judging.models.request_loop import ModelPlan, ModelTally
    from cranfield.model import Suite
    from cranfield.runs.store import Store

__all__ = [
    "ModelColumns",
    "describe_plan",
    "find_model_columns",
    "report_calibration",
    "report_model_round",
    "supplement_columns",
]


@dataclass(frozen=True, slots=True)
class ModelColumns:
    """What the model of a suite makes of one run, or of two; the `reason` if that is impossible."""

    suite: str
    calibration: Calibration | None
    reason: str = ""


def find_model_columns(
    compared: Iterable[Sequence[Run]], project: Project, store: Store
) -> tuple[ModelColumns, ...]:
    """Return the figures of each run, or of two runs of one suite, that use the suite's model.

    Nothing of suites without a model, or whose model has judged no hit of these queries, and of
    runs that are not finished. Whatever a run is graded by, `by_rules` are its stored figures.
    """
    found = (_find(runs, project, store) for runs in compared)
    return tuple(each for each in found if each is not None)


def _find(runs: Sequence[Run], project: Project, store: Store) -> ModelColumns | None:
    if any(run.header.state is RunState.RUNNING for run in runs):
        return None
    suite = set_judging(project, runs[-1]).header.suite
    if not suite.judging.model:
        return None
    try:
        if not _has_judged(suite, store):
            return None
        stored = [Run(store.header(run.header.id), store) for run in runs]
        if any(a.header.selection != b.header.selection for a, b in zip(runs, stored, strict=True)):
            return ModelColumns(suite.id, None, "they are of all queries, and these are a part")
        chosen = set_judging(project, stored[-1]).header.suite
        return ModelColumns(suite.id, calibrate(stored, store, suite=chosen))
    except CranfieldError as problem:
        return ModelColumns(suite.id, None, str(problem))


def _has_judged(suite: Suite, store: Store) -> bool:
    """Return whether the model, with its prompt of now, has judged any hit of a suite's queries."""
    settings = read_model_settings(suite)
    rater = name_rater(settings, read_prompt(suite.folder, settings.prompt))
    judgments = JudgmentStore(store).judgments({query_key(query) for query in suite.queries})
    return any(each.source is JudgmentSource.MODEL and each.rater == rater for each in judgments)


def describe_plan(judging: ModelRound, plan: ModelPlan) -> str:
    """Say what a model will be asked and what that will cost, before anything is asked."""
    tokens = f"about {plan.input_tokens + plan.output_tokens:,} tokens"
    cost = _cost(plan.cost)
    return (
        f"{judging.suite.id}: {judging.rater} is asked about {count_of(len(plan.to_ask), 'hit')}, "
        f"{tokens}, {cost}; {len(plan.known)} known, {plan.matched} right by the suite's rules, "
        f"{plan.left_out} of categories that are never sent, {plan.without_text} without text; "
        f"spent before: {count_of(plan.spent.calls, 'answer')}, {_cost(plan.spent_cost)}"
    )


def _cost(cost: float | None) -> str:
    return "cost unknown (no price_in and price_out)" if cost is None else f"cost {cost:.4f}"


def report_model_round(
    finished: Sequence[tuple[ModelRound, ModelPlan, ModelTally | None]],
) -> Report:
    """Report what models were asked, or would be asked, and what they said."""
    sections = tuple(
        Section(
            title=f"{judging.suite.id}: {judging.rater}",
            blocks=(Lines(tuple(_round_lines(judging, plan, tally))),),
        )
        for judging, plan, tally in finished
    )
    data = {
        "kind": "judging",
        "schema_version": REPORT_SCHEMA_VERSION,
        "volatile": {},
        "models": [_round_data(*each) for each in finished],
    }
    return Report(
        kind="judging", title="Models", sections=sections, subject=finished, make_data=lambda: data
    )


def _round_lines(judging: ModelRound, plan: ModelPlan, tally: ModelTally | None) -> Iterator[Line]:
    if tally is None:
        yield Line(describe_plan(judging, plan))
        yield Line("nothing was asked")
        return
    yield Line(
        f"{tally.graded} graded, {tally.unjudged} unjudged, {tally.failed} without an answer, "
        f"{tally.from_store} from the store"
    )
    yield Line(
        f"{tally.input_tokens:,} tokens sent, {tally.output_tokens:,} received, {_cost(tally.cost)}"
    )
    for reason, count in tally.reasons.items():
        yield Line(f"{count} times: {reason}", Tone.WARNING)
    if tally.stopped:
        yield Line(f"stopped before the end: {tally.stopped}", Tone.BAD, "stopped")


def _round_data(judging: ModelRound, plan: ModelPlan, tally: ModelTally | None) -> dict[str, Any]:
    return {
        "suite": judging.suite.id,
        "rater": judging.rater,
        "prompt": judging.prompt.identity,
        "to_ask": len(plan.to_ask),
        "known": len(plan.known),
        "matched": plan.matched,
        "left_out": plan.left_out,
        "without_text": plan.without_text,
        "estimated_tokens": plan.input_tokens + plan.output_tokens,
        "estimated_cost": plan.cost,
        "tally": None if tally is None else asdict(tally),
    }


def report_calibration(calibration: Calibration) -> Report:
    """Report how far a model agrees with people, and the figures that it helps with."""
    return Report(
        kind="judging",
        title="Calibration",
        sections=(
            Section(
                title=f"{calibration.suite.id}: {calibration.agreement.rater}",
                blocks=_calibration_blocks(calibration),
            ),
        ),
        subject=calibration,
        make_data=lambda: {
            "kind": "judging",
            "schema_version": REPORT_SCHEMA_VERSION,
            "volatile": {"runs": [run.header.id for run in calibration.runs]},
            **_calibration_data(calibration),
        },
    )


def supplement_columns(columns: Sequence[ModelColumns]) -> tuple[Supplement, ...]:
    """Show figures that use a model beside those by the rules, or why they are left out."""
    return tuple(
        Supplement(
            Section(title=_columns_title(each), blocks=_columns_blocks(each)), _columns_data(each)
        )
        for each in columns
    )


def _columns_title(each: ModelColumns) -> str:
    by = f" by {each.calibration.agreement.rater}" if each.calibration else ""
    return f"{each.suite}: with a model{by}, corrected by people"


def _columns_blocks(each: ModelColumns) -> tuple[Block, ...]:
    if each.calibration is not None:
        return _calibration_blocks(each.calibration)
    text = f"figures that use the model are left out: {each.reason}"
    return (Lines((Line(text, Tone.WARNING),)),)


def _columns_data(each: ModelColumns) -> dict[str, Any]:
    if each.calibration is None:
        return {"suite": each.suite, "left_out": each.reason}
    return {**_calibration_data(each.calibration), "left_out": ""}


def _calibration_blocks(calibration: Calibration) -> tuple[Block, ...]:
    names = name_arms([[run] for run in calibration.runs])
    tables = [
        _figures_table(figures, name)
        for name, figures in zip(names, calibration.figures, strict=True)
    ]
    if calibration.differences:
        a, b = names
        tables.append(_figures_table(calibration.differences, f"{b} − {a}", is_difference=True))
    return (Lines(tuple(_agreement_lines(calibration))), *tables)


def _agreement_lines(calibration: Calibration) -> Iterator[Line]:
    agreement, sample = calibration.agreement, calibration.sample
    kappa = agreement.kappa
    if kappa is not None:
        value = "undefined" if kappa.value is None else f"{kappa.value:.2f}"
        interval = "" if kappa.low is None else f" [{kappa.low:.2f}, {kappa.high:.2f}]"
        kind = "relevant or not" if agreement.is_binary else "grades"
        yield Line(
            f"agreement with people on {count_of(kappa.pairs, 'hit')} of "
            f"{count_of(kappa.clusters, 'query', 'queries')} ({kind}): kappa {value}{interval}, "
            f"{kappa.share:.0%} equal; the suite demands {agreement.demanded:g}"
        )
        if kappa.reason:
            yield Line(f"kappa is undefined: {kappa.reason}", Tone.WARNING)
    yield Line(
        f"people have judged all hits of the first {len(sample.sampled)} of "
        f"{len(sample.queries)} queries in the order drawn"
    )
    if sample.next_query:
        yield Line(f"next: {sample.next_query}, {count_of(sample.missing, 'hit')} to judge")
    if sample.unjudged_by_model:
        hits = count_of(sample.unjudged_by_model, "hit")
        yield Line(f"{hits} the model has not judged; they count as not relevant", Tone.WARNING)
    if calibration.withheld:
        yield Line(f"no gate sees these figures: {calibration.withheld}", Tone.WARNING, "withheld")


def _figures_table(
    figures: Sequence[ModelFigure], title: str, *, is_difference: bool = False
) -> Table:
    value = CellKind.DIFFERENCE if is_difference else CellKind.VALUE
    bounds = CellKind.INTERVAL if is_difference else CellKind.RANGE
    columns = (
        Column("measure"),
        Column("by rules", value),
        Column("people alone", value),
        Column("model alone", value),
        Column("corrected", value),
        Column("95% interval", bounds),
        Column("weight", CellKind.VALUE),
    )
    rows = tuple(
        (
            each.measure,
            each.by_rules,
            *(
                (each.corrected.of_people, each.corrected.uncorrected, each.corrected.mean)
                if each.corrected
                else (None, None, None)
            ),
            (each.corrected.low, each.corrected.high) if each.corrected else None,
            each.corrected.weight if each.corrected else None,
        )
        for each in figures
    )
    reasons = tuple(dict.fromkeys(each.reason for each in figures if each.reason))
    return Table(columns, rows, title=title, caption=title, notes=reasons)


def _calibration_data(calibration: Calibration) -> dict[str, Any]:
    agreement, sample = calibration.agreement, calibration.sample
    return {
        "suite": calibration.suite.id,
        "rater": agreement.rater,
        "agreement": {
            "kappa": None if agreement.kappa is None else asdict(agreement.kappa),
            "demanded": agreement.demanded,
            "is_enough": agreement.is_enough,
            "is_binary": agreement.is_binary,
            "table": [
                {"people": people, "model": model, "hits": count}
                for (people, model), count in agreement.table.items()
            ],
        },
        "sample": {
            "queries": len(sample.queries),
            "judged_by_people": len(sample.sampled),
            "next": sample.next_query,
            "unjudged_by_model": sample.unjudged_by_model,
        },
        "withheld": calibration.withheld,
        "figures": [[_figure_data(each) for each in run] for run in calibration.figures],
        "differences": [_figure_data(each) for each in calibration.differences],
    }


def _figure_data(figure: ModelFigure) -> dict[str, Any]:
    return {
        "measure": figure.measure,
        "by_rules": figure.by_rules,
        "corrected": None if figure.corrected is None else asdict(figure.corrected),
        "reason": figure.reason,
    }
