"""Factors on a score: the kind, name, age and place of a page."""

from __future__ import annotations

from math import prod
from typing import Any

import pytest

from stacks.query.candidates import Candidate
from stacks.query.features import (
    find_twins,
    level_names,
    list_factors,
    put_current_first,
)
from stacks.query.weights import WEIGHTS


def candidate(number: int = 1, **fields: Any) -> Candidate:
    """A current article of its framework, without a name that the query has."""
    plain = Candidate(number, "docs://ui/x", "Grid", "", "", False, 0, 10.0, None)
    return plain._replace(**fields)


def factors(typed: str = "query", **fields: Any) -> dict[str, float]:
    return {each.reason: each.factor for each in list_factors(candidate(**fields), typed)}


@pytest.mark.parametrize("kind", ["module", "package", "class", "struct", "protocol", "actor"])
def test_a_type_or_module_goes_before_everything_else_of_its_name(kind: str) -> None:
    assert factors(kind=kind) == {f"kind {kind}": 1.5}


@pytest.mark.parametrize("kind", ["method", "property", "article", "function", "unheard-of"])
def test_other_kinds_have_no_factor(kind: str) -> None:
    assert factors(kind=kind) == {}


def test_a_title_that_is_the_query_counts_more_than_one_that_has_it() -> None:
    weighed = [list(factors(title_match=match).values()) for match in range(5)]
    assert weighed == [[12.0], [4.0], [4.0], [4.0], [4.0]]


@pytest.mark.parametrize(
    ("title", "typed", "is_spelled"),
    [
        ("ZipFile", "ZipFile", True),
        ("zipfile", "ZipFile", False),
        ("zipfile.ZipFile", "ZipFile", True),
        ("open(_:mode:)", "open", True),
        ("open(_:mode:)", "open(_:mode:)", True),
        ("os.open(path)", "open", True),
        ("os.open(path)", "os", False),
    ],
)
def test_a_name_spelled_as_typed_counts_more(title: str, typed: str, is_spelled: bool) -> None:
    found = factors(typed, title=title, title_match=2)
    assert found.get("spelled as typed") == (1.25 if is_spelled else None)


def test_a_part_of_a_title_is_no_name_that_could_be_spelled() -> None:
    assert "spelled as typed" not in factors("Grid", title="Grid", title_match=3)


def test_age_and_place_of_a_page() -> None:
    assert factors(is_deprecated=True) == {"deprecated": 0.4}
    assert factors(language="objc") == {}
    assert factors(language="swift") == {}
    assert factors(prominence=9) == {}


def test_every_step_below_the_first_counts_less() -> None:
    assert factors(uri="docs://ui/a") == {}
    assert factors(uri="docs://ui/a/b") == {"2 steps deep": pytest.approx(0.93)}
    assert factors(uri="docs://ui/a/b/c") == {"3 steps deep": pytest.approx(0.93**2)}


def test_a_framework_that_is_found_adds_its_score() -> None:
    assert factors(bm25=4.0, framework_score=1.0) == {"its framework is found too": 1.25}
    assert factors(bm25=0.0, framework_score=1.0) == {}


def test_names_are_raised_to_the_best_of_all() -> None:
    listed = [
        candidate(1, bm25=12.0),
        candidate(2, bm25=3.0, title_match=0),
        candidate(3, bm25=4.0, title_match=1),
        candidate(4, bm25=2.0, title_match=2),
        candidate(5, bm25=8.0, title_match=2),
        candidate(6, bm25=6.0, title_match=3),
        candidate(7, bm25=1.0, title_match=4),
        candidate(8, bm25=0.0, title_match=0),
    ]
    levels = level_names(listed)
    assert {number: each.factor for number, each in levels.items()} == {
        2: 4.0,
        3: 3.0,
        4: 6.0,
        5: 1.5,
        6: 2.0,
    }
    assert {each.reason for each in levels.values()} == {"level with the best"}


def test_a_current_page_takes_the_place_of_an_old_one_of_the_same_title() -> None:
    old = candidate(1, title="NSURLSession", language="objc")
    other = candidate(2, title="Elsewhere")
    deprecated = candidate(3, title="urlsession", is_deprecated=True)
    new = candidate(4, title="URLSession")
    listed = put_current_first([old, deprecated, other, new])
    assert [each.id for each in listed] == [4, 1, 2, 3]


def test_an_old_page_that_the_query_names_stays_first() -> None:
    old = candidate(1, title="NSCache", language="objc", title_match=2)
    new = candidate(2, title="Cache")
    assert put_current_first([old, new]) == [old, new]
    only_part = old._replace(title_match=3)
    assert put_current_first([only_part, new]) == [new, only_part]


@pytest.mark.parametrize("title", ["NSize", "NSNumber(value:)", "XSCache"])
def test_only_a_type_has_the_prefix_of_objective_c(title: str) -> None:
    old = candidate(1, title=title, is_deprecated=True)
    new = candidate(2, title=title[2:])
    assert put_current_first([old, new]) == [old, new]


def test_a_twin_is_an_objective_c_page_whose_swift_page_is_there() -> None:
    swift = candidate(1, uri="docs://net/session", title="URLSession", language="swift")
    twin = candidate(2, uri="docs://net/session?objc", title="NSURLSession", language="objc")
    alone = candidate(3, uri="docs://net/task?objc", title="NSURLTask", language="objc")
    assert find_twins([swift, twin, alone], "loading") == {2}
    assert find_twins([twin, alone], "loading") == frozenset()


@pytest.mark.parametrize("typed", ["NSURLSession", "nsurl", "delegate of NSURLSession.shared"])
def test_a_twin_that_is_called_by_its_own_name_is_none(typed: str) -> None:
    swift = candidate(1, uri="docs://net/session", title="URLSession", language="swift")
    twin = candidate(2, uri="docs://net/session?objc", title="NSURLSession", language="objc")
    assert find_twins([swift, twin], typed) == frozenset()


def test_a_name_that_both_pages_have_does_not_call_the_twin() -> None:
    swift = candidate(1, uri="docs://net/s", title="NSThing", language="swift")
    twin = candidate(2, uri="docs://net/s?objc", title="NSThing", language="objc")
    assert find_twins([swift, twin], "NSThing") == {2}


def test_factors_of_one_are_not_listed() -> None:
    assert prod(factors(kind="article", uri="docs://ui/x").values()) == 1
    assert list_factors(candidate(kind="article"), "x") == ()


def test_every_weight_says_what_chose_it_and_every_factor_names_its_weight() -> None:
    assert all(weight.because and weight.value > 0 for weight in WEIGHTS.values())
    named = candidate(title_match=0, title="query", kind="class", uri="docs://swift/a/b")
    listed = list_factors(named._replace(is_deprecated=True, prominence=9), "query")
    assert {each.weight for each in listed} <= WEIGHTS.keys()
    assert len(listed) == 5
