"""Are answers right more often if the needed page was found? A relation, never a proof."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from cranfield.agents.mediation import find_rank
from cranfield.statistics import proportion_difference, proportion_interval

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cranfield.agents.evaluation import AgentEvaluation, CheckedAnswer
    from cranfield.statistics import ProportionInterval

__all__ = ["TOP_HITS", "Retrieval", "RetrievalGroup", "RetrievalOutcomes", "relate_retrieval"]

TOP_HITS = 5
"""How far down a hit may be to count as found: agents see little more."""


class Retrieval(StrEnum):
    """What became of the page that a task needs."""

    FOUND = f"in the top {TOP_HITS}"
    MISSED = "below, or not found"
    NOT_SEARCHED = "did not search"


@dataclass(frozen=True, slots=True)
class RetrievalGroup:
    """The answers to tasks whose page had one fate.

    A task counts once, with its share of right answers; `rate` is None if there is no task.
    """

    retrieval: Retrieval
    tasks: int
    answers: int
    rate: ProportionInterval | None


@dataclass(frozen=True, slots=True)
class RetrievalOutcomes:
    """The answers of an arm by what was found, and how much more often they are right if it was.

    `difference` is found minus missed. The groups are of different tasks, so that it also holds
    whatever else these differ in: a page that is easy to find may be of a task that is easy.
    """

    arm: str
    groups: tuple[RetrievalGroup, ...]
    difference: ProportionInterval | None


def relate_retrieval(evaluation: AgentEvaluation, arm: str) -> RetrievalOutcomes:
    """Relate what an arm's searches found to what is right; tasks without `needs` are left out."""
    answers = [
        each
        for each in evaluation.checked
        if each.answer.arm == arm and each.task.needs and each.is_right is not None
    ]
    groups = {
        retrieval: _make_group(retrieval, [each for each in answers if _judge(each) is retrieval])
        for retrieval in Retrieval
    }
    found, missed = groups[Retrieval.FOUND].rate, groups[Retrieval.MISSED].rate
    difference = proportion_difference(missed, found) if found and missed else None
    return RetrievalOutcomes(arm, tuple(groups.values()), difference)


def _judge(checked: CheckedAnswer) -> Retrieval:
    if not checked.answer.searches and not checked.answer.read:
        return Retrieval.NOT_SEARCHED
    rank = find_rank(checked)
    return Retrieval.FOUND if rank is not None and rank <= TOP_HITS else Retrieval.MISSED


def _make_group(retrieval: Retrieval, answers: Iterable[CheckedAnswer]) -> RetrievalGroup:
    rights: dict[str, list[bool]] = {}
    for each in answers:
        rights.setdefault(each.answer.task, []).append(bool(each.is_right))
    shares = [sum(each) / len(each) for each in rights.values()]
    rate = proportion_interval(sum(shares) / len(shares), len(shares)) if shares else None
    return RetrievalGroup(retrieval, len(shares), sum(map(len, rights.values())), rate)
