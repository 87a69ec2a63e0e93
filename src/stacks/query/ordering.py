"""Candidates of one source in order."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from stacks.query.blending import Ranked
from stacks.query.corrections import (
    REPEATED,
    TWIN,
    Candidate,
    Factor,
    correct,
    is_named,
    level,
    put_current_first,
)
from stacks.query.twins import find_twins

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from stacks.query.questions import Question

__all__ = ["NEAREST", "order_documentation", "order_plainly", "settle_documentation"]

NEAREST = 1
"""The nearness up to which a title is the query: likeness in meaning does not displace it."""

ALIKE = 9
"""The digits in which scores agree that are the same but for the order of multiplication."""


def order_plainly(candidates: Sequence[Candidate], question: Question) -> list[Ranked]:  # noqa: ARG001 - one form for all
    """Put candidates in order by their words alone."""
    return sorted((Ranked(each, (), each.bm25) for each in candidates), key=_by_score)


def order_documentation(candidates: Sequence[Candidate], question: Question) -> list[Ranked]:
    """Put candidates in order by their words, and all that is known of documentation."""
    typed = question.typed
    twins = find_twins(candidates, typed)
    # What a twin is called is the name of the page it repeats.
    candidates = [each._replace(nearness=None) if each.id in twins else each for each in candidates]
    levels = level(candidates)
    corrected = []
    for candidate in candidates:
        factors = correct(candidate, typed)
        if candidate.id in twins:
            factors.append(Factor("its Swift page is here", TWIN))
        if candidate.id in levels:
            factors.insert(0, levels[candidate.id])
        is_named = candidate.nearness is not None and candidate.nearness <= NEAREST
        score = _multiply(candidate.bm25, factors)
        corrected.append(Ranked(candidate, tuple(factors), score, int(is_named), is_named))
    ordered = sorted(corrected, key=_place)
    spread = list(_spread(ordered))
    # Most lists repeat no title that the query does not name.
    return settle_documentation(spread if spread == ordered else sorted(spread, key=_place))


def settle_documentation(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Let no deprecated page stand above its current namesake."""
    by_number = {each.candidate.id: each for each in ranked}
    current_first = put_current_first([each.candidate for each in ranked])
    return [by_number[candidate.id] for candidate in current_first]


def _multiply(score: float, factors: Iterable[Factor]) -> float:
    for factor in factors:
        score *= factor.factor
    return score


def _spread(ranked: Iterable[Ranked]) -> Iterator[Ranked]:
    """Lower what repeats a title that stands above, unless the query names it."""
    seen: Counter[str] = Counter()
    for each in ranked:
        title = each.candidate.title
        if seen[title] and not is_named(each.candidate):
            factor = Factor(f"title repeated {seen[title]} times", REPEATED ** seen[title])
            score = _multiply(each.score, [factor])
            yield each._replace(factors=(*each.factors, factor), score=score)
        else:
            yield each
        seen[title] += 1


def _place(ranked: Ranked) -> tuple[float, int, str]:
    """By score; of namesakes that are alike the shorter title: it asks for the fewest arguments."""
    candidate = ranked.candidate
    return -float(f"{ranked.score:.{ALIKE}g}"), len(candidate.title), candidate.uri


def _by_score(ranked: Ranked) -> tuple[float, str]:
    return -ranked.score, ranked.candidate.uri
