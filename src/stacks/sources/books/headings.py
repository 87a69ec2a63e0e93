"""The headings of chapters: `Chapter 12`, `CHAPTER XII`, `Capítulo 3: La luz`, `अध्याय ४`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Heading", "number_chapters", "read_chapter_line", "read_heading"]

_ROMAN = r"(?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_NUMERALS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_SPELLED = """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty
    uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince
    dieciséis diecisiete dieciocho diecinueve veinte
    primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo
"""
_NUMBERS = {word: position % 20 + 1 for position, word in enumerate(_SPELLED.split())}
_NAMES = r"chapter|cap[ií]tulo|chapitre|kapitel|capitolo|अध्याय|प्रकरण"
_CHAPTER = regex.compile(
    rf"(?:{_NAMES})(?:\s*[:.#-]\s*|\s+)(?P<number>\d{{1,4}}|{_ROMAN}|{'|'.join(_NUMBERS)})"
    r"(?P<mark>\s*[.:)–—-]+\s*|\s+|$)(?P<title>.*)",
    regex.IGNORECASE,
)
_NUMBERED = regex.compile(rf"(?P<number>\d{{1,3}}|{_ROMAN})(?:\s*[.:)–—-]\s*|$)(?P<title>.*)")
_LONGEST = 120  # characters; a longer line is text
_GOES_ON = regex.compile(r"[.,;:!?।]$")


class Heading(NamedTuple):
    """A heading: its number, and its other words, empty if it is only a number."""

    number: int | None
    title: str


def read_heading(text: str) -> Heading:
    """Read the text of a Markdown heading: `Chapter 12: Home`, `12. Home`, `XII`, `Home`."""
    match = _CHAPTER.fullmatch(text) or _NUMBERED.fullmatch(text)
    if match is None:
        return Heading(None, text)
    return Heading(_read_number(match["number"]), match["title"].strip())


def read_chapter_line(line: str) -> Heading | None:
    """Read a line of plain text as a heading; None if it is not one.

    `Chapter 3 tells us that all is one.` is a sentence.
    """
    line = line.strip().strip("*_").strip()
    match = _CHAPTER.fullmatch(line) if len(line) <= _LONGEST else None
    if match is None:
        return None
    title = match["title"].strip()
    if title and not match["mark"].strip() and _GOES_ON.search(title):
        return None
    return Heading(_read_number(match["number"]), title)


def _read_number(written: str) -> int:
    """Read digits of any script, a Roman numeral or a number in words."""
    if written.isdecimal():
        return int(written)
    if written.casefold() in _NUMBERS:
        return _NUMBERS[written.casefold()]
    values = [_NUMERALS[numeral] for numeral in written.upper()]
    following = [*values[1:], 0]
    return sum(
        value if value >= after else -value for value, after in zip(values, following, strict=True)
    )


def number_chapters(stated: Sequence[int | None]) -> list[int]:
    """Number chapters in order, some of which state their own numbers.

    If none does, they count from 1. One without a number among others gets the next number, or
    that of the chapter before it if the next is taken: a preface before chapter 1 gets 0, an
    interlude between 3 and 4 gets 3, an epilogue after 48 gets 49.
    """
    taken = {number for number in stated if number is not None}
    before = -1 if taken else 0
    numbers: list[int] = []
    for number in stated:
        own = before if before + 1 in taken else before + 1
        before = number if number is not None else max(own, 0)
        numbers.append(before)
    return numbers
