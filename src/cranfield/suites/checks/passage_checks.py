"""Checks of expected passages: long enough, in the corpus, once, in the book and chapter named."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cranfield.errors import ExpectationError
from cranfield.relevance import normalise, read_expectation
from cranfield.suites.checks.corpora import CorpusKind
from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.suites.checks.corpora import Corpus, Document
    from cranfield.suites.suite_source import Finding, SuiteSource

__all__ = ["find_passages", "short_passages"]

_FEWEST_WORDS = 5
_FEWEST_CHARACTERS = 20
_RUN = 4  # words in a row that make a text similar to a passage


@dataclass(slots=True)
class _ExpectedPassage:
    """One passage of one query, and where it was found: in its book and chapter, or elsewhere."""

    place: int
    query_id: str
    text: str
    book: str
    chapter: str
    words: str
    count: int = 0
    elsewhere: list[str] = field(default_factory=list)


def short_passages(source: SuiteSource) -> Iterator[Finding]:
    """Find passages so short that other texts are likely to contain them by chance."""
    for each in _expected_passages(source):
        if _is_short(each.words):
            yield source.warning(
                f"query {each.query_id!r}: the passage {each.text!r} is short; others may hold it "
                f"by chance, use ten to forty words",
                each.place,
            )


def find_passages(
    source: SuiteSource, corpora: Sequence[Corpus], documents: Sequence[Document]
) -> Iterator[Finding]:
    """Find passages that a corpus has nowhere, more than once, or in another book or chapter."""
    expected = list(_expected_passages(source))
    texts = [(document, normalise(document.text)) for document in documents if document.text]
    if not (expected and texts):
        return
    books = {name for document, _ in texts for name in _books_of(document)}
    uses_paths = any(each.book in books for each in expected)
    for document, text in texts:
        for each in expected:
            found = text.count(each.words)
            if not found:
                continue
            if _is_there(document, each, uses_paths=uses_paths):
                each.count += 1 if document.kind is CorpusKind.INDEX else found
            else:
                each.elsewhere.append(_describe_place(document))
    is_index = any(document.kind is CorpusKind.INDEX for document, _ in texts)
    where = ", ".join(str(corpus.path) for corpus in corpora)
    for each in expected:
        start = f"query {each.query_id!r}: the passage {each.text!r}"
        if each.count == 0 and each.elsewhere:
            yield source.error(f"{start} {_describe_elsewhere(each, books)}", each.place)
        elif each.count == 0:
            near = _describe_similar(each.words, texts)
            yield source.error(
                f"{start} is not in {where}; copy it from the text as it stands{near}", each.place
            )
        elif each.count > 1 and not is_index:
            yield source.warning(
                f"{start} is in {where} {each.count} times; a longer one would say which is meant",
                each.place,
            )


def _is_there(document: Document, each: _ExpectedPassage, *, uses_paths: bool) -> bool:
    """Return whether a text is from the expected book and chapter, as far as it says so."""
    books = _books_of(document)
    is_known = bool(books) and (document.kind is not CorpusKind.FOLDER or uses_paths)
    chapter = _chapter_of(document)
    return (not each.book or not is_known or each.book in books) and (
        not each.chapter or not chapter or each.chapter == chapter
    )


def _books_of(document: Document) -> list[str]:
    """Return the book of a text; in a folder, every folder above it and its own name may be it."""
    if document.kind is CorpusKind.FOLDER:
        folders = str(document.fields["path"]).split("/")
        return [*folders[:-1], document.names[-1]]
    stated = document.fields.get("book", document.fields.get("book_slug"))
    return [] if stated is None else [str(stated)]


def _chapter_of(document: Document) -> str:
    chapter = document.fields.get("chapter", document.fields.get("chapter_number"))
    return "" if chapter is None else str(chapter)


def _describe_place(document: Document) -> str:
    if document.kind is CorpusKind.FOLDER:
        return str(document.fields["path"])
    chapter = f", chapter {_chapter_of(document)}" if _chapter_of(document) else ""
    return f"{' '.join(_books_of(document))}{chapter}"


def _describe_elsewhere(each: _ExpectedPassage, books: set[str]) -> str:
    chapter = f", chapter {each.chapter}" if each.chapter else ""
    expected = f"{each.book}{chapter}" if each.book else f"chapter {each.chapter}"
    near = near_names(each.book, books, 1) if each.book and each.book not in books else []
    hint = f"; did you mean the book {near[0]}?" if near else ""
    return f"is in {each.elsewhere[0]}, and not in {expected}, where it is expected{hint}"


def _describe_similar(words: str, texts: Sequence[tuple[Document, str]]) -> str:
    """Name the text that shares most runs of words with a passage."""
    split = words.split()
    runs = [" ".join(split[start : start + _RUN]) for start in range(len(split) - _RUN + 1)]
    counted = [(sum(run in text for run in runs), document) for document, text in texts]
    best = max(counted, key=lambda pair: pair[0], default=None)
    if best is None or not best[0]:
        return ""
    return f"; similar words are in {_describe_place(best[1])}"


def _expected_passages(source: SuiteSource) -> Iterator[_ExpectedPassage]:
    for place, query in enumerate(source.suite.queries):
        given = [] if query.deprecated else _listed(query.expect.get("passages"))
        for value in given:
            try:
                read = read_expectation(replace(query, expect={"passages": [value]}))
            except ExpectationError:
                continue  # found and reported where expectations are read
            [target] = read.targets
            stated = value if isinstance(value, dict) else {}
            chapter = stated.get("chapter")
            yield _ExpectedPassage(
                place,
                query.id,
                target.name,
                str(stated.get("book", "")),
                "" if chapter is None else str(chapter),
                normalise(target.name),
            )


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _is_short(words: str) -> bool:
    """Return whether a passage is short; scripts without spaces are counted by characters alone.

    One of their characters counts as two letters.
    """
    wide = sum(unicodedata.east_asian_width(each) == "W" for each in words)
    few_words = not wide and len(words.split()) < _FEWEST_WORDS
    return few_words or len(words) + wide < _FEWEST_CHARACTERS
