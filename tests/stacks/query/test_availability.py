"""Versions one wants to run on: what states none is kept, unless availability is strict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from stacks.errors import QueryError
from stacks.query import Filters
from stacks.serve.tools import call_tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from stacks.model import Document
    from stacks.query import Index


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
    with pytest.raises(QueryError, match="swift 'new' is no version"):
        find(index, min_swift="new")
    with pytest.raises(QueryError, match="strict_availability is true or false; got 'maybe'"):
        find(index, strict_availability="maybe")
    with pytest.raises(QueryError, match="has no version to be strict about; give one of min_ios"):
        find(index, strict_availability=True)


def test_agents_and_programs_can_be_strict(index: Index) -> None:
    given = {"query": "grid", "min_ios": "17", "strict_availability": True, "min_swift": ""}
    assert [hit["title"] for hit in call_tool(index, "search", given).data["hits"]] == ["Grid old"]
