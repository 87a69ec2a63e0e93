"""Passages of books: folders, archives and files of Markdown or plain text.

`shelf` says which files make a book, `chapters` where chapters begin, `passages` how they are cut.

A page is a file. What is known of its book besides (title, author, language, the number of the
chapter) stands as one line of JSON before its bytes, so that a page is read again when its book
file, its folder or its number changes. A language that nobody states is told from the file's text.

A passage's hash is over the slug of its book, the language that is stated of it, its chapter and
its text with blanks made equal: it stays when lines are wrapped anew, when other chapters change,
and when the passages before it change without moving where it begins and ends.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from stacks.errors import SourceError
from stacks.model import Document, Page
from stacks.sources.books.chapters import (
    Chapter,
    find_book_title,
    read_chapter,
    split_chapters,
    split_pieces,
)
from stacks.sources.books.passages import Paragraph, cut_passages
from stacks.sources.books.shelf import (
    BOOK_FILES,
    TEXT_SUFFIXES,
    Place,
    Shelf,
    is_text,
    read_book_file,
)
from stacks.sources.folders import count_files, list_files, read_files
from stacks.sources.markdown.front_matter import FrontMatter, split_front_matter
from stacks.sources.source import SOURCES, PageError, Source, SourceKind
from stacks.sources.text_encodings import decode_text, is_binary
from stacks.sources.uris import get_corpus_name, quote_segment
from stacks.text.natural import NATURAL_LANGUAGES, detect_language, unify

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stacks.sources.books.chapters import Piece
    from stacks.sources.books.passages import Passage

__all__ = ["BooksSource"]

_SETTINGS = {"size": 300, "overlap": 60}
_SMALLEST, _LARGEST = 20, 10_000  # tokens of a passage
_URI_DIGITS = 12


class BooksSource(Source):
    """A folder, an archive or a file of books, read as passages."""

    def __init__(
        self,
        location: str,
        *,
        size: int = _SETTINGS["size"],
        overlap: int = _SETTINGS["overlap"],
    ) -> None:
        """Take the size of a passage and how much of the one before it repeats, in tokens."""
        if not _SMALLEST <= size <= _LARGEST:
            raise SourceError(
                f"books.size is {size}; allowed are {_SMALLEST} to {_LARGEST:,} tokens, "
                "usual are 200, 300 and 500"
            )
        if not 0 <= overlap < size / 2:
            most = (size - 1) // 2
            raise SourceError(
                f"books.overlap is {overlap}; with books.size {size}, 0 to {most} are allowed"
            )
        self.location = location
        self.size = size
        self.overlap = overlap

    def pages(self) -> Iterator[Page | PageError]:
        """Yield every file with text, with the place it has in its book before it."""
        keys = list(list_files(self.location, suffixes=TEXT_SUFFIXES))
        if not any(map(is_text, keys)):
            raise SourceError(
                f"{self.location} holds no books: no file ends in {', '.join(TEXT_SUFFIXES)}"
            )
        fields, faults = self._read_book_files()
        yield from faults
        told = {str(fault) for fault in faults}
        shelf = Shelf(keys, fields, get_corpus_name(self.location))
        owners: dict[tuple[str, str], str] = {}
        for page in read_files(self.location, suffixes=TEXT_SUFFIXES):
            if isinstance(page, PageError):
                yield from [page] if str(page) not in told else []
            elif found := shelf.find(page.key):
                yield _place_page(page, *found, owners)

    def _read_book_files(self) -> tuple[dict[str, FrontMatter], list[PageError]]:
        """Read what the book file of each folder says, of several the best."""
        found: dict[str, tuple[int, FrontMatter]] = {}
        faults: list[PageError] = []
        is_file = self.location.lower().endswith(TEXT_SUFFIXES)
        for page in read_files(self.location, suffixes=TEXT_SUFFIXES if is_file else BOOK_FILES):
            if isinstance(page, PageError):
                faults.append(page)
                continue
            folder, _, name = page.key.rpartition("/")
            if name.lower() in BOOK_FILES:
                rank = BOOK_FILES.index(name.lower())
                stated = read_book_file(name, decode_text(page.data))
                found[folder] = min(found.get(folder, (rank, stated)), (rank, stated), key=_rank)
        return {folder: stated for folder, (_, stated) in found.items()}, faults

    def count(self) -> int | None:
        """Count the files that may hold chapters, where that is cheap."""
        if count_files(self.location, suffixes=TEXT_SUFFIXES) is None:
            return None
        return sum(map(is_text, list_files(self.location, suffixes=TEXT_SUFFIXES)))

    def read(self, page: Page) -> Iterable[Document]:
        """Make a document of each passage; the same one twice in a chapter is one."""
        place, data = _split_page(page)
        if is_binary(data):
            raise PageError("is no text: it holds NUL bytes")
        front = split_front_matter(unify(decode_text(data)))
        is_markdown = not page.key.lower().endswith(".txt")
        pieces = split_pieces(front.body, is_markdown=is_markdown)
        place = _complete(place.describe(front), front.body, pieces)
        documents: dict[str, Document] = {}
        for chapter in _find_chapters(place, pieces, front.get("title")):
            passages = cut_passages(chapter.paragraphs, size=self.size, overlap=self.overlap)
            for number, passage in enumerate(passages, start=1):
                document = _make_document(place, chapter, passage, number)
                documents.setdefault(document.uri, document)
        if not documents and not front.fields:
            raise PageError("has no words in it")
        return list(documents.values())


def _rank(stated: tuple[int, FrontMatter]) -> int:
    """Return how good a book file is."""
    return stated[0]


def _place_page(
    page: Page, root: str, place: Place, owners: dict[tuple[str, str], str]
) -> Page | PageError:
    """Put the place of a file before its bytes; two books in one language have two slugs."""
    if place.chapter is None and not is_binary(page.data):
        place = place.describe(split_front_matter(decode_text(page.data)))
    owner = owners.setdefault((place.slug, place.language), root)
    if owner != root:
        return PageError(
            f"{page.key} is of a book with the same slug as {owner} ({place.slug}); "
            "give one of them another slug, or a language, in its front matter"
        )
    return Page(page.key, msgspec.json.encode(place) + b"\n" + page.data)


def _split_page(page: Page) -> tuple[Place, bytes]:
    """Take the place of a file and its bytes apart again."""
    header, _, data = page.data.partition(b"\n")
    try:
        return msgspec.json.decode(header, type=Place), data
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise PageError("does not say which book it belongs to") from None


def _complete(place: Place, text: str, pieces: list[Piece]) -> Place:
    """Find the title of a whole book in its text, and the language of a file in its words."""
    heading = find_book_title(pieces) if place.chapter is None else ""
    title = place.title or heading or place.name
    language = place.language or detect_language(text, NATURAL_LANGUAGES)
    stated = place.language
    return msgspec.structs.replace(place, title=title, language=language, stated=stated)


def _find_chapters(place: Place, pieces: list[Piece], stated: str) -> list[Chapter]:
    """Find the chapters of a file: those of the whole book, or the one that it is."""
    if place.chapter is None:
        return split_chapters(pieces, place.title)
    chapter = read_chapter(pieces, place.chapter)
    if stated in {"", place.title}:  # `book.md` states the title of the book
        return [chapter._replace(title=chapter.title or place.chapter_name)]
    is_other = chapter.title and chapter.title != stated
    heading = (Paragraph(chapter.title, is_heading=True),) if is_other else ()
    return [Chapter(chapter.number, stated, (*heading, *chapter.paragraphs))]


def _make_document(place: Place, chapter: Chapter, passage: Passage, number: int) -> Document:
    """Make the document of a passage."""
    digest = _hash_passage(place, chapter.number, passage.text)
    facts = {
        "book": place.slug,
        "chapter": str(chapter.number),
        "chapter_title": chapter.title,
        "passage": str(number),
        "hash": digest,
        "author": place.author,
        "words": str(passage.words),
    }
    return Document(
        uri=f"books://{quote_segment(place.slug)}/{chapter.number}/{digest[:_URI_DIGITS]}",
        title=chapter.title or place.title,
        content=passage.text,
        framework=place.slug,
        module=place.title,
        language=place.language,
        kind="passage",
        facts={name: value for name, value in facts.items() if value},
    )


def _hash_passage(place: Place, chapter: int, text: str) -> str:
    """Hash a passage so that line breaks and runs of blanks make no difference."""
    seen = f"{place.slug}\0{place.stated}\0{chapter}\0{' '.join(text.split())}"
    return blake2b(seen.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


SOURCES.register(
    "books",
    SourceKind(
        name="books",
        description="books in Markdown or plain text, cut into passages",
        example="books=library",
        open=BooksSource,
        database="books",
        ranking="passages",
        embeds=True,
        settings=_SETTINGS,
    ),
)
