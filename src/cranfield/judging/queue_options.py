"""Which hits a queue hands out, to whom, and for what purpose."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from cranfield.defaults import SEED
from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from cranfield.judging.pool import PooledHit, PooledQuery

__all__ = ["QueueFilter", "QueueOptions", "fits_pattern"]

_MOST_RATERS = 3


def fits_pattern(hit: PooledHit, pattern: str) -> bool:
    """Return whether an id of a hit fits a file pattern, as a whole or from some folder on."""
    return any(
        fnmatchcase(name, pattern) or fnmatchcase(name, f"*/{pattern}") for name in hit.documents
    )


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """Which hits are judged: of queries with this text or id, of documents that fit a pattern.

    With `since` or `until`, days as 2026-11-17, those that the rater judged in that time are shown
    again, to be reviewed.
    """

    query: str = ""
    document: str = ""
    since: str = ""
    until: str = ""

    def __post_init__(self) -> None:
        for name, text in (("since", self.since), ("until", self.until)):
            try:
                date.fromisoformat(text or "2000-01-01")
            except ValueError:
                raise CranfieldError(f"{name} is a day such as 2026-11-17, not {text!r}") from None

    @property
    def is_review(self) -> bool:
        """Whether hits are shown that were judged already."""
        return bool(self.since or self.until)

    def admits(self, pooled: PooledQuery, hit: PooledHit) -> bool:
        """Return whether a hit is to be judged."""
        wanted = self.query.casefold()
        asked = (pooled.query.id.casefold(), pooled.query.text.casefold())
        if not any(wanted in each for each in asked):
            return False
        return not self.document or fits_pattern(hit, self.document)

    def was_given(self, given: str) -> bool:
        """Return whether a time lies between the two days, both included."""
        day = given[:10]
        return self.since <= day and (not self.until or day <= self.until)


@dataclass(frozen=True, slots=True)
class QueueOptions:
    """How hits are handed out: in an order drawn by `seed`, under these guidelines.

    A share `overlap` of them goes to `raters` people, the others to one. With `adjudicates`, only
    hits are handed out that raters disagree about, and the answer stands for all of them.
    """

    seed: int = SEED
    guideline: str = ""
    highest: int = 1
    overlap: float = 0.0
    raters: int = 2
    chosen: QueueFilter = field(default_factory=QueueFilter)
    adjudicates: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.raters <= _MOST_RATERS:
            raise CranfieldError(f"raters is from 1 to {_MOST_RATERS}, not {self.raters}")
        if not 0.0 <= self.overlap <= 1.0:
            raise CranfieldError(f"overlap is a share from 0 to 1, not {self.overlap:g}")
