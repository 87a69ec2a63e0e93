"""Files named by a query, as the user of a launcher expects: names before content.

Exact name, stem, prefix of the name, prefixes of its words, a substring, words of the path: each
kind of match comes before the next. A pattern with `*` or `?` names every file that it matches, and
is read as words if it matches none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from stacks.query.query_parser import parse_query, quote
from stacks.schema import SOURCE_SHIFT
from stacks.text import fold_words, split_identifier
from stacks.text.natural import fold

if TYPE_CHECKING:
    from stacks.query.lexical import LexicalSearch
    from stacks.query.question import Question

__all__ = [
    "NAME_MATCHES",
    "find_excluded_files",
    "find_file_names",
    "is_pattern",
    "match_name",
    "read_as_words",
]

NAME_MATCHES = (
    "the name is the query",
    "the name without its extension is the query",
    "the name begins with the query",
    "words of the name begin with the query's",
    "the query is inside the name",
    "the query's words are in the path",
)
"""How a query can name a file, the best first; a file's `title_match` is its index in here."""

_MOST_FILES = 5_000
"""How many files are compared by name, the shortest names first."""
_WILDCARDS = re.compile(r"[*?]+")
_PATTERN = re.compile(r"\S*[*?]\S*")
_SHORTEST_TRIGRAM = 3
_NAMES = """
SELECT m.id, s.title, s.abstract FROM {table}
JOIN docs_metadata AS m ON m.id = {table}.rowid JOIN docs_structured AS s ON s.id = m.id
WHERE {table} MATCH ? AND {chosen} ORDER BY length(s.title), m.uri LIMIT ?
"""
_EVERY_NAME = """
SELECT m.id, s.title, m.uri FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
WHERE {chosen} ORDER BY m.uri
"""


def find_file_names(lexical: LexicalSearch, question: Question) -> dict[int, int]:
    """Find files by their names, each with its index in `NAME_MATCHES`."""
    if is_pattern(question.typed):
        return dict.fromkeys(_find_matching(lexical, question.typed), 0)
    typed = _typed_name(question)
    words = fold_words(typed)
    if not words:
        return {}
    rows = _find_prefixes(lexical, words)
    if len(typed) >= _SHORTEST_TRIGRAM:
        rows |= _find(lexical, "names_fts", quote((typed,)))
    phrases = [fold_words(" ".join(phrase)) for phrase in question.query.phrases]
    found = {}
    for number, (name, folder) in rows.items():
        match = match_name(typed, name, folder)
        path = f" {' '.join(fold_words(f'{folder} {name}'))} "
        if match is not None and all(f" {' '.join(phrase)} " in path for phrase in phrases):
            found[number] = match
    return found


def find_excluded_files(lexical: LexicalSearch, question: Question) -> frozenset[int]:
    """Find files with an excluded word in their name or path; their content does not matter."""
    found: set[int] = set()
    for phrase in question.query.excluded:
        words = fold_words(" ".join(phrase))
        for number, (name, folder) in _find_prefixes(lexical, words, most=-1).items():
            if _are_prefixes(words, _all_words(name) + fold_words(folder)):
                found.add(number)
    return frozenset(found)


def _typed_name(question: Question) -> str:
    """Return what was typed, without quotes and without what must not occur."""
    if not (question.query.phrases or question.query.excluded):
        return " ".join(question.typed.casefold().split())
    pieces = [*question.query.phrases, *question.query.terms]
    return " ".join(word for piece in pieces for word in piece).casefold()


def _find_prefixes(
    lexical: LexicalSearch, words: tuple[str, ...], most: int = _MOST_FILES
) -> dict[int, tuple[str, str]]:
    """Find files that have, for each word, a word in name or path that begins with it."""
    if not words:
        return {}
    prefixes = " AND ".join(f"{quote((word,))} *" for word in words)
    return _find(lexical, "docs_fts", f"{{title summary symbol_components}} : ({prefixes})", most)


def _find(
    lexical: LexicalSearch, table: str, match: str, most: int = _MOST_FILES
) -> dict[int, tuple[str, str]]:
    sql = _NAMES.format(table=table, chosen=_write_choice(lexical))
    rows = lexical.database.rows(sql, (match, *lexical.condition.values, most))
    return {number: (name, folder) for number, name, folder in rows}


def _find_matching(lexical: LexicalSearch, pattern: str) -> list[int]:
    """Find the files whose names, or paths, match a pattern; brackets mean themselves."""
    folded = fold(pattern.casefold().replace("[", "[[]"))
    whole = f"*/{folded}" if "/" in folded else ""
    sql = _EVERY_NAME.format(chosen=_write_choice(lexical))
    matching = []
    for number, name, uri in lexical.database.rows(sql, lexical.condition.values):
        seen = fold((unquote(uri) if whole else name).casefold())
        if fnmatchcase(seen, whole or folded):
            matching.append(number)
    return matching[:_MOST_FILES]


def read_as_words(question: Question) -> Question:
    """Return a pattern that no name matches as the words in it: `itinerary???` asks for one."""
    words = parse_query(_WILDCARDS.sub(" ", question.query.text))
    return replace(question, query=words, by_words=True, by_names_alone=False)


def is_pattern(text: str) -> bool:
    """Return whether a query is a pattern for names and nothing else."""
    return bool(_PATTERN.fullmatch(text))


def _write_choice(lexical: LexicalSearch) -> str:
    """Return which documents may be found, as SQL about `docs_metadata AS m`."""
    sources = ", ".join(map(str, lexical.sources))
    chosen = f"m.kind = 'file' AND m.id >> {SOURCE_SHIFT} IN ({sources})"
    return f"{chosen} AND {lexical.condition.sql}" if lexical.condition else chosen


def match_name(typed: str, name: str, folder: str = "") -> int | None:
    """Return how a query names a file, as an index in `NAME_MATCHES`; None if it does not."""
    words = _all_words(name)
    name = name.casefold()
    stem = name.rpartition(".")[0] or name
    if typed == name:
        return 0
    if typed in (stem, stem.lstrip("."), name.lstrip(".")):
        return 1
    wanted = fold_words(typed)
    if name.startswith(typed) or " ".join(fold_words(name)).startswith(" ".join(wanted)):
        return 2
    if _are_prefixes(wanted, words):
        return 3
    if typed in name:
        return 4
    return 5 if _are_prefixes(wanted, words + fold_words(folder)) else None


@lru_cache(maxsize=_MOST_FILES)
def _all_words(name: str) -> tuple[str, ...]:
    """Return the words of a name, also those that capitals divide."""
    return fold_words(name) + tuple(part.casefold() for part in split_identifier(name))


def _are_prefixes(wanted: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Return whether every wanted word begins one of some words."""
    return bool(wanted) and all(any(word.startswith(each) for word in words) for each in wanted)
