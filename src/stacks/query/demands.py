"""What a query demands: phrases that a hit must have, and words that it must not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from stacks.query.lexical import Expression
from stacks.query.parsing import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stacks.query.lexical import LexicalSearch
    from stacks.query.questions import Question

__all__ = ["Demands", "find_demanded", "find_excluded"]

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Demands:
    """The documents that hits must be among, all where it is None, and those they must not be."""

    allowed: frozenset[int] | None = None
    refused: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return self.allowed is not None or bool(self.refused)

    def keep(self, found: Mapping[int, Number]) -> dict[int, Number]:
        """Keep what meets the demands."""
        if self.allowed is None and not self.refused:
            return dict(found)
        return {number: value for number, value in found.items() if self.admits(number)}

    def admits(self, number: int) -> bool:
        """Tell whether a document meets the demands."""
        return number not in self.refused and (self.allowed is None or number in self.allowed)


def find_demanded(lexical: LexicalSearch, question: Question) -> frozenset[int] | None:
    """Find the documents that have every quoted phrase; None where nothing is quoted."""
    required = tuple(quote(phrase) for phrase in question.query.phrases)
    return frozenset(lexical.match(Expression((), required), 1)) if required else None


def find_excluded(lexical: LexicalSearch, question: Question) -> frozenset[int]:
    """Find the documents that have a word or a phrase that must not occur."""
    found: set[int] = set()
    for phrase in question.query.excluded:
        found.update(lexical.match(Expression((), (quote(phrase),)), 1))
    return frozenset(found)
