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
from scipy.special import stdtrit
from scipy.stats import binom

from cranfield.verdicts import ColumnPair, VerdictKind, compare_columns

Floats: TypeAlias = NDArray[np.floating[Any]]
Draw: TypeAlias = Callable[[np.random.Generator, int], Floats]

QUERIES = (20, 50, 100, 200)
IDENTICAL = (0.0, 0.3, 0.7, 0.9)
LEAST_COVERAGE = 0.94
MOST_ERRORS = 0.05
MARGIN = 0.02
SUITES = 9
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
    share = loss / (gain + loss)  # of gains, so that the mean is 0
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
        _print_coverage(chance, repeats),
        _print_false_differences(chance, repeats),
        _print_two_valued(),
        _print_false_equivalence(chance, repeats),
        _print_family(chance, repeats),
    ]
    _print_power(chance, repeats)
    return int(any(wrong))


def _sample(
    shape: Shape, chance: np.random.Generator, size: tuple[int, int], same: float
) -> Floats:
    drawn = shape.draw(chance, size[0] * size[1]).reshape(size)
    return np.where(chance.random(size) < same, 0.0, drawn)


def _intervals(samples: Floats, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """Return the intervals of `plus_two_interval`, for all samples at once."""
    total, squares = samples.sum(axis=1), (samples**2).sum(axis=1)
    return _ends(total, squares, samples.shape[1] + 2, confidence)


def _ends(total: Floats, squares: Floats, n: int, confidence: float) -> tuple[Floats, Floats]:
    mean = total / n
    variance = (squares + 2.0 * 1.2**2 - n * mean**2) / (n - 1)
    half = -stdtrit(n - 1, 0.9 * (1.0 - confidence) / 2.0) * np.sqrt(variance / n)
    return mean - half, mean + half


def _exceeds(share: float, limit: float, repeats: int) -> bool:
    """Return whether a share is above its limit by more than three standard errors of chance."""
    return share > limit + 3.0 * math.sqrt(limit * (1.0 - limit) / repeats)


def _print_row(name: str, shares: list[float]) -> None:
    sys.stdout.write(f"{name:34}" + "".join(f"{share:8.1%}" for share in shares) + "\n")


def _print_head(title: str, queries: tuple[int, ...] = QUERIES) -> None:
    sys.stdout.write(f"\n{title}\n{'queries':34}" + "".join(f"{n:8}" for n in queries) + "\n")


def _print_coverage(chance: np.random.Generator, repeats: int) -> bool:
    _print_head("how often the 95 % interval covers the true mean: least over 0 to 90 % identical")
    failed = False
    for shape in (*USUAL_SHAPES, *SKEWED_SHAPES):
        least = []
        for n in QUERIES:
            covered = []
            for same in IDENTICAL:
                low, high = _intervals(_sample(shape, chance, (4 * repeats, n), same))
                true = shape.mean * (1.0 - same)
                covered.append(float(np.mean((low <= true + 1e-9) & (true - 1e-9 <= high))))
            least.append(min(covered))
        _print_row(shape.name, least)
        if shape in USUAL_SHAPES:
            failed |= any(_exceeds(1 - each, 1 - LEAST_COVERAGE, 4 * repeats) for each in least)
    return failed


def _verdict(differences: Floats, margin: float | None) -> VerdictKind:
    values = differences.astype(np.float64)
    zeros = np.zeros_like(values)
    [result] = compare_columns([ColumnPair(zeros, values)], seed=1967, margin=margin)
    if result is None:
        raise AssertionError
    return result.verdict.kind


def _print_false_differences(chance: np.random.Generator, repeats: int) -> bool:
    _print_head("better or worse although the mean difference is 0: most over 0 to 90 % identical")
    failed = False
    for shape in (*USUAL_SHAPES, *SKEWED_SHAPES):
        if shape.mean:
            continue
        most = []
        for n in QUERIES:
            shares = []
            for same in IDENTICAL:
                samples = _sample(shape, chance, (repeats, n), same)
                low, high = _intervals(samples)
                # An interval that has 0 in it decides nothing: only the others are judged.
                judged = samples[(low > 0) | (high < 0)]
                claims = sum(
                    _verdict(each, None) in (VerdictKind.BETTER, VerdictKind.WORSE)
                    for each in judged
                )
                shares.append(claims / repeats)
            most.append(max(shares))
        _print_row(shape.name, most)
        failed |= any(_exceeds(each, MOST_ERRORS, repeats) for each in most)
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
    losses = np.arange(n + 1)
    gain = loss * share / (1.0 - share)
    total = (n - losses) * gain - losses * loss
    squares = (n - losses) * gain**2 + losses * loss**2
    low, high = _ends(total, squares, n + 2, 0.95)
    return float(binom.pmf(losses, n, share)[(low > 0) | (high < 0)].sum())


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
            samples = shape.draw(chance, repeats * n).reshape(repeats, n)
            low, high = _intervals(samples, confidence=0.88)
            judged = samples[(low > -MARGIN) & (high < MARGIN)]
            wrong = sum(_verdict(each, MARGIN) is VerdictKind.EQUIVALENT for each in judged)
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
    shapes = {
        "A/A": [shape for shape in USUAL_SHAPES if not shape.mean] * 3,
        "skewed": (SKEWED_SHAPES * 2)[:SUITES],
    }
    for name, used in shapes.items():
        shares = []
        for n in (30, 60, 120):
            wrong = sum(_any_claim(chance, used, n) for _ in range(repeats))
            shares.append(wrong / repeats)
        head = f"{name}, of 30, 60 or 120 queries"
        _print_row(head, shares)
        failed |= any(_exceeds(each, MOST_ERRORS, repeats) for each in shares)
    return failed


def _any_claim(chance: np.random.Generator, shapes: Sequence[Shape], n: int) -> bool:
    """Return whether the headline of any suite is claimed to differ."""
    columns = [
        ColumnPair(np.zeros(n), shape.draw(chance, n).astype(np.float64)) for shape in shapes
    ]
    low, high = zip(*(_intervals(each.b[None, :]) for each in columns), strict=True)
    if not any(bottom[0] > 0 or top[0] < 0 for bottom, top in zip(low, high, strict=True)):
        return False
    columns += [ColumnPair(each.a, each.b**3, is_headline=False) for each in columns[:4]]
    results = compare_columns(columns, seed=1967)
    claims = (VerdictKind.BETTER, VerdictKind.WORSE)
    return any(each and each.is_headline and each.verdict.kind in claims for each in results)


def _print_power(chance: np.random.Generator, repeats: int) -> None:
    sys.stdout.write("\nhow often a true difference is found\n")
    for n, name, draw in TRUE_CHANGES:
        samples = draw(chance, repeats * n).reshape(repeats, n)
        low, high = _intervals(samples)
        judged = samples[(low > 0) | (high < 0)][:200]
        kinds = [_verdict(each, None) for each in judged]
        right = sum(kind is VerdictKind.BETTER for kind in kinds) / max(1, len(kinds))
        share = right * float(np.mean((low > 0) | (high < 0)))
        _print_row(f"{name}, {n} queries", [share])


if __name__ == "__main__":
    sys.exit(main())
