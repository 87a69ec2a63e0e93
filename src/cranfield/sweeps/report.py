"""The report of a sweep: the winner on held-out queries first, then where it helps and hurts."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from cranfield.formats import (
    CellKind,
    Chart,
    Column,
    Line,
    Lines,
    Report,
    Section,
    Series,
    Table,
    Tone,
    count_of,
    tabulate,
)
from cranfield.reports.comparison_words import verdict_tone
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION, number

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.statistics import MeanInterval, PairedComparison
    from cranfield.sweeps.outcome import CategoryOutcome, SuiteOutcome
    from cranfield.sweeps.sweep import Sweep
    from cranfield.sweeps.tuning import TriedTrial

__all__ = ["report_sweep"]

_MOST_TRIALS = 20
_MOST_ROWS_OF_MAP = 40
_MOST_TURNED = 3
"""With more suites, a table of a column for each is wider than one of a row for each."""


def report_sweep(sweep: Sweep) -> Report:
    """Report what a sweep found."""
    blocks = [
        Section("", (Lines(tuple(_head(sweep))), *_suites(sweep))),
        *_categories(sweep),
        Section("trials on the tuning part, the best first", (_trials(sweep),)),
    ]
    return Report(
        kind="sweep",
        title=f"Sweep {sweep.plan.file.path.stem}",
        sections=tuple(blocks),
        lines=tuple(_conclusion(sweep)),
        notes=tuple(_notes(sweep)),
        lead=_lead(sweep),
        make_charts=lambda: tuple(each for each in (_intervals(sweep), _heat_map(sweep)) if each),
        subject=sweep,
        make_data=lambda: _data(sweep),
    )


def _head(sweep: Sweep) -> list[Line]:
    plan, tuning = sweep.plan, sweep.tuning
    tried = count_of(len(tuning.trials), "trial")
    ended = {"runs": "; the budget of runs is spent", "minutes": "; the time is up"}
    lines = [
        Line(
            f"{plan.file.path.stem}: {tried} of {plan.file.system}, the default included"
            f"{ended.get(sweep.ended_by, '')}"
        ),
        Line(_parts(sweep)),
        Line(f"winner: {plan.describe(tuning.winner)}"),
    ]
    for each in tuning.alternatives:
        gain = sweep.gains.get(each.trial)
        held = _describe_gain(gain) if gain else ""
        lines.append(
            Line(f"within noise of it, and {each.because}: {plan.describe(each.trial)}{held}")
        )
    return lines


def _describe_gain(gain: MeanInterval) -> str:
    return f"; held-out gain {gain.mean:+.4f} [{gain.low:+.4f}, {gain.high:+.4f}]"


def _parts(sweep: Sweep) -> str:
    parts = sweep.plan.parts
    if parts.folds is None:
        return (
            f"tuned on {count_of(int(parts.tuning.sum()), 'query', 'queries')}, "
            f"held out {int(parts.held_out.sum())}"
        )
    folds = int(parts.folds.max()) + 1
    return (
        f"nested cross-validation in {folds} folds of "
        f"{count_of(int(parts.tuning.sum()), 'query', 'queries')}, because {parts.reason}"
    )


def _lead(sweep: Sweep) -> str:
    return " ".join(line.text for line in _conclusion(sweep))


def _conclusion(sweep: Sweep) -> list[Line]:
    plan, outcome = sweep.plan, sweep.outcome
    if sweep.is_constrained_to_default:
        text = "the constraints exclude every trial but the default; loosen one or keep the default"
        return [Line(text, Tone.WARNING)]
    if outcome is None:
        return [Line("no trial is above the default on the tuning part; keep the default")]
    lines = []
    for each in outcome.suites:
        gain = "–" if each.gain is None else f"{each.gain:+.4f}"
        lines.append(
            Line(
                f"{each.suite}: {plan.describe(sweep.tuning.winner)} against the default on "
                f"queries that did not choose it: {each.verdict} ({each.measure} {gain})",
                verdict_tone(each.verdict),
            )
        )
    return lines


def _suites(sweep: Sweep) -> list[Table]:
    if sweep.outcome is None:
        return []
    columns: dict[Column, Callable[[SuiteOutcome], Any]] = {
        Column("suite"): lambda each: each.suite,
        Column("verdict"): lambda each: str(each.verdict.kind),
        Column("measure"): lambda each: each.measure,
        Column("queries", CellKind.COUNT): lambda each: each.held_out.n if each.held_out else 0,
        Column("default", CellKind.VALUE): lambda each: number(each.held_out_default),
        Column("winner", CellKind.VALUE): lambda each: each.held_out and each.held_out.mean,
        Column("its interval", CellKind.RANGE): lambda each: (
            each.held_out and (each.held_out.low, each.held_out.high)
        ),
        Column("gain", CellKind.DIFFERENCE): lambda each: each.gain,
        Column("interval", CellKind.INTERVAL): lambda each: (
            each.comparison and (each.comparison.interval.low, each.comparison.interval.high)
        ),
        Column("p", CellKind.P): lambda each: each.comparison and each.comparison.p_adjusted,
        Column("tuning gain", CellKind.DIFFERENCE): lambda each: number(
            each.tuning_winner - each.tuning_default
        ),
        Column("optimism", CellKind.DIFFERENCE): lambda each: each.optimism,
        Column("failed", CellKind.COUNT): lambda each: each.failures or None,
    }
    shown = [
        column
        for column in columns
        if column.title != "failed" or any(each.failures for each in sweep.outcome.suites)
    ]
    kept = {column: columns[column] for column in shown}
    is_turnable = len(sweep.outcome.suites) <= _MOST_TURNED
    return [Table(*tabulate(sweep.outcome.suites, kept), is_turnable=is_turnable)]


def _categories(sweep: Sweep) -> list[Section]:
    if sweep.outcome is None or not sweep.outcome.categories:
        return []
    columns: dict[Column, Callable[[CategoryOutcome], Any]] = {
        Column("suite"): lambda each: each.suite,
        Column("category"): lambda each: each.category,
        Column("verdict"): lambda each: str(each.verdict.kind),
        Column("queries", CellKind.COUNT): lambda each: each.comparison and each.comparison.pairs,
        Column("default", CellKind.VALUE): lambda each: each.comparison and each.comparison.mean_a,
        Column("winner", CellKind.VALUE): lambda each: each.comparison and each.comparison.mean_b,
        Column("gain", CellKind.DIFFERENCE): lambda each: (
            each.comparison and each.comparison.difference
        ),
        Column("interval", CellKind.INTERVAL): lambda each: (
            each.comparison and (each.comparison.interval.low, each.comparison.interval.high)
        ),
    }
    ordered = sorted(sweep.outcome.categories, key=_size_of_change)
    table = Table(
        *tabulate(ordered, columns),
        labels=2,
        most=_MOST_TRIALS,
        rest="--format json has all of them",
    )
    return [Section("where it helps, where it hurts: held-out queries by category", (table,))]


def _size_of_change(each: CategoryOutcome) -> float:
    """Order categories by how much they change, the largest change first."""
    return -abs(each.comparison.difference) if each.comparison else 0.0


def _trials(sweep: Sweep) -> Table:
    plan = sweep.plan
    ordered = sorted(sweep.tuning.trials, key=lambda each: (bool(each.refused), -each.objective))
    columns: dict[Column, Callable[[TriedTrial], Any]] = {
        Column("trial"): lambda each: plan.describe(each.trial),
        Column("objective", CellKind.VALUE): lambda each: number(each.objective),
        Column("gain", CellKind.DIFFERENCE): lambda each: (
            each.comparison and each.comparison.difference
        ),
        Column("p", CellKind.P): lambda each: each.comparison and each.comparison.p_adjusted,
        Column("verdict"): lambda each: str(each.verdict.kind) if each.comparison else "–",
        Column("near the best"): lambda each: "yes" if each.is_within_noise else "no",
        Column("median", CellKind.SECONDS): lambda each: each.seconds,
        Column("refused"): lambda each: each.refused or None,
    }
    kept = {
        column: read
        for column, read in columns.items()
        if column.title != "refused" or any(each.refused for each in ordered)
    }
    return Table(
        *tabulate(ordered, kept), most=_MOST_TRIALS, rest="--format json or html has all of them"
    )


def _notes(sweep: Sweep) -> list[str]:
    tried = len(sweep.tuning.trials) - 1
    suites = count_of(len(sweep.plan.table.suite_ids), "suite")
    objective = (
        "objective is the mean over the suites of their headline on the tuning part; p and verdict "
        f"of a trial are against the default, corrected (Holm) over the {tried} tried"
    )
    notes = [objective]
    if sweep.outcome is not None:
        checked = (
            "the winner's verdict is on queries that did not choose it, corrected (Holm) over "
            f"{suites}; categories are corrected among themselves"
        )
        optimism = "optimism is the gain on the queries that chose the winner minus that on others"
        notes += [checked, optimism]
        if sweep.outcome.fold_winners:
            same = sum(each == sweep.tuning.winner for each in sweep.outcome.fold_winners)
            notes.append(
                "the compared column is each fold's own winner on its fold: "
                f"{same} of {len(sweep.outcome.fold_winners)} folds chose the winner of all"
            )
    seeds = sweep.plan.file
    notes.append(
        f"a difference shown to lie within ±{seeds.margin:g} counts as equivalent; seed of "
        f"the split {seeds.split.seed}, of the search {seeds.search.seed}"
    )
    return notes


def _intervals(sweep: Sweep) -> Chart | None:
    if sweep.outcome is None:
        return None
    points = [
        (each.suite, (each.comparison.difference, interval.low, interval.high))
        for each in sweep.outcome.suites
        if each.comparison and (interval := each.comparison.interval)
    ]
    margin = sweep.plan.file.margin
    words = [f"{label}: {mean:+.4f}" for label, (mean, _, _) in points]
    return Chart(
        "intervals",
        "Winner minus default, on queries that did not choose it",
        (Series("gain", tuple(points)),),
        band=(-margin, margin),
        summary="; ".join(words),
    )


def _heat_map(sweep: Sweep) -> Chart | None:
    """Show how each trial changes each category, on the tuning part."""
    pairs = list(zip(sweep.tuning.trials, sweep.changes, strict=True))[1:]
    if not pairs:
        return None
    pairs.sort(key=lambda pair: -pair[0].objective)
    several = len(sweep.plan.table.suite_ids) > 1
    series = tuple(
        Series(
            sweep.plan.describe(tried.trial),
            tuple(
                (_name_group(key, several=several), (change,))
                for key, change in changes.items()
                if not isnan(change)
            ),
        )
        for tried, changes in pairs[:_MOST_ROWS_OF_MAP]
    )
    best = series[0]
    words = ", ".join(f"{label} {change:+.4f}" for label, (change,) in best.points)
    return Chart(
        "heat",
        "Change of each category by trial, on the tuning part",
        series,
        summary=f"the best, {best.name}: {words}",
    )


def _name_group(key: tuple[str, str], *, several: bool) -> str:
    suite, category = key
    return f"{suite} {category}".strip() if several or not category else category


def _data(sweep: Sweep) -> dict[str, Any]:
    """Write the document of docs/schemas/sweep.json; counts of runs and times are `volatile`."""
    plan, tuning, outcome = sweep.plan, sweep.tuning, sweep.outcome
    parts = plan.parts
    return {
        "kind": "sweep",
        "schema_version": REPORT_SCHEMA_VERSION,
        "sweep": plan.file.path.stem,
        "system": plan.file.system,
        "measures": dict(plan.table.measures),
        "parameters": {name: each.default for name, each in plan.parameters.items()},
        "split": {
            "method": "held out" if parts.folds is None else "nested cross-validation",
            "reason": parts.reason,
            "tuning": int(parts.tuning.sum()),
            "held_out": int(parts.held_out.sum()),
            "folds": None if parts.folds is None else int(parts.folds.max()) + 1,
            "seed": plan.file.split.seed,
        },
        "search": {"method": plan.file.search.method, "seed": plan.file.search.seed},
        "ended_by": sweep.ended_by,
        "winner": dict(tuning.winner.values),
        "is_default": tuning.best == 0,
        "is_shown_better": sweep.is_shown_better,
        "alternatives": _alternatives(sweep, "simpler"),
        "suites": [_suite(each) for each in outcome.suites] if outcome else [],
        "categories": [
            {
                "suite": each.suite,
                "category": each.category,
                "verdict": str(each.verdict.kind),
                **_compared(each.comparison),
            }
            for each in (outcome.categories if outcome else ())
        ],
        "fold_winners": [dict(each.values) for each in outcome.fold_winners] if outcome else [],
        "trials": [
            _trial(each, changes)
            for each, changes in zip(tuning.trials, sweep.changes, strict=True)
        ],
        "volatile": {
            "made": sweep.made,
            "reused": sweep.reused,
            "alternatives": _alternatives(sweep, "faster"),
            "seconds": [each.seconds for each in tuning.trials],
        },
    }


def _alternatives(sweep: Sweep, because: str) -> list[dict[str, Any]]:
    return [
        {
            "because": each.because,
            "values": dict(each.trial.values),
            "held_out_gain": _gain(sweep.gains.get(each.trial)),
        }
        for each in sweep.tuning.alternatives
        if each.because == because
    ]


def _suite(each: SuiteOutcome) -> dict[str, Any]:
    held = each.held_out
    return {
        "suite": each.suite,
        "measure": each.measure,
        "verdict": str(each.verdict.kind),
        "queries_needed": each.verdict.queries_needed,
        "held_out_default": number(each.held_out_default),
        "held_out_winner": None if held is None else held.mean,
        "held_out_interval": None if held is None else [held.low, held.high],
        "tuning_default": number(each.tuning_default),
        "tuning_winner": number(each.tuning_winner),
        "optimism": number(each.optimism),
        "failures": each.failures,
        **_compared(each.comparison),
    }


def _compared(comparison: PairedComparison | None) -> dict[str, Any]:
    if comparison is None:
        return {"queries": 0, "gain": None, "interval": None, "p": None}
    interval = comparison.interval
    return {
        "queries": comparison.pairs,
        "gain": comparison.difference,
        "interval": [interval.low, interval.high],
        "p": comparison.p_adjusted,
    }


def _trial(each: TriedTrial, changes: Any) -> dict[str, Any]:
    compared = each.comparison
    return {
        "values": dict(each.trial.values),
        "objective": number(each.objective),
        "gain": compared.difference if compared else None,
        "p": compared.p_adjusted if compared else None,
        "verdict": str(each.verdict.kind) if compared else None,
        "is_within_noise": each.is_within_noise,
        "refused": each.refused,
        "changes": [
            {"suite": suite, "category": category, "change": number(change)}
            for (suite, category), change in changes.items()
        ],
    }


def _gain(gain: MeanInterval | None) -> dict[str, Any] | None:
    return None if gain is None else {"mean": gain.mean, "interval": [gain.low, gain.high]}
