"""The chapters of a book, and the paragraphs of a chapter as a person reads them.

In Markdown a chapter starts at a heading of level 1 or 2: the level that occurs more than once; of
two such levels the one with more numbered headings, else level 1. If neither does, and in plain
text, it starts at a line such as `CHAPTER XII`. A book without either is one chapter. Text before
the first heading is chapter 0. A heading that is only a number takes the heading or the short line
below it as its title. Other headings stay in the text.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import regex

from stacks.sources.book_layout import Heading, number_chapters, read_chapter_line, read_heading
from stacks.sources.book_passages import Paragraph
from stacks.sources.markdown_cleaner import clean_markdown
from stacks.text import find_words, plain, split_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = ["Chapter", "Piece", "find_book_title", "read_chapter", "split_chapters", "split_pieces"]

_BREAK = "\ue003"  # private use: marks the end of a line while a paragraph is read
_HARD_BREAK = regex.compile(r"(?:(?<! ) {2,}+|\\)\n")
_QUOTE_MARK = regex.compile(r"^[ \t]*(?:>[ \t]?)+", regex.MULTILINE)
_ITEM = regex.compile(r"^[ \t]*(?:[*+-][ \t]+|(?=\d{1,9}[.)][ \t]))", regex.MULTILINE)
_BLANK_LINES = regex.compile(r"\n[ \t\f]*\n\s*")
_LONGEST_VERSE = 60  # characters in a line; lines of prose are longer
_LONGEST_TITLE = 12  # words
_TEXT_END = regex.compile(r"[.,;:!?…।॥\"”»]$")


class Piece(NamedTuple):
    """A block of a file; `level` is that of a Markdown heading, or 0."""

    kind: str
    text: str
    level: int = 0


class Chapter(NamedTuple):
    """A chapter: its number, its title (may be empty) and its text."""

    number: int
    title: str
    paragraphs: tuple[Paragraph, ...]


class _Begun(NamedTuple):
    """A chapter's heading and the blocks below it."""

    heading: Heading
    pieces: list[Piece]


def split_pieces(text: str, *, is_markdown: bool) -> list[Piece]:
    """Split a file into blocks; those of plain text are separated by blank lines."""
    if not is_markdown:
        return [Piece("text", part) for part in _BLANK_LINES.split(text) if part.strip()]
    return [
        Piece(block.kind, block.text, block.level) for block in split_blocks(clean_markdown(text))
    ]


def find_book_title(pieces: Iterable[Piece]) -> str:
    """Return the only heading of level 1; several are those of chapters."""
    titles = [piece.text for piece in pieces if piece.level == 1]
    return plain(titles[0]) if len(titles) == 1 else ""


def split_chapters(pieces: list[Piece], book_title: str) -> list[Chapter]:
    """Split a whole book into its chapters."""
    level = _find_level(pieces)
    before, begun = _gather(pieces, level)
    if not begun:
        return [_read_only_chapter(pieces, book_title)]
    before = [each for each in before if each.level != 1 or plain(each.text) != book_title]
    numbers = number_chapters([chapter.heading.number for chapter in begun])
    chapters = [_finish(chapter, number) for chapter, number in zip(begun, numbers, strict=True)]
    front = _read_paragraphs(before)
    is_text = not all(paragraph.is_heading for paragraph in front)
    return [Chapter(0, "", front if is_text else ()), *chapters]


def read_chapter(pieces: list[Piece], number: int) -> Chapter:
    """Read a file that is one chapter; the heading it starts with is its title."""
    first = pieces[0] if pieces else Piece("text", "")
    begun = _begin(first, first.level)
    if begun is None:
        return Chapter(number, "", _read_paragraphs(pieces))
    begun.pieces.extend(pieces[1:])
    return _finish(begun, number)


def _read_only_chapter(pieces: list[Piece], book_title: str) -> Chapter:
    """Read a book without chapters."""
    chapter = read_chapter(pieces, 1)
    first = pieces[0] if pieces else Piece("text", "")
    stated = read_heading(plain(first.text)).number if first.level else None
    title = "" if chapter.title == book_title else chapter.title
    return chapter._replace(number=1 if stated is None else stated, title=title)


def _find_level(pieces: list[Piece]) -> int:
    """Find the level of chapter headings, or 0."""
    levels = {level: [piece.text for piece in pieces if piece.level == level] for level in (1, 2)}
    often = [level for level, texts in levels.items() if len(texts) > 1]
    numbers = {
        level: sum(read_heading(plain(text)).number is not None for text in levels[level])
        for level in often
    }
    return max(often, key=numbers.__getitem__, default=0)


def _gather(pieces: list[Piece], level: int) -> tuple[list[Piece], list[_Begun]]:
    """Split the pieces at chapter headings; the first list comes before all of them."""
    before: list[Piece] = []
    chapters: list[_Begun] = []
    for piece in pieces:
        begun = _begin(piece, level)
        if begun is not None:
            chapters.append(begun)
        else:
            (chapters[-1].pieces if chapters else before).append(piece)
    return before, chapters


def _begin(piece: Piece, level: int) -> _Begun | None:
    """Start a chapter if a piece is its heading; level 0 means lines of text."""
    if level or piece.level:
        is_heading = piece.level == level > 0
        return _Begun(read_heading(plain(piece.text)), []) if is_heading else None
    if piece.kind not in {"text", "paragraph"}:
        return None
    first, _, rest = piece.text.strip().partition("\n")
    heading = read_chapter_line(first)
    if heading is None or (rest and heading.title):
        return None
    return _Begun(heading, [piece._replace(text=rest)] if rest else [])


def _finish(begun: _Begun, number: int) -> Chapter:
    """Find the title of a chapter whose heading has none, and read its text."""
    heading, pieces = begun
    if not heading.title and pieces and _is_title_line(pieces):
        return Chapter(number, plain(pieces[0].text), _read_paragraphs(pieces[1:]))
    return Chapter(number, heading.title, _read_paragraphs(pieces))


def _is_title_line(pieces: list[Piece]) -> bool:
    """Return whether the first piece below a number is a title followed by text."""
    first = pieces[0]
    if first.level:
        return True
    text = first.text.strip()
    is_line = first.kind in {"text", "paragraph"} and "\n" not in text
    is_short = len(find_words(text[:400])) <= _LONGEST_TITLE and not _TEXT_END.search(text)
    return is_line and is_short and len(pieces) > 1


def _read_paragraphs(pieces: Iterable[Piece]) -> tuple[Paragraph, ...]:
    """Read the text of a chapter; paragraphs without words are ornaments."""
    read: list[Paragraph] = []
    for piece in pieces:
        read += _READINGS[piece.kind](piece.text)
    return tuple(paragraph for paragraph in read if find_words(paragraph.text))


def _read_prose(markdown: str) -> Iterator[Paragraph]:
    """Read a paragraph of Markdown, whose markup may span lines."""
    is_broken = bool(_HARD_BREAK.search(markdown))
    shown = plain(_HARD_BREAK.sub("\n", markdown).replace("\n", f" {_BREAK} "))
    yield _join_lines(shown.split(_BREAK), is_verse=is_broken)


def _read_lines(text: str, *, is_verse: bool = False) -> Iterator[Paragraph]:
    """Read plain text; the line breaks of verse are intentional."""
    yield _join_lines(text.split("\n"), is_verse=is_verse)


def _read_quote(markdown: str) -> Iterator[Paragraph]:
    """Read a quotation, which may have several paragraphs."""
    for part in _BLANK_LINES.split(_QUOTE_MARK.sub("", markdown)):
        yield from _read_prose(part)


def _read_list(markdown: str) -> Iterator[Paragraph]:
    """Read each item of a list; numbers stay, bullets do not."""
    for item in _ITEM.split(markdown):
        yield from _read_prose(item.strip())


def _join_lines(lines: Iterable[str], *, is_verse: bool) -> Paragraph:
    """Join the lines of prose; short lines are verse and stay separate."""
    kept = [line for line in (" ".join(line.split()) for line in lines) if line]
    is_verse = is_verse or max(map(len, kept), default=0) <= _LONGEST_VERSE
    return Paragraph(("\n" if is_verse else " ").join(kept))


_READINGS: Mapping[str, Callable[[str], Iterable[Paragraph]]] = {
    "code": partial(_read_lines, is_verse=True),
    "heading": lambda text: [Paragraph(plain(text), is_heading=True)],
    "html": _read_prose,
    "list": _read_list,
    "paragraph": _read_prose,
    "quote": _read_quote,
    "rule": lambda _: [],
    "table": partial(_read_lines, is_verse=True),
    "text": _read_lines,
}
"""How a block of each kind becomes paragraphs."""
