"""Pages of an archive let living ones pass, where something is asked for in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.index import save
from stacks.query import Index, open_index
from stacks.query.candidates import FusedRank
from stacks.query.fusion import put_archives_back
from stacks.query.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from stacks.model import Document


def ranks(*earned: tuple[str, float]) -> list[FusedRank]:
    return [FusedRank(source, 1, 1.0, 1.0, amount) for source, amount in earned]


def test_an_archived_page_lets_the_next_living_one_pass() -> None:
    listed = ranks(("old", 1.0), ("new", 0.9), ("new", 0.8))
    assert put_archives_back(listed, {"old"}) == [1, 0, 2]


def test_each_archived_page_lets_one_pass() -> None:
    listed = ranks(("old", 1.0), ("old", 0.9), ("new", 0.8), ("new", 0.7), ("new", 0.6))
    assert put_archives_back(listed, {"old"}) == [2, 0, 3, 1, 4]


def test_what_earns_far_less_passes_nothing() -> None:
    # A quarter of 1 is 0.25, of 0.6 it is 0.15.
    assert put_archives_back(ranks(("old", 1.0), ("new", 0.24)), {"old"}) == [0, 1]
    assert put_archives_back(ranks(("old", 1.0), ("new", 0.25)), {"old"}) == [1, 0]
    listed = ranks(("old", 1.0), ("old", 0.6), ("new", 0.2))
    assert put_archives_back(listed, {"old"}) == [0, 2, 1]


def test_an_archive_alone_stays_as_it_is() -> None:
    assert put_archives_back(ranks(("old", 2.0), ("old", 1.0)), {"old"}) == [0, 1]
    assert put_archives_back([], {"old"}) == []


@given(st.lists(st.tuples(st.booleans(), st.floats(0.0, 1.0)), max_size=30))
def test_nobody_is_lost_and_living_pages_keep_their_order(pages: list[tuple[bool, float]]) -> None:
    pages.sort(key=lambda page: -page[1])
    listed = ranks(*((("old" if is_old else "new"), earned) for is_old, earned in pages))
    order = put_archives_back(listed, {"old"})
    assert sorted(order) == list(range(len(pages)))
    for source in ("old", "new"):
        own = [place for place in order if listed[place].source == source]
        assert own == sorted(own)
    for new, old in enumerate(order):
        assert new - old <= 1 or listed[old].source == "old"
        if new > old:
            enough = WEIGHTS["archive_passed"].value
            assert listed[order[new - 1]].earned >= enough * listed[old].earned


@given(
    st.lists(st.tuples(st.sampled_from(("old", "new", "other")), st.floats(0.0, 1.0)), max_size=30),
    st.integers(1, 9),
)
def test_the_first_of_each_source_decide_who_is_first(
    pages: list[tuple[str, float]], most: int
) -> None:
    pages.sort(key=lambda page: -page[1])
    seen = [
        [each for each, _ in pages[:place]].count(name) for place, (name, _) in enumerate(pages)
    ]
    kept = [place for place, before in enumerate(seen) if before < most]
    whole = put_archives_back(ranks(*pages), {"old"})
    few = put_archives_back(ranks(*(pages[place] for place in kept)), {"old"})
    assert [kept[place] for place in few][:most] == whole[:most]


@pytest.fixture
def index(
    tmp_path: Path, page: Callable[..., Document], request_of: Callable[..., object]
) -> Iterator[Index]:
    guide = "Rows and cells of a table, reused while it scrolls. Rows, cells, tables, scrolling."
    requests = [
        request_of("guides", [page("guides/tables", "Guide", guide)], is_archive=True),
        request_of("docs", [page("docs/table", "TableView", "Rows and cells while it scrolls.")]),
    ]
    save(requests, tmp_path)  # type: ignore[arg-type]
    with open_index(tmp_path) as opened:
        yield opened


def test_a_question_is_answered_by_the_living_page_first(index: Index) -> None:
    hits = index.search("rows and cells").hits
    assert [hit.source for hit in hits] == ["docs", "guides"]
    assert hits[0].score < hits[1].score
    assert [hit.fused.is_passed for hit in hits] == [False, True]


def test_without_the_authority_of_sources_nobody_passes(index: Index) -> None:
    hits = index.search("rows and cells", without=frozenset({"authority"})).hits
    assert [hit.source for hit in hits] == ["guides", "docs"]


def test_what_is_asked_for_by_its_name_is_found_first_in_the_archive_too(index: Index) -> None:
    hits = index.search("Guide").hits
    assert [hit.source for hit in hits][:1] == ["guides"]
    hits = index.search("scrolls").hits
    assert {hit.source for hit in hits} == {"docs", "guides"}
    assert not any(hit.fused.is_passed for hit in hits)
