"""The BCa bootstrap interval: SciPy on the same resamples, coverage, and edge cases."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from cranfield.errors import StatisticsError
from cranfield.statistics import bootstrap, bootstrap_mean_difference, paired_t


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize("n", [8, 64, 512])
def test_scipy_agrees_on_the_same_resamples(n: int, confidence: float) -> None:
    generator = np.random.default_rng(n)
    # Whole sixty-fourths, n a power of two: means are exact, so that SciPy, which compares
    # them to the bit, finds the same ones equal.
    differences = np.sort(np.round(64.0 * generator.exponential(1.0, n) - 20.0) / 64.0)
    result = bootstrap_mean_difference(
        np.zeros(n), differences, confidence=confidence, resamples=2_000, seed=5
    )
    same = SimpleNamespace(bootstrap_distribution=bootstrap._resampled_means(differences, 2_000, 5))
    interval = stats.bootstrap(
        (differences,),
        np.mean,
        n_resamples=0,
        bootstrap_result=same,
        confidence_level=confidence,
        method="BCa",
    ).confidence_interval
    assert (result.low, result.high) == pytest.approx((interval.low, interval.high), rel=1e-9)


def test_scipys_own_resamples_give_nearly_the_same_interval() -> None:
    generator = np.random.default_rng(4)
    differences = generator.gamma(2.0, 1.0, 120)
    ours = bootstrap_mean_difference(np.zeros(120), differences, seed=1)
    theirs = stats.bootstrap((differences,), np.mean, method="BCa", rng=1).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_two_values_by_hand() -> None:
    # Resampled means of 0 and 2 are 0, 1, 2 with chances 1/4, 1/2, 1/4; nothing is skewed, so
    # at 40 % the levels are 0.3 and 0.7, both at the middle one.
    result = bootstrap_mean_difference([0.0, 0.0], [0.0, 2.0], confidence=0.4, seed=0)
    assert (result.mean, result.low, result.high) == (1.0, 1.0, 1.0)
    wide = bootstrap_mean_difference([0.0, 0.0], [0.0, 2.0], confidence=0.9, seed=0)
    assert (wide.low, wide.high) == (0.0, 2.0)


def test_resampled_means_have_the_mean_and_spread_of_the_plug_in_principle() -> None:
    values = np.random.default_rng(1).normal(size=300)
    means = bootstrap._resampled_means(values, 20_000, 3)
    error = values.std() / np.sqrt(300)
    assert means.mean() == pytest.approx(values.mean(), abs=5 * error / np.sqrt(20_000))
    assert means.std() == pytest.approx(error, rel=0.03)


def test_blocks_of_resamples_are_all_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.arange(1.0, 11.0)
    whole = bootstrap._resampled_means(values, 1_003, 3)
    monkeypatch.setattr(bootstrap, "_VALUES_AT_ONCE", 10)
    by_rows = bootstrap._resampled_means(values, 1_003, 3)
    assert np.allclose(whole.mean(), by_rows.mean(), atol=0.2)
    assert (by_rows >= 1.0).all()
    assert (by_rows <= 10.0).all()


def test_symmetric_data_give_nearly_the_t_interval() -> None:
    values = stats.norm.ppf((np.arange(200) + 0.5) / 200)
    by_bootstrap = bootstrap_mean_difference(np.zeros(200), values, seed=2)
    by_t = paired_t(np.zeros(200), values)
    assert by_bootstrap.low == pytest.approx(by_t.low, abs=0.01)
    assert by_bootstrap.high == pytest.approx(by_t.high, abs=0.01)


def test_a_skewed_sample_has_the_longer_arm_on_its_heavy_side() -> None:
    values = np.random.default_rng(8).exponential(1.0, 40)
    result = bootstrap_mean_difference(np.zeros(40), values, seed=2)
    assert result.high - result.mean > result.mean - result.low > 0.0


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(6)
    covered = 0
    for seed in range(200):
        values = generator.exponential(1.0, 60)
        interval = bootstrap_mean_difference(
            np.zeros(60), values, confidence=0.9, resamples=400, seed=seed
        )
        covered += interval.low <= 1.0 <= interval.high
    assert 0.8 < covered / 200 < 0.97


@pytest.mark.parametrize("pairs", [([0.5], [0.75]), ([1 / 3, 5 / 6, 1.0], [0.5, 1.0, 7 / 6])])
def test_equal_differences_have_an_interval_of_no_width(
    pairs: tuple[list[float], list[float]],
) -> None:
    result = bootstrap_mean_difference(*pairs, seed=1)
    assert result.method == "degenerate"
    assert result.low == result.high == result.mean
    assert result.reason == "all differences are equal: resamples cannot vary"


def test_one_outlier_among_equals_has_a_finite_interval() -> None:
    result = bootstrap_mean_difference([0.0] * 50, [0.0] * 49 + [1.0], seed=1, confidence=0.999)
    assert 0.0 <= result.low <= 0.02 <= result.high <= 1.0


def test_an_extreme_confidence_ends_at_the_extreme_resamples() -> None:
    result = bootstrap_mean_difference(
        [0.0] * 50, [0.0] * 49 + [1.0], seed=1, confidence=1.0 - 1e-12, resamples=100
    )
    means = bootstrap._resampled_means(np.array([0.0] * 49 + [1.0]), 100, 1)
    assert result.high == means.max()


def test_huge_and_tiny_units_give_the_interval_in_those_units() -> None:
    values = np.random.default_rng(8).exponential(1.0, 40)
    plain = bootstrap_mean_difference(np.zeros(40), values, seed=2)
    huge = bootstrap_mean_difference(np.zeros(40), values * 2.0**300, seed=2)
    assert huge.low == pytest.approx(plain.low * 2.0**300)


def test_the_settings_are_kept_with_the_result() -> None:
    result = bootstrap_mean_difference(
        [0.0, 0.0, 0.0], [1.0, 2.0, 4.0], confidence=0.9, resamples=200, seed=77
    )
    assert (result.n, result.confidence, result.resamples, result.seed) == (3, 0.9, 200, 77)
    assert (result.method, result.reason) == ("BCa", None)


def test_too_few_resamples_are_refused() -> None:
    with pytest.raises(StatisticsError, match="resamples is 99: give 100 or more"):
        bootstrap_mean_difference([0.0], [1.0], resamples=99, seed=0)
