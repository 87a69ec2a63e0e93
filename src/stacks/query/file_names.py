"""Files that a query names, the way a launcher's user expects: the name before its content.

Exact name, stem, beginning of the name, beginnings of its words, a stretch inside it, words of
its path: each kind of match stands above the next. A pattern with `*` or `?` names every file
that fits it.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from stacks.query.parsing import quote
from stacks.schema import SOURCE_SHIFT
from stacks.text import fold_words, split_identifier
from stacks.text.natural import fold

if TYPE_CHECKING:
    from stacks.query.lexical import LexicalSearch
    from stacks.query.questions import Question

__all__ = [
    "NAME_MATCHES",
    "WHOLE_NAME",
    "find_excluded_files",
    "find_file_names",
    "is_pattern",
    "match_name",
]

NAME_MATCHES = (
    "the name is the query",
    "the name without its ending is the query",
    "the name begins with the query",
    "words of the name begin with the query's",
    "the query is inside the name",
    "the query's words are in the path",
)
"""How a file can be named, the best first; a match is its place in here."""

MOST_FILES = 5_000
"""Looked at by name, the shortest names first."""

WHOLE_NAME = 1
"""The place in `NAME_MATCHES` up to which the query is the whole name."""

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
    """Find files by their names, each with its place in `NAME_MATCHES`."""
    if is_pattern(question.typed):
        return dict.fromkeys(_find_fitting(lexical, question.typed), 0)
    typed = _typed_name(question)
    words = fold_words(typed)
    if not words:
        return {}
    rows = _find_begun(lexical, words)
    if len(typed) >= _SHORTEST_TRIGRAM:
        rows |= _find(lexical, "names_fts", quote((typed,)))
    phrases = [fold_words(" ".join(phrase)) for phrase in question.query.phrases]
    found = {}
    for number, (name, folder) in rows.items():
        match = match_name(typed, name, folder)
        if match is not None and all(_runs(phrase, f"{folder} {name}") for phrase in phrases):
            found[number] = match
    return found


def find_excluded_files(lexical: LexicalSearch, question: Question) -> frozenset[int]:
    """Find files with an excluded word in their name or path: what they say does not count."""
    found: set[int] = set()
    for phrase in question.query.excluded:
        words = fold_words(" ".join(phrase))
        for number, (name, folder) in _find_begun(lexical, words, most=-1).items():
            if _begin_words(words, _all_words(name) + fold_words(folder)):
                found.add(number)
    return frozenset(found)


def _typed_name(question: Question) -> str:
    """What was typed, without quotes and without what must not occur."""
    if not (question.query.phrases or question.query.excluded):
        return " ".join(question.typed.casefold().split())
    pieces = [*question.query.phrases, *question.query.terms]
    return " ".join(word for piece in pieces for word in piece).casefold()


def _find_begun(
    lexical: LexicalSearch, words: tuple[str, ...], most: int = MOST_FILES
) -> dict[int, tuple[str, str]]:
    """Find files with words in their name or path that begin like some words."""
    if not words:
        return {}
    begun = " AND ".join(f"{quote((word,))} *" for word in words)
    return _find(lexical, "docs_fts", f"{{title summary symbol_components}} : ({begun})", most)


def _find(
    lexical: LexicalSearch, table: str, match: str, most: int = MOST_FILES
) -> dict[int, tuple[str, str]]:
    sql = _NAMES.format(table=table, chosen=_write_choice(lexical))
    rows = lexical.database.rows(sql, (match, *lexical.condition.values, most))
    return {number: (name, folder) for number, name, folder in rows}


def _find_fitting(lexical: LexicalSearch, pattern: str) -> list[int]:
    """Find the files whose names fit a pattern, or their paths; brackets mean themselves."""
    folded = fold(pattern.casefold().replace("[", "[[]"))
    whole = f"*/{folded}" if "/" in folded else ""
    sql = _EVERY_NAME.format(chosen=_write_choice(lexical))
    fitting = []
    for number, name, uri in lexical.database.rows(sql, lexical.condition.values):
        seen = fold((unquote(uri) if whole else name).casefold())
        if fnmatchcase(seen, whole or folded):
            fitting.append(number)
    return fitting[:MOST_FILES]


def is_pattern(text: str) -> bool:
    """Tell whether a query is a pattern for names: it asks for nothing else."""
    return bool(_PATTERN.fullmatch(text))


def _write_choice(lexical: LexicalSearch) -> str:
    """Write which documents may be found, as SQL about `docs_metadata AS m`."""
    sources = ", ".join(map(str, lexical.sources))
    chosen = f"m.kind = 'file' AND m.id >> {SOURCE_SHIFT} IN ({sources})"
    return f"{chosen} AND {lexical.condition.sql}" if lexical.condition else chosen


def match_name(typed: str, name: str, folder: str = "") -> int | None:
    """Say how a file is named by what was typed, as a place in `NAME_MATCHES`; None is not."""
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
    if _begin_words(wanted, words):
        return 3
    if typed in name:
        return 4
    return 5 if _begin_words(wanted, words + fold_words(folder)) else None


@lru_cache(maxsize=MOST_FILES)
def _all_words(name: str) -> tuple[str, ...]:
    """The words of a name, those that capitals divide among them."""
    return fold_words(name) + tuple(part.casefold() for part in split_identifier(name))


def _begin_words(wanted: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Tell whether every wanted word begins one of some words."""
    return bool(wanted) and all(any(word.startswith(each) for word in words) for each in wanted)


def _runs(phrase: tuple[str, ...], path: str) -> bool:
    """Tell whether the words of a phrase stand in a row in a path."""
    return f" {' '.join(phrase)} " in f" {' '.join(fold_words(path))} "
