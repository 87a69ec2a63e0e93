"""Parses what a person typed into words, phrases, and words that must not occur.

Any text is a query. `"quoted words"` must occur as they stand, a word after a leading minus must
not occur, and every other character only separates words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.text import fold_name, is_identifier
from stacks.text.natural import NATURAL_LANGUAGES, find_words, unify

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["STOP_WORDS", "ParsedQuery", "parse_query", "quote"]

STOP_WORDS = NATURAL_LANGUAGES.get("en").stop_words
"""The stop words of English: left out if a query has other words."""

_MOST_TERMS = 32
"""More words than anybody means: a pasted page is searched by its first different words."""
_LONGEST_TERM = 100
"""How many characters of a word are used."""

_PIECE = re.compile(r'(-?)"([^"]*)(?:"|$)|(\S+)')


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A parsed query.

    - `terms` are scored: each is a tuple of words that stand next to each other.
    - `phrases` must occur, `excluded` must not.
    - `wanted` is the text without quotes and without what must not occur.
    - `name` is the whole query folded as names are.
    - `identifier` says whether it is an identifier of a programming language.
    """

    text: str
    terms: tuple[tuple[str, ...], ...]
    phrases: tuple[tuple[str, ...], ...]
    excluded: tuple[tuple[str, ...], ...]
    wanted: str
    name: str
    identifier: bool

    @property
    def words(self) -> tuple[str, ...]:
        """Every word of the terms, in order."""
        return tuple(word for term in self.terms for word in term)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not (self.terms or self.phrases)


def parse_query(text: str, stop_words: Collection[str] = STOP_WORDS) -> ParsedQuery:
    """Parse a query; stop words are left out if other words remain."""
    # Half of a character, which invalid bytes on a command line become, is no text.
    text = unify(text.replace("\0", " ").encode("utf-8", "replace").decode())
    terms: dict[tuple[str, ...], None] = {}
    phrases: dict[tuple[str, ...], None] = {}
    excluded: dict[tuple[str, ...], None] = {}
    wanted: list[str] = []
    for minus, quoted, bare in _PIECE.findall(text):
        if bare.startswith("-") and find_words(bare[1:2]):
            excluded[_words(bare)] = None
        elif bare:
            wanted.append(bare)
            # A hyphen joins words of a language; other characters join the parts of a name.
            terms.update(dict.fromkeys(map(_words, bare.split("-"))))
        else:
            (excluded if minus else phrases)[_words(quoted)] = None
            wanted += [] if minus else [quoted]
    for found in (terms, phrases, excluded):
        found.pop((), None)
    whole = text.strip()
    return ParsedQuery(
        text=text,
        terms=_without_stop_words(terms, phrases, stop_words)[:_MOST_TERMS],
        phrases=tuple(phrases)[:_MOST_TERMS],
        excluded=tuple(excluded)[:_MOST_TERMS],
        wanted=" ".join(wanted),
        name=fold_name(whole[: _LONGEST_TERM * 2]),
        identifier=len(whole) <= _LONGEST_TERM and is_identifier(whole),
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(word[:_LONGEST_TERM] for word in find_words(text))[:_MOST_TERMS]


def _without_stop_words(
    terms: dict[tuple[str, ...], None],
    phrases: dict[tuple[str, ...], None],
    stop_words: Collection[str],
) -> tuple[tuple[str, ...], ...]:
    """Leave stop words out; a query of nothing else keeps them: `Any` is a type of Swift."""
    kept = tuple(term for term in terms if len(term) > 1 or term[0].casefold() not in stop_words)
    return kept if kept or phrases else tuple(terms)


def quote(term: tuple[str, ...]) -> str:
    """Return words as one FTS5 string; inside quotes no character has a special meaning."""
    return '"' + " ".join(word.replace('"', "") for word in term) + '"'
