"""Documents whose title has the query inside it, from the beginning of one part to the end of one.

`CollectionView` is a run of the parts of `UICollectionViewLayout`, and so are the words of
*graphics image renderer* in `UIGraphicsImageRenderer`. The text index knows parts, not their
order, so it gives titles to look at.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from stacks.query.choosing import choose_best
from stacks.query.parsing import quote
from stacks.query.wordings import MOST_WORDS
from stacks.text import split_identifier

if TYPE_CHECKING:
    from stacks.query.lexical import LexicalSearch
    from stacks.query.questions import Question

__all__ = ["MOST_HOLDERS", "find_runs", "has_run", "read_titles"]

MOST_HOLDERS = 2_000
PREFIX = 2
"""Letters that say whose a name is, before an acronym of its own: NS of `NSURLSession`."""

# Not what stands before a dot: a page is not called what it belongs to.
_NAME = re.compile(r"\w+\b(?!\.\w)")
# Between a small letter or digit and a capital, before the last capital of an acronym that a
# word follows, and at underscores.
_BORDER = re.compile(r"_+|(?<=[^\W_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][^\W\d_A-Z])")

_TITLES = """
SELECT s.id, s.title FROM json_each(?) AS wanted JOIN docs_structured AS s ON s.id = wanted.value
"""


def find_runs(lexical: LexicalSearch, question: Question) -> list[int]:
    """Find documents with the several parts or words of a query as a run of their title."""
    words = question.query.words
    if not words or len(words) > MOST_WORDS or "components" in question.without:
        return []
    is_one = len(words) == 1
    parts = split_identifier(words[0]) if is_one else words
    # A word that was left out would stand between the others.
    if len(parts) < 2 or len(question.query.name.split()) != len(words):
        return []
    wanted = "".join(words).casefold().replace("_", "")
    # An acronym is one with a prefix before it: URL is no part of `NSURLSession`.
    telling = parts[1:] if parts[0].isupper() else parts
    titles = read_titles(lexical, f"({' AND '.join(quote((part,)) for part in telling)})")
    return [
        number
        for number, title in titles
        # Words of a sentence are in a row by chance; the parts of a name are not.
        if (is_one or " " not in title) and has_run(title, wanted)
    ]


def read_titles(lexical: LexicalSearch, term: str) -> list[tuple[int, str]]:
    """Read the titles of the best documents with a term where it says what they are about."""
    numbers = lexical.find_telling(term, MOST_HOLDERS + 1)
    if len(numbers) > MOST_HOLDERS:
        numbers = choose_best(lexical.database, lexical.match_telling(term), MOST_HOLDERS)
    return list(lexical.database.rows(_TITLES, (json.dumps(numbers),)))


@lru_cache(maxsize=65536)
def _find_borders(name: str) -> frozenset[int]:
    """Where the parts of a name begin and end, underscores not counted."""
    parts = [part for part in _BORDER.split(name) if part]
    ends = [0, *accumulate(map(len, parts))]
    inner = [
        begin + PREFIX
        for begin, part in zip(ends, parts, strict=False)
        if part.isupper() and len(part) >= 2 * PREFIX
    ]
    return frozenset((*ends, *inner))


def has_run(title: str, wanted: str) -> bool:
    """Tell whether one of a title's names has a folded text as a run of its parts."""
    return any(_has_run(name, wanted) for name in _NAME.findall(title))


def _has_run(name: str, wanted: str) -> bool:
    plain = name.casefold().replace("_", "")
    place = plain.find(wanted)
    # Some letters are longer when folded: borders would not be where they seem.
    if place < 0 or len(plain) != len(name.replace("_", "")):
        return False
    borders = _find_borders(name)
    while place >= 0:
        if place in borders and place + len(wanted) in borders:
            return True
        place = plain.find(wanted, place + 1)
    return False
