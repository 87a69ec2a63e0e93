"""Paths into JSON: what they lead to, and what cannot be read as one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cranfield.errors import SystemUnusableError
from cranfield.systems import JsonPath

DOCUMENT = {
    "hits": {"hits": [{"_id": "a", "_source": {"title": "A"}}, {"_id": "b"}]},
    "a key": {"x.y": [1, 2]},
    "$ref": "r",
    "@type": "t",
    "null": None,
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$", [DOCUMENT]),
        ("$.hits.hits[*]._id", ["a", "b"]),
        ("hits.hits[1]._id", ["b"]),
        ("hits.hits[*]._source.title", ["A"]),
        ("hits['hits'][0]['_id']", ["a"]),
        ('["a key"]["x.y"][*]', [1, 2]),
        ("$ref", ["r"]),
        ("@type", ["t"]),
        ("null", [None]),
        ("hits.hits[7]._id", []),
        ("hits[0]", []),
        ("hits.hits.x", []),
        ("nowhere.at.all", []),
    ],
)
def test_a_path_leads_to_all_that_matches_in_order(path: str, found: list[Any]) -> None:
    assert JsonPath(path).all(DOCUMENT) == found
    assert JsonPath(path).first(DOCUMENT) == (found[0] if found else None)


@pytest.mark.parametrize("path", ["a..b", "a.", "a[", "a[x]", "a[-1]", "a b", "[*", "a['b]", "a,b"])
def test_what_is_no_path_is_refused_with_the_place(path: str) -> None:
    with pytest.raises(SystemUnusableError, match="cannot read the path"):
        JsonPath(path)


def test_paths_are_values() -> None:
    assert JsonPath("a.b") == JsonPath("a.b")
    assert len({JsonPath("a.b"), JsonPath("a.b"), JsonPath("a.c")}) == 2


@example({"$[": 0, "a$.b": 1})
@given(
    st.dictionaries(
        st.text(min_size=1).filter(lambda key: "'" not in key and "\n" not in key),
        st.integers(),
        min_size=1,
    )
)
def test_any_key_can_be_written_in_quotes(document: dict[str, int]) -> None:
    for key, value in document.items():
        assert JsonPath(f"['{key}']").all(document) == [value]
