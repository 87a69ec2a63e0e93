"""Hits that a suite's own rules find right: nobody has to be asked about them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.model import Hit
from cranfield.relevance import RULES, read_expectation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.judging.pool import PooledHit
    from cranfield.model import Query

__all__ = ["grade_by_rules"]


def grade_by_rules(query: Query, hits: Sequence[PooledHit]) -> dict[str, int]:
    """Return the grades of hits that the rules of a query find right, by item.

    A hit that no rule knows is not in it: somebody may still find it as good. Rules that query a
    database are resolved when a suite is run, and looked at then.
    """
    kept = {rule: value for rule, value in query.expect.items() if RULES.get(rule).resolve is None}
    if not kept:
        return {}
    expectation = read_expectation(replace(query, expect=kept))
    found = {}
    for hit in hits:
        met = [
            expectation.targets[place].grade
            for name in hit.documents
            for place in expectation.meets(Hit(name, text=hit.text, fields=hit.fields))
        ]
        if met and max(met) > 0:
            found[hit.item] = max(met)
    return found
