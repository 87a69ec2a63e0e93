"""Clicks over expected clicks: how much more a document is clicked than others at its positions.

    rate(p)      = clicks at position p / documents shown at position p, over all queries
    expected     = the sum of rate(p) over every time that the document was shown for the query
    COEC         = clicks on the document for the query / expected

1 is as often as whatever else is shown there. The first position is clicked more than the fifth,
whatever it shows; dividing by what is expected there takes that out (Zhang and Jones, WWW 2007).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cranfield.model import Undefined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.judging.clicks.click_log import Showing
    from cranfield.model import Value

__all__ = ["ClickedDocument", "click_rates", "rate_documents"]


class ClickedDocument(NamedTuple):
    """How often a document was shown and clicked for a query, and how often others would be."""

    query: str
    document: str
    shown: int
    clicks: int
    expected: float

    @property
    def coec(self) -> Value:
        """Clicks over expected clicks; undefined if nothing is ever clicked at its positions."""
        if self.expected == 0.0:
            return Undefined("nothing is ever clicked where it was shown")
        return self.clicks / self.expected


def click_rates(showings: Sequence[Showing]) -> dict[int, float]:
    """Return the share of documents that are clicked at each position."""
    shown = Counter(each.position for each in showings)
    clicked = Counter(each.position for each in showings if each.is_clicked)
    return {position: clicked[position] / count for position, count in sorted(shown.items())}


def rate_documents(
    showings: Sequence[Showing], same: Callable[[str], str] = str
) -> list[ClickedDocument]:
    """Count the clicks on each document for each query, and those that are expected.

    `same` gives queries that are one the same name.
    """
    rates = click_rates(showings)
    found: dict[tuple[str, str], list[Showing]] = {}
    for each in showings:
        found.setdefault((same(each.query), each.document), []).append(each)
    return [
        ClickedDocument(
            query,
            document,
            len(times),
            sum(each.is_clicked for each in times),
            sum(rates[each.position] for each in times),
        )
        for (query, document), times in found.items()
    ]
