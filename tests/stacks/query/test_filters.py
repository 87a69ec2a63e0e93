"""What a search is confined to: fields, numbers, versions one wants to run on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from stacks.errors import QueryError
from stacks.model import Document, Snippet, Symbol
from stacks.query import Filters, Fusion, Index
from stacks.serve.tools import call_tool
from stacks.text import version_number

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("version", "number"),
    [
        ("17", 170000),
        ("17.4.1", 170401),
        ("17.100.99999999999999999999", 179999),
        ("0017.004", 170400),
        ("999999999", 9999999990000),
        ("9999999999", None),
        ("9" * 5000, None),
        (f"17.{'9' * 5000}", 179900),
        ("soon", None),
        ("", None),
        ("-1", None),
    ],
)
def test_versions_are_numbers_that_a_file_can_hold(version: str, number: int | None) -> None:
    assert version_number(version) == number


@pytest.mark.parametrize("version", ["9" * 20, "9" * 5000, "x", "-1"])
def test_a_version_that_is_none_is_an_error(version: str) -> None:
    with pytest.raises(QueryError, match="is not a version; give one such as 17"):
        Filters(available={"ios": version}).condition("")


@pytest.mark.parametrize("number", [-1, -0.001, math.nan, math.inf, -math.inf, 10**400])
def test_the_fusion_takes_only_numbers_from_0_on(number: float) -> None:
    with pytest.raises(QueryError, match="the k of the rank fusion is a number from 0 on"):
        Fusion(k=number)
    with pytest.raises(QueryError, match="the weight of docs is a number from 0 on"):
        Fusion(weights={"docs": number})


def test_a_weight_and_a_k_of_0_are_allowed() -> None:
    fusion = Fusion(k=0, weights={"docs": 0})
    assert [each.earned for each in fusion.score_ranks("docs", 1.0, [1.0, 0.5])] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("attribute", "found"),
    [
        ("@MainActor", ["docs://a/marked"]),
        ("mainactor", ["docs://a/marked"]),
        ("main", []),
        ("AVAILABLE(iOS 12)", ["docs://a/marked"]),
    ],
)
def test_an_attribute_confines_a_search_by_its_whole_name_in_any_case(
    index_of: Callable[..., Index],
    page: Callable[..., Document],
    attribute: str,
    found: list[str],
) -> None:
    marked = Symbol("load", "method", attributes=("@available(iOS 17, *)", "@MainActor"))
    index = index_of(
        [
            page("a/marked", "load", symbols=(marked,)),
            page("a/plain", "load", symbols=(Symbol("load", "method"),)),
        ]
    )
    hits = index.search("load", filters=Filters(attribute=attribute))
    assert [hit.uri for hit in hits] == found


@pytest.mark.parametrize("language", ["shell", "Shell", "bash", "sh", "zsh"])
def test_a_language_is_found_under_every_name_it_has_or_had(
    index_of: Callable[..., Index], page: Callable[..., Document], language: str
) -> None:
    index = index_of(
        [
            page("a/now", "deploy", language="shell", snippets=(Snippet("deploy now", "shell"),)),
            page("a/before", "deploy", language="bash", snippets=(Snippet("deploy old", "bash"),)),
            page("a/other", "deploy", language="python"),
        ]
    )
    hits = index.search("deploy", filters=Filters(language=language))
    assert {hit.uri for hit in hits} == {"docs://a/now", "docs://a/before"}
    examples = index.examples("deploy", language=language)
    assert {example.uri for example in examples} == {"docs://a/now", "docs://a/before"}


def test_a_language_whose_name_is_an_alias_of_another_is_found_by_its_own_name(
    index_of: Callable[..., Index], page: Callable[..., Document]
) -> None:
    index = index_of([page("a/czech", "kniha", language="cs")])

    assert [hit.uri for hit in index.search("kniha", filters=Filters(language="cs"))]


@pytest.fixture
def index(index_of: Callable[..., Index], page: Callable[..., Document]) -> Index:
    """Grids of several ages, a guide without platform, proposals with versions of Swift."""
    return index_of(
        [
            page("ui/old", "Grid old", kind="struct", availability={"ios": "14.0"}),
            page("ui/new", "Grid new", kind="struct", availability={"ios": "18.0"}),
            page("ui/mac", "Grid mac", kind="struct", availability={"macos": "13.0"}),
            page("ui/guide", "Grid guide", kind="article"),
            page("se/nine", "Grid nine", kind="proposal", swift_version="5.9"),
            page("se/ten", "Grid ten", kind="proposal", swift_version="5.10"),
            page("se/odd", "Grid odd", kind="proposal", swift_version="next"),
        ]
    )


def find(index: Index, **given: Any) -> set[str]:
    hits = index.search("grid", filters=Filters.read(given))
    return {hit.title.removeprefix("Grid ") for hit in hits}


def test_what_states_no_platform_is_kept(index: Index) -> None:
    assert find(index, min_ios="17") == {"old", "guide", "nine", "ten", "odd"}
    assert find(index, min_ios="17", min_macos="14") == {"guide", "nine", "ten", "odd"}


def test_strict_availability_leaves_it_out(index: Index) -> None:
    assert find(index, min_ios="17", strict_availability=True) == {"old"}
    assert find(index, min_ios="17", strict_availability="false") == find(index, min_ios="17")


def test_versions_of_swift_are_compared_by_number(index: Index) -> None:
    assert find(index, min_swift="5.9", strict_availability=True) == {"nine"}
    assert find(index, min_swift="5.10", strict_availability=True) == {"nine", "ten"}
    assert find(index, min_swift="6", strict_availability=True) == {"nine", "ten"}
    assert find(index, min_swift="5.9") == {"old", "new", "mac", "guide", "nine"}


def test_a_filter_that_is_no_version_and_no_flag_is_refused(index: Index) -> None:
    with pytest.raises(QueryError, match="swift 'new' is not a version"):
        find(index, min_swift="new")
    with pytest.raises(QueryError, match="strict_availability is true or false; got 'maybe'"):
        find(index, strict_availability="maybe")
    with pytest.raises(QueryError, match="has no version to be strict about; give one of min_ios"):
        find(index, strict_availability=True)


def test_agents_and_programs_can_be_strict(index: Index) -> None:
    given = {"query": "grid", "min_ios": "17", "strict_availability": True, "min_swift": ""}
    assert [hit["title"] for hit in call_tool(index, "search", given).data["hits"]] == ["Grid old"]
