"""How often the mean that a model helps with is right, however biased the model.

    python benchmarks/model_corrected.py [--repeats 1000]

Simulates 200 queries with ten hits each in two arms, and judges of yes or no that agree with people
on 50, 70 and 90 % of the hits and err upwards or downwards as far as they can. People judge the
hits of 20 or 50 queries, drawn at random. Prints, for the mean of arm A and for the difference
B − A, how often the 95 % interval covers the truth: that of people alone, that of the model alone
(uncorrected) and the corrected one; and how wide the corrected one is beside that of people alone.
Exits with 1 if a corrected interval covers less often than 94 %, or is not narrower than that of
people alone at an agreement of 90 %, or if no uncorrected one misses.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.judging.models.corrected_mean import ModelSamples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

QUERIES = 200
HITS = 10
AGREEMENTS = (0.5, 0.7, 0.9)
LEAST_COVERAGE = 0.94
SEED = 1967
_TRUTH_QUERIES = 1_000_000
LABELLED = {"P@1": (20, 50), "P@5": (50,)}
MEASURES: dict[str, Callable[[Flags], Floats]] = {
    "P@1": lambda hits: hits[:, 0].astype(np.float64),
    "P@5": lambda hits: hits[:, :5].mean(axis=1),
}


@dataclass(frozen=True)
class Judge:
    """A simulated judge: how often it agrees with people, and which way it errs."""

    agreement: float
    is_lenient: bool

    def judge(self, relevant: Flags, share: float, chance: np.random.Generator) -> Flags:
        """Judge hits of which this share is relevant."""
        wrong = 1.0 - self.agreement
        most = 1.0 - share if self.is_lenient else share
        main = min(wrong, most)
        too_high = main if self.is_lenient else wrong - main
        chances = np.where(relevant, (wrong - too_high) / share, too_high / (1.0 - share))
        return np.asarray(relevant ^ (chance.random(relevant.shape) < chances))


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    what: str
    judge: Judge
    labelled: int
    corrected: float
    of_people: float
    uncorrected: float
    relative_width: float


def draw_arms(count: int, chance: np.random.Generator) -> tuple[Flags, Flags]:
    """Draw relevant hits of two arms; every second hit of B is that of A, the others are better."""
    quality = chance.beta(1.5, 1.5, (count, 1))
    first = chance.random((count, HITS)) < quality
    other = chance.random((count, HITS)) < np.minimum(1.0, 1.2 * quality)
    return first, np.where(chance.random((count, HITS)) < 0.5, first, other)


def simulate(repeats: int) -> Iterator[Line]:
    """Yield one line for each measure, judge and number of labels."""
    chance = np.random.default_rng(SEED)
    population = draw_arms(_TRUTH_QUERIES, chance)
    share = float(np.mean(population))
    for name, measure in MEASURES.items():
        before, after = (float(measure(arm).mean()) for arm in population)
        for agreement in AGREEMENTS:
            for is_lenient in (True, False):
                judge = Judge(agreement, is_lenient)
                a, b = draw_arms(repeats * QUERIES, chance)
                judged = judge.judge(a, share, chance)
                other = np.where(a == b, judged, judge.judge(b, share, chance))
                people, model = (
                    [measure(arm) for arm in arms] for arms in ((a, b), (judged, other))
                )
                for labelled in LABELLED[name]:
                    for what, columns, truth in (
                        (name, (people[0], model[0]), before),
                        (
                            f"{name} B − A",
                            (people[1] - people[0], model[1] - model[0]),
                            after - before,
                        ),
                    ):
                        rows = [each.reshape(repeats, QUERIES) for each in columns]
                        yield compare(what, judge, labelled, rows, truth)


def compare(what: str, judge: Judge, labelled: int, rows: list[Floats], truth: float) -> Line:
    """Count how often each kind of interval covers the truth."""
    people, model = rows
    given = people[:, :labelled], model[:, :labelled], model[:, labelled:]
    samples = ModelSamples.of(*given, signed="−" in what)
    _, low, high = samples.intervals(samples.best_weights(), 0.95)
    _, least, most = samples.intervals(np.zeros((people.shape[0], 1)), 0.95)
    error = 1.96 * model.std(axis=1) / np.sqrt(QUERIES)
    return Line(
        what,
        judge,
        labelled,
        corrected=float(np.mean((low <= truth) & (truth <= high))),
        of_people=float(np.mean((least <= truth) & (truth <= most))),
        uncorrected=float(np.mean(np.abs(model.mean(axis=1) - truth) <= error)),
        relative_width=float(np.mean(high - low) / np.mean(most - least)),
    )


def main() -> int:
    """Print the table, and say whether it is as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=1000)
    repeats = parser.parse_args().repeats
    print(f"coverage of 95 % intervals, {repeats} repetitions, {QUERIES} queries")
    print(
        "measure     agreement  errs  labelled | corrected  people  model alone | width to people"
    )
    lines: list[Line] = []
    for line in simulate(repeats):
        lines.append(line)
        errs = "up" if line.judge.is_lenient else "down"
        print(
            f"{line.what:<12}{line.judge.agreement:>8.0%}{errs:>7}{line.labelled:>9}  |"
            f"{line.corrected:>9.3f}{line.of_people:>9.3f}{line.uncorrected:>12.3f}  |"
            f"{line.relative_width:>8.2f}",
            flush=True,
        )
    return report(lines)


def report(lines: list[Line]) -> int:
    """Print what was asked for and what was found; 1 if they differ."""
    closest = [line for line in lines if line.judge.agreement == max(AGREEMENTS)]
    found: dict[str, tuple[Any, bool]] = {}
    least = min(line.corrected for line in lines)
    found[f"least coverage, corrected (at least {LEAST_COVERAGE})"] = least, least >= LEAST_COVERAGE
    widest = max(line.relative_width for line in closest)
    found["largest width to people alone at 90 % (below 1)"] = widest, widest < 1.0
    missed = min(line.uncorrected for line in lines)
    found["least coverage of the model alone (it misses)"] = missed, missed < LEAST_COVERAGE
    for what, (value, is_met) in found.items():
        print(f"{what}: {value:.3f}{'' if is_met else '  NOT MET'}")
    return 0 if all(is_met for _, is_met in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
