"""Hits with equal scores: their order, and the best and worst that another order can do.

trec_eval orders them by document id; the file's own order can be chosen instead. The best order
has the highest grade first, then what is judged not relevant, then what nobody judged; the worst is
the reverse. Each is right for all built-in measures at once, since none of them falls when a better
hit moves up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.model import TieRule
from cranfield.trec.ranking import JudgedHits, count_ranks, find_shared_rows
from cranfield.trec.run_blocks import read_rows, row_error
from cranfield.trec.run_table import FilePosition
from cranfield.trec_files import document_keys, pair_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cranfield.trec.ranking import SharedRows
    from cranfield.trec.run_table import RunTable
    from cranfield.trec_files import Keys, Qrels, TextSource

__all__ = ["TieOrder", "best_ranks", "queries_with_mixed_ties", "worst_ranks"]

_MOST_UNORDERED = 1 << 20
"""More members of ties than this are ordered at once: their ids take memory."""


class TieOrder:
    """The judged rows of a run ranked part by part, ties included.

    Ties between long ids need what their lines say. These are read again together at the end, or
    as soon as there are many, because reading them takes a pass over the file.
    """

    def __init__(self, qrels: Qrels, source: TextSource, rule: TieRule) -> None:
        self._qrels = qrels
        self._source = source
        self._rule = rule
        self._hits: list[JudgedHits] = []
        self._unordered: list[_UnorderedTies] = []

    def add(self, table: RunTable) -> None:
        """Rank each judged row of a part."""
        query = self._qrels.query[table.judgment]
        counts = count_ranks(table, query)
        places = np.zeros(len(query), dtype=np.int64)
        self._hits.append(JudgedHits(table.judgment, counts.above, counts.tied, places))
        tied = np.flatnonzero(counts.tied > 1)
        if len(tied) == 0:
            return
        members = _Members(table, table.judged_row[tied], query[tied], counts.shared)
        judged = members.index_of(table.judged_row[tied])
        if self._rule is TieRule.DOCUMENT and table.short_ids:
            ranking = members.by_short_id(table, self._qrels.query_keys)
            places[tied] = members.tie_positions(ranking)[judged]
            return
        in_file = table.file.numbers_of(members.row)
        self._unordered.append(_UnorderedTies(members, in_file, judged, tied, places))
        if sum(len(each.in_file) for each in self._unordered) > _MOST_UNORDERED:
            self._order(table.file.blocks[0])

    def hits(self) -> JudgedHits:
        """Return all judged hits."""
        self._order(FilePosition())
        return JudgedHits.joined(self._hits)

    def _order(self, last_position: FilePosition) -> None:
        """Order the ties whose lines are not yet read."""
        ties, self._unordered = self._unordered, []
        if not ties:
            return
        rows = np.concatenate([each.in_file for each in ties])
        order = np.argsort(rows)
        start = last_position if len(ties) == 1 else FilePosition()
        keys = self._read_keys(rows[order].tolist(), start)
        # Back to the order of the ties.
        given = [keys[place] for place in np.argsort(order).tolist()]
        for each in ties:
            own, given = given[: len(each.in_file)], given[len(each.in_file) :]
            ranking = each.members.by_key(own, highest_first=self._rule is TieRule.DOCUMENT)
            each.places[each.tied] = each.members.tie_positions(ranking)[each.judged]

    def _read_keys(self, rows: list[int], start: FilePosition) -> list[bytes] | list[int]:
        texts = read_rows(self._source, rows, start)
        if self._rule is TieRule.DOCUMENT:
            return [text.document for text in texts]
        pairs = zip(rows, texts, strict=True)
        return [_given_rank(self._source, row, text.rank) for row, text in pairs]


class _UnorderedTies(NamedTuple):
    """Ties of a part: the rows of their members in the file, and what is to be found out.

    `places` gets the positions of the judged hits `tied`, which are the members `judged`.
    """

    members: _Members
    in_file: NDArray[np.int64]
    judged: NDArray[np.int64]
    tied: NDArray[np.int64]
    places: NDArray[np.int64]


class _Members:
    """All rows that share query and score with one of the given rows, in the order of the file."""

    def __init__(
        self,
        table: RunTable,
        rows: NDArray[np.int64],
        query: NDArray[np.int64],
        shared: SharedRows | None,
    ) -> None:
        if shared is None:
            shared = find_shared_rows(table, rows, query, _tie_keys)
        row, group = shared.row, shared.group
        same = shared.query == query[shared.first][group]
        same &= table.score[row] == table.score[rows[shared.first]][group]
        order = np.flatnonzero(same)[np.argsort(row[same])]
        self.row, self.group, self._query = row[order], group[order], shared.query[order]

    def index_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the index of each row among the members."""
        return np.searchsorted(self.row, rows)

    def tie_positions(self, ranking: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return each member's position in its group, from 0, given the members group by group."""
        sizes = np.bincount(self.group)
        places = np.empty(len(self.row), dtype=np.int64)
        places[ranking] = np.arange(len(ranking)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return places

    def by_short_id(self, table: RunTable, query_keys: Keys) -> NDArray[np.int64]:
        """Order members by document ids of up to eight bytes, highest first, in each group."""
        keys = document_keys(table.pair[self.row], query_keys[self._query])
        # With the first byte as the highest, numbers have the order of the bytes.
        return np.lexsort((~keys.byteswap(), self.group))

    def by_key(
        self, keys: Sequence[bytes] | Sequence[int], *, highest_first: bool
    ) -> NDArray[np.int64]:
        """Order members by keys of theirs, in each group."""
        # Python's sort keeps the order of equals: by line, then by key, then by group.
        ranking = sorted(range(len(keys)), key=keys.__getitem__, reverse=highest_first)
        members = np.array(ranking, dtype=np.int64)
        return members[np.argsort(self.group[members], kind="stable")]


def _tie_keys(query: NDArray[np.integer], score: NDArray[np.float64]) -> Keys:
    # Adding 0 makes -0.0, which equals 0.0, the same bits.
    return pair_keys(query.astype(np.uint64), (score + 0.0).view(np.uint64))


def _given_rank(source: TextSource, row: int, text: bytes) -> int:
    if not text.removeprefix(b"-").isdigit():
        shown = text.decode()
        message = f"rank {shown!r} is not a whole number; the given order of ties needs it"
        raise row_error(source, row, message)
    return int(text)


class _Groups(NamedTuple):
    """Judged hits by tie group: their order, the first of each group, and its judged members."""

    order: NDArray[np.int64]
    first: NDArray[np.int64]
    judged: NDArray[np.int64]


def queries_with_mixed_ties(qrels: Qrels, hits: JudgedHits) -> NDArray[np.bool_]:
    """Mark the queries with ties of different grades; unjudged differs from any grade."""
    tied = hits.at(np.flatnonzero(hits.tied > 1))
    grade = qrels.grade[tied.judgment]
    order, first, judged = _group(qrels, tied, grade)
    highest, lowest = grade[order[first + judged - 1]], grade[order[first]]
    mixed = (lowest < highest) | (judged < tied.tied[order[first]])
    queries = np.zeros(len(qrels.queries), dtype=bool)
    queries[qrels.query[tied.judgment[order[first[mixed]]]]] = True
    return queries


def best_ranks(qrels: Qrels, hits: JudgedHits) -> NDArray[np.int64]:
    """Rank tied hits for the highest value of every measure."""
    order, first, judged = _group(qrels, hits, -qrels.grade[hits.judgment])
    within = np.arange(len(order)) - np.repeat(first, judged)
    return _ranks(hits, order, within)


def worst_ranks(qrels: Qrels, hits: JudgedHits) -> NDArray[np.int64]:
    """Rank tied hits for the lowest value of every measure."""
    order, first, judged = _group(qrels, hits, qrels.grade[hits.judgment])
    unjudged = hits.tied[order] - np.repeat(judged, judged)
    within = unjudged + np.arange(len(order)) - np.repeat(first, judged)
    return _ranks(hits, order, within)


def _group(qrels: Qrels, hits: JudgedHits, key: NDArray[np.int64]) -> _Groups:
    query = qrels.query[hits.judgment]
    order = np.lexsort((key, hits.above, query))
    starts = np.ones(len(order), dtype=bool)
    starts[1:] = (np.diff(query[order]) != 0) | (np.diff(hits.above[order]) != 0)
    first = np.flatnonzero(starts)
    return _Groups(order, first, np.diff(first, append=len(order)))


def _ranks(
    hits: JudgedHits, order: NDArray[np.int64], within: NDArray[np.int64]
) -> NDArray[np.int64]:
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = hits.above[order] + within + 1
    return ranks
