"""Where the words that many documents have occur, in a form that numpy reads at once.

FTS5 takes a microsecond to score one document, a third of a second for a word that all of a large
index have. So each word of at least `LEAST_DOCUMENTS` documents, and of one in `ONE_IN` of all, has
its posting lists in `term_postings` as well, one for each column of the text index.

A list is the documents as places among all ids in order, each as its distance from the one before,
then how often each has the word, then one byte that says how wide both are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stacks.schema import SOURCE_SHIFT

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LEAST_DOCUMENTS", "ONE_IN", "PostingList", "TextLengths"]

LEAST_DOCUMENTS = 100
ONE_IN = 100
"""Of fewer documents FTS5 is fast enough, and the lists of all words would be a third of a file."""
_MOST_COUNTED = 65_535
"""A document that has a word more often than this scores the same to five digits."""
_WIDTHS = (("<u2", "u1"), ("<u4", "u1"), ("<u2", "<u2"), ("<u4", "<u2"))
"""The types of distances and of counts, by the last byte of a list."""


class PostingList(NamedTuple):
    """The documents that have a word in one column, by place, and how often each has it."""

    documents: NDArray[np.int64]
    counts: NDArray[np.int64]

    def pack(self) -> bytes:
        """Return the list as it is stored."""
        distances = np.diff(self.documents, prepend=0)
        counts = np.minimum(self.counts, _MOST_COUNTED)
        is_far, is_often = distances.max() > np.iinfo("u2").max, counts.max() > np.iinfo("u1").max
        widths = int(is_far) + 2 * int(is_often)
        wide, often = _WIDTHS[widths]
        return distances.astype(wide).tobytes() + counts.astype(often).tobytes() + bytes([widths])

    @classmethod
    def unpack(cls, stored: bytes) -> PostingList:
        """Read a list as `pack` wrote it; ValueError if it is none."""
        if not stored or stored[-1] >= len(_WIDTHS):
            raise ValueError("this is no posting list")
        wide, often = map(np.dtype, _WIDTHS[stored[-1]])
        length, rest = divmod(len(stored) - 1, wide.itemsize + often.itemsize)
        if rest or not length:
            raise ValueError("this is no posting list")
        distances = np.frombuffer(stored, wide, length)
        counts = np.frombuffer(stored, often, length, offset=length * wide.itemsize)
        return cls(np.cumsum(distances, dtype=np.int64), counts)

    def fits(self, documents: int) -> bool:
        """Return whether every place is one of so many documents."""
        return bool(self.documents[-1] < documents)


class TextLengths(NamedTuple):
    """The ids of all documents in order, how many words each has, and the mean of that."""

    ids: NDArray[np.int64]
    words: NDArray[np.float64]
    mean: float

    @classmethod
    def unpack(cls, ids: bytes, words: bytes, total: int) -> TextLengths:
        """Read what `text_lengths` stores; ValueError if it is something else."""
        numbers = np.frombuffer(ids, "<i8")
        lengths = np.frombuffer(words, "<u4").astype(np.float64)
        return cls(numbers, lengths, total / max(len(numbers), 1))

    def find_source(self, source: int) -> slice:
        """Return the places of the documents of a source."""
        bounds = (source << SOURCE_SHIFT, (source + 1) << SOURCE_SHIFT)
        low, high = np.searchsorted(self.ids, bounds)
        return slice(int(low), int(high))

    def find_places(self, numbers: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return the places of documents that are there; others are left out."""
        places = np.searchsorted(self.ids, numbers)
        is_there = np.zeros(len(places), dtype=np.bool_)
        inside = places < len(self.ids)
        is_there[inside] = self.ids[places[inside]] == numbers[inside]
        return places[is_there]
