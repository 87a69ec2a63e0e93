"""What a model is to be asked and what it costs, before and after."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - read at run time by dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cranfield.judging.models.answer_store import Spending, StoredAnswer
    from cranfield.judging.models.prompt_file import Messages
    from cranfield.judging.pool import PooledHit, PooledQuery

__all__ = ["ModelPlan", "ModelTally", "PlannedHit", "estimate_tokens"]

_CHARACTERS_A_TOKEN = 3
"""Fewer than in English prose: an estimate should not be too low for Hindi or code."""


class PlannedHit(NamedTuple):
    """A hit that the model is asked about."""

    query: PooledQuery
    hit: PooledHit
    messages: Messages
    key: str


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """What is to be asked, what is known already, and what it will cost.

    `matched` hits are right by the suite's rules, `left_out` ones are of categories that are never
    sent, `without_text` ones have nothing to judge. The tokens of `hits` are estimated.
    """

    hits: tuple[PlannedHit, ...]
    known: Mapping[str, StoredAnswer]
    matched: int
    left_out: int
    without_text: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    spent: Spending
    spent_cost: float | None

    @property
    def to_ask(self) -> tuple[PlannedHit, ...]:
        """The hits without an answer in the store."""
        return tuple(each for each in self.hits if each.key not in self.known)


@dataclass(frozen=True, slots=True)
class ModelTally:
    """What became of the hits: counts, tokens, and why it stopped before the end, if it did."""

    graded: int = 0
    unjudged: int = 0
    from_store: int = 0
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    stopped: str = ""
    reasons: Mapping[str, int] = field(default_factory=dict)


def estimate_tokens(messages: Messages) -> int:
    """Estimate the tokens of what a model is sent."""
    return 1 + (len(messages.system) + len(messages.user)) // _CHARACTERS_A_TOKEN
