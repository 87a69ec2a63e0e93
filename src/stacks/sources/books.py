"""Passages of books: folders, archives and files of Markdown or plain text.

`book_layout` says which files make a book, `chapters` where chapters start, `passages` how they
are cut.

A page is a file. What is known about its book (title, author, language, the number of the chapter)
precedes its bytes as one line of JSON, so a page is read again when its book file, its folder
or its number changes. A language that is not stated is detected from the file's text.

A passage's hash covers the slug of its book, its stated language, its chapter and its text with
whitespace normalised. It stays the same when lines are rewrapped, when other chapters change, and
when earlier passages change without moving its start and end.
"""

from __future__ import annotations

from functools import partial
from hashlib import blake2b
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from stacks.errors import SourceError
from stacks.model import Document, Page
from stacks.sources.book_chapters import (
    Chapter,
    find_book_title,
    read_chapter,
    split_chapters,
    split_pieces,
)
from stacks.sources.book_layout import (
    BOOK_FILES,
    TEXT_SUFFIXES,
    BookLayout,
    BookPart,
    is_text,
    read_book_file,
)
from stacks.sources.book_passages import Paragraph, cut_passages
from stacks.sources.folders import count_files, list_files, read_files
from stacks.sources.front_matter import FrontMatter, split_front_matter
from stacks.sources.paths import decode_text, get_corpus_name, is_binary, quote_segment
from stacks.sources.source import PageError, Source, SourceKind, attempt, register_source
from stacks.text import NATURAL_LANGUAGES, detect_language, unify

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stacks.sources.book_chapters import Piece
    from stacks.sources.book_passages import Passage

__all__ = ["BooksSource"]

_SETTINGS = {"size": 300, "overlap": 60}
_SMALLEST, _LARGEST = 20, 10_000  # tokens of a passage
_URI_DIGITS = 12


class BooksSource(Source):
    """A folder, an archive or a file of books, read as passages."""

    def __init__(
        self, location: str, *, size: int = _SETTINGS["size"], overlap: int = _SETTINGS["overlap"]
    ) -> None:
        """Take the size of a passage and its overlap with the previous one, in tokens."""
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
        """Yield every text file, preceded by the part of its book that it is."""
        keys = list(list_files(self.location, suffixes=TEXT_SUFFIXES))
        if not any(map(is_text, keys)):
            raise SourceError(
                f"{self.location} holds no books: no file ends in {', '.join(TEXT_SUFFIXES)}"
            )
        fields, faults = self._read_book_files()
        yield from faults
        reported = {str(fault) for fault in faults}
        layout = BookLayout(keys, fields, get_corpus_name(self.location))
        owners: dict[tuple[str, str], str] = {}
        for page in read_files(self.location, suffixes=TEXT_SUFFIXES):
            if isinstance(page, PageError):
                yield from [page] if str(page) not in reported else []
            elif found := layout.find(page.key):
                yield attempt(page.key, partial(_place_page, page, *found, owners))

    def _read_book_files(self) -> tuple[dict[str, FrontMatter], list[PageError]]:
        """Read the book file of each folder; of several, the preferred one."""
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
                stated = attempt(page.key, partial(read_book_file, name, decode_text(page.data)))
                if isinstance(stated, PageError):
                    faults.append(stated)
                    continue
                found[folder] = min(
                    found.get(folder, (rank, stated)), (rank, stated), key=itemgetter(0)
                )
        return {folder: stated for folder, (_, stated) in found.items()}, faults

    def count(self) -> int | None:
        """Count the files that may be chapters; None if that needs reading them."""
        if count_files(self.location, suffixes=TEXT_SUFFIXES) is None:
            return None
        return sum(map(is_text, list_files(self.location, suffixes=TEXT_SUFFIXES)))

    def read(self, page: Page) -> Iterable[Document]:
        """Make a document of each passage; a repeated passage of a chapter is one document."""
        part, data = _split_page(page)
        if is_binary(data):
            raise PageError("is not text: it holds NUL bytes")
        front = split_front_matter(unify(decode_text(data)))
        is_markdown = not page.key.lower().endswith(".txt")
        pieces = split_pieces(front.body, is_markdown=is_markdown)
        part = _complete(part.describe(front), front.body, pieces)
        documents: dict[str, Document] = {}
        for chapter in _find_chapters(part, pieces, front.get("title")):
            passages = cut_passages(chapter.paragraphs, size=self.size, overlap=self.overlap)
            for number, passage in enumerate(passages, start=1):
                document = _make_document(part, chapter, passage, number)
                documents.setdefault(document.uri, document)
        if not documents and not front.fields:
            raise PageError("has no words in it")
        return list(documents.values())


def _place_page(
    page: Page, root: str, part: BookPart, owners: dict[tuple[str, str], str]
) -> Page | PageError:
    """Put the part before a file's bytes; two books in one language must have two slugs."""
    if part.chapter is None and not is_binary(page.data):
        part = part.describe(split_front_matter(decode_text(page.data)))
    owner = owners.setdefault((part.slug, part.language), root)
    if owner != root:
        return PageError(
            f"{page.key} is of a book with the same slug as {owner} ({part.slug}); "
            "give one of them another slug, or a language, in its front matter"
        )
    return Page(page.key, msgspec.json.encode(part) + b"\n" + page.data)


def _split_page(page: Page) -> tuple[BookPart, bytes]:
    """Separate the part of a file from its bytes."""
    header, _, data = page.data.partition(b"\n")
    try:
        return msgspec.json.decode(header, type=BookPart), data
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise PageError("does not say which book it belongs to") from None


def _complete(part: BookPart, text: str, pieces: list[Piece]) -> BookPart:
    """Find the title of a whole book in its text, and the language of a file in its words."""
    heading = find_book_title(pieces) if part.chapter is None else ""
    title = part.title or heading or part.name
    language = part.language or detect_language(text, NATURAL_LANGUAGES)
    stated = part.language
    return msgspec.structs.replace(part, title=title, language=language, stated=stated)


def _find_chapters(part: BookPart, pieces: list[Piece], stated: str) -> list[Chapter]:
    """Find the chapters of a file: those of the whole book, or the one that it is."""
    if part.chapter is None:
        return split_chapters(pieces, part.title)
    chapter = read_chapter(pieces, part.chapter)
    if stated in {"", part.title}:  # `book.md` states the title of the book
        return [chapter._replace(title=chapter.title or part.chapter_name)]
    is_other = chapter.title and chapter.title != stated
    heading = (Paragraph(chapter.title, is_heading=True),) if is_other else ()
    return [Chapter(chapter.number, stated, (*heading, *chapter.paragraphs))]


def _make_document(part: BookPart, chapter: Chapter, passage: Passage, number: int) -> Document:
    """Make the document of a passage."""
    digest = _hash_passage(part, chapter.number, passage.text)
    facts = {
        "book": part.slug,
        "chapter": str(chapter.number),
        "chapter_title": chapter.title,
        "passage": str(number),
        "hash": digest,
        "author": part.author,
        "words": str(passage.words),
    }
    return Document(
        uri=f"books://{quote_segment(part.slug)}/{chapter.number}/{digest[:_URI_DIGITS]}",
        title=chapter.title or part.title,
        content=passage.text,
        framework=part.slug,
        module=part.title,
        language=part.language,
        kind="passage",
        facts={name: value for name, value in facts.items() if value},
    )


def _hash_passage(part: BookPart, chapter: int, text: str) -> str:
    """Hash a passage; line breaks and runs of blanks make no difference."""
    seen = f"{part.slug}\0{part.stated}\0{chapter}\0{' '.join(text.split())}"
    return blake2b(seen.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


register_source(
    SourceKind(
        name="books",
        description="books in Markdown or plain text, cut into passages",
        example="books=library",
        open=BooksSource,
        database="books",
        ranking="passages",
        embeds=True,
        settings=_SETTINGS,
    )
)
