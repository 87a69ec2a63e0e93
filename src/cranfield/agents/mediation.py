"""Did the search fail, or the model? Wrong names explained, and right answers by what was found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import checks_of_names
from cranfield.statistics import proportion_difference, proportion_interval

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cranfield.agents.answers import AgentEvaluation, CheckedAnswer
    from cranfield.statistics import ProportionInterval

__all__ = [
    "TOP_HITS",
    "Mediation",
    "MediationStep",
    "Retrieval",
    "RetrievalGroup",
    "RetrievalOutcomes",
    "explain_failures",
    "find_rank",
    "is_page_of",
    "relate_retrieval",
]

_SEPARATORS = re.compile(r"[/#:?]+")
_CALL = re.compile(r"\([^)]*\)$")
_SUFFIX = re.compile(r"\.(html?|md|json)$")


class MediationStep(StrEnum):
    """The step at which grounding failed."""

    NOT_SEARCHED = "did not search"
    NOT_FOUND = "search failed"
    """No search of the agent returned a page of what the task needs."""
    NOT_READ = "found, not read"
    IGNORED = "read, not used"
    USED = "used, and still wrong"


@dataclass(frozen=True, slots=True)
class Mediation:
    """One wrong name in an answer, and how far the documentation of the right one came.

    `rank` is the best rank at which a needed page was returned.
    """

    task: str
    arm: str
    repeat: int
    check: str
    symbol: str
    step: MediationStep
    rank: int | None


def explain_failures(evaluation: AgentEvaluation, arm: str) -> list[Mediation]:
    """Explain every invented, unavailable or deprecated name in the answers of a grounded arm.

    Tasks that do not say what they need are left out.
    """
    about_names = checks_of_names()
    found: list[Mediation] = []
    for checked in evaluation.checked:
        answer = checked.answer
        if answer.arm != arm or not checked.task.needs:
            continue
        step, rank = _follow(checked)
        found += [
            Mediation(answer.task, arm, answer.repeat, each.check, each.symbol, step, rank)
            for each in checked.failures
            if each.check in about_names
        ]
    return found


def _follow(checked: CheckedAnswer) -> tuple[MediationStep, int | None]:
    answer, needs = checked.answer, checked.task.needs
    if not answer.searches and not answer.read:
        return MediationStep.NOT_SEARCHED, None
    was_read = any(_serves(each, needs) for each in answer.read)
    rank = find_rank(checked)
    if rank is None and not was_read:
        return MediationStep.NOT_FOUND, None
    if not was_read and answer.read:
        return MediationStep.NOT_READ, rank
    used = any(_mentions(checked.code, need) for need in needs)
    return MediationStep.USED if used else MediationStep.IGNORED, rank


def find_rank(checked: CheckedAnswer) -> int | None:
    """Return the best rank at which a page that the task needs was returned; None if it was not."""
    ranks = (
        rank
        for search in checked.answer.searches
        for rank, hit in enumerate(search.hits, start=1)
        if _serves(hit, checked.task.needs)
    )
    return min(ranks, default=None)


def _serves(document: str, needs: Iterable[str]) -> bool:
    return any(is_page_of(document, need) for need in needs)


def is_page_of(document: str, symbol: str) -> bool:
    """Return whether an id is that of a symbol's page, or of the type or module that has it.

    Addresses, paths and full names are alike: `…/asyncio/timeout`, `asyncio.timeout()`.
    """
    plain = _CALL.sub("", _SUFFIX.sub("", document)).strip("/")
    name = ".".join(filter(None, _SEPARATORS.split(plain))).casefold()
    wanted = symbol.casefold()
    owner = wanted.rpartition(".")[0]
    return any(name == each or name.endswith(f".{each}") for each in (wanted, owner) if each)


def _mentions(code: str, symbol: str) -> bool:
    last = re.escape(symbol.rpartition(".")[2])
    return re.search(rf"\b{last}\b", code) is not None


# Are answers right more often if the needed page was found? A relation, never a proof.

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

    `difference` is found minus missed. The groups are of different tasks, so it also holds
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
