"""The best of what matches, without reading what cannot be among them.

To hand a score over takes SQLite and Python half as long again as to work it out. Where all that
matches makes one list, SQLite therefore keeps all but the best to itself. The best are the very
ones that reading everything gives: what was left out has at most the least score that was read,
and where that might be one of the best, everything is read after all.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING

from stacks.query.lexical import COLUMNS, LexicalSearch

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from stacks.query.lexical import Expression

__all__ = ["Cut", "match_best"]

SPARE = 25
"""How many more are read than are wanted: the last of the best often have equals."""
MOST_READ = 1_000
"""To keep more than this in order takes SQLite longer than to hand everything over."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What is wanted of a list: the `count` best, and in any case the documents `kept`."""

    count: int
    kept: Collection[int] = ()

    @property
    def most(self) -> int:
        """How many scores are read."""
        return self.count + SPARE + len(self.kept)


def match_best(
    lexical: LexicalSearch, expression: Expression, enough: int, cut: Cut
) -> dict[int, float]:
    """Score the documents that `lexical.match` does, but for some that the cut leaves out."""
    if cut.most > MOST_READ or enough > cut.count:
        return lexical.match(expression, enough)
    cutting = _CutSearch(lexical, cut)
    found = cutting.match(expression, enough)
    return found if cutting.has_best(found) else lexical.match(expression, enough)


class _CutSearch(LexicalSearch):
    """A search of which every statement reads no more than a cut wants.

    A document whose common words were left out has a score that is too low, and so had they been
    read: it is not among the best either way.
    """

    def __init__(self, whole: LexicalSearch, cut: Cut) -> None:
        weights = dict(zip(COLUMNS, whole.weights, strict=True))
        super().__init__(whole.database, whole.condition, whole.sources, weights)
        self._cut = cut
        self._left_out: float | None = None

    def has_best(self, found: Mapping[int, float]) -> bool:
        """Tell whether nothing that was left out can be among the best."""
        if self._left_out is None:
            return True
        return nlargest(self._cut.count, found.values())[-1] > self._left_out

    def _run(self, match: str) -> dict[int, float]:
        kept = "docs_fts.rowid IN (SELECT value FROM json_each(?)) DESC, " if self._cut.kept else ""
        kept_values = [json.dumps(list(self._cut.kept))] if kept else []
        sql = f"{self._select_scores()} ORDER BY {kept}score DESC LIMIT ?"
        values = [self.confine(match), *self.condition.values, *kept_values, self._cut.most]
        rows = self.database.rows(sql, values)
        if len(rows) == self._cut.most:
            self._left_out = max(rows[-1][1], self._left_out or 0.0)
        return dict(rows)
