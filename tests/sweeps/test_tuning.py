"""Which trial wins, what is within noise of it, and what held-out queries say."""

from __future__ import annotations

import numpy as np
import pytest
from tests.sweeps.samples import make_table, scores_of

from cranfield.errors import CranfieldError
from cranfield.statistics import VerdictKind
from cranfield.sweeps.outcome import HeldOut, conclude, cross_validate
from cranfield.sweeps.searches import Parameter, Trial
from cranfield.sweeps.sweep_plan import fold_queries, hold_out
from cranfield.sweeps.tuning import TuningOptions, objective, pair_overall, tune

PARAMETERS = {"k": Parameter("k", 60, (40, 60, 80, 100)), "m": Parameter("m", 0, (0, 1))}
OPTIONS = TuningOptions(PARAMETERS)


def trial(k: int, m: int = 0) -> Trial:
    return Trial({"k": k, "m": m})


def test_each_suite_counts_the_same_whatever_its_size() -> None:
    table = make_table({("big", ""): 30, ("small", ""): 10})
    values = np.array([1.0] * 30 + [0.0] * 10)
    every = np.ones(40, dtype=np.bool_)
    assert objective(scores_of(trial(60), values), table, every) == 0.5
    other = scores_of(trial(40), np.array([1.0] * 30 + [0.5] * 10))
    pair = pair_overall(scores_of(trial(60), values), other, table, every)
    assert float(np.mean(pair.b - pair.a)) == pytest.approx(0.25)


def test_of_equal_trials_the_one_nearest_to_the_default_wins() -> None:
    table = make_table({("one", ""): 30})
    low, high = np.zeros(30), np.ones(30)
    scores = [
        scores_of(trial(60), low),
        scores_of(trial(100), high),
        scores_of(trial(80), high),
        scores_of(trial(80, 1), high),
    ]
    tuning = tune(scores, table, np.ones(30, dtype=np.bool_), OPTIONS)
    assert tuning.winner == trial(80)
    assert tuning.trials[1].verdict.kind is VerdictKind.BETTER
    assert tuning.alternatives == ()


def test_a_simpler_and_a_faster_trial_within_noise_of_the_best_are_named() -> None:
    table = make_table({("one", ""): 60})
    chance = np.random.default_rng(1)
    good = (chance.random(60) < 0.7).astype(np.float64)
    near = good.copy()
    near[np.flatnonzero(good)[:1]] = 0.0
    bad = np.zeros(60)
    scores = [
        scores_of(trial(60), bad),
        scores_of(trial(100, 1), good, 0.1),
        scores_of(trial(80), near, 0.1),
        scores_of(trial(40, 1), near, 0.02),
    ]
    tuning = tune(scores, table, np.ones(60, dtype=np.bool_), OPTIONS)
    assert tuning.winner == trial(100, 1)
    named = {each.because: each.trial for each in tuning.alternatives}
    assert named == {"simpler": trial(80), "faster": trial(40, 1)}


def test_a_trial_that_breaks_a_constraint_cannot_win() -> None:
    table = make_table({("one", ""): 30})
    scores = [scores_of(trial(60), np.zeros(30)), scores_of(trial(80), np.ones(30))]
    every = np.ones(30, dtype=np.bool_)
    refused = TuningOptions(PARAMETERS, {trial(80): "too slow"})
    assert tune(scores, table, every, refused).best == 0
    with pytest.raises(CranfieldError, match="no trial keeps to the constraints"):
        tune(
            scores,
            table,
            every,
            TuningOptions(PARAMETERS, {each.trial: "too slow" for each in scores}),
        )


def test_the_winner_is_compared_on_held_out_queries_alone() -> None:
    table = make_table({("one", "odd"): 40, ("one", "even"): 40})
    held = hold_out(table, 0.5, 3)
    default, winner = np.full(80, 0.5), np.where(held, 0.8, 1.0)
    scores = [scores_of(trial(60), default), scores_of(trial(80), winner)]
    outcome = conclude(table, HeldOut(~held, held, *scores), scores[1], 1967, 0.02)
    (suite,) = outcome.suites
    assert suite.gain == pytest.approx(0.3)
    assert suite.optimism == pytest.approx(0.2)
    assert suite.held_out is not None
    assert suite.held_out.mean == pytest.approx(0.8)
    assert suite.verdict.kind is VerdictKind.BETTER
    assert [each.category for each in outcome.categories] == ["odd", "even"]
    assert all(each.comparison and each.comparison.pairs == 20 for each in outcome.categories)


def test_queries_that_failed_are_counted_and_not_compared() -> None:
    table = make_table({("one", ""): 40})
    rows = np.ones(40, dtype=np.bool_)
    failing = scores_of(trial(80), np.zeros(40))
    failing.failed[:5] = True
    held = HeldOut(rows, rows, scores_of(trial(60), np.ones(40)), failing)
    (suite,) = conclude(table, held, failing, 1967, 0.02).suites
    assert suite.failures == 5
    assert suite.comparison is not None
    assert suite.comparison.pairs == 35


def test_a_fold_is_judged_by_the_winner_of_the_other_folds() -> None:
    """The best on each fold is the worst elsewhere: chosen on all others, it never gains."""
    table = make_table({("one", ""): 40})
    folds = fold_queries(table, 4, 5)
    own = [np.where(folds == fold, 1.0, 0.0) for fold in range(4)]
    trials = [trial(40), trial(80), trial(100), trial(40, 1)]
    scores = [scores_of(trial(60), np.zeros(40))]
    scores += [scores_of(each, values) for each, values in zip(trials, own, strict=True)]
    tuning = tune(scores, table, np.ones(40, dtype=np.bool_), OPTIONS)
    outcome = cross_validate(scores, table, folds, scores[tuning.best], OPTIONS, 0.02)
    assert outcome.suites[0].gain == 0.0
    assert outcome.suites[0].tuning_winner == 0.25
    assert len(outcome.fold_winners) == 4
