"""Whether expected passages are long enough, and where a corpus has them."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cranfield.errors import ExpectationError
from cranfield.relevance import Expectation, normalise, read_expectation
from cranfield.suites.corpus import read_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cranfield.suites.findings import Finding
    from cranfield.suites.sources import SuiteSource

__all__ = ["find_passages", "short_passages"]

_FEWEST_WORDS = 5
_FEWEST_CHARACTERS = 20


@dataclass(frozen=True, slots=True)
class _Expected:
    """One passage of one query, as it is compared and as it is recognised."""

    place: int
    query_id: str
    text: str
    words: str
    expectation: Expectation


def short_passages(source: SuiteSource) -> Iterator[Finding]:
    """Find passages so short that other texts are likely to hold them by chance."""
    for each in _expected(source):
        if _is_short(each.words):
            yield source.warning(
                f"query {each.query_id!r}: the passage {each.text!r} is short; others may hold it "
                f"by chance, ten to forty words are told apart surely",
                each.place,
            )


def find_passages(source: SuiteSource, corpus: Path) -> Iterator[Finding]:
    """Find passages that a corpus does not have, or has more than once."""
    expected = list(_expected(source))
    counts = [0] * len(expected)
    for document in read_corpus(corpus):
        text = normalise(document.text)
        for number, each in enumerate(expected):
            found = text.count(each.words)
            if found and each.expectation.meets(document):
                counts[number] += found
    for each, count in zip(expected, counts, strict=True):
        if count == 0:
            yield source.error(
                f"query {each.query_id!r}: the passage {each.text!r} is not in {corpus}; "
                "copy it from the text as it stands",
                each.place,
            )
        elif count > 1:
            yield source.warning(
                f"query {each.query_id!r}: the passage {each.text!r} is in {corpus} {count} "
                "times; a longer one would say which is meant",
                each.place,
            )


def _expected(source: SuiteSource) -> Iterator[_Expected]:
    for place, query in enumerate(source.suite.queries):
        given = [] if query.deprecated else _listed(query.expect.get("passages"))
        for value in given:
            try:
                read = read_expectation(replace(query, expect={"passages": [value]}))
            except ExpectationError:
                continue  # found and reported where expectations are read
            [target] = read.targets
            yield _Expected(place, query.id, target.name, normalise(target.name), read)


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _is_short(words: str) -> bool:
    """Tell whether a passage is short; scripts without spaces are counted by characters alone.

    One of their characters says about as much as two letters.
    """
    wide = sum(unicodedata.east_asian_width(each) == "W" for each in words)
    few_words = not wide and len(words.split()) < _FEWEST_WORDS
    return few_words or len(words) + wide < _FEWEST_CHARACTERS
