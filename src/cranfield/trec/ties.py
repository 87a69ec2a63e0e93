"""The order of hits with equal scores: by document id as trec_eval, or as the file gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.model import TieRule
from cranfield.trec.keys import document_keys, pair_keys
from cranfield.trec.ranking import JudgedHits, stand
from cranfield.trec.runs import read_ties, row_error
from cranfield.trec.sharing import rows_sharing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.blocks import TextSource
    from cranfield.trec.keys import Keys
    from cranfield.trec.qrels import Qrels
    from cranfield.trec.run_tables import RunTable
    from cranfield.trec.sharing import Sharing

__all__ = ["rank_judged"]


def rank_judged(table: RunTable, qrels: Qrels, source: TextSource, rule: TieRule) -> JudgedHits:
    """Find the place of each judged row of a run."""
    number = qrels.query[table.judgment]
    standing = stand(table, number)
    place = np.zeros(len(number), dtype=np.int64)
    tied = np.flatnonzero(standing.tied > 1)
    if len(tied):
        members = _Members(table, table.judged_row[tied], number[tied], standing.sharing)
        if rule is TieRule.DOCUMENT and table.short_ids:
            ranking = members.by_short_id(table, qrels.query_keys)
        else:
            ranking = members.by_text(source, rule)
        place[tied] = members.places(ranking)[members.index_of(table.judged_row[tied])]
    return JudgedHits(table.judgment, standing.above, standing.tied, place)


class _Members:
    """All rows that share query and score with one of the given rows, in the order of the file."""

    def __init__(
        self,
        table: RunTable,
        rows: NDArray[np.int64],
        number: NDArray[np.int64],
        shared: Sharing | None,
    ) -> None:
        if shared is None:
            shared = rows_sharing(table, rows, number, _tie_keys)
        row, group = shared.row, shared.group
        same = shared.number == number[shared.first][group]
        same &= table.score[row] == table.score[rows[shared.first]][group]
        order = np.flatnonzero(same)[np.argsort(row[same])]
        self.row, self.group, self._number = row[order], group[order], shared.number[order]

    def index_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where each row stands among the members."""
        return np.searchsorted(self.row, rows)

    def places(self, ranking: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return each member's place in its group, from 0, given the members group by group."""
        sizes = np.bincount(self.group)
        places = np.empty(len(self.row), dtype=np.int64)
        places[ranking] = np.arange(len(ranking)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return places

    def by_short_id(self, table: RunTable, query_keys: Keys) -> NDArray[np.int64]:
        """Order members by document ids of up to eight bytes, highest first, in each group."""
        keys = document_keys(table.pair[self.row], query_keys[self._number])
        # With the first byte as the highest, numbers have the order of the bytes.
        return np.lexsort((~keys.byteswap(), self.group))

    def by_text(self, source: TextSource, rule: TieRule) -> NDArray[np.int64]:
        """Order members by what their lines say, in each group."""
        texts = read_ties(source, self.row.tolist())
        keys: list[bytes] | list[int]
        if rule is TieRule.GIVEN:
            ranks = [rank for _, rank in texts]
            keys = [
                _given_rank(source, *each) for each in zip(self.row.tolist(), ranks, strict=True)
            ]
        else:
            keys = [document for document, _ in texts]
        # Python's sort keeps the order of equals: by line, then by key, then by group.
        ranking = sorted(range(len(keys)), key=keys.__getitem__, reverse=rule is TieRule.DOCUMENT)
        members = np.array(ranking, dtype=np.int64)
        return members[np.argsort(self.group[members], kind="stable")]


def _tie_keys(number: NDArray[np.integer], score: NDArray[np.float64]) -> Keys:
    # Adding 0 makes -0.0, which equals 0.0, the same bits.
    return pair_keys(number.astype(np.uint64), (score + 0.0).view(np.uint64))


def _given_rank(source: TextSource, row: int, text: bytes) -> int:
    if not text.removeprefix(b"-").isdigit():
        shown = text.decode()
        message = f"rank {shown!r} is not a whole number; the given order of ties needs it"
        raise row_error(source, row, message)
    return int(text)
