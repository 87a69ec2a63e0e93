"""Reading documents, symbols, conformances and inheritance."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from stacks.errors import QueryError
from stacks.model import Document, Snippet, Symbol
from stacks.query import Index, SymbolFilters

Make = Callable[..., Document]


@pytest.fixture
def index(index_of: Callable[..., Index], page: Make) -> Index:
    return index_of(
        [
            page("py/base", "Base", kind="class", symbols=(Symbol("Base", "class", "class Base"),)),
            page(
                "py/middle",
                "Middle",
                kind="class",
                parents=("docs://py/base",),
                symbols=(Symbol("Middle", "class", "class Middle(Base)", conformances=("Base",)),),
            ),
            page(
                "py/leaf",
                "Leaf",
                kind="class",
                parents=("docs://py/middle", "docs://other/mixin"),
                symbols=(Symbol("Leaf", "class", "class Leaf(Middle)", conformances=("Middle",)),),
            ),
            page(
                "py/int",
                "Int",
                kind="struct",
                declaration="struct Int",
                facts={"since": "1.0"},
                symbols=(Symbol("Int", "struct", "struct Int"),),
            ),
            page(
                "py/leaf/next",
                "Leaf.next",
                kind="method",
                symbols=(
                    Symbol(
                        "next",
                        "method",
                        "async def next(self)",
                        is_async=True,
                        attributes=("@cache",),
                    ),
                ),
            ),
        ]
    )


def test_a_document_is_read_by_its_uri(index: Index) -> None:
    document = index.read("docs://py/int")
    assert document.title == "Int"
    assert document.declaration == "struct Int"
    assert document.facts == {"since": "1.0"}


def test_an_unknown_uri_suggests_a_near_one(index: Index) -> None:
    with pytest.raises(QueryError, match="did you mean docs://py/leaf"):
        index.read("docs://python/leaf")
    with pytest.raises(QueryError, match="stacks search"):
        index.read("docs://nowhere/nothing")


def test_inheritance_is_walked_in_both_directions(index: Index) -> None:
    family = index.inheritance("Middle")
    assert [(each.title, each.direction, each.steps) for each in family.relatives] == [
        ("Base", "up", 1),
        ("Leaf", "down", 1),
    ]


def test_inheritance_goes_as_deep_as_asked(index: Index) -> None:
    assert [each.title for each in index.inheritance("Base", "down", 1).relatives] == ["Middle"]
    assert [each.title for each in index.inheritance("Base", "down", 9).relatives] == [
        "Middle",
        "Leaf",
    ]


def test_a_parent_without_a_page_is_named_by_its_uri(index: Index) -> None:
    assert "mixin" in [each.title for each in index.inheritance("Leaf", "up", 1).relatives]


def test_no_inheritance_says_why(index: Index) -> None:
    assert "Int is a value type" in index.inheritance("Int").remark
    assert "no page is called Ghost" in index.inheritance("Ghost").remark
    with pytest.raises(QueryError, match="directions are up, down, both"):
        index.inheritance("Int", "sideways")


def test_a_circle_of_inheritance_ends(index_of: Callable[..., Index], page: Make) -> None:
    index = index_of(
        [
            page("a/x", "X", kind="class", parents=("docs://a/y",)),
            page("a/y", "Y", kind="class", parents=("docs://a/x",)),
        ]
    )
    assert len(index.inheritance("X", "both", 50).relatives) == 2


def test_symbols_are_found_by_name_kind_flag_and_attribute(index: Index) -> None:
    assert [each.name for each in index.symbols("Leaf", SymbolFilters(kind="class"))] == ["Leaf"]
    assert [each.name for each in index.symbols(filters=SymbolFilters(is_async=True))] == ["next"]
    assert [each.name for each in index.symbols(filters=SymbolFilters(attribute="cache"))] == [
        "next"
    ]
    assert index.symbols("Leaf", SymbolFilters(is_throws=True)) == []
    with pytest.raises(QueryError, match="kinds are class"):
        index.symbols("x", SymbolFilters(kind="klass"))
    with pytest.raises(QueryError, match="name a symbol"):
        index.symbols()


def test_conformances_are_found(index: Index) -> None:
    assert [each.name for each in index.conformances("Base")] == ["Middle"]
    assert index.conformances("Nothing") == []
    with pytest.raises(QueryError, match="name a protocol"):
        index.conformances("  ")


def test_frameworks_and_sources_are_listed(index: Index) -> None:
    assert [(entry.slug, entry.documents) for entry in index.frameworks()] == [("py", 5)]
    assert [(entry.name, entry.documents) for entry in index.sources()] == [("docs", 5)]


def test_examples_are_found_by_what_they_use(index_of: Callable[..., Index], page: Make) -> None:
    swift = Snippet(
        "import SwiftUI\nstruct Card: View { var body: some View { Text(title) } }", "swift"
    )
    python = Snippet("from collections import Counter\nCounter(words).most_common(3)", "python")
    index = index_of([page("a/x", "X", snippets=(swift,)), page("a/y", "Y", snippets=(python,))])
    assert [each.uri for each in index.examples("Counter most_common")] == ["docs://a/y"]
    assert [each.uri for each in index.examples("Text", imports="SwiftUI")] == ["docs://a/x"]
    assert index.examples("Text", imports="UIKit") == []
    assert index.examples("Text", language="python") == []
    with pytest.raises(QueryError, match="name something"):
        index.examples("***")


def test_sample_projects_are_listed_and_found_by_what_they_show(
    index_of: Callable[..., Index], page: Make
) -> None:
    index = index_of(
        [
            page("tetris", "Tetris", kind="sample", summary="Falling blocks with SpriteKit."),
            page("notes", "Notes", kind="sample", summary="Save text to a database."),
            page("notes/main.swift", "main.swift", kind="file"),
        ]
    )
    assert [each.title for each in index.samples()] == ["Notes", "Tetris"]
    assert [each.title for each in index.samples("database of text")] == ["Notes"]
    assert index.samples("zebra") == []
