"""Files that a query names, the way a launcher's user expects: the name before its content.

Exact name, stem, beginning of the name, beginnings of its words, a stretch inside it, words of
its path: each kind of match stands above the next. A pattern with `*` or `?` names every file
that fits it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stacks.query.parsing import quote
from stacks.schema import SOURCE_SHIFT
from stacks.text import fold_words, split_identifier

if TYPE_CHECKING:
    from stacks.query.lexical import LexicalSearch
    from stacks.query.questions import Question

__all__ = ["NAME_MATCHES", "find_file_names", "match_name"]

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

_PATTERN = re.compile(r"\S*[*?]\S*")
_SHORTEST_TRIGRAM = 3
_NAMES = f"""
SELECT m.id, s.title, s.abstract FROM {{table}}
JOIN docs_metadata AS m ON m.id = {{table}}.rowid JOIN docs_structured AS s ON s.id = m.id
WHERE {{table}} MATCH ? AND m.kind = 'file' AND {{condition}}
AND m.id >> {SOURCE_SHIFT} IN ({{sources}})
ORDER BY length(s.title), m.uri LIMIT {MOST_FILES}
"""  # noqa: S608 - our names
_FITTING = f"""
SELECT m.id FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
WHERE m.kind = 'file' AND lower(s.title) GLOB ? AND {{condition}}
AND m.id >> {SOURCE_SHIFT} IN ({{sources}}) LIMIT {MOST_FILES}
"""  # noqa: S608 - our names


def find_file_names(lexical: LexicalSearch, question: Question) -> dict[int, int]:
    """Find files by their names, each with its place in `NAME_MATCHES`."""
    typed = _typed_name(question)
    if _PATTERN.fullmatch(question.typed):
        return dict.fromkeys(_find_fitting(lexical, question.typed), 0)
    words = fold_words(typed)
    if not words:
        return {}
    begun = " AND ".join(f"{quote((word,))} *" for word in words)
    rows = _find(lexical, "docs_fts", f"{{title summary symbol_components}} : ({begun})")
    if len(typed) >= _SHORTEST_TRIGRAM:
        rows += _find(lexical, "names_fts", quote((typed,)))
    excluded = [fold_words(" ".join(phrase)) for phrase in question.query.excluded]
    found = {}
    for number, name, folder in rows:
        match = match_name(typed, name, folder)
        if match is not None and not _has_any(excluded, f"{folder}/{name}"):
            found[number] = match
    return found


def _typed_name(question: Question) -> str:
    """What was typed, without quotes and without what must not occur."""
    if not (question.query.phrases or question.query.excluded):
        return " ".join(question.typed.casefold().split())
    pieces = [*question.query.phrases, *question.query.terms]
    return " ".join(word for piece in pieces for word in piece).casefold()


def _find(lexical: LexicalSearch, table: str, match: str) -> list[tuple[int, str, str]]:
    sql = _NAMES.format(
        table=table,
        condition=lexical.condition.sql or "1",
        sources=", ".join(map(str, lexical.sources)),
    )
    return [tuple(row) for row in lexical.database.rows(sql, (match, *lexical.condition.values))]


def _find_fitting(lexical: LexicalSearch, pattern: str) -> list[int]:
    sql = _FITTING.format(
        condition=lexical.condition.sql or "1", sources=", ".join(map(str, lexical.sources))
    )
    values = (pattern.lower().replace("[", "[[]"), *lexical.condition.values)
    return [number for (number,) in lexical.database.rows(sql, values)]


def match_name(typed: str, name: str, folder: str = "") -> int | None:
    """Say how a file is named by what was typed, as a place in `NAME_MATCHES`; None is not."""
    parts = tuple(part.casefold() for part in split_identifier(name))
    name = name.casefold()
    stem = name.rpartition(".")[0] or name
    if typed == name:
        return 0
    if typed in (stem, stem.lstrip("."), name.lstrip(".")):
        return 1
    wanted, words = fold_words(typed), fold_words(name)
    if name.startswith(typed) or " ".join(words).startswith(" ".join(wanted)):
        return 2
    words += parts
    if _begin_words(wanted, words):
        return 3
    if typed in name:
        return 4
    return 5 if _begin_words(wanted, words + fold_words(folder)) else None


def _begin_words(wanted: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Tell whether every wanted word begins one of some words."""
    return bool(wanted) and all(any(word.startswith(each) for word in words) for each in wanted)


def _has_any(phrases: list[tuple[str, ...]], path: str) -> bool:
    """Tell whether one of some phrases is in a path, by the beginnings of its words."""
    words = (*fold_words(path), *(part.casefold() for part in split_identifier(path)))
    return any(_begin_words(phrase, words) for phrase in phrases)
