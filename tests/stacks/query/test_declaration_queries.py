"""Queries that say what a declaration is like are answered by pages that have such a one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stacks.index import Request, SaveOptions, save
from stacks.model import Snippet, Symbol
from stacks.query import Filters, Index, SearchOptions, open_index
from stacks.query.declaration_queries import read_declarations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from stacks.model import Document

PAGES = {
    "talk": "# Talk\n\nAsync throws functions returning String: async throws String.\n",
    "shows": '# Shows\n\nA page.\n\n```swift\nfunc load() async throws -> String { "" }\n```\n',
    "other": "# Other\n\nA page.\n\n```swift\nfunc load() async -> Int { 1 }\n```\n",
    "main": "# Main\n\n```swift\n@MainActor func draw() {}\nstruct Loaf: Identifiable {}\n```\n",
    "pin": "# Pin\n\nA page.\n\n```swift\nfunc pin<Key: Hashable>(_ key: Key) {}\n```\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("declarations")
    pages = folder / "pages"
    pages.mkdir()
    for name, text in PAGES.items():
        (pages / f"{name}.md").write_text(text)
    save([Request.parse(f"markdown={pages}")], folder / "index")
    with open_index(folder / "index") as opened:
        yield opened


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("async throws functions returning String", "Shows"),
        ("async functions that do not throw", "Other"),
        ("@MainActor functions", "Main"),
        ("structs conforming to Identifiable", "Main"),
        ("Identifiable structs", "Main"),
        ("generic functions constrained to Hashable", "Pin"),
    ],
)
def test_a_page_that_has_it_stands_above_one_that_speaks_of_it(
    index: Index, query: str, first: str
) -> None:
    assert index.search(query).hits[0].title == first


def test_without_declarations_the_words_decide(index: Index) -> None:
    query = "async throws functions returning String"
    options = SearchOptions(without=frozenset({"declarations"}))
    assert index.search(query, options).hits[0].title == "Talk"


def test_meaning_is_not_blended_in_where_declarations_are_found(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for name, text in PAGES.items():
        (tmp_path / "pages" / f"{name}.md").write_text(text)
    request = Request.parse(f"markdown={tmp_path / 'pages'}")
    save([request], tmp_path / "index", SaveOptions(embedder="wordllama"))
    with open_index(tmp_path / "index") as index:
        described = index.search("async throws functions returning String", mode="both")
        assert [hit.blended for hit in described] == [None] * len(described)
        assert index.search("a page about loading", mode="both").hits[0].blended is not None


def test_a_page_that_shows_a_declaration_says_so(index: Index) -> None:
    hits = index.search("async throws functions returning String").hits
    factors = {each.reason: each.factor for hit in hits for each in hit.factors}
    assert factors["shows what is asked for"] == 200.0


def test_filters_hold_for_declarations_too(index: Index) -> None:
    options = SearchOptions(filters=Filters(kinds=("class",)))
    assert not index.search("@MainActor functions", options).hits


@pytest.mark.parametrize(
    "query",
    [
        "functions",
        "static typing",
        "what replaces @StateObject when the model is @Observable",
        "how do I make a type usable as a dictionary key",
        "@MainActor",
        "%' OR 1=1 -- functions",
        "",
    ],
)
def test_other_queries_ask_for_no_declarations(query: str) -> None:
    assert read_declarations(query, lambda _: "") is None


@pytest.mark.parametrize(
    ("query", "condition", "value"),
    [
        ("functions with keyword-only arguments", "d.signature LIKE '%, *, %'", None),
        ("methods annotated -> int", "d.signature LIKE ?", "%-> int%"),
        ("functions returning a bool", "d.signature LIKE ?", "%-> bool%"),
        ("classmethods whose name starts with from_", "instr(d.name, ?) = 1", "from_"),
        ("functions that accept compresslevel", "instr(d.signature, ?)", "compresslevel"),
        ("functions with a timeout", "instr(d.signature, ?)", "timeout"),
        ("subclasses of socketserver.BaseServer", "inheritance", "socketserver.baseserver"),
        ("classes derived from asyncio BaseProtocol", "inheritance", "asyncio.baseprotocol"),
        ("exceptions that are a ValueError", "inheritance", "valueerror"),
    ],
)
def test_what_is_said_becomes_a_condition(query: str, condition: str, value: str | None) -> None:
    found = read_declarations(query, lambda _: "")
    assert found is not None
    assert condition in found.sql
    assert value is None or value in found.parameters
    assert found.sql.count("?") == len(found.parameters)


@pytest.mark.parametrize(
    ("query", "framework"),
    [
        ("subprocess functions with a timeout", "subprocess"),
        ("functions with a timeout in subprocess", "subprocess"),
        ("properties in the inspect module", "inspect"),
        ("all classes of inspect", "inspect"),
    ],
)
def test_a_framework_may_stand_before_or_behind_the_kind(query: str, framework: str) -> None:
    known = {"subprocess", "inspect"}
    found = read_declarations(query, lambda name: name if name in known else "")
    assert found is not None
    assert found.framework == framework


@pytest.mark.parametrize("query", ["classes in Narnia", "how do functions work in inspect"])
def test_a_kind_alone_asks_for_nothing_outside_a_framework(query: str) -> None:
    assert read_declarations(query, lambda name: name if name == "inspect" else "") is None


def test_grandchildren_are_subclasses_too(tmp_path: Path) -> None:
    pages = tmp_path / "pages.py"
    pages.write_text(
        '''"""Shapes."""

class Shape:
    """A subclass of Shape is a class, and subclasses of Shape are classes."""

class Round(Shape):
    """Without corners."""

class Circle(Round):
    """The same everywhere."""

class Other:
    """Something else."""
'''
    )
    save([Request.parse(f"pydoc={pages}")], tmp_path / "index")
    with open_index(tmp_path / "index") as index:
        hits = index.search("subclasses of Shape").hits
    assert {hit.title for hit in hits[:2]} == {"Round", "Circle"}


def test_a_framework_is_taken_from_the_end() -> None:
    names = {"standard library": "swift"}
    found = read_declarations(
        "async functions in the standard library", lambda name: names.get(name, "")
    )
    assert found is not None
    assert found.framework == "swift"


def test_the_page_of_a_declaration_goes_before_one_that_shows_it(
    index_of: Callable[..., Index], page: Callable[..., Document]
) -> None:
    own = Symbol("load", "function", "func load() async", is_async=True)
    shown = Snippet("func load() async {}", "swift")
    index = index_of(
        [
            page("a/own", "load", symbols=(own,), snippets=(shown,)),
            page("a/guide", "Guide", "async functions", snippets=(shown,)),
        ]
    )
    hits = index.search("async functions").hits
    assert [hit.uri for hit in hits] == ["docs://a/own", "docs://a/guide"]
    assert ("declares what is asked for", 200.0, "declares") in hits[0].factors
    assert ("shows what is asked for", 200.0, "declares") in hits[1].factors


def test_declarations_of_an_owner_are_below_its_page(
    index_of: Callable[..., Index], page: Callable[..., Document]
) -> None:
    def make(path: str, *attributes: str) -> Document:
        name = path.rsplit("/", 1)[-1]
        symbols = (Symbol(name, "property", attributes=attributes),)
        return page(path, name, kind="property", symbols=symbols)

    index = index_of(
        [
            page("ui/view", "View", "@MainActor properties on View.", kind="protocol"),
            make("ui/view/body", "@MainActor"),
            make("ui/view/plain"),
            make("ui/viewer/body2", "@MainActor"),
            make("ui/app/body3", "@MainActor"),
        ]
    )
    for text in ("@MainActor properties on View", "@MainActor properties of the View"):
        first, second = index.search(text).hits[:2]
        assert first.title == "body", text
        assert second.title not in ("body2", "body3"), text
    declaring = {
        hit.title
        for hit in index.search("@MainActor properties in ui")
        if any(each.reason == "declares what is asked for" for each in hit.factors)
    }
    assert declaring == {"body", "body2", "body3"}
