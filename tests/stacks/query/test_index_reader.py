"""Reading documents, symbols, conformances and inheritance."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from stacks.errors import IndexUnusableError, QueryError
from stacks.index import Request, save
from stacks.model import Document, Snippet, Symbol
from stacks.query import Index, SymbolFilters, TypeFamily, open_index

if TYPE_CHECKING:
    from pathlib import Path

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


def test_a_parent_without_a_page_is_marked_and_named_by_its_uri(index: Index) -> None:
    relatives = index.inheritance("Leaf", "up", 1).relatives
    assert [(each.title, each.is_indexed) for each in relatives] == [
        ("mixin", False),
        ("Middle", True),
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"conformances": ("Other", "typing.MixIn[T]")},
        {"symbols": (Symbol("Leaf", "class", "class Leaf", conformances=("MixIn",)),)},
        {"declaration": "class Leaf : MixIn"},
    ],
)
def test_a_parent_without_a_page_is_named_as_its_child_writes_it(
    index_of: Callable[..., Index], page: Make, fields: dict[str, Any]
) -> None:
    parents = ("docs://other/mixin?language=objc",)
    index = index_of([page("py/leaf", "Leaf", kind="class", parents=parents, **fields)])
    (parent,) = index.inheritance("Leaf").relatives
    assert (parent.title, parent.is_indexed) == ("MixIn", False)


def test_several_types_of_a_name_are_an_error_that_lists_their_uris(
    index_of: Callable[..., Index], page: Make
) -> None:
    index = index_of(
        [
            page("a/reply", "Reply", kind="class"),
            page("b/reply", "Reply", kind="class", parents=("docs://b/base",)),
            page("c/reply", "Reply", kind="article"),
            page("d/reply", "Reply", kind="class", is_deprecated=True),
        ]
    )
    said = (
        "3 types are called Reply; give the URI of one: "
        "docs://a/reply, docs://b/reply, docs://d/reply"
    )
    with pytest.raises(QueryError, match=f"^{said}$"):
        index.inheritance(" Reply")
    assert len(index.inheritance("docs://b/reply").relatives) == 1


def test_the_pages_of_a_type_in_two_languages_are_one_type(
    index_of: Callable[..., Index], page: Make
) -> None:
    index = index_of(
        [
            page("a/view", "View", kind="class", language="swift"),
            page("a/view?language=objc", "View", kind="class", language="objc"),
        ]
    )
    assert index.inheritance("View").uri == "docs://a/view"


def test_a_type_without_a_page_has_no_uri(index: Index) -> None:
    assert index.inheritance("Ghost") == TypeFamily("", "Ghost", "", ())
    assert index.inheritance("Int").relatives == ()


def test_inheritance_needs_a_direction_and_a_depth(index: Index) -> None:
    with pytest.raises(QueryError, match="directions are up, down, both"):
        index.inheritance("Int", "sideways")
    with pytest.raises(QueryError, match="depth of at least 1, not 0"):
        index.inheritance("Int", depth=0)
    assert len(index.inheritance("Base", "down", 10**20).relatives) == 2


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


@pytest.mark.parametrize("text", ["half \ud800", "\udcff"])
def test_half_a_character_is_an_error_that_says_so(index: Index, text: str) -> None:
    with pytest.raises(QueryError, match="half of a character"):
        index.read(text)
    with pytest.raises(QueryError, match="half of a character"):
        index.inheritance(text)
    with pytest.raises(QueryError, match="half of a character"):
        index.symbols(filters=SymbolFilters(attribute=text))
    with pytest.raises(QueryError, match="half of a character"):
        index.symbols(f"Leaf {text}")
    with pytest.raises(QueryError, match="name a protocol"):
        index.conformances("\ud800")


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_an_error(index: Index, limit: int) -> None:
    with pytest.raises(QueryError, match="limit of at least 1"):
        index.symbols("Leaf", limit=limit)
    with pytest.raises(QueryError, match="limit of at least 1"):
        index.conformances("Base", limit=limit)


def test_a_limit_that_no_file_can_hold_is_an_error(index: Index) -> None:
    with pytest.raises(QueryError, match="a number is too large"):
        index.symbols("Leaf", limit=10**20)
    with pytest.raises(QueryError, match="a number is too large"):
        index.conformances("Base", limit=10**20)


def test_quoted_words_of_a_symbol_are_words(index: Index) -> None:
    assert index.symbols('"Leaf"') == index.symbols("Leaf")
    assert [each.name for each in index.conformances('"Base"')] == ["Middle"]


def symbol_page(make: Make, path: str, *symbols: Symbol, **fields: object) -> Document:
    return make(path, path.rsplit("/", 1)[-1], kind="class", symbols=symbols, **fields)


def test_an_attribute_is_matched_by_its_whole_name_in_any_case(
    index_of: Callable[..., Index], page: Make
) -> None:
    marks = {
        "One": ("@dynamicCallable",),
        "Two": ("@Dyn",),
        "Three": ("@available(iOS 17, *)", "@MainActor"),
        "Four": ("@MainActorish",),
        "Five": ("@abc.abstractmethod",),
    }
    index = index_of(
        [
            symbol_page(page, f"a/{name}", Symbol(name, "class", attributes=attributes))
            for name, attributes in marks.items()
        ]
    )

    def marked(attribute: str) -> list[str]:
        found = index.symbols(filters=SymbolFilters(attribute=attribute))
        return [each.name for each in found]

    assert marked("dyn") == ["Two"]
    assert marked("@DYNAMICCALLABLE") == ["One"]
    assert marked("mainactor") == ["Three"]
    assert marked("@available(iOS 18, *)") == ["Three"]
    assert marked("abc.abstractmethod") == ["Five"]
    assert marked("*") == []
    with pytest.raises(QueryError, match="is not an attribute"):
        marked("@")


def test_a_constraint_is_matched_by_whole_words(index_of: Callable[..., Index], page: Make) -> None:
    constraints = {
        "One": ("Content: View",),
        "Two": ("Content: ViewBuilder",),
        "Three": ("Element == [Int]", "Key: Hashable"),
    }
    index = index_of(
        [
            symbol_page(page, f"a/{name}", Symbol(name, "class", generic_constraints=own))
            for name, own in constraints.items()
        ]
    )

    def constrained(constraint: str) -> list[str]:
        found = index.symbols(filters=SymbolFilters(constraint=constraint))
        return [each.name for each in found]

    assert constrained("View") == ["One"]
    assert constrained("view") == ["One"]
    assert constrained(": View") == ["One"]
    assert constrained("[Int]") == ["Three"]
    assert constrained("*") == []
    assert constrained("key: hashable") == ["Three"]


def test_symbols_stand_by_name_origin_age_and_prominence(
    index_of: Callable[..., Index], page: Make
) -> None:
    append = Symbol("append", "method", "func append(_ element: Element)")
    members = [page(f"big/array/m{number}", f"m{number}") for number in range(5)]
    index = index_of(
        [
            symbol_page(page, "aaa/parser", append),
            symbol_page(page, "aab/old", append, is_deprecated=True),
            symbol_page(page, "aac/longer", Symbol("appendAll", "method", "func append all")),
            symbol_page(
                page, "big/array", append, children=tuple(member.uri for member in members)
            ),
            *members,
        ]
    )
    assert [each.uri for each in index.symbols("append")] == [
        "docs://big/array",
        "docs://aaa/parser",
        "docs://aab/old",
        "docs://aac/longer",
    ]
    assert [each.name for each in index.symbols("append", limit=1)] == ["append"]


def save_second_file(folder: Path, request: Request, name: str) -> None:
    """Save a request aside, and put its file beside the first under a name of its own."""
    save([request], folder / "aside")
    (folder / "aside" / "search.db").rename(folder / f"{name}.db")


def test_symbols_of_several_files_are_merged_by_one_order(
    tmp_path: Path, page: Make, request_of: Callable[..., Request]
) -> None:
    append = Symbol("append", "method", "func append()")
    old = symbol_page(page, "a/old", append, is_deprecated=True)
    save([request_of("docs", [old])], tmp_path)
    save_second_file(tmp_path, request_of("more", [symbol_page(page, "b/new", append)]), "packages")
    with open_index(tmp_path) as index:
        assert [each.uri for each in index.symbols("append")] == ["docs://b/new", "docs://a/old"]
        assert [each.uri for each in index.symbols("append", limit=1)] == ["docs://b/new"]


def test_inheritance_begins_with_the_best_page_of_all_files_and_crosses_them(
    tmp_path: Path, page: Make, request_of: Callable[..., Request]
) -> None:
    article = page("a/node", "Node", kind="article")
    base = page("a/base", "Base", kind="class")
    node = page("b/node", "Node", kind="class", parents=("docs://a/base",))
    save([request_of("docs", [article, base])], tmp_path)
    save_second_file(tmp_path, request_of("more", [node]), "packages")
    with open_index(tmp_path) as index:
        family = index.inheritance("Node")
        assert family.uri == "docs://b/node"
        assert [(each.title, each.direction) for each in family.relatives] == [("Base", "up")]
        assert [each.title for each in index.inheritance("Base").relatives] == ["Node"]


def test_only_the_three_files_of_an_index_are_opened_in_their_order(
    tmp_path: Path, page: Make, request_of: Callable[..., Request]
) -> None:
    for name in ("samples", "notes", "packages"):
        save_second_file(tmp_path, request_of(name, [page(f"{name}/x")]), name)
    save([request_of("docs", [page("a/x")])], tmp_path)
    with open_index(tmp_path) as index:
        names = [database.path.name for database in index.databases]
    assert names == ["search.db", "packages.db", "samples.db"]


def test_an_empty_file_says_that_it_is_empty(tmp_path: Path) -> None:
    (tmp_path / "search.db").touch()
    with pytest.raises(IndexUnusableError, match=r"search\.db is empty; make an index"):
        open_index(tmp_path)


def test_a_document_is_read_by_a_name_that_it_alone_has(
    index_of: Callable[..., Index], page: Make
) -> None:
    index = index_of(
        [
            page("proposals/se-0020", "SE-0020: Versions", kind="proposal", names=("SE-0020",)),
            page("proposals/other", "Other", kind="proposal", names=("shared",)),
            page("proposals/third", "Third", kind="proposal", names=("shared", "Other")),
        ]
    )
    assert index.read("SE-0020").uri == "docs://proposals/se-0020"
    assert index.read("other").uri == "docs://proposals/other", "a title goes before other names"
    with pytest.raises(QueryError, match="there is no document shared; did you mean docs://"):
        index.read("shared")
