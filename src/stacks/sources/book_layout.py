"""Which files make a book, and which lines are the headings of its chapters.

1. A folder with a `book.toml`, `book.yaml`, `book.yml` or `book.md` is a book. Every text file in
   it and in its subfolders is a chapter, unless a nearer folder has such a file. Its fields (those
   of the front matter in `book.md`) give the book's `title`, `author`, `language` and `slug`; the
   text of `book.md` is chapter 0.
2. Otherwise, a folder with at least two text files whose names start with a number (`03-home.md`,
   `chapter 3.txt`) is a book, and its own text files are its chapters.
3. Every other text file is a book of its own, with the fields in its front matter. So is the only
   text file of a book found by 1. or 2.

Chapters are ordered by folder, then number, then name. The number at the start of a name (up to
three digits: `1984.txt` is a novel) is the chapter's; two files with the same number are parts of
one chapter; `number_chapters` numbers the others. Two books may share a slug in different
languages. READMEs, licences and the like are not chapters.

If a book does not state its language, a folder of its path may (`books/es/…`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec
import regex

from stacks.sources.front_matter import FrontMatter, split_front_matter
from stacks.sources.paths import quote_segment, spell_out
from stacks.text import find_natural_language, find_words, unify

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "BOOK_FILES",
    "TEXT_SUFFIXES",
    "BookLayout",
    "BookPart",
    "Heading",
    "is_text",
    "number_chapters",
    "read_book_file",
    "read_chapter_line",
    "read_heading",
]

BOOK_FILES = ("book.toml", "book.yaml", "book.yml", "book.md")
"""The files that describe a book, in order of preference."""

TEXT_SUFFIXES = (".md", ".markdown", ".txt")
"""The extensions of text files."""

_NO_CHAPTERS = frozenset(
    {"changelog", "contributing", "copying", "licence", "license", "readme", "summary"}
)
"""The names, without extension, of text files about a folder."""

_FENCES = {"toml": "+++", "yaml": "---", "yml": "---"}
_NUMBERED = regex.compile(
    r"(?:chapter|chap|ch|cap[ií]tulo|cap|अध्याय)?[\s._-]*+(\d{1,3})(?!\d)[\s._-]*+", regex.IGNORECASE
)
_LANGUAGE_FOLDER = regex.compile(r"[a-z]{2}(?:[-_][a-z]{2})?|[a-z]{5,}", regex.IGNORECASE)
_CODE = regex.compile(r"[a-z]{2,3}")


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
_NUMBERED_HEADING = regex.compile(
    rf"(?P<number>\d{{1,3}}|{_ROMAN})(?:\s*[.:)–—-]\s*|$)(?P<title>.*)"
)
_LONGEST = 120  # characters; a longer line is text
_GOES_ON = regex.compile(r"[.,;:!?।]$")


class BookPart(msgspec.Struct, frozen=True):
    """What a file is part of: its book, and its chapter unless it is the whole book.

    `title` is stated in a file; `name` and `chapter_name` are derived from folder and file names.
    """

    slug: str
    name: str
    title: str = ""
    author: str = ""
    language: str = ""
    stated: str = ""
    chapter: int | None = None
    chapter_name: str = ""

    def describe(self, front: FrontMatter) -> BookPart:
        """Add what a file states itself: about its chapter, or about the book that it is."""
        language = _read_language(front.get("language", "lang")) or self.language
        author = front.get("author", "authors") or self.author
        described = msgspec.structs.replace(self, author=author, language=language)
        if self.chapter is not None:
            return described
        slug = _make_slug(front.get("slug")) or self.slug
        return msgspec.structs.replace(described, slug=slug, title=front.get("title") or self.title)


class BookLayout:
    """Finds which book and chapter each file of a location is."""

    def __init__(self, keys: Iterable[str], fields: Mapping[str, FrontMatter], corpus: str) -> None:
        """Take the keys of all text files, and the fields of each folder's book file."""
        self._fields = fields
        self._corpus = corpus
        members: dict[str, list[str]] = {}
        texts = [key for key in keys if is_text(key)]
        numbered = _find_numbered_folders(texts)
        for key in texts:
            members.setdefault(self._find_root(key, numbered), []).append(key)
        self._roots: dict[str, str] = {}
        self._numbers: dict[str, int | None] = {}
        for root, own in members.items():
            self._roots |= dict.fromkeys(own, root)
            self._numbers |= _number_files(own)

    def find(self, key: str) -> tuple[str, BookPart] | None:
        """Return the folder or file that is the book, and which part of it a file is."""
        if key not in self._roots:
            return None
        root = self._roots[key]
        number = self._numbers[key]
        name = _get_stem(root) if root == key else root.rpartition("/")[2] or self._corpus
        facts = self._fields.get(root, FrontMatter({}, ""))
        folders = (self._corpus, *key.split("/")[:-1])
        part = BookPart(
            slug=_make_slug(name) or quote_segment(name),
            name=spell_out(name),
            language=_find_language(folders),
        ).describe(facts)
        if number is None:
            return root, part
        stem = "" if _is_book_file(key) else _NUMBERED.sub("", _get_stem(key), count=1)
        return root, msgspec.structs.replace(part, chapter=number, chapter_name=spell_out(stem))

    def _find_root(self, key: str, numbered: set[str]) -> str:
        """Find the folder of the book that a file belongs to, or the file itself."""
        folder = own = key.rpartition("/")[0]
        while folder not in self._fields and folder:
            folder = folder.rpartition("/")[0]
        if folder in self._fields:
            return folder
        return own if own in numbered else key


def is_text(key: str) -> bool:
    """Return whether a file may be a chapter, by its name."""
    return key.lower().endswith(TEXT_SUFFIXES) and _get_stem(key).lower() not in _NO_CHAPTERS


def read_book_file(key: str, text: str) -> FrontMatter:
    """Read the fields of a book file; TOML and YAML are front matter without a body."""
    fence = _FENCES.get(key.rpartition(".")[2].lower())
    return split_front_matter(f"{fence}\n{text}\n{fence}\n" if fence else text)


def _find_numbered_folders(keys: Iterable[str]) -> set[str]:
    """Find the folders with at least two numbered files."""
    counts: dict[str, int] = {}
    for key in keys:
        if _NUMBERED.match(_get_stem(key)):
            folder = key.rpartition("/")[0]
            counts[folder] = counts.get(folder, 0) + 1
    return {folder for folder, count in counts.items() if count > 1}


def _number_files(keys: list[str]) -> dict[str, int | None]:
    """Number the chapters of a book in order; a single file is the whole book."""
    if len(keys) == 1:
        return {keys[0]: None}
    stated = {key: _read_leading_number(key) for key in keys if not _is_book_file(key)}
    ordered = sorted(stated, key=lambda key: _get_order(key, stated[key]))
    numbers = number_chapters([stated[key] for key in ordered])
    first: dict[str, int | None] = {key: 0 for key in keys if _is_book_file(key)}
    return first | dict(zip(ordered, numbers, strict=True))


def _get_order(key: str, number: int | None) -> tuple[str, bool, int, str]:
    """Order by folder, number and name; files without a number come last."""
    folder, _, name = key.rpartition("/")
    return folder, number is None, number or 0, name


def _read_leading_number(key: str) -> int | None:
    """Read the number at the start of a file's name."""
    match = _NUMBERED.match(_get_stem(key))
    return int(match.group(1)) if match else None


def _is_book_file(key: str) -> bool:
    """Return whether a file describes the book: `book.md` or the like."""
    return key.rpartition("/")[2].lower() in BOOK_FILES


def _get_stem(key: str) -> str:
    """Return a file's name without folders and extension."""
    name = key.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _make_slug(name: str) -> str:
    """Write a name in lower case with hyphens, keeping the vowel signs of every script."""
    return "-".join(find_words(unify(name).casefold()))


def _find_language(folders: Iterable[str]) -> str:
    """Find the language of the last folder that is named after one."""
    found = (find_natural_language(name) for name in folders if _LANGUAGE_FOLDER.fullmatch(name))
    return next((language.code for language in reversed(list(found)) if language), "")


def _read_language(written: str) -> str:
    """Read a language as people write it; an unknown one keeps its code."""
    known = find_natural_language(written)
    code = written.strip().casefold().replace("_", "-").partition("-")[0]
    return known.code if known else (code if _CODE.fullmatch(code) else "")


class Heading(NamedTuple):
    """A heading: its number, and its other words, empty if it is only a number."""

    number: int | None
    title: str


def read_heading(text: str) -> Heading:
    """Read the text of a Markdown heading: `Chapter 12: Home`, `12. Home`, `XII`, `Home`."""
    match = _CHAPTER.fullmatch(text) or _NUMBERED_HEADING.fullmatch(text)
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
