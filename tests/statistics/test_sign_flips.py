"""Sums under flipped signs: all of them, and fair, independent samples."""

import itertools

import numpy as np
import pytest

from cranfield.statistics.sign_flips import all_signed_sums, sample_signed_sums


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
