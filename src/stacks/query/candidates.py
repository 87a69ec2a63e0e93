"""The values on the way from a matching document to a hit.

`Candidate` (what is known of a document) ─► `RankedCandidate` (its score, and the factors in it)
─► `BlendedRank` (words with meaning) ─► `FusedRank` (its source's list with the others).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "ONE_PART",
    "OTHER_NAME",
    "PARTS_IN_A_ROW",
    "QUALIFIED_TITLE",
    "BlendedRank",
    "Candidate",
    "Factor",
    "FusedRank",
    "RankedCandidate",
    "multiply",
]

QUALIFIED_TITLE = 1
"""Title match: the title ends in the query after a dot, or the query has its owner before it."""
OTHER_NAME = 2
"""Title match: another name of the document is the query."""
PARTS_IN_A_ROW = 3
"""Title match: the query is several parts of the title in a row."""
ONE_PART = 4
"""Title match: the query is one part of the title."""


class Candidate(NamedTuple):
    """A document that may be a hit.

    - `title_match` says how well the query matches its name, 0 being best and None not at all: one
      of the constants above for documentation and code, a place in `NAME_MATCHES` for files.
    - `has_all_words` says so for a file, if the query has several.
    - `framework_score` is what the page of its framework adds to its score, `file_score` what the
      other chunks of its file do.
    """

    id: int
    uri: str
    title: str
    kind: str
    language: str
    is_deprecated: bool
    prominence: int
    bm25: float
    title_match: int | None
    has_all_words: bool = False
    framework_score: float = 0.0
    file_score: float = 0.0

    @property
    def has_title(self) -> bool:
        """Whether the query is its title: similarity in meaning never displaces it."""
        return self.title_match is not None and self.title_match <= QUALIFIED_TITLE

    @property
    def has_name(self) -> bool:
        """Whether the query is a whole name of it, its title or another."""
        return self.title_match is not None and self.title_match <= OTHER_NAME


class Factor(NamedTuple):
    """A factor in a score, the reason for it, and the name of its weight in `WEIGHTS`."""

    reason: str
    factor: float
    weight: str = ""


class BlendedRank(NamedTuple):
    """The rank of a document by words and by meaning, and what both earn.

    `share` is the share of meaning and `k` the constant of this rank fusion; None if scores were
    blended instead of ranks.
    """

    words: int | None
    meaning: int | None
    similarity: float | None
    earned: float
    share: float
    k: float | None


class RankedCandidate(NamedTuple):
    """A candidate in its source's list, with its score by words and the factors in it.

    `tier` says how the query names it, 0 being not at all: candidates of a higher tier come first
    if words and meaning are blended, and always among files. `is_named` says that the query is its
    title or file name.
    """

    candidate: Candidate
    factors: tuple[Factor, ...]
    score: float
    tier: int = 0
    is_named: bool = False
    blended: BlendedRank | None = None


class FusedRank(NamedTuple):
    """A rank in one source's list, and what it earns.

    `is_passed` says that it belongs to an archive and was moved behind a current page.
    """

    source: str
    rank: int
    weight: float
    relevance: float
    earned: float
    is_passed: bool = False


def multiply(score: float, factors: Iterable[Factor]) -> float:
    """Multiply a score by factors, in their order."""
    for factor in factors:
        score *= factor.factor
    return score
