"""What a search is confined to, and numbers that cannot be reckoned with."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from stacks.errors import QueryError
from stacks.model import Document, Snippet, Symbol
from stacks.query import Filters, Fusion, Index
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
    with pytest.raises(QueryError, match="is no version; give one such as 17"):
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
