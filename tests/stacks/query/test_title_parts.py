"""Runs of parts in a title: from the beginning of one part to the end of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.query import document_names
from stacks.query.document_names import _read_titles, has_parts_in_a_row
from stacks.query.filters import Condition
from stacks.query.lexical import LexicalSearch
from stacks.query.rankings import RANKINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from stacks.model import Document
    from stacks.query import Index


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("UICollectionViewLayout", "collectionview"),
        ("UIGraphicsImageRenderer", "graphicsimagerenderer"),
        ("UITableView", "uitable"),
        ("NSURLSession", "urlsession"),
        ("NSURLSession", "nsurlsession"),
        ("LazyVGrid", "vgrid"),
        ("open(_:options:completionHandler:)", "completionhandler"),
        ("read_csv_file", "csvfile"),
        ("Path.is_relative_to", "isrelative"),
        ("MyViewViewController", "viewcontroller"),
        ("Using ViewController well.", "viewcontroller"),
    ],
)
def test_a_run_of_parts_is_found(title: str, wanted: str) -> None:
    assert has_parts_in_a_row(title, wanted)


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Reviewcontroller", "viewcontroller"),
        ("ViewControllers", "viewcontroller"),
        ("UIViewTableController", "viewcontroller"),
        ("open(_:options:completion:)", "optionscompletion"),
        ("ViewController.present", "viewcontroller"),
        ("NSURLSession", "lsession"),
        ("StraßeViewController", "viewcontroller"),
        ("", "viewcontroller"),
    ],
)
def test_what_begins_or_ends_inside_a_part_is_no_run(title: str, wanted: str) -> None:
    assert not has_parts_in_a_row(title, wanted)


@given(st.text(), st.text(min_size=1))
def test_any_title_can_be_looked_at(title: str, wanted: str) -> None:
    assert has_parts_in_a_row(title, wanted) in (True, False)


@given(st.lists(st.sampled_from(["View", "Table", "Cell", "Image"]), min_size=1, max_size=5))
def test_every_run_of_words_in_a_name_is_a_run(words: list[str]) -> None:
    name = "".join(words)
    for first in range(len(words)):
        for last in range(first + 1, len(words) + 1):
            assert has_parts_in_a_row(name, "".join(words[first:last]).casefold())


@pytest.mark.parametrize(
    ("most", "expected"),
    [(4, {"Grid", "LazyGrid", "GridItem"}), (3, {"Grid", "LazyGrid", "GridItem"}), (1, {"Grid"})],
)
def test_of_too_many_titles_the_best_are_read(
    index_of: Callable[..., Index],
    page: Callable[..., Document],
    monkeypatch: pytest.MonkeyPatch,
    most: int,
    expected: set[str],
) -> None:
    index = index_of(
        [
            page("ui/lazy", "LazyGrid", "long " * 50),
            page("ui/item", "GridItem", "long " * 50),
            page("ui/grid", "Grid", "grid grid"),
            page("ui/other", "Other", "grid in the text alone"),
        ]
    )
    weights = RANKINGS.get("documentation").weights
    lexical = LexicalSearch(index.databases[0], Condition(""), [1], weights)
    monkeypatch.setattr(document_names, "_MOST_TITLES", most)
    assert {title for _, title in _read_titles(lexical, '"grid"')} == expected


def test_titles_are_read_within_a_filter(
    index_of: Callable[..., Index], page: Callable[..., Document]
) -> None:
    index = index_of([page("ui/grid", "Grid", kind="struct"), page("ui/make", "makeGrid()")])
    structs = Condition("m.kind = ?", ("struct",))
    weights = RANKINGS.get("documentation").weights
    lexical = LexicalSearch(index.databases[0], structs, [1], weights)
    assert [title for _, title in _read_titles(lexical, '"grid"')] == ["Grid"]
