"""The posting lists of an index say what its text index says."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Any, TypeAlias
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks import postings
from stacks.index import SaveOptions, save
from stacks.postings import PostingList
from stacks.query import open_index
from stacks.schema import TEXT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stacks.model import Document
    from stacks.storage import Database

Make: TypeAlias = "Callable[..., Document]"
Requests: TypeAlias = "Callable[..., Any]"

Occurrences: TypeAlias = "Counter[tuple[str, str, str]]"
"""How often a document has a word in a column."""


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "LEAST_DOCUMENTS", 3)


def read_lists(database: Database) -> Occurrences:
    texts = database.text_lengths
    assert texts is not None
    uris = dict(database.rows("SELECT id, uri FROM docs_metadata"))
    found: Occurrences = Counter()
    for term, column, stored in database.rows("SELECT * FROM term_postings"):
        for place, count in zip(*PostingList.unpack(stored), strict=True):
            found[term, TEXT_COLUMNS[column], uris[texts.ids[place]]] += int(count)
    return found


def read_index(path: Path) -> Occurrences:
    with closing(sqlite3.connect(path)) as file:
        file.executescript(
            """
            CREATE VIRTUAL TABLE temp.places USING fts5vocab('main', docs_fts, instance);
            CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', docs_fts, row);
            """
        )
        rows = file.execute(
            """
            SELECT p.term, p.col, m.uri
            FROM temp.places AS p JOIN docs_metadata AS m ON m.id = p.doc
            WHERE p.term IN (SELECT term FROM temp.words WHERE doc >= 3)
            """
        )
        return Counter(rows)


def say(number: int) -> str:
    return " ".join(["every"] * (1 + number % 3) + ["half"] * (number % 2) + ["long"] * number)


def test_they_are_those_of_the_text_index_after_a_save_of_changes_too(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    old = [page(f"a/p{n}", f"P{n} half", say(n)) for n in range(30)]
    new = [*old[:10], *(page(f"a/p{n}", f"P{n}", "every " * n) for n in range(15, 40))]
    folders = {"changed": [old, new, new], "whole": [new]}
    read = []
    for folder, saves in folders.items():
        for pages in saves:
            options = SaveOptions(only_changed=True)
            save([request_of("docs", pages)], tmp_path / folder, options)
        with closing(open_index(tmp_path / folder)) as index:
            [database] = index.databases
            read.append(read_lists(database))
            assert read[-1] == read_index(database.path)
    assert read[0] == read[1]
    assert read[0]["everi", "content", "docs://a/p39"] == 39


@pytest.mark.parametrize(("is_changed", "written"), [(False, 0), (True, 1)])
def test_only_a_save_that_changes_a_document_writes_them(
    tmp_path: Path,
    page: Make,
    request_of: Requests,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_changed: bool,
    written: int,
) -> None:
    pages = [page(f"a/p{n}", f"P{n}", say(n)) for n in range(5)]
    save([request_of("docs", pages)], tmp_path)
    write = Mock(wraps=postings.write_postings)
    monkeypatch.setattr("stacks.index.builder.write_postings", write)
    later = pages[:4] if is_changed else pages
    save([request_of("docs", later)], tmp_path, SaveOptions(only_changed=True))
    assert write.call_count == written
    with closing(open_index(tmp_path)) as index:
        [database] = index.databases
        assert read_lists(database) == read_index(database.path)


def test_lengths_are_the_words_of_all_columns(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    pages = [page("a/short", "Short", "one"), page("a/long", "Long", "word " * 500)]
    save([request_of("docs", pages)], tmp_path)
    with closing(open_index(tmp_path)) as index:
        texts = index.databases[0].text_lengths
    assert texts is not None
    short, long = texts.words
    # Title, URI, framework, source and language are those of both.
    assert long - short == 499
    assert texts.mean == (short + long) / 2


@pytest.mark.parametrize("number", [0, 1, 127, 128, 16_383, 16_384, 70_000, 2**31])
def test_numbers_are_read_as_sqlite_packs_them(number: int) -> None:
    groups = [number & 127]
    while number >> 7 * len(groups):
        groups.append(number >> 7 * len(groups) & 127 | 128)
    packed = bytes([5, *reversed(groups), 7])
    assert postings._read_numbers(packed) == [5, number, 7]


@given(
    st.dictionaries(st.integers(0, 2**32 - 1), st.integers(1, 65_535), min_size=1, max_size=50)
    | st.dictionaries(st.integers(0, 300), st.integers(1, 255), min_size=1, max_size=50)
)
def test_a_list_is_read_as_it_was_written(counts: dict[int, int]) -> None:
    places = np.array(sorted(counts))
    written = PostingList(places, np.array([counts[place] for place in places.tolist()]))
    read = PostingList.unpack(written.pack())
    assert read.documents.tolist() == places.tolist()
    assert read.counts.tolist() == written.counts.tolist()
    assert read.fits(max(counts) + 1)
    assert not read.fits(max(counts))


def test_near_documents_and_few_occurrences_take_three_bytes() -> None:
    written = PostingList(np.arange(0, 10_000, 100), np.full(100, 9))
    assert len(written.pack()) == 301


def test_more_occurrences_than_are_counted_are_the_most() -> None:
    made = PostingList(np.array([3]), np.array([70_000]))
    assert PostingList.unpack(made.pack()).counts.tolist() == [65_535]


@pytest.mark.parametrize(("pages", "listed"), [(7, True), (8, False)])
def test_words_of_too_few_of_all_documents_have_no_lists(
    tmp_path: Path,
    page: Make,
    request_of: Requests,
    monkeypatch: pytest.MonkeyPatch,
    pages: int,
    *,
    listed: bool,
) -> None:
    monkeypatch.setattr(postings, "ONE_IN", 2)
    texts = [page(f"a/p{n}", f"P{n}", "word" if n < 3 else "others") for n in range(pages)]
    save([request_of("docs", texts)], tmp_path)
    with closing(open_index(tmp_path)) as index:
        found = index.databases[0].rows("SELECT 1 FROM term_postings WHERE term = 'word'")
    assert bool(found) == listed
