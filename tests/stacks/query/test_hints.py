"""What is said where nothing was found, and names near a misspelt one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stacks.model import Document, Symbol
from stacks.query import (
    Filters,
    Index,
    SymbolFilters,
    explain_no_conformances,
    explain_no_document,
    explain_no_family,
    explain_no_hits,
    explain_no_symbols,
)

if TYPE_CHECKING:
    from collections.abc import Callable

TITLES = ("Hashable", "Dictionary", "OrderedDict", "pathlib", "AsyncSequence", "hash(into:)")


@pytest.fixture
def index(index_of: Callable[..., Index], page: Callable[..., Document]) -> Index:
    frozen = Symbol("Dictionary", "struct", "struct Dictionary", attributes=("@frozen",))
    pages = [page(f"swift/p{number}", title) for number, title in enumerate(TITLES)]
    point = page("swift/point", "Point", kind="struct", conformances=("Hashable", "Sendable"))
    shape = page("swift/shape", "Shape", kind="class", language="swift", symbols=(frozen,))
    bare = page("swift/bare", "Bare", kind="enum")
    return index_of([*pages, point, shape, bare])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("hasable", ["Hashable"]),
        ("dictonary", ["Dictionary"]),
        ("OrderdDict", ["OrderedDict"]),
        ("pthlib", ["pathlib"]),
        ("asyncsequnce", ["AsyncSequence"]),
        ("dictonary asyncsequnce", ["Dictionary", "AsyncSequence"]),
        ('"dictonary"', ["Dictionary"]),
        ("Hashable", []),
        ("xyzzy", []),
        ("", []),
        ("a", []),
        ("?!", []),
        ("\ud800asable", []),
        ("h" * 10_000, []),
        ("dictonary\0", ["Dictionary"]),
    ],
)
def test_names_near_a_misspelt_one_are_suggested(index: Index, text: str, names: list[str]) -> None:
    assert index.suggest(text) == names


def test_at_most_three_names_are_suggested_and_each_word_has_its_turn(
    index_of: Callable[..., Index], page: Callable[..., Document]
) -> None:
    titles = ["alpha1", "alpha2", "alpha3", "alpha4", "gammas"]
    index = index_of([page(f"a/{title}", title) for title in titles])
    found = index.suggest("alphax gamma")
    assert len(found) == 3
    assert found[1] == "gammas"


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        (Filters(), 'nothing found for "Shapo"; did you mean Shape?'),
        (Filters(sources=("dcos",)), 'no source "dcos" here; did you mean docs? sources are docs'),
        (Filters(kinds=("clas",)), 'there is no kind "clas" here; did you mean class? kinds are'),
        (Filters(language="swfit"), 'no language "swfit" here; did you mean swift? languages are'),
        (
            Filters(framework="swfit"),
            'no framework "swfit" here; did you mean swift? stacks list --frameworks names them',
        ),
        (Filters(attribute="frozn"), 'is marked "@frozn"; did you mean @frozen?'),
        (Filters(attribute="zzz"), 'with --attribute "zzz"; no declaration here is marked "@zzz"'),
    ],
)
def test_an_empty_search_names_the_filter_that_names_nothing(
    index: Index, filters: Filters, said: str
) -> None:
    results = index.search("Shapo", filters=filters)
    assert not results.hits
    assert said in explain_no_hits(index, results, filters)


def test_filters_that_leave_nothing_are_told_with_what_they_keep_out(index: Index) -> None:
    filters = Filters(kinds=("struct",), available={"ios": "17"})
    results = index.search("Shape", filters=filters)
    assert explain_no_hits(index, results, filters) == (
        'nothing found for "Shape" with --kind "struct", --min-ios "17"; '
        "without these filters there is Shape (docs://swift/shape)"
    )


def test_a_search_without_words_says_so(index: Index) -> None:
    results = index.search("?!")
    assert explain_no_hits(index, results, Filters()).startswith("nothing to look for")


@pytest.mark.parametrize(
    ("symbol", "said"),
    [
        (
            "Point",
            (
                "no inheritance data: Point is a value type (struct), which inherits from no "
                "class; it conforms to Hashable, Sendable; for what else conforms to Hashable, "
                "try stacks conformances Hashable"
            ),
        ),
        ("Bare", "which inherits from no class; try stacks read docs://swift/bare"),
        ("Shape", "nothing above or below Shape (class) is in this index; try stacks read"),
        ("Shapo", 'no page is called "Shapo"; did you mean Shape?'),
        ("xyzzy", 'no page is called "xyzzy"; use stacks search to find one'),
    ],
)
def test_a_family_without_members_says_why(index: Index, symbol: str, said: str) -> None:
    assert said in explain_no_family(index, index.inheritance(symbol), "both")


def test_no_symbol_no_conformance_and_no_document_say_what_to_try(index: Index) -> None:
    marked = SymbolFilters(attribute="frozn")
    assert "did you mean @frozen?" in explain_no_symbols(index, "", marked)
    thrown = SymbolFilters(is_throws=True)
    assert explain_no_symbols(index, "Dictionary", thrown) == (
        'no declaration matches text "Dictionary", --throws true; without these filters there is '
        "Dictionary (struct, docs://swift/shape)"
    )
    assert "did you mean Hashable?" in explain_no_conformances(index, "Hasable")
    assert "the nearest page above it is docs://swift/shape" in explain_no_document(
        index, "docs://swift/shape/nothing"
    )
