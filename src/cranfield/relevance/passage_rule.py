"""The rule for passages: right answers by their words, however the text is chunked."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cranfield.errors import ExpectationError
from cranfield.relevance.expectations import Rule, RuleContext, Target, read_as, register_rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.model import Hit

__all__ = ["normalise"]

_GRADES = {"high": 2, "partial": 1}
_BOOK_FIELDS = ("book", "book_slug")
_CHAPTER_FIELDS = ("chapter", "chapter_number")
_PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "‐": "-", "–": "-", "—": "-"}
    | dict.fromkeys("\u00ad\u200b\ufeff", "")
)


@dataclass(frozen=True, slots=True)
class PassageTarget:
    """A passage that a right hit contains, and optionally the book and chapter it must be from."""

    text: str
    book: str = ""
    chapter: int | str | None = None
    relevance: Literal["high", "partial"] = "high"


class PassageRule(Rule):
    """Hits whose text contains an expected passage, ignoring spaces, case and typography.

    Book and chapter are compared only if the hit has such fields.
    """

    def __init__(self, passages: list[PassageTarget]) -> None:
        self.targets = tuple(
            Target(passage.text, _GRADES[passage.relevance]) for passage in passages
        )
        books = (_BOOK_FIELDS,) if any(passage.book for passage in passages) else ()
        numbered = any(passage.chapter is not None for passage in passages)
        self.fields = (("text",), *books, *((_CHAPTER_FIELDS,) if numbered else ()))
        self._passages = [(normalise(passage.text), passage) for passage in passages]

    def meets(self, hit: Hit) -> tuple[int, ...]:
        """Look for every passage in the hit's text."""
        text = normalise(hit.text)
        return tuple(
            place
            for place, (words, passage) in enumerate(self._passages)
            if words in text and _is_from(hit.fields, passage)
        )


def normalise(text: str) -> str:
    """Normalise a text for comparison: Unicode, typography, case and spaces."""
    plain = unicodedata.normalize("NFKC", text).translate(_PLAIN)
    return " ".join(plain.casefold().split())


def _is_from(fields: Mapping[str, Any], passage: PassageTarget) -> bool:
    book = _field(fields, _BOOK_FIELDS)
    chapter = _field(fields, _CHAPTER_FIELDS)
    return (not passage.book or book in (None, passage.book)) and (
        passage.chapter is None or chapter in (None, str(passage.chapter))
    )


def _field(fields: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((str(fields[name]) for name in names if fields.get(name) is not None), None)


def _read(value: Any, _: RuleContext) -> Rule:
    shape: Any = str | list[str | PassageTarget]
    given = read_as(value, shape, "passages")
    listed = [given] if isinstance(given, str) else given
    passages = [PassageTarget(each) if isinstance(each, str) else each for each in listed]
    if not passages or not all(normalise(each.text) for each in passages):
        raise ExpectationError("passages: an empty passage is in every text; say which words")
    return PassageRule(passages)


register_rule(
    "passages",
    "the hit's text contains these words; book and chapter may narrow it",
    'passages = [{ text = "calm as a lake at dawn", book = "letters", chapter = 3, '
    'relevance = "high" }]',
    _read,
)
