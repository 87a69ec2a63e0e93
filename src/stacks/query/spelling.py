"""Names near one that was misspelt."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import zip_longest
from typing import TYPE_CHECKING

from stacks.query.parsing import parse_query
from stacks.text import fold_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from stacks.query.database import Database

__all__ = ["ask_near", "suggest_names"]

MOST_NAMES = 20_000
"""How many names one call compares, whatever the size of the index."""
MOST_WORDS = 8
SHORTEST = 3
LONGEST = 80
OFF_BY = 2
"""How many letters a misspelt name may be longer or shorter."""
ALIKE = 0.75

_NAMES = """
SELECT DISTINCT name FROM doc_names
WHERE name >= ? AND name < ? AND length(name) BETWEEN ? AND ? LIMIT ?
"""
_TITLE = """
SELECT n.nearness, -m.prominence, m.uri, s.title FROM doc_names AS n
JOIN docs_metadata AS m ON m.id = n.doc_id JOIN docs_structured AS s ON s.id = m.id
WHERE n.name = ? ORDER BY 1, 2, 3 LIMIT 1
"""


def ask_near(name: str, known: Iterable[str], spell: Callable[[str], str] = str) -> str:
    """Ask whether a name that is near was meant; nothing where none is."""
    near = get_close_matches(name[:LONGEST], list(known), n=1)
    return f"did you mean {spell(near[0])}? " if near else ""


def suggest_names(databases: Sequence[Database], text: str, limit: int = 3) -> list[str]:
    """Name what is spelled nearly as the words of a text, the nearest of each word first.

    Only names with the same first letter and nearly the same length are compared.
    """
    query = parse_query(text)
    quoted = (word for phrase in query.phrases for word in phrase)
    given = (fold_name(word) for word in (query.name, *query.words, *quoted))
    words = [
        word
        for word in dict.fromkeys(given)
        if SHORTEST <= len(word) <= LONGEST and (word[0].isalnum() or word[0] == "_")
    ]
    found = []
    left = MOST_NAMES
    for word in words[:MOST_WORDS]:
        names = _names_like(databases, word, left)
        left -= len(names)
        if word not in names:
            found.append(get_close_matches(word, names, limit, ALIKE))
    # The nearest name of every word goes before the second nearest of any.
    in_turn = dict.fromkeys(name for names in zip_longest(*found) for name in names if name)
    spelled = dict.fromkeys(_spell(databases, name) for name in list(in_turn)[:limit])
    return list(spelled)


def _names_like(databases: Sequence[Database], word: str, most: int) -> list[str]:
    """The names that a word may have been meant for; the word itself is among them if it is one."""
    following = chr(min(ord(word[0]) + 1, 0x10FFFF))
    values = (word[0], following, len(word) - OFF_BY, len(word) + OFF_BY)
    names: dict[str, None] = {}
    for database in databases:
        rows = database.rows(_NAMES, (*values, max(0, most - len(names))))
        names.update(dict.fromkeys(name for (name,) in rows))
    return list(names)


def _spell(databases: Sequence[Database], name: str) -> str:
    """Write a folded name as the best page of that name does."""
    rows = [row for database in databases for row in database.rows(_TITLE, (name,))]
    title = str(min(rows)[3]) if rows else name
    base = title.split("(", 1)[0]
    for spelling in (title, base, base.rsplit(".", 1)[-1]):
        if fold_name(spelling) == name:
            return spelling
    return name
