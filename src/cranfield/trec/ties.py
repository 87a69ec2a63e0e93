"""The order of hits with equal scores: by document id as trec_eval, or as the file gives it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import InputError
from cranfield.trec.keys import document_key
from cranfield.trec.ranking import JudgedHits, TieGroups, find_ties, order_rows
from cranfield.trec.runs import read_ties

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.blocks import TextSource
    from cranfield.trec.run_tables import RunTable

__all__ = ["TieRule", "rank_judged"]


class TieRule(StrEnum):
    """How hits with equal scores are ordered."""

    DOCUMENT = "document"
    """By document id, highest first, as trec_eval does."""

    GIVEN = "given"
    """By the file's rank column, then by line."""


def rank_judged(table: RunTable, source: TextSource, rule: TieRule) -> JudgedHits:
    """Find the place of each judged row, in order of query position in the run and rank."""
    order = order_rows(table)
    groups = find_ties(table, order)
    places = table.judged_row if order is None else _inverse(order)[table.judged_row]
    first = table.first_places()
    # Grouped rows follow the stretches, others the numbers of the queries.
    starts = np.sort(first)
    base = starts[np.searchsorted(starts, places, side="right") - 1]
    group = groups.of(places)
    tied = group >= 0
    above, size = places - base, np.ones(len(places), dtype=np.int64)
    above[tied] = groups.start[group[tied]] - base[tied]
    size[tied] = groups.size[group[tied]]
    place = np.zeros(len(places), dtype=np.int64)
    if tied.any():
        held = np.unique(group[tied])
        members = _Members(groups, held, order)
        ranked = members.places(table, source, rule)
        place[tied] = ranked[members.index_of(table.judged_row[tied])]
    return JudgedHits(table.judgment, above, size, place)


def _inverse(order: NDArray[np.int64]) -> NDArray[np.int64]:
    inverse = np.empty_like(order)
    inverse[order] = np.arange(len(order))
    return inverse


class _Members:
    """The rows of the tie groups that hold a judged row, group after group."""

    def __init__(
        self, groups: TieGroups, held: NDArray[np.int64], order: NDArray[np.int64] | None
    ) -> None:
        sizes = groups.size[held]
        self.group = np.repeat(np.arange(len(held)), sizes)
        self._offset = np.repeat(np.cumsum(sizes) - sizes, sizes)
        within = np.arange(len(self.group)) - self._offset
        places = np.repeat(groups.start[held], sizes) + within
        self.row = places if order is None else order[places]
        self._by_row = np.argsort(self.row)

    def index_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where each row stands among the members."""
        return self._by_row[np.searchsorted(self.row[self._by_row], rows)]

    def places(self, table: RunTable, source: TextSource, rule: TieRule) -> NDArray[np.int64]:
        """Return each member's place in its group, from 0."""
        if rule is TieRule.DOCUMENT and table.short_ids:
            ranking = np.lexsort((~self._document_words(table), self.group))
        else:
            ranking = self._order_by_text(source, rule)
        places = np.empty(len(self.row), dtype=np.int64)
        places[ranking] = np.arange(len(ranking)) - self._offset
        return places

    def _document_words(self, table: RunTable) -> NDArray[np.uint64]:
        """Return document ids of up to eight bytes as numbers of the same order."""
        stretch = np.searchsorted(table.stretch_start, self.row, side="right") - 1
        query = table.query_keys[table.stretch_query[stretch]]
        return document_key(table.pair[self.row], query).byteswap()

    def _order_by_text(self, source: TextSource, rule: TieRule) -> NDArray[np.int64]:
        texts = read_ties(source, self.row[self._by_row].tolist())
        keys: list[tuple[int, bytes] | int] = [0] * len(self.row)
        for index, (document, rank) in zip(self._by_row.tolist(), texts, strict=True):
            keys[index] = _given_rank(source, rank) if rule is TieRule.GIVEN else document
        group = self.group.tolist()
        # Sorting twice, each time stably: highest document first or lowest rank first, by group.
        row = self.row.tolist()
        ranking = sorted(range(len(keys)), key=row.__getitem__)
        ranking.sort(key=keys.__getitem__, reverse=rule is TieRule.DOCUMENT)
        ranking.sort(key=group.__getitem__)
        return np.array(ranking, dtype=np.int64)


def _given_rank(source: TextSource, text: bytes) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(
            f"rank {text.decode()!r} is not a whole number; the given order of ties needs it",
            file=source.name,
        ) from None
