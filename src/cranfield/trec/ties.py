"""The order of hits with equal scores: by document id as trec_eval, or as the file gives it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import InputError
from cranfield.trec.keys import document_keys
from cranfield.trec.ranking import JudgedHits, find_ties, order_rows
from cranfield.trec.runs import read_ties

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.blocks import TextSource
    from cranfield.trec.keys import Keys
    from cranfield.trec.ranking import OrderedRows, TieGroups
    from cranfield.trec.run_tables import RunTable

__all__ = ["TieRule", "rank_judged"]


class TieRule(StrEnum):
    """How hits with equal scores are ordered."""

    DOCUMENT = "document"
    """By document id, highest first, as trec_eval does."""

    GIVEN = "given"
    """By the file's rank column, then by line."""


def rank_judged(table: RunTable, query_keys: Keys, source: TextSource, rule: TieRule) -> JudgedHits:
    """Find the place of each judged row; hits come in the order of the rankings."""
    ordered = order_rows(table)
    groups = find_ties(ordered)
    places, hit = ordered.places_of(table.judged_row)
    top = ordered.group_start[np.searchsorted(ordered.group_start, places, side="right") - 1]
    group = groups.of(places)
    tied = group >= 0
    above, size = places - top, np.ones(len(places), dtype=np.int64)
    above[tied] = groups.start[group[tied]] - top[tied]
    size[tied] = groups.size[group[tied]]
    place = np.zeros(len(places), dtype=np.int64)
    if tied.any():
        members = _Members(groups, np.unique(group[tied]), ordered)
        if rule is TieRule.DOCUMENT and table.short_ids:
            ranking = members.by_short_id(table, query_keys)
        else:
            ranking = members.by_text(source, rule)
        place[tied] = members.places(ranking)[members.index_of(table.judged_row[hit[tied]])]
    return JudgedHits(table.judgment[hit], above, size, place)


class _Members:
    """The rows of the tie groups that hold a judged row, group after group."""

    def __init__(self, groups: TieGroups, held: NDArray[np.int64], ordered: OrderedRows) -> None:
        sizes = groups.size[held]
        self.group = np.repeat(np.arange(len(held)), sizes)
        self._offset = np.repeat(np.cumsum(sizes) - sizes, sizes)
        within = np.arange(len(self.group)) - self._offset
        self.row = ordered.rows_at(np.repeat(groups.start[held], sizes) + within)
        self._by_row = np.argsort(self.row)

    def index_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where each row stands among the members."""
        return self._by_row[np.searchsorted(self.row[self._by_row], rows)]

    def places(self, ranking: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return each member's place in its group, from 0, given the members in order."""
        places = np.empty(len(self.row), dtype=np.int64)
        places[ranking] = np.arange(len(ranking)) - self._offset
        return places

    def by_short_id(self, table: RunTable, query_keys: Keys) -> NDArray[np.int64]:
        """Order members by document ids of up to eight bytes, highest first, in each group."""
        stretch = np.searchsorted(table.stretch_start, self.row, side="right") - 1
        keys = document_keys(table.pair[self.row], query_keys[table.stretch_query[stretch]])
        # With the first byte as the highest, numbers have the order of the bytes.
        return np.lexsort((~keys.byteswap(), self.group))

    def by_text(self, source: TextSource, rule: TieRule) -> NDArray[np.int64]:
        """Order members by what their lines say, in each group."""
        texts = read_ties(source, self.row[self._by_row].tolist())
        keys: list[bytes] | list[int]
        if rule is TieRule.GIVEN:
            keys = [_given_rank(source, rank) for _, rank in texts]
        else:
            keys = [document for document, _ in texts]
        # Python's sort keeps the order of equals: by line, then by key, then by group.
        ranking = sorted(range(len(keys)), key=keys.__getitem__, reverse=rule is TieRule.DOCUMENT)
        members = self._by_row[ranking]
        return members[np.argsort(self.group[members], kind="stable")]


def _given_rank(source: TextSource, text: bytes) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(
            f"rank {text.decode()!r} is not a whole number; the given order of ties needs it",
            file=source.name,
        ) from None
