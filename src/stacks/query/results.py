"""What a search gives: hits, what the query was taken for, and where it was sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stacks.guidance import Decision

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stacks.query.blending import Blended
    from stacks.query.corrections import Factor
    from stacks.query.fusion import Standing
    from stacks.query.parsing import UserQuery
    from stacks.query.questions import Question

__all__ = ["Hit", "Results"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A document found, and how it got its place.

    `where` says where a file, a chunk or a passage lies: a path, with lines, or a place in a book.
    `facts` are what its source tells of it besides, such as the hash of a chunk.
    """

    rank: int
    uri: str
    title: str
    score: float
    source: str
    framework: str
    kind: str
    language: str
    summary: str
    declaration: str
    is_deprecated: bool
    availability: dict[str, str]
    where: str
    facts: dict[str, str] = field(repr=False)
    id: int = field(repr=False)
    bm25: float = field(repr=False)
    factors: tuple[Factor, ...] = field(repr=False)
    blended: Blended | None = field(repr=False)
    standing: Standing = field(repr=False)
    reranked: float | None = field(default=None, repr=False)

    def as_dict(self) -> dict[str, Any]:
        """What a program wants to know of a hit."""
        names = "rank uri title score source framework kind language summary declaration where"
        told = {name: getattr(self, name) for name in names.split()}
        return told | {"deprecated": self.is_deprecated, "availability": self.availability}


@dataclass(frozen=True, slots=True)
class Results:
    """The hits of a query, what the query was taken for, and where it was sent.

    `route` is `search` where it was searched for; another one, given by the index's own rules,
    has no hits. `decision` says why it was sent there, or why it is flagged; `asked` says which
    sources were asked, and by what.
    """

    question: Question
    hits: tuple[Hit, ...]
    asked: str
    decision: Decision = field(default_factory=Decision)

    @property
    def query(self) -> UserQuery:
        """The query, taken apart."""
        return self.question.query

    @property
    def route(self) -> str:
        """Where the query was sent."""
        return self.decision.route

    @property
    def expansions(self) -> dict[str, str]:
        """The frameworks that words of the query were taken for too."""
        return {name: each.slug for name, each in self.question.expansions.items()}

    def decided(self) -> dict[str, Any]:
        """What a program wants to know of where the query was sent."""
        told = self.decision
        return {
            "route": told.route,
            "reason": told.reason,
            "flags": list(told.flags),
            "retrieval_intent": told.intent,
        }

    def remarks(self) -> Iterator[str]:
        """What a reader must know before any hit."""
        if self.decision.flags:
            intent = f" ({self.decision.intent})" if self.decision.intent else ""
            yield f"flagged {', '.join(self.decision.flags)}{intent}: {self.decision.reason}"

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)
