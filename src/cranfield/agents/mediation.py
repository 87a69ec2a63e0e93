"""Why an invented or deprecated name got into an answer: did the search fail, or did the model?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cranfield.agents.evaluation import AgentEvaluation, CheckedAnswer

__all__ = ["Mediation", "MediationStep", "explain_failures", "find_rank", "is_page_of"]

_CHECKS_OF_NAMES = ("exists", "available", "deprecated")
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
    return [
        Mediation(
            checked.answer.task,
            arm,
            checked.answer.repeat,
            finding.check,
            finding.symbol,
            *_follow(checked),
        )
        for checked in evaluation.checked
        if checked.answer.arm == arm and checked.task.needs
        for finding in checked.failures
        if finding.check in _CHECKS_OF_NAMES
    ]


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
