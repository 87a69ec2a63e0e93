"""The sign-flip randomisation test and the sums under it: Fisher's count, brute force, SciPy."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cranfield.errors import StatisticsError
from cranfield.statistics import paired_t, sign_flip_randomisation
from cranfield.statistics.randomisation import all_signed_sums, sample_signed_sums

# Darwin's maize, in eighths of an inch (Fisher, The Design of Experiments, 1935, section 21).
MAIZE = [49.0, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_fishers_own_count() -> None:
    # Of 32,768 arrangements, 863 reach or exceed the observed total on each side.
    result = sign_flip_randomisation([0.0] * 15, MAIZE, seed=0)
    assert result.method == "exact"
    assert result.permutations == 32_768
    assert result.p_two_sided == 1726 / 32_768
    assert result.p_greater == 863 / 32_768


def test_two_gains_by_hand() -> None:
    # Sums 3, 1, -1, -3: one of four as far along, all four as far against.
    result = sign_flip_randomisation([0.0, 0.0], [1.0, 2.0], seed=0)
    assert (result.p_greater, result.p_two_sided, result.p_less) == (0.25, 0.5, 1.0)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(-12, 12).filter(bool), min_size=1, max_size=9))
def test_enumeration_equals_brute_force_in_exact_arithmetic(twelfths: list[int]) -> None:
    result = sign_flip_randomisation([0.0] * len(twelfths), [x / 12 for x in twelfths], seed=0)
    observed = sum(twelfths)
    sums = [
        sum(sign * abs(x) for sign, x in zip(signs, twelfths, strict=True))
        for signs in itertools.product([-1, 1], repeat=len(twelfths))
    ]
    assert result.p_two_sided == sum(abs(s) >= abs(observed) for s in sums) / len(sums)
    assert result.p_greater == sum(s >= observed for s in sums) / len(sums)
    assert result.p_less == sum(s <= observed for s in sums) / len(sums)


def test_ties_are_dropped_before_methods_are_chosen() -> None:
    result = sign_flip_randomisation([0.0] * 115, [*MAIZE, *[0.0] * 100], seed=0)
    assert (result.n, result.n_nonzero, result.method) == (115, 15, "exact")
    assert result.p_two_sided == 1726 / 32_768


def test_sixteen_differences_are_enumerated_and_seventeen_are_sampled() -> None:
    sixteen = sign_flip_randomisation([0.0] * 16, [1.0] * 16, seed=4, permutations=500)
    seventeen = sign_flip_randomisation([0.0] * 17, [1.0] * 17, seed=4, permutations=500)
    assert (sixteen.method, sixteen.permutations) == ("exact", 65_536)
    assert (seventeen.method, seventeen.permutations) == ("monte carlo", 500)
    assert (sixteen.seed, seventeen.seed) == (4, 4)


def test_a_sampled_p_value_counts_the_observed_assignment_and_is_never_zero() -> None:
    result = sign_flip_randomisation([0.0] * 100, [1.0] * 100, seed=1, permutations=999)
    assert result.p_greater == result.p_two_sided == 1 / 1000
    assert result.p_less == 1.0


def test_equal_sums_are_found_equal_however_they_round() -> None:
    # One tenth twenty times: many assignments reach the observed sum exactly, none to the bit.
    differences = [0.1, 0.7, -0.3, 0.2] * 5
    result = sign_flip_randomisation([0.0] * 20, differences, seed=1, permutations=200_000)
    sums = np.zeros(1)
    for tenths in (1, 7, 3, 2) * 5:
        sums = np.concatenate([sums - tenths, sums + tenths])
    expected = np.mean(sums >= 35)
    assert result.p_greater == pytest.approx(expected, abs=5 * np.sqrt(expected / 200_000))


def test_scipys_enumeration_agrees() -> None:
    differences = np.random.default_rng(3).normal(0.25, 1.0, 10)
    result = sign_flip_randomisation(np.zeros(10), differences, seed=8)
    expected = [
        stats.permutation_test(
            (differences,), np.mean, permutation_type="samples", alternative=alternative
        ).pvalue
        for alternative in ("two-sided", "greater", "less")
    ]
    assert [result.p_two_sided, result.p_greater, result.p_less] == pytest.approx(expected)


def test_sampling_agrees_with_enumeration() -> None:
    differences = np.random.default_rng(3).normal(0.25, 1.0, 18)
    result = sign_flip_randomisation(np.zeros(18), differences, seed=8)
    sums, observed = all_signed_sums(np.abs(differences)), differences.sum() - 1e-9
    error = 5 * np.sqrt(0.25 / result.permutations)
    assert result.method == "monte carlo"
    assert result.p_two_sided == pytest.approx(np.mean(np.abs(sums) >= observed), abs=error)
    assert result.p_greater == pytest.approx(np.mean(sums >= observed), abs=error)
    assert result.p_less == pytest.approx(np.mean(sums <= observed + 2e-9), abs=error)


def test_large_samples_agree_with_the_t_test() -> None:
    generator = np.random.default_rng(5)
    a = generator.random(4_000)
    b = a + generator.normal(0.003, 0.1, 4_000)
    by_signs, by_t = sign_flip_randomisation(a, b, seed=6), paired_t(a, b)
    assert by_signs.p_two_sided == pytest.approx(by_t.p_two_sided, abs=0.01)
    assert by_signs.p_greater == pytest.approx(by_t.p_greater, abs=0.01)


def test_the_same_seed_gives_the_same_result_and_another_seed_another() -> None:
    generator = np.random.default_rng(5)
    a, b = generator.random(60), generator.random(60)
    first = sign_flip_randomisation(a, b, seed=12)
    assert first == sign_flip_randomisation(a, b, seed=12)
    assert first.p_greater != sign_flip_randomisation(a, b, seed=13).p_greater


def test_a_stored_result_can_be_reproduced() -> None:
    result = sign_flip_randomisation(
        [0.0] * 40, [0.25] * 25 + [-0.25] * 15, seed=1957, permutations=10_000
    )
    assert result.p_greater == 809 / 10_001


def test_no_difference_gives_no_p_value_and_says_why() -> None:
    result = sign_flip_randomisation([0.3, 1.0], [0.1 + 0.2, 1.0], seed=2)
    assert (result.p_two_sided, result.p_greater, result.p_less) == (None, None, None)
    assert (result.method, result.permutations, result.seed) == (None, 0, 2)
    assert result.reason == "no pair differs: there is no sign to flip"


def test_no_permutations_are_refused() -> None:
    with pytest.raises(StatisticsError, match="permutations is 0: give 1 or more"):
        sign_flip_randomisation([0.0], [1.0], seed=0, permutations=0)


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(StatisticsError, match="seed is -1"):
        sign_flip_randomisation([0.0], [1.0], seed=-1)


def test_all_sums_are_those_of_every_assignment() -> None:
    numbers = [1.0, 10.0, 100.0]
    expected = [
        sum(sign * number for sign, number in zip(signs, numbers, strict=True))
        for signs in itertools.product([-1, 1], repeat=3)
    ]
    assert sorted(all_signed_sums(np.array(numbers)).tolist()) == sorted(expected)


def test_no_numbers_have_one_sum() -> None:
    assert all_signed_sums(np.array([])).tolist() == [0.0]


def test_every_sign_is_fair_and_independent_of_every_other() -> None:
    # Powers of two make a sum tell its signs. They stand where bytes, words and slabs of
    # numbers meet; zeros fill the space between.
    places = [0, 1, 7, 8, 9, 63, 64, 65, 2047, 2048, 2049, 4095, 4096, 5000]
    numbers = np.zeros(5001)
    numbers[places] = 2.0 ** np.arange(len(places))
    count = 20_000
    sums = sample_signed_sums(numbers, count, seed=11)
    codes = ((sums + numbers.sum()) / 2.0).astype(np.int64)
    signs = 2 * ((codes[:, np.newaxis] >> np.arange(len(places))) & 1) - 1
    assert (signs @ numbers[places] == sums).all()
    moments = signs.T @ signs / count
    five_errors = 5.0 / np.sqrt(count)
    assert np.abs(signs.mean(axis=0)).max() < five_errors
    assert np.abs(moments - np.eye(len(places))).max() < five_errors


def test_successive_samples_are_independent() -> None:
    sums = sample_signed_sums(np.ones(40), 30_000, seed=5)
    for lag in (1, 8, 8_192, 8_193):
        correlation = np.corrcoef(sums[:-lag], sums[lag:])[0, 1]
        assert abs(correlation) < 5.0 / np.sqrt(sums.size - lag)


def test_sums_have_the_mean_and_variance_of_random_signs() -> None:
    numbers = np.random.default_rng(2).normal(size=3_000)
    sums = sample_signed_sums(numbers, 20_000, seed=3)
    variance = float(np.sum(numbers**2))
    assert sums.mean() == pytest.approx(0.0, abs=5 * np.sqrt(variance / sums.size))
    assert sums.var() == pytest.approx(variance, rel=5 * np.sqrt(2 / sums.size))


@pytest.mark.parametrize("count", [1, 8_191, 8_192, 8_193, 20_000])
def test_as_many_sums_as_asked_for(count: int) -> None:
    assert sample_signed_sums(np.ones(20), count, seed=0).size == count


def test_the_same_seed_gives_the_same_sums_and_another_seed_others() -> None:
    numbers = np.linspace(0.1, 1.0, 100)
    first = sample_signed_sums(numbers, 1_000, seed=9)
    assert first.tobytes() == sample_signed_sums(numbers, 1_000, seed=9).tobytes()
    assert first.tobytes() != sample_signed_sums(numbers, 1_000, seed=10).tobytes()
