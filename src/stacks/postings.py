"""Where the words that many documents have occur, in a form that numpy reads at once.

FTS5 takes a microsecond to score one document, a fifth of a second for a word that all of a large
index have. So each word of at least `LEAST_DOCUMENTS` documents has its posting lists in
`term_postings` as well, one for each column of the text index. A list is the documents as places
among all ids in order (four bytes each), then how often each has the word (two bytes each). The
lengths of documents are those that FTS5 normalises by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stacks.schema import SOURCE_SHIFT

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LEAST_DOCUMENTS", "PostingList", "TextLengths"]

LEAST_DOCUMENTS = 100
"""Of fewer documents FTS5 is as fast."""
_BYTES = 6
"""Of one document in a posting list."""
_MOST_COUNTED = 65_535
"""A document that has a word more often than this scores the same to five digits."""


class PostingList(NamedTuple):
    """The documents that have a word in one column, by place, and how often each has it."""

    documents: NDArray[np.uint32]
    counts: NDArray[np.uint16]

    @classmethod
    def make(cls, documents: NDArray[np.int64], counts: NDArray[np.int64]) -> PostingList:
        """Make a list of places and counts of any size."""
        most = np.minimum(counts, _MOST_COUNTED)
        return cls(documents.astype("<u4"), most.astype("<u2"))

    def pack(self) -> bytes:
        """Return the list as it is stored."""
        return self.documents.tobytes() + self.counts.tobytes()

    @classmethod
    def unpack(cls, stored: bytes) -> PostingList:
        """Read a list as `pack` wrote it; ValueError if it is none."""
        length, rest = divmod(len(stored), _BYTES)
        if rest:
            raise ValueError("this is no posting list")
        places = np.frombuffer(stored, "<u4", length)
        return cls(places, np.frombuffer(stored, "<u2", length, offset=4 * length))

    def fits(self, documents: int) -> bool:
        """Return whether every place is one of so many documents."""
        return not len(self.documents) or bool(self.documents.max() < documents)


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
