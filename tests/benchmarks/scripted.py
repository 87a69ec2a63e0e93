"""Runs to break: a system that has the right hit at the rank a query asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.model import Hit, Query, RegressionRules, Response, Status, Suite, Threshold
from cranfield.systems import System

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Scripted", "suite_of"]


class Scripted(System):
    """Has the right hit at the rank that a query's text says, among others of its own."""

    def __init__(self, hits: int = 8, hit: Callable[[str, int], Hit] | None = None) -> None:
        self.hits = hits
        self.hit = hit or (lambda name, _: Hit(name))

    def search(self, query: Query, limit: int) -> Response:  # noqa: ARG002
        if query.text == "timeout":
            return Response.failed(Status.TIMEOUT, "late")
        ids = [f"{query.id}-{number}" for number in range(1, self.hits + 1)]
        if rank := int(query.text):
            ids[rank - 1] = f"right-{query.id}"
        return Response.of(tuple(self.hit(name, place) for place, name in enumerate(ids, 1)))


def suite_of(
    ranks: dict[str, list[str]], rules: RegressionRules | None = None, *gate: Threshold
) -> Suite:
    """Queries by category, each with the rank of its right hit as its text; 0 is nowhere."""
    queries = tuple(
        Query(f"{category}{number}", rank, {"matches": [f"right-{category}{number}$"]}, category)
        for category, some in ranks.items()
        for number, rank in enumerate(some)
    )
    return Suite("made", "canonical", queries, gate=gate, rules=rules or RegressionRules())
