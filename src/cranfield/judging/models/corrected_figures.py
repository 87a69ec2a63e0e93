"""Figures that use a model: in columns of their own, and corrected by the sample of people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.defaults import POOL_DEPTH, SEED
from cranfield.errors import CranfieldError
from cranfield.judging.models.corrected_mean import (
    FEWEST_LABELS,
    CorrectedMean,
    corrected_difference,
    corrected_mean,
)
from cranfield.judging.models.human_sample import (
    HumanSample,
    ModelAgreement,
    compare_with_people,
    take_sample,
)
from cranfield.judging.models.model_settings import read_model_settings
from cranfield.judging.pool import make_pool
from cranfield.judgments import judge_query, query_key
from cranfield.measures import parse_measure
from cranfield.relevance import HOLES_IRRELEVANT
from cranfield.runs.regrading import regrade
from cranfield.suites import as_judged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.judging.models.model_settings import ModelThreshold
    from cranfield.judgments import SettledGrade
    from cranfield.model import Suite
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store
    from cranfield.statistics import FloatArray

__all__ = ["Calibration", "ModelDemand", "ModelFigure", "calibrate"]


@dataclass(frozen=True, slots=True)
class ModelFigure:
    """One measure of a run, or of the difference of two: by the suite's rules, and with a model.

    `by_rules` is the stored figure, over the queries that the model is asked about. Without
    `corrected` there is a `reason`.
    """

    measure: str
    by_rules: float | None
    corrected: CorrectedMean | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ModelDemand:
    """A threshold for a corrected figure; `is_met` is None if the figure is withheld."""

    threshold: ModelThreshold
    figure: ModelFigure | None
    is_met: bool | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A model against people on the hits of runs, and the figures of these runs.

    `figures` has those of each run, `differences` those of the second run minus the first, if there
    are two. `withheld` says why no gate may see them; it is empty if one may.
    """

    suite: Suite
    runs: tuple[Run, ...]
    agreement: ModelAgreement
    sample: HumanSample
    figures: tuple[tuple[ModelFigure, ...], ...]
    differences: tuple[ModelFigure, ...]
    withheld: str
    demands: tuple[tuple[ModelDemand, ...], ...]


def calibrate(
    runs: Sequence[Run],
    store: Store,
    *,
    suite: Suite | None = None,
    depth: int = POOL_DEPTH,
    seed: int = SEED,
) -> Calibration:
    """Measure how far a suite's model agrees with people, and correct the figures of runs.

    The settings are those of `suite`, or those that the last run was made with.
    """
    chosen = suite or runs[-1].header.suite
    names = {run.header.suite.id for run in runs}
    if len(names) > 1 or len(runs) > 2:
        raise CranfieldError(
            f"name one run, or two of one suite, not {len(runs)} of {', '.join(sorted(names))}"
        )
    pool = make_pool(list(runs), depth)
    agreement = compare_with_people(chosen, pool, store)
    sample = take_sample(chosen, pool, store, seed)
    withheld = _withheld(agreement, sample)
    columns = [_columns(run, sample, chosen) for run in runs]
    figures = tuple(_figures(each, sample) for each in columns)
    return Calibration(
        suite=chosen,
        runs=tuple(runs),
        agreement=agreement,
        sample=sample,
        figures=figures,
        differences=_differences(columns, sample) if len(runs) == 2 else (),
        withheld=withheld,
        demands=tuple(_demands(chosen, each, withheld) for each in figures),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """Values of the queries of a sample, in its order, by measure: by rules, people and model."""

    by_rules: Mapping[str, FloatArray]
    people: Mapping[str, FloatArray]
    model: Mapping[str, FloatArray]


def _columns(run: Run, sample: HumanSample, suite: Suite) -> _Columns:
    highest = max(suite.judging.highest, read_model_settings(suite).highest)
    people, model = (
        regrade(run, _graded_suite(run.header.suite, grades, highest))
        for grades in (sample.people, sample.model)
    )
    kept = [
        name
        for name in people.header.measures
        if (family := parse_measure(name).family).needs_hits and family.is_quality
    ]
    return _Columns(*(_values(each, kept, sample) for each in (run, people, model)))


def _graded_suite(
    suite: Suite, grades: Mapping[str, Sequence[SettledGrade]], highest: int
) -> Suite:
    """Return a suite graded by settled grades; hits without one are not relevant."""
    queries = tuple(
        judge_query(query, grades[key], highest, HOLES_IRRELEVANT)
        if (key := query_key(query)) in grades
        else query
        for query in suite.queries
    )
    return replace(as_judged(suite), queries=queries)


def _values(run: Run, measures: Sequence[str], sample: HumanSample) -> dict[str, FloatArray]:
    """Return the values of a run in the order of the sample, NaN if undefined."""
    outcomes = run.outcomes()
    rows = {query_key(query): place for place, query in enumerate(outcomes.queries)}
    places = {name: place for place, name in enumerate(run.header.measures)}
    return {
        name: np.array(
            [
                outcomes.values[rows[key], places[name]] if key in rows else np.nan
                for key in sample.queries
            ]
        )
        for name in measures
        if name in places
    }


def _figures(columns: _Columns, sample: HumanSample) -> tuple[ModelFigure, ...]:
    return tuple(
        _figure(
            name, columns.by_rules.get(name), (columns.people[name], columns.model[name]), sample
        )
        for name in columns.people
    )


def _differences(columns: Sequence[_Columns], sample: HumanSample) -> tuple[ModelFigure, ...]:
    a, b = columns
    found = []
    for name in a.people:
        if name not in b.people:
            continue
        pairs = [(b.by_rules, a.by_rules), (b.people, a.people), (b.model, a.model)]
        rules, people, model = (
            _sound(after[name]) - _sound(before[name]) if name in after and name in before else None
            for after, before in pairs
        )
        if people is not None and model is not None:
            found.append(_figure(name, rules, (people, model), sample, is_difference=True))
    return tuple(found)


def _figure(
    name: str,
    rules: FloatArray | None,
    graded: tuple[FloatArray, FloatArray],
    sample: HumanSample,
    *,
    is_difference: bool = False,
) -> ModelFigure:
    by_rules = None
    if rules is not None and np.any(np.isfinite(rules)):
        by_rules = float(np.nanmean(rules))
    people, model = (_sound(each) for each in graded)
    count = len(sample.sampled)
    if count < FEWEST_LABELS:
        reason = f"people have judged {count} of the queries drawn; {FEWEST_LABELS} are needed"
        return ModelFigure(name, by_rules, None, reason)
    if not is_difference and max(people.max(), model.max()) > 1.0:
        return ModelFigure(name, by_rules, None, "the measure has no upper limit")
    correct = corrected_difference if is_difference else corrected_mean
    return ModelFigure(name, by_rules, correct(people[:count], model[:count], model[count:]))


def _sound(values: FloatArray) -> FloatArray:
    """Return values with 0 for those that are undefined: nobody found a right hit."""
    return np.nan_to_num(values, nan=0.0)


def _withheld(agreement: ModelAgreement, sample: HumanSample) -> str:
    kappa = agreement.kappa
    if kappa is None:
        return f"{agreement.rater} and people have judged no hit in common"
    if kappa.low is None:
        return f"the agreement of {agreement.rater} with people has no interval yet"
    if not agreement.is_enough:
        return (
            f"the suite demands an agreement of {agreement.demanded:g}, and it is shown to be at "
            f"least {kappa.low:.2f}"
        )
    if len(sample.sampled) < FEWEST_LABELS:
        return f"people have judged {len(sample.sampled)} of the queries drawn at random"
    return ""


def _demands(
    suite: Suite, figures: Sequence[ModelFigure], withheld: str
) -> tuple[ModelDemand, ...]:
    by_name = {figure.measure: figure for figure in figures}
    return tuple(
        _demand(threshold, by_name.get(str(parse_measure(threshold.measure))), withheld)
        for threshold in read_model_settings(suite).gate
    )


def _demand(threshold: ModelThreshold, figure: ModelFigure | None, withheld: str) -> ModelDemand:
    if figure is None:
        return ModelDemand(threshold, None, None, "the run has no such figure with a model")
    if withheld or figure.corrected is None:
        return ModelDemand(threshold, figure, None, withheld or figure.reason)
    return ModelDemand(threshold, figure, figure.corrected.mean >= threshold.at_least)
