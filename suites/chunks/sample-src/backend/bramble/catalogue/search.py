"""Finding titles by words, also by words that were typed in a hurry."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from bramble.catalogue.titles import Title

_WORD = re.compile(r"\w+")
_FILLERS = frozenset("a an and in of on the to".split())


def fold(text: str) -> str:
    """Lower case, and letters without their marks: `Brontë` and `bronte` are the same."""
    split = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in split if not unicodedata.combining(sign))


def words_of(text: str) -> list[str]:
    return [word for word in _WORD.findall(fold(text)) if word not in _FILLERS]


def distance(left: str, right: str, limit: int = 2) -> int:
    """Number of letters to change, add or leave out, counted no further than `limit` + 1."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    row = list(range(len(right) + 1))
    for number, letter in enumerate(left, 1):
        previous, row[0] = row[0], number
        for place, other in enumerate(right, 1):
            cost = previous + (letter != other)
            previous, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]


@dataclass
class TitleIndex:
    """Words and the titles they occur in, kept in memory."""

    _postings: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    _lengths: dict[int, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._lengths)

    def put(self, title: Title) -> None:
        self.drop(title.id)
        words = words_of(title.name) * 3 + words_of(title.author) * 2
        words += [word for subject in title.subjects for word in words_of(subject)]
        for word in words:
            self._postings[word][title.id] += 1
        self._lengths[title.id] = len(words)

    def drop(self, number: int) -> None:
        if self._lengths.pop(number, None) is not None:
            for postings in self._postings.values():
                postings.pop(number, None)

    def find(self, typed: str, limit: int = 25) -> list[int]:
        """The best titles first; a word nobody has written is replaced by its nearest neighbour."""
        scores: Counter[int] = Counter()
        for word in words_of(typed):
            known = word if self._postings.get(word) else self._nearest(word)
            if known is None:
                continue
            postings = self._postings[known]
            rarity = math.log(1 + len(self) / len(postings))
            for number, count in postings.items():
                scores[number] += rarity * count / (count + 1.2)
        return sorted(scores, key=lambda number: (-scores[number], number))[:limit]

    def complete(self, beginning: str, limit: int = 8) -> list[str]:
        """Words for the drop-down below the search field."""
        start = fold(beginning)
        fitting = [
            word for word, found in self._postings.items() if word.startswith(start) and found
        ]
        return sorted(fitting, key=lambda word: (-sum(self._postings[word].values()), word))[:limit]

    def _nearest(self, word: str) -> str | None:
        allowed = 1 if len(word) < 6 else 2
        near = [
            (distance(word, known, allowed), known) for known, hit in self._postings.items() if hit
        ]
        best = min(near, default=None)
        return best[1] if best and best[0] <= allowed else None
