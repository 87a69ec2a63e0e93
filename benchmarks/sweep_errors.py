"""How often a sweep finds what helps, claims what does not, and promises too much.

    python benchmarks/sweep_errors.py [--repeats 100]

Draws the scores of trials, query by query, and hands them to the code that decides a sweep:
reciprocal ranks of queries of four categories, each trial agreeing with the default on most
queries. With held-out queries (half of 240) and with nested cross-validation (36).

- planted: of 41 settings, one truly helps one category. How often is it the winner, and how often
  does a verdict on queries that did not choose it say so, for the suite and for the category?
- nothing: 40 settings that do nothing. How often does a verdict say better?
- held-out figure: is the winner's true mean, that of a fresh sample of 4,000 queries, inside the
  interval of its held-out figure, and its true gain inside that of its gain? Beside it, how often
  the gain on the tuning part, which people report without a sweep, would have been inside.

At last one sweep from its file to its report, through a system that is a Python function. Exits
with 1 if a bar of benchmarks/RESULTS.md is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.evaluation.sessions import Session
from cranfield.model import Query, Suite
from cranfield.runs.store import open_store
from cranfield.statistics import VerdictKind, mean_interval
from cranfield.sweeps.outcome import HeldOut, conclude, cross_validate
from cranfield.sweeps.searches import Parameter, Trial
from cranfield.sweeps.sweep import SweepOptions, run_sweep
from cranfield.sweeps.sweep_plan import QueryTable, fold_queries, hold_out, open_sweep
from cranfield.sweeps.tuning import TrialScores, TuningOptions, choose_best

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.sweeps.outcome import SweepOutcome

SETTINGS = 40
FRESH = 4_000
CATEGORIES = ("direct", "conceptual", "emotional", "metaphorical")
SIZES = {"held out": 240, "nested cross-validation": 36}
MARGIN = 0.02
MOST_FALSE, LEAST_COVERED = 0.05, 0.93
_RANKS = np.array([1, 1 / 2, 1 / 3, 1 / 5, 1 / 10, 0])
_USUAL = (0.40, 0.15, 0.10, 0.10, 0.10, 0.15)
_CHANGED = 0.2
"""The share of queries that a setting answers otherwise than the default."""
_HELPED = 0.8
"""The share of the planted category's queries that are answered at rank 1 instead."""


@dataclass(frozen=True)
class Repeat:
    """What one sweep came to, and whether that is true."""

    is_found: bool
    is_better: bool
    is_better_somewhere: bool
    is_better_in_planted: bool
    covers_figure: bool
    covers_gain: bool
    tuning_covers_gain: bool
    optimism: float


class World:
    """Queries of four categories, and settings of which one may help one category."""

    def __init__(self, chance: np.random.Generator, *, planted: bool) -> None:
        self._chance = chance
        self.trials = [Trial({"setting": number}) for number in range(SETTINGS + 1)]
        self.planted = int(chance.integers(1, SETTINGS + 1)) if planted else None

    def draw(self, queries: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Draw a row of scores for each trial, and the category of each query."""
        chance = self._chance
        categories = np.arange(queries) % len(CATEGORIES)
        default = chance.choice(_RANKS, queries, p=_USUAL)
        rows = [default]
        for number in range(1, len(self.trials)):
            other = chance.choice(_RANKS, queries, p=_USUAL)
            row = np.where(chance.random(queries) < _CHANGED, other, default)
            if number == self.planted:
                is_helped = (categories == 2) & (chance.random(queries) < _HELPED)
                row = np.where(is_helped, 1.0, row)
            rows.append(row)
        return np.array(rows), categories


def _table(categories: NDArray[np.intp], repeat: int) -> QueryTable:
    queries = tuple(
        Query(f"{repeat}-{number}", f"{repeat} {number}", category=CATEGORIES[category])
        for number, category in enumerate(categories)
    )
    return QueryTable.of([Suite("simulated", "canonical", queries)], {"simulated": "RR@10"})


def _decide(
    scores: list[TrialScores], table: QueryTable, how: str, seed: int
) -> tuple[int, SweepOutcome | None]:
    """Choose and compare as `cranfield sweep` does."""
    settings = {"setting": Parameter("setting", 0, tuple(range(SETTINGS + 1)))}
    options = TuningOptions(settings, seed=seed)
    if how != "held out":
        every = np.ones(len(table.queries), dtype=np.bool_)
        best = choose_best(scores, table, every, options)
        folds = fold_queries(table, 5, seed)
        return best, cross_validate(scores, table, folds, scores[best], options, MARGIN)
    held = hold_out(table, 0.5, seed)
    best = choose_best(scores, table, ~held, options)
    if best == 0:
        return best, None
    parts = HeldOut(~held, held, scores[0], scores[best])
    return best, conclude(table, parts, scores[best], seed, MARGIN)


def _repeat(how: str, seed: int, *, planted: bool) -> Repeat:
    chance = np.random.default_rng(seed)
    world = World(chance, planted=planted)
    rows, categories = world.draw(SIZES[how])
    table = _table(categories, seed)
    scores = [
        TrialScores(trial, row, np.zeros(len(row), dtype=np.bool_), np.full(len(row), 0.01))
        for trial, row in zip(world.trials, rows, strict=True)
    ]
    best, outcome = _decide(scores, table, how, seed)
    fresh, _ = world.draw(FRESH)
    figure, gain = float(fresh[best].mean()), float((fresh[best] - fresh[0]).mean())
    if outcome is None:
        return Repeat(False, False, False, False, True, True, True, 0.0)
    (suite,) = outcome.suites
    if suite.held_out is None or suite.comparison is None:
        raise AssertionError
    if outcome.fold_winners:
        # What such a sweep gains: the mean over the winners of the folds.
        picked = [int(each.values["setting"]) for each in outcome.fold_winners]
        figure = float(np.mean([fresh[each].mean() for each in picked]))
        gain = float(np.mean([(fresh[each] - fresh[0]).mean() for each in picked]))
    interval = suite.comparison.interval
    by_category = {each.category: each.verdict.kind for each in outcome.categories}
    rows_tuned = np.ones(SIZES[how], dtype=np.bool_)
    if how == "held out":
        rows_tuned = ~hold_out(table, 0.5, seed)
    tuned = mean_interval(rows[0][rows_tuned], rows[best][rows_tuned])
    return Repeat(
        is_found=best == world.planted,
        is_better=suite.verdict.kind is VerdictKind.BETTER,
        is_better_somewhere=VerdictKind.BETTER in by_category.values(),
        is_better_in_planted=by_category[CATEGORIES[2]] is VerdictKind.BETTER,
        covers_figure=suite.held_out.low <= figure <= suite.held_out.high,
        covers_gain=interval.low <= gain <= interval.high,
        tuning_covers_gain=tuned.low <= gain <= tuned.high,
        optimism=suite.optimism or 0.0,
    )


def _count(repeats: list[Repeat], name: str) -> int:
    return sum(bool(getattr(each, name)) for each in repeats)


def _print(text: str, *counts: Any) -> None:
    sys.stdout.write(f"{text:66}" + "".join(f"{count:>12}" for count in counts) + "\n")
    sys.stdout.flush()


def _simulate(repeats: int) -> bool:
    """Print the table; return whether a bar was missed."""
    made = {
        (how, planted): [_repeat(how, seed, planted=planted) for seed in range(repeats)]
        for planted in (True, False)
        for how in SIZES
    }

    def row(text: str, name: str, *, planted: bool) -> list[int]:
        counts = [_count(made[how, planted], name) for how in SIZES]
        _print(text, *counts)
        return counts

    _print(f"of {repeats} repeats, with queries", *SIZES.values())
    _print("", "held out", "folds")
    sys.stdout.write(f"\none of {SETTINGS} settings helps one category\n")
    row("it is the winner", "is_found", planted=True)
    row("the suite is better, by queries that did not choose", "is_better", planted=True)
    row("its category is better", "is_better_in_planted", planted=True)
    covered = row("the true figure is inside the interval", "covers_figure", planted=True)
    gained = row("the true gain is inside the interval", "covers_gain", planted=True)
    sys.stdout.write(f"\n{SETTINGS} settings that do nothing\n")
    false = row("the suite is better, wrongly", "is_better", planted=False)
    somewhere = row("a category is better, wrongly", "is_better_somewhere", planted=False)
    covered += row("the true figure is inside the interval", "covers_figure", planted=False)
    gained += row("the true gain is inside the interval", "covers_gain", planted=False)
    row(
        "it is inside that of the tuning part, as people report it",
        "tuning_covers_gain",
        planted=False,
    )
    optimism = [np.mean([each.optimism for each in made[how, False]]) for how in SIZES]
    _print("mean optimism of the tuning part", *(f"{each:.3f}" for each in optimism))
    return (
        max(*false, *somewhere) > MOST_FALSE * repeats
        or min(*covered, *gained) < LEAST_COVERED * repeats
    )


_SEARCH = """
import hashlib

def search(text, limit, boost=0.0, idle=0):
    number = int(text.removeprefix("word"))
    luck = hashlib.sha256(f"{text} {idle}".encode()).digest()[0] / 256
    wrong = ["doc-x", "doc-y", "doc-z"]
    is_found = luck < 0.4 + boost * 0.6 * (number % 4 == 2)
    return [f"doc-{number}", *wrong] if is_found else [*wrong, f"doc-{number}"]
"""
_CONFIG = """
suites = ["words.toml"]
[systems.mine]
kind = "python"
call = "search.py:search"
arguments = { boost = 0.0, idle = 0 }
"""
_SWEEP = """
system = "mine"
[settings]
arguments = { boost = "{boost}", idle = "{idle}" }
[parameters]
boost = [0.0, 1.0]
idle = { from = 0, to = 19, step = 1, default = 0 }
"""


def _end_to_end() -> bool:
    """Run one sweep through files, a Python function and a store; return whether it missed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        entries = "".join(
            f'[[query]]\nid = "q{number}"\ntext = "word{number}"\n'
            f"category = \"{CATEGORIES[number % 4]}\"\nexpect.matches = '^doc-{number}$'\n"
            for number in range(SIZES["held out"])
        )
        (folder / "words.toml").write_text(f'id = "words"\nclass = "canonical"\n{entries}')
        (folder / "search.py").write_text(_SEARCH)
        (folder / "cranfield.toml").write_text(_CONFIG)
        (folder / "sweep.toml").write_text(_SWEEP)
        plan = open_sweep(folder / "sweep.toml")
        found = run_sweep(plan, Session(open_store()), SweepOptions())
    if found.outcome is None:
        return True
    verdicts = {each.category: each.verdict.kind for each in found.outcome.categories}
    sys.stdout.write(
        f"\nfrom file to report, 40 trials of a Python function: the winner is "
        f"{plan.describe(found.tuning.winner)};\nhelped category {verdicts[CATEGORIES[2]]}, "
        f"others better: {sum(v is VerdictKind.BETTER for v in verdicts.values()) - 1}\n"
    )
    return (
        found.tuning.winner.values["boost"] != 1.0
        or verdicts[CATEGORIES[2]] is not VerdictKind.BETTER
    )


def main() -> int:
    """Print how often sweeps are right and wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=100)
    arguments = parser.parse_args()
    missed = _simulate(arguments.repeats)
    return int(_end_to_end() or missed)


if __name__ == "__main__":
    sys.exit(main())
