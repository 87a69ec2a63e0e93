"""Templates: filled in one pass, with nothing looked at twice."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import SystemUnusableError
from cranfield.systems.templates import (
    LEFT_OUT,
    check_placeholders,
    fill,
    fill_document,
    placeholder_values,
)
from tests.systems.helpers import ask

VALUES = placeholder_values(ask("cats", filters={"year": 2020, "kinds": ["a", "b"], "on": True}), 5)


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{query}", "cats"),
        ("q={query}&n={k}", "q=cats&n=5"),
        ("{filters.year}/{filters.kinds}/{filters.on}", "2020/a,b/true"),
        ("{{query}} {query}", "{query} cats"),
        ("{ query } {} {a b}", "{ query } {} {a b}"),
        ("{filters.none}", None),
        ("{language}", None),
        ("{id} {filters.none}", None),
    ],
)
def test_places_are_filled_or_the_whole_is_missing(template: str, filled: str | None) -> None:
    assert fill(template, VALUES) == filled


@given(st.text())
def test_what_is_filled_in_is_never_looked_at_again(text: str) -> None:
    assert fill("<{query}>", placeholder_values(ask(text), 5)) == f"<{text}>"


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{k}", 5),
        ("{k} hits", "5 hits"),
        ("{filters.kinds}", ["a", "b"]),
        ({"size": "{k}", "deep": [{"q": "{query}"}]}, {"size": 5, "deep": [{"q": "cats"}]}),
        ({"a": "{filters.none}", "b": 1}, {"b": 1}),
        (["{filters.none}", "x"], ["x"]),
        ({"match_all": {}, "list": []}, {"match_all": {}, "list": []}),
        (
            {"must": [{"q": "{query}"}], "filter": [{"term": {"lang": "{filters.lang}"}}]},
            {"must": [{"q": "cats"}]},
        ),
        ({"only": {"lang": "{filters.lang}"}}, LEFT_OUT),
        ("{{k}}", "{k}"),
        (None, None),
        (1.5, 1.5),
        (True, True),
    ],
)
def test_a_body_is_filled_with_values_of_their_own_kind(template: Any, filled: Any) -> None:
    assert fill_document(template, VALUES) == filled


def test_a_place_that_nothing_fills_is_refused() -> None:
    check_placeholders({"a": ["{query} {filters.any-thing}", {"b": "{{free}}"}], "n": 1}, "body")
    with pytest.raises(SystemUnusableError, match=r"body: nothing fills \{querry\}"):
        check_placeholders({"a": [{"b": "{querry}"}]}, "body")
