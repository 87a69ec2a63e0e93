"""How often a verdict is wrong if nothing differs, and right if something does.

    python benchmarks/verdict_errors.py [--repeats 2000]

Draws differences of known mean in the shapes that measures have: reciprocal ranks, yes or no at
rank 1, nDCG, and skewed ones (many small gains, few large losses), from 0 to 90 % of the pairs
identical, 20 to 200 queries. Prints how often the interval covers the true mean, how often a
verdict claims a difference that is not there, how often it calls arms equivalent whose difference
lies at the margin, the same over nine suites at once, and how often a true difference is found.
Exits with 1 if an error is more frequent than docs/statistics.md says.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from cranfield.statistics import ColumnPair, VerdictKind, compare_columns
from cranfield.statistics.mean_interval import OneSidedTest
from cranfield.statistics.pairs import pair_differences

Floats: TypeAlias = NDArray[np.floating[Any]]
Draw: TypeAlias = Callable[[np.random.Generator, int], Floats]

QUERIES = (20, 50, 100, 200)
IDENTICAL = (0.0, 0.3, 0.7, 0.9)
LEAST_COVERAGE = 0.94
MOST_ERRORS = 0.05
MARGIN = 0.02
SUITES = 9
CLAIMS = (VerdictKind.BETTER, VerdictKind.WORSE)
_RANKS = np.array([1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 7, 1 / 10, 0])
_USUAL = (0.45, 0.15, 0.08, 0.05, 0.04, 0.04, 0.04, 0.15)
_GOOD = (0.60, 0.12, 0.06, 0.04, 0.03, 0.03, 0.02, 0.10)
_BEST = (0.80, 0.08, 0.03, 0.02, 0.01, 0.01, 0.01, 0.04)


@dataclass(frozen=True)
class Shape:
    """A kind of data: how differences are drawn, and their true mean."""

    name: str
    draw: Draw
    mean: float


def _ranks(before: tuple[float, ...], after: tuple[float, ...]) -> Shape:
    mean = float(_RANKS @ np.array(after) - _RANKS @ np.array(before))
    return Shape(
        f"RR {mean:+.2f}",
        lambda chance, n: chance.choice(_RANKS, n, p=after) - chance.choice(_RANKS, n, p=before),
        mean,
    )


def _yes_or_no(before: float, after: float) -> Shape:
    return Shape(
        f"P@1 {after - before:+.2f}",
        lambda chance, n: (chance.random(n) < after) * 1.0 - (chance.random(n) < before),
        after - before,
    )


def _beta(before: tuple[float, float], after: tuple[float, float]) -> Shape:
    mean = after[0] / sum(after) - before[0] / sum(before)
    return Shape(
        f"nDCG {mean:+.2f}",
        lambda chance, n: chance.beta(*after, n) - chance.beta(*before, n),
        mean,
    )


def _skewed(name: str, gain: float, loss: float) -> Shape:
    share = loss / (gain + loss)  # of gains, so the mean is 0
    return Shape(name, lambda chance, n: np.where(chance.random(n) < share, gain, -loss), 0.0)


def _noisy(chance: np.random.Generator, n: int) -> Floats:
    gains = np.clip(chance.normal(0.05 / 0.95, 0.1, n), -1, 1)
    return np.where(chance.random(n) < 0.95, gains, -1.0)


def _exponential(chance: np.random.Generator, n: int) -> Floats:
    losses: Floats = np.minimum(chance.exponential(1.0, n), 4.0)
    return 0.2 * (1.0 - math.exp(-4.0)) - 0.2 * losses


USUAL_SHAPES = (
    _ranks(_USUAL, _USUAL),
    _ranks(_USUAL, _GOOD),
    _ranks(_USUAL, _BEST),
    _yes_or_no(0.60, 0.60),
    _yes_or_no(0.55, 0.75),
    _yes_or_no(0.45, 0.95),
    _beta((2, 2), (2, 2)),
    _beta((2, 2.5), (3, 2)),
)
SKEWED_SHAPES = (
    _skewed("30 gains, 4 lost from rank 1", 4 / 30, 1.0),
    _skewed("30 gains, 4 lost half", 2 / 30, 0.5),
    _skewed("9 gains of 0.05, 1 lost 0.45", 0.05, 0.45),
    _skewed("30 gains of 0.01, 1 lost 0.3", 0.01, 0.3),
    Shape("noisy gains, 1 of 20 lost", _noisy, 0.0),
    Shape("exponential losses", _exponential, 0.0),
)
TRUE_CHANGES = (
    (
        40,
        "15 up, 3 down, 22 same",
        lambda c, n: c.choice([0, 0.6, -0.6], n, p=[0.55, 0.375, 0.075]),
    ),
    (50, "RR +0.12", _ranks(_USUAL, _GOOD).draw),
    (100, "RR +0.12", _ranks(_USUAL, _GOOD).draw),
    (40, "nDCG +0.11, sd 0.27", lambda c, n: c.normal(0.108, 0.27, n)),
    (100, "nDCG +0.11, sd 0.27", lambda c, n: c.normal(0.108, 0.27, n)),
    (50, "1 of 5 found, none lost", lambda c, n: (c.random(n) < 0.2) * 1.0),
    (100, "P@1 0.55 to 0.75", _yes_or_no(0.55, 0.75).draw),
)


def main() -> int:
    """Print all tables; return 1 if an error is more frequent than it should be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=2000)
    repeats = parser.parse_args().repeats
    chance = np.random.default_rng(1967)
    wrong = [
        _print_intervals(chance, repeats),
        _print_two_valued(),
        _print_false_equivalence(chance, repeats),
        _print_family(chance, repeats),
    ]
    _print_power(chance, repeats)
    return int(any(wrong))


@dataclass(frozen=True)
class Sample:
    """Differences, and the interval's two one-sided tests of them."""

    differences: Floats
    up: OneSidedTest
    down: OneSidedTest

    @classmethod
    def of(cls, drawn: Floats) -> Sample:
        """Prepare a sample; a complete win is 1."""
        pairs = pair_differences(np.zeros(drawn.size), drawn.astype(np.float64))
        return cls(drawn, OneSidedTest.of(pairs.values, 1.0), OneSidedTest.of(-pairs.values, 1.0))

    def covers(self, mean: float) -> bool:
        """Return whether the 95 % interval has the mean in it."""
        ends = self.up.p_value(mean - 1e-9), self.down.p_value(-mean - 1e-9)
        return min(ends) >= 0.025

    def verdict(self, margin: float | None = None) -> VerdictKind:
        """Return the verdict on the sample."""
        values = self.differences.astype(np.float64)
        columns = [ColumnPair(np.zeros_like(values), values)]
        [result] = compare_columns(columns, seed=1967, margin=margin)
        if result is None:
            raise AssertionError
        return result.verdict.kind

    @property
    def is_claimed(self) -> bool:
        """Return whether B is called better or worse; only if the interval leaves out 0."""
        return not self.covers(0.0) and self.verdict() in CLAIMS


def _exceeds(share: float, limit: float, repeats: int) -> bool:
    """Return whether a share is above its limit by more than three standard errors of chance."""
    return share > limit + 3.0 * math.sqrt(limit * (1.0 - limit) / repeats)


def _print_row(name: str, shares: Sequence[float]) -> None:
    sys.stdout.write(f"{name:34}" + "".join(f"{share:8.1%}" for share in shares) + "\n")
    sys.stdout.flush()


def _print_head(title: str, queries: tuple[int, ...] = QUERIES) -> None:
    sys.stdout.write(f"\n{title}\n{'queries':34}" + "".join(f"{n:8}" for n in queries) + "\n")


def _draw(shape: Shape, chance: np.random.Generator, n: int, same: float) -> Sample:
    return Sample.of(np.where(chance.random(n) < same, 0.0, shape.draw(chance, n)))


def _print_intervals(chance: np.random.Generator, repeats: int) -> bool:
    """Print coverage and, of shapes of mean 0, how often a difference is claimed."""
    _print_head("the 95 % interval covers the true mean: least over 0 to 90 % identical pairs")
    claimed: dict[str, list[float]] = {}
    failed = False
    for shape in (*USUAL_SHAPES, *SKEWED_SHAPES):
        least, most = [], []
        for n in QUERIES:
            covered, claims = [], []
            for same in IDENTICAL:
                samples = [_draw(shape, chance, n, same) for _ in range(repeats)]
                missed = [each for each in samples if not each.covers(shape.mean * (1.0 - same))]
                covered.append(1.0 - len(missed) / repeats)
                claims.append(sum(each.is_claimed for each in missed) / repeats)
            least.append(min(covered))
            most.append(max(claims))
        _print_row(shape.name, least)
        failed |= any(_exceeds(1 - each, 1 - LEAST_COVERAGE, repeats) for each in least)
        if not shape.mean:
            claimed[shape.name] = most
            failed |= any(_exceeds(each, MOST_ERRORS, repeats) for each in most)
    _print_head("better or worse although the mean is 0: most over 0 to 90 % identical pairs")
    for name, most in claimed.items():
        _print_row(name, most)
    return failed


def _print_two_valued() -> bool:
    """Count, without chance, how often two-valued differences of mean 0 are claimed to differ."""
    sizes = (*QUERIES, 400)
    _print_head("better or worse, two-valued differences of mean 0: most over all amounts", sizes)
    failed = False
    for loss in (1.0, 0.5):
        most = [max(_claims(n, loss, share) for share in np.arange(0.01, 0.5, 0.01)) for n in sizes]
        _print_row(f"each loss is {loss:g}", most)
        failed |= max(most) > MOST_ERRORS
    return failed


def _claims(n: int, loss: float, share: float) -> float:
    """Return the chance of a claim if a share of the queries lose `loss` and the others gain."""
    gain = loss * share / (1.0 - share)

    def claims(losses: int) -> bool:
        return Sample.of(np.repeat([-loss, gain], [losses, n - losses])).is_claimed

    # The fewer losses, the better; the more, the worse.
    even = round(n * share)
    better = _last(lambda losses: claims(even - losses), even)
    worse = _last(lambda losses: claims(even + losses), n - even)
    chance = 0.0 if better is None else binom.cdf(even - better, n, share)
    chance += 0.0 if worse is None else binom.sf(even + worse - 1, n, share)
    return float(chance)


def _last(claims: Callable[[int], bool], most: int) -> int | None:
    """Return the fewest losses away from even at which a difference is claimed."""
    if not claims(most):
        return None
    quiet, loud = 0, most
    while loud - quiet > 1:
        middle = (quiet + loud) // 2
        quiet, loud = (quiet, middle) if claims(middle) else (middle, loud)
    return loud


def _print_false_equivalence(chance: np.random.Generator, repeats: int) -> bool:
    sizes = (*QUERIES, 400)
    _print_head(f"equivalent (±{MARGIN:g}) although the mean difference is {MARGIN:g}", sizes)
    failed = False
    gains = [
        Shape(f"{MARGIN / size:.0%} of the queries gain {size:g}", _rare_gains(size), MARGIN)
        for size in (0.02, 0.05, 0.2, 0.5, 1.0)
    ]
    both = Shape("3% gain 1, 1% lose 1", _gains_and_losses, MARGIN)
    noise = Shape("noise of 0.1", lambda source, n: source.normal(MARGIN, 0.1, n), MARGIN)
    for shape in (*gains, both, noise):
        shares = []
        for n in sizes:
            samples = [_draw(shape, chance, n, 0.0) for _ in range(repeats)]
            judged = [each for each in samples if each.down.p_value(-MARGIN) < MOST_ERRORS]
            wrong = sum(each.verdict(MARGIN) is VerdictKind.EQUIVALENT for each in judged)
            shares.append(wrong / repeats)
        _print_row(shape.name, shares)
        failed |= any(_exceeds(each, MOST_ERRORS, repeats) for each in shares)
    return failed


def _rare_gains(size: float) -> Draw:
    return lambda chance, n: np.where(chance.random(n) < MARGIN / size, size, 0.0)


def _gains_and_losses(chance: np.random.Generator, n: int) -> Floats:
    return chance.choice([0.0, 1.0, -1.0], n, p=[0.96, 0.03, 0.01])


def _print_family(chance: np.random.Generator, repeats: int) -> bool:
    sys.stdout.write(
        f"\nany of {SUITES} suites better or worse, with secondary measures, nothing differs\n"
    )
    failed = False
    shapes: dict[str, Sequence[Shape]] = {
        "A/A": [shape for shape in USUAL_SHAPES if not shape.mean] * 3,
        "skewed": (SKEWED_SHAPES * 2)[:SUITES],
    }
    for name, used in shapes.items():
        shares = []
        for n in (30, 60, 120):
            wrong = sum(_any_claim(chance, used, n) for _ in range(repeats))
            shares.append(wrong / repeats)
        _print_row(f"{name}, of 30, 60 or 120 queries", shares)
        failed |= any(_exceeds(each, MOST_ERRORS, repeats) for each in shares)
    return failed


def _any_claim(chance: np.random.Generator, shapes: Sequence[Shape], n: int) -> bool:
    """Return whether the headline of any suite is claimed to differ."""
    samples = [_draw(shape, chance, n, 0.0) for shape in shapes]
    least = min(min(each.up.p_value(0.0), each.down.p_value(0.0)) for each in samples)
    if 2.0 * least * len(samples) >= MOST_ERRORS:
        return False  # the least p is corrected by their number
    values = [each.differences.astype(np.float64) for each in samples]
    columns = [ColumnPair(np.zeros(n), each) for each in values]
    columns += [ColumnPair(np.zeros(n), each**3, is_headline=False) for each in values[:4]]
    results = compare_columns(columns, seed=1967)
    return any(each and each.is_headline and each.verdict.kind in CLAIMS for each in results)


def _print_power(chance: np.random.Generator, repeats: int) -> None:
    sys.stdout.write("\nhow often a true difference is found\n")
    for n, name, draw in TRUE_CHANGES:
        shape = Shape(name, draw, 0.0)
        found = [_draw(shape, chance, n, 0.0).is_claimed for _ in range(repeats // 4)]
        _print_row(f"{name}, {n} queries", [float(np.mean(found))])


if __name__ == "__main__":
    sys.exit(main())
