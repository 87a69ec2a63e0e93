"""How much the order of equal scores matters: the best and the worst that it can do.

Best: highest grade first, then what is judged not relevant, then what nobody judged. Worst: just
the reverse. Each is right for all built-in measures at once, since none of them falls when a
better hit moves up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.qrels import Qrels
    from cranfield.trec.ranking import JudgedHits

__all__ = ["best_ranks", "queries_with_mixed_ties", "worst_ranks"]


class _Groups(NamedTuple):
    """Judged hits by tie group: their order, the first of each group, and its judged members."""

    order: NDArray[np.int64]
    first: NDArray[np.int64]
    judged: NDArray[np.int64]


def queries_with_mixed_ties(qrels: Qrels, hits: JudgedHits) -> NDArray[np.bool_]:
    """Tell which queries have ties whose members are not all alike; unjudged is unlike any."""
    tied = hits.at(np.flatnonzero(hits.tied > 1))
    grade = qrels.grade[tied.judgment]
    order, first, judged = _group(qrels, tied, grade)
    highest, lowest = grade[order[first + judged - 1]], grade[order[first]]
    mixed = (lowest < highest) | (judged < tied.tied[order[first]])
    queries = np.zeros(len(qrels.queries), dtype=bool)
    queries[qrels.query[tied.judgment[order[first[mixed]]]]] = True
    return queries


def best_ranks(qrels: Qrels, hits: JudgedHits) -> NDArray[np.int64]:
    """Rank tied hits for the highest value of every measure."""
    order, first, judged = _group(qrels, hits, -qrels.grade[hits.judgment])
    within = np.arange(len(order)) - np.repeat(first, judged)
    return _ranks(hits, order, within)


def worst_ranks(qrels: Qrels, hits: JudgedHits) -> NDArray[np.int64]:
    """Rank tied hits for the lowest value of every measure."""
    order, first, judged = _group(qrels, hits, qrels.grade[hits.judgment])
    unjudged = hits.tied[order] - np.repeat(judged, judged)
    within = unjudged + np.arange(len(order)) - np.repeat(first, judged)
    return _ranks(hits, order, within)


def _group(qrels: Qrels, hits: JudgedHits, key: NDArray[np.int64]) -> _Groups:
    query = qrels.query[hits.judgment]
    order = np.lexsort((key, hits.above, query))
    starts = np.ones(len(order), dtype=bool)
    starts[1:] = (np.diff(query[order]) != 0) | (np.diff(hits.above[order]) != 0)
    first = np.flatnonzero(starts)
    return _Groups(order, first, np.diff(first, append=len(order)))


def _ranks(
    hits: JudgedHits, order: NDArray[np.int64], within: NDArray[np.int64]
) -> NDArray[np.int64]:
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = hits.above[order] + within + 1
    return ranks
