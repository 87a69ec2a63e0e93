"""Checks of a suite against its corpus: whether what it expects exists, and only once."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError, ExpectationError, InputError
from cranfield.model import Hit
from cranfield.relevance import (
    Expectation,
    RuleContext,
    normalise,
    open_read_only,
    read_expectation,
    resolve_expectation,
)
from cranfield.suites.formats import decode, read_bytes, text_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from cranfield.model import Query
    from cranfield.suites.suite_source import Finding, SuiteSource

__all__ = ["find_missing", "find_passages", "short_passages"]

_FEWEST_WORDS = 5
_FEWEST_CHARACTERS = 20
_MOST_NAMED = 3
_DOCUMENTS = """
SELECT m.uri, s.title, s.facts, s.abstract || char(10) || s.overview
FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
"""
_EXPECTED = 'each line is an object with its text, such as {"text": "…"}'


@dataclass(frozen=True, slots=True)
class _ExpectedPassage:
    """One passage of one query: its text, the normalised words, and the rule that finds it."""

    place: int
    query_id: str
    text: str
    words: str
    expectation: Expectation


def short_passages(source: SuiteSource) -> Iterator[Finding]:
    """Find passages so short that other texts are likely to contain them by chance."""
    for each in _expected_passages(source):
        if _is_short(each.words):
            yield source.warning(
                f"query {each.query_id!r}: the passage {each.text!r} is short; others may hold it "
                f"by chance, use ten to forty words",
                each.place,
            )


def find_passages(source: SuiteSource, corpus: Path) -> Iterator[Finding]:
    """Find passages that a corpus does not have, or has more than once."""
    expected = list(_expected_passages(source))
    counts = [0] * len(expected)
    for document in _read_corpus(corpus):
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


def _expected_passages(source: SuiteSource) -> Iterator[_ExpectedPassage]:
    for place, query in enumerate(source.suite.queries):
        given = [] if query.deprecated else _listed(query.expect.get("passages"))
        for value in given:
            try:
                read = read_expectation(replace(query, expect={"passages": [value]}))
            except ExpectationError:
                continue  # found and reported where expectations are read
            [target] = read.targets
            yield _ExpectedPassage(place, query.id, target.name, normalise(target.name), read)


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


def find_missing(source: SuiteSource, indexes: Sequence[Path]) -> Iterator[Finding]:
    """Find targets that match no document of the indexes; passages are left to `find_passages`."""
    expected = []
    for place, query in enumerate(source.suite.queries):
        if query.deprecated or "passages" in query.expect:
            continue
        try:
            expected.append((place, query, _read_resolved(query, indexes)))
        except CranfieldError as problem:
            yield source.error(str(problem), place)
    met: list[set[int]] = [set() for _ in expected]
    for index in indexes:
        for document in _read_corpus(index):
            for found, (_, _, expectation) in zip(met, expected, strict=True):
                found.update(expectation.meets(document))
    where = ", ".join(map(str, indexes))
    for found, (place, query, expectation) in zip(met, expected, strict=True):
        yield from _describe_missing(source, place, query, _missing(expectation, found), where)


def _read_resolved(query: Query, indexes: Sequence[Path]) -> Expectation:
    database = indexes[0] if len(indexes) == 1 else None
    return read_expectation(resolve_expectation(query, RuleContext(database=database)))


def _missing(expectation: Expectation, met: set[int]) -> tuple[list[str], bool]:
    """Return the names of right targets that were not met, and whether any was met."""
    right = [
        (position, target.name)
        for position, target in enumerate(expectation.targets)
        if target.grade > 0
    ]
    names = [name for position, name in right if position not in met]
    return names, len(names) < len(right)


def _describe_missing(
    source: SuiteSource, place: int, query: Query, missing: tuple[list[str], bool], where: str
) -> Iterator[Finding]:
    names, is_any_there = missing
    if not names:
        return
    shown = ", ".join(repr(name) for name in names[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    message = f"query {query.id!r} expects {shown}{more}, which no document of {where} is"
    yield source.warning(message, place) if is_any_there else source.error(message, place)


def _read_corpus(path: Path) -> Iterator[Hit]:
    """Yield every text of a file or a folder, as the hit that a search would return.

    Text and Markdown files are one text each. JSON lines have a key `text`; their other keys
    are fields, such as book and chapter. An index of stacks has a text for each document.
    """
    if not path.exists():
        raise InputError("does not exist; give the corpus as a file or a folder", file=str(path))
    files = [path]
    if path.is_dir():
        files = sorted(
            each for each in path.rglob("*") if each.suffix in _READERS and each.is_file()
        )
    if not files:
        raise InputError(
            f"has no text; a corpus has files of the kinds {', '.join(_READERS)}", file=str(path)
        )
    for file in files:
        yield from _READERS.get(file.suffix, _whole)(file)


def _whole(file: Path) -> Iterator[Hit]:
    yield Hit(file.stem, text=read_bytes(file, may_be_empty=True).decode())


def _json_lines(file: Path) -> Iterator[Hit]:
    for part in text_lines(read_bytes(file, may_be_empty=True)):
        fields: dict[str, Any] = decode(part, dict[str, Any], file, _EXPECTED)
        text = fields.pop("text", None)
        if not isinstance(text, str):
            raise InputError(f"has no text; {_EXPECTED}", file=str(file), line=part.line)
        yield Hit(f"{file.stem}:{part.line}", text=text, fields=fields)


def _index(file: Path) -> Iterator[Hit]:
    """Yield the documents of an index of stacks, with their facts as fields."""
    try:
        with closing(open_read_only(file)) as opened:
            for uri, title, facts, text in opened.execute(_DOCUMENTS):
                yield Hit(uri, text=text, fields={**json.loads(facts or "{}"), "title": title})
    except sqlite3.Error as problem:
        raise InputError(f"is no index of stacks: {problem}", file=str(file)) from None


_READERS: dict[str, Callable[[Path], Iterator[Hit]]] = {
    ".txt": _whole,
    ".text": _whole,
    ".md": _whole,
    ".markdown": _whole,
    ".jsonl": _json_lines,
    ".db": _index,
}
