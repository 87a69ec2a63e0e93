"""Do clicks over expected clicks recover how good documents are, where plain click rates do not?

Searchers look at lower positions less often and click what attracts them. Each query has a ranking
of its own, at random or by a noisy guess of the attraction, in which neighbours change places in
a share of searches. Printed is the rank correlation with the true attraction, over all pairs of
query and document, for clicks over expected clicks and for the plain rate of clicks.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from statistics import mean

from scipy.stats import spearmanr

from cranfield.judging.click_judgments import rate_documents
from cranfield.judging.click_log import Showing

LOOKED_AT = (1.0, 0.6, 0.4, 0.25, 0.15)
QUERIES, SEARCHES, SEEDS = 60, 300, 5


@dataclass(frozen=True)
class Ranker:
    """A ranking: how noisy its guess of the attraction is, and how often neighbours are swapped."""

    name: str
    noise: float
    swapped: float


RANKERS = (
    Ranker("at random", 100.0, 0.0),
    Ranker("at random, varied", 100.0, 0.3),
    Ranker("noisy", 0.3, 0.3),
    Ranker("good", 0.1, 0.3),
    Ranker("perfect, never varied", 0.0, 0.0),
)


def simulate(ranker: Ranker, seed: int) -> tuple[float, float]:
    """Return the correlations of clicks over expected clicks, and of plain rates."""
    random = Random(seed)  # noqa: S311 - seeded on purpose
    attraction: dict[tuple[str, str], float] = {}
    showings: list[Showing] = []
    for number in range(QUERIES):
        query = f"query {number}"
        own = {f"{number}-{at}": random.uniform(0.05, 0.9) for at in range(len(LOOKED_AT))}
        attraction |= {(query, document): value for document, value in own.items()}
        guessed = {each: value + random.gauss(0, ranker.noise) for each, value in own.items()}
        ranking = sorted(own, key=lambda each: -guessed[each])
        for _ in range(SEARCHES):
            shown = vary(ranking, ranker.swapped, random)
            for position, document in enumerate(shown):
                chance = LOOKED_AT[position] * own[document]
                showings.append(Showing(query, document, position + 1, random.random() < chance))
    rated = rate_documents(showings)
    truth = [attraction[each.query, each.document] for each in rated]
    ratios = spearmanr(truth, [each.coec for each in rated]).statistic
    rates = spearmanr(truth, [each.clicks / each.shown for each in rated]).statistic
    return float(ratios), float(rates)


def vary(ranking: list[str], share: float, random: Random) -> list[str]:
    """Let two neighbours change places in a share of searches."""
    shown = list(ranking)
    at = random.randrange(len(shown) - 1)
    if random.random() < share:
        shown[at], shown[at + 1] = shown[at + 1], shown[at]
    return shown


def main() -> None:
    """Print a row for each ranker."""
    print(f"{'ranking':<24}{'COEC':>8}{'rate':>8}")
    for ranker in RANKERS:
        found = [simulate(ranker, seed) for seed in range(SEEDS)]
        ratio, rate = (mean(column) for column in zip(*found, strict=True))
        print(f"{ranker.name:<24}{ratio:>8.2f}{rate:>8.2f}")


if __name__ == "__main__":
    main()
