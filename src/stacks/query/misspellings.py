"""Words of a query that no document has, and the words of the index that were perhaps meant."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from stacks.guidance import Expansion
from stacks.query.parsing import quote
from stacks.text.natural import fold, stem_as_index, stem_words

if TYPE_CHECKING:
    from stacks.query.lexical import LexicalSearch
    from stacks.query.questions import Question

__all__ = ["find_meant"]

MOST_WORDS = 8
MOST_TERMS = 20_000
"""Compared for one word, whatever the size of the index."""
SHORTEST, LONGEST = 4, 40
OFF_BY = 2
"""How many letters a misspelt word may be longer or shorter."""
ALIKE = 0.75
SHORTEST_BEGINNING = 5
"""Letters of a word that must be right where its ending is not."""
WEIGHT = 0.7
"""What a word that was perhaps meant counts for."""

_TERMS = """
SELECT term, doc FROM temp.words
WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? LIMIT ?
"""


def find_meant(lexical: LexicalSearch, question: Question) -> tuple[Expansion, ...]:
    """Find what words that no document has were perhaps meant to be.

    Only words with the same first letter and nearly the same length are compared, as the index
    keeps them: by their stems.
    """
    found = []
    for word in dict.fromkeys(question.query.words[:MOST_WORDS]):
        if not (SHORTEST <= len(word) <= LONGEST and word.isalpha()):
            continue
        if not lexical.frequency(question.write(word)):
            meant = _find_nearest(lexical, stem_as_index(fold(word)))
            found += [Expansion(meant, WEIGHT, f"{word}, which no document has")] if meant else []
    return tuple(found)


def _find_nearest(lexical: LexicalSearch, stem: str) -> str:
    """Return the word of the index that is nearest to a stem, if any is near."""
    following = chr(min(ord(stem[0]) + 1, 0x10FFFF))
    values = (stem[0], following, len(stem) - OFF_BY, len(stem) + OFF_BY, MOST_TERMS)
    # A stem that would be cut again when it is looked for finds nothing.
    rows = dict(lexical.database.rows(_TERMS, values))
    counts: dict[str, int] = {
        term: count
        for (term, count), again in zip(rows.items(), stem_words(list(rows)), strict=True)
        if again == term
    }
    near = get_close_matches(stem, counts, 3, ALIKE)
    if not near:
        return _find_beginning(lexical, stem)
    # They come the nearest first; of the three, one that hardly occurs is a slip itself.
    return max(near, key=lambda term: (counts[term] > 1, -near.index(term)))


def _find_beginning(lexical: LexicalSearch, stem: str) -> str:
    """Return the longest word of the index that a stem begins with: its ending is misspelt."""
    for length in range(len(stem) - 1, SHORTEST_BEGINNING - 1, -1):
        begun = stem[:length]
        if lexical.frequency(quote((begun,))) and stem_as_index(begun) == begun:
            return begun
    return ""
