"""Parses what a person typed into words, phrases, and words that must not occur.

Any text is a query. `"quoted words"` must occur as they stand, a word after a leading minus must
not occur, and every other character only separates words. These demands hold for a short query that
a person typed. In long or pasted text a quote quotes somebody and a minus is a dash: there they are
words like any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from stacks.text import NATURAL_LANGUAGES, find_words, fold_name, is_identifier, unify

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

__all__ = ["STOP_WORDS", "Demands", "ParsedQuery", "parse_query", "quote", "relax_demands"]

STOP_WORDS = NATURAL_LANGUAGES.get("en").stop_words
"""The stop words of English: left out if a query has other words."""

_MOST_TERMS = 128
"""A report of a page fits; a longer text is searched by its first different words."""
_LONGEST_TERM = 100
"""How many characters of a word are used."""
_MOST_TYPED = 12
"""A text of more words than this, those in closed quotes not counted, was not typed as a query."""

_QUOTED = re.compile(r'"[^"]*"')
_PIECE = re.compile(r'(-?)"([^"]*)(?:"|$)|(\S+)')


class Demands(IntEnum):
    """Which demands of a query hold: none, what must not occur, or what must occur as well."""

    NONE = 0
    EXCLUSIONS = 1
    ALL = 2


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A parsed query.

    - `terms` are scored: each is a tuple of words that stand next to each other.
    - `phrases` must occur, `excluded` must not.
    - `wanted` is the text without quotes and without what must not occur.
    - `name` is what is wanted, folded as names are.
    - `identifier` says whether it is an identifier of a programming language.
    - `demands` says which demands hold; `is_pasted` that it has some, but is not a typed query.
    """

    text: str
    terms: tuple[tuple[str, ...], ...]
    phrases: tuple[tuple[str, ...], ...]
    excluded: tuple[tuple[str, ...], ...]
    wanted: str
    name: str
    identifier: bool
    demands: Demands = Demands.ALL
    is_pasted: bool = False

    @property
    def demanded(self) -> tuple[str, ...]:
        """What must occur, and what must not, as it was typed."""
        return (*map(quote, self.phrases), *(f"-{_write_excluded(each)}" for each in self.excluded))

    @property
    def words(self) -> tuple[str, ...]:
        """Every word of the terms, in order."""
        return tuple(word for term in self.terms for word in term)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not (self.terms or self.phrases)


def parse_query(
    text: str, stop_words: Collection[str] = STOP_WORDS, demands: Demands = Demands.ALL
) -> ParsedQuery:
    """Parse a query; stop words are left out if other words remain."""
    # Half of a character, which invalid bytes on a command line become, is not text.
    text = unify(text.replace("\0", " ").encode("utf-8", "replace").decode())
    whole = text.strip()
    is_typed = "\n" not in whole and len(_QUOTED.sub(" ", whole).split()) <= _MOST_TYPED
    held = demands if is_typed else Demands.NONE
    pieces = _read_pieces(text, held)
    terms, phrases, excluded = (tuple(dict.fromkeys(filter(None, each))) for each in pieces[:3])
    wanted = " ".join(pieces.wanted)
    is_pasted = not is_typed and any(_read_pieces(text, Demands.ALL)[1:3])
    return ParsedQuery(
        text=text,
        terms=_without_stop_words(terms, phrases, stop_words)[:_MOST_TERMS],
        phrases=phrases[:_MOST_TERMS],
        excluded=excluded[:_MOST_TERMS],
        wanted=wanted,
        name=fold_name(wanted[: _LONGEST_TERM * 2]),
        identifier=len(whole) <= _LONGEST_TERM and is_identifier(whole),
        demands=held,
        is_pasted=is_pasted,
    )


class _Pieces(NamedTuple):
    """The terms, phrases and exclusions of a text, in order, and the text that is wanted."""

    terms: list[tuple[str, ...]]
    phrases: list[tuple[str, ...]]
    excluded: list[tuple[str, ...]]
    wanted: list[str]


def _read_pieces(text: str, demands: Demands) -> _Pieces:
    """Read a text piece by piece; what is not demanded is words."""
    pieces = _Pieces([], [], [], [])
    for minus, quoted, bare in _PIECE.findall(text):
        is_excluded = minus or (bare.startswith("-") and find_words(bare[1:2]))
        if is_excluded and demands >= Demands.EXCLUSIONS:
            pieces.excluded.append(_words(bare or quoted))
        elif bare or demands < Demands.ALL:
            pieces.wanted.append(bare or quoted)
            # A hyphen joins words of a language; other characters join the parts of a name.
            joined = bare.split("-") if bare else quoted.split()
            pieces.terms.extend(map(_words, joined))
        else:
            pieces.phrases.append(_words(quoted))
            pieces.wanted.append(quoted)
    return pieces


def relax_demands(query: ParsedQuery) -> Iterator[ParsedQuery]:
    """Yield a query with fewer demands: first what must occur is given up, then everything."""
    for demands in (Demands.EXCLUSIONS, Demands.NONE):
        relaxed = parse_query(query.text, demands=demands)
        if relaxed.demanded != query.demanded:
            yield relaxed
            query = relaxed


def _words(text: str) -> tuple[str, ...]:
    return tuple(word[:_LONGEST_TERM] for word in find_words(text))[:_MOST_TERMS]


def _without_stop_words(
    terms: tuple[tuple[str, ...], ...],
    phrases: tuple[tuple[str, ...], ...],
    stop_words: Collection[str],
) -> tuple[tuple[str, ...], ...]:
    """Leave stop words out; a query of nothing else keeps them: `Any` is a type of Swift."""
    kept = tuple(term for term in terms if len(term) > 1 or term[0].casefold() not in stop_words)
    return kept if kept or phrases else terms


def _write_excluded(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else quote(words)


def quote(term: tuple[str, ...]) -> str:
    """Return words as one FTS5 string; inside quotes no character has a special meaning."""
    return '"' + " ".join(word.replace('"', "") for word in term) + '"'
