"""Other words for those of a query: synonyms, what a misspelt word was meant to be, near names.

A question asks for a folder, and the documentation says directory: the table of synonyms is common
knowledge (`programming_synonyms.toml`), and the corpus decides how much of it counts. A synonym
weighs as much as the corpus prefers it to the word of the query; it counts in place of the word,
not beside it, so a document that has the word gains nothing (`find_synonyms`). Words that no
document has are corrected to words of the index (`correct_spelling`); if a query finds nothing,
names that are spelled nearly so are suggested (`suggest_names`). Only words with the same first
letter and nearly the same length are compared.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import TYPE_CHECKING

from cranfield_shared.settings_files import parse_toml
from stacks.guidance import Expansion
from stacks.query.query_parser import parse_query, quote
from stacks.storage import read_all
from stacks.text import fold, fold_name, stem_as_index, stem_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from stacks.query.lexical import LexicalSearch
    from stacks.query.question import Question
    from stacks.storage import Database

__all__ = ["ask_near", "correct_spelling", "find_synonyms", "suggest_names"]

_MOST_WORDS = 8
"""How many words of a query are looked at."""
_MOST_COMPARED = 20_000
"""How many words or names are compared, whatever the size of the index."""
_OFF_BY = 2
"""How many letters a misspelt word may be longer or shorter."""
_SIMILAR = 0.75
"""The least ratio of `difflib` at which a word is near another."""
_WORD_LENGTHS = 4, 40
"""The lengths of words that are corrected, from and to."""
_NAME_LENGTHS = 3, 80
"""The lengths of names that others are suggested for, from and to."""
_SHORTEST_PREFIX = 5
"""How many letters of a word must be right if its suffix is not."""

_LEAST_WEIGHT = 0.05
"""Synonyms of a lower weight change nothing."""

_WORDS = """
SELECT term, doc FROM temp.words
WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? LIMIT ?
"""
_NAMES = """
SELECT DISTINCT name FROM doc_names
WHERE name >= ? AND name < ? AND length(name) BETWEEN ? AND ? LIMIT ?
"""
_TITLE = """
SELECT n.nearness, -m.prominence, m.uri, s.title FROM doc_names AS n
JOIN docs_metadata AS m ON m.id = n.doc_id JOIN docs_structured AS s ON s.id = m.id
WHERE n.name = ? ORDER BY 1, 2, 3 LIMIT 1
"""


def find_synonyms(lexical: LexicalSearch, question: Question) -> tuple[Expansion, ...]:
    """Find what else a question in words is run with: the corpus's words for its own."""
    if not question.is_prose or not question.by_words:
        return ()
    words = tuple(dict.fromkeys(fold(word) for word in question.query.words))
    stems = stem_words(words)
    table = _read_table()
    found = []
    for word, stem in zip(words, stems, strict=True):
        for synonym in table.get(stem, ()):
            if stem_words((synonym,))[0] in stems:
                continue
            used, preferred = (lexical.frequency(quote((each,))) for each in (word, synonym))
            weight = preferred / (used + preferred) if preferred else 0.0
            if weight >= _LEAST_WEIGHT:
                found.append(Expansion(synonym, round(weight, 3), word, instead=True))
    return tuple(found)


@cache
def _read_table() -> Mapping[str, tuple[str, ...]]:
    """Read the synonyms of each word, by its stem."""
    text = files("stacks.query").joinpath("programming_synonyms.toml").read_text("utf-8")
    return {stem_words((word,))[0]: tuple(others) for word, others in parse_toml(text).items()}


def correct_spelling(lexical: LexicalSearch, question: Question) -> tuple[Expansion, ...]:
    """Find what words that no document has were perhaps meant to be, as stems of the index."""
    shortest, longest = _WORD_LENGTHS
    found = []
    for word in dict.fromkeys(question.query.words[:_MOST_WORDS]):
        if not (shortest <= len(word) <= longest and word.isalpha()):
            continue
        if not lexical.frequency(question.write(word)):
            meant = _find_nearest(lexical, stem_as_index(fold(word)))
            because = f"{word}, which no document has"
            found += [Expansion(meant, 1.0, because)] if meant else []
    return tuple(found)


def _find_nearest(lexical: LexicalSearch, stem: str) -> str:
    """Return the word of the index that is nearest to a stem, if any is near."""
    rows = dict(lexical.database.rows(_WORDS, (*_bounds(stem), _MOST_COMPARED)))
    # A stem that is stemmed again when it is looked for finds nothing.
    counts: dict[str, int] = {
        term: count
        for (term, count), again in zip(rows.items(), stem_words(list(rows)), strict=True)
        if again == term
    }
    near = get_close_matches(stem, counts, 3, _SIMILAR)
    if not near:
        return _find_prefix(lexical, stem)
    # They come the nearest first; of the three, one that hardly occurs is a slip itself.
    return max(near, key=lambda term: (counts[term] > 1, -near.index(term)))


def _find_prefix(lexical: LexicalSearch, stem: str) -> str:
    """Return the longest word of the index that a stem begins with: its suffix is misspelt."""
    for length in range(len(stem) - 1, _SHORTEST_PREFIX - 1, -1):
        prefix = stem[:length]
        if lexical.frequency(quote((prefix,))) and stem_as_index(prefix) == prefix:
            return prefix
    return ""


def _bounds(word: str) -> tuple[str, str, int, int]:
    """Return the bounds of words that are compared with one: first letters, and lengths."""
    following = chr(min(ord(word[0]) + 1, 0x10FFFF))
    return word[0], following, len(word) - _OFF_BY, len(word) + _OFF_BY


def ask_near(name: str, known: Iterable[str], spell: Callable[[str], str] = str) -> str:
    """Ask whether a near name was meant; empty if none is near."""
    near = get_close_matches(name[: _NAME_LENGTHS[1]], list(known), n=1)
    return f"did you mean {spell(near[0])}? " if near else ""


def suggest_names(databases: Sequence[Database], text: str, limit: int = 3) -> list[str]:
    """Return names that are spelled nearly as the words of a text, the nearest of each first."""
    shortest, longest = _NAME_LENGTHS
    query = parse_query(text)
    quoted = (word for phrase in query.phrases for word in phrase)
    given = (fold_name(word) for word in (query.name, *query.words, *quoted))
    words = [
        word
        for word in dict.fromkeys(given)
        if shortest <= len(word) <= longest and (word[0].isalnum() or word[0] == "_")
    ]
    found = []
    left = _MOST_COMPARED
    for word in words[:_MOST_WORDS]:
        names = _read_names(databases, word, left)
        left -= len(names)
        if word not in names:
            found.append(get_close_matches(word, names, limit, _SIMILAR))
    # The nearest name of every word goes before the second nearest of any.
    in_turn = dict.fromkeys(name for names in zip_longest(*found) for name in names if name)
    spelled = dict.fromkeys(_spell(databases, name) for name in list(in_turn)[:limit])
    return list(spelled)


def _read_names(databases: Sequence[Database], word: str, most: int) -> list[str]:
    """Read the names that are compared with a word; the word is among them if it is a name."""
    names: dict[str, None] = {}
    for database in databases:
        rows = database.rows(_NAMES, (*_bounds(word), max(0, most - len(names))))
        names.update(dict.fromkeys(name for (name,) in rows))
    return list(names)


def _spell(databases: Sequence[Database], name: str) -> str:
    """Write a folded name as the best page of that name does."""
    rows = read_all(databases, _TITLE, (name,))
    title = str(min(rows)[3]) if rows else name
    base = title.split("(", 1)[0]
    for spelling in (title, base, base.rsplit(".", 1)[-1]):
        if fold_name(spelling) == name:
            return spelling
    return name
