"""Several sources, words and meaning in one list: what each rank earns, and who is put back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.errors import QueryError
from stacks.index import save
from stacks.query import Fusion, Index, open_index
from stacks.query.candidates import BlendedRank, Candidate, FusedRank, RankedCandidate
from stacks.query.fusion import MEANING_SHARE, Blend, blend, compare_lists, put_archives_back
from stacks.query.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from stacks.model import Document


def ranked(
    score: float, similarity: float | None = None, *, tier: int = 0, is_named: bool = False
) -> RankedCandidate:
    candidate = Candidate(1, "docs://1", "T", "article", "", False, 0, score, None)
    blended = None if similarity is None else BlendedRank(1, 1, similarity, 0.1, 0.25, 20.0)
    return RankedCandidate(candidate, (), score, tier, is_named, blended)


def test_a_score_is_relative_to_the_best_of_all_lists() -> None:
    assert compare_lists([[ranked(8.0), ranked(2.0)], [ranked(4.0)]]) == [[1.0, 0.25], [0.5]]
    assert compare_lists([[ranked(0.0)], []]) == [[0.0], []]


def test_by_words_a_place_is_worth_no_less_than_one_below_it() -> None:
    assert compare_lists([[ranked(1.0), ranked(4.0), ranked(2.0)]]) == [[1.0, 1.0, 0.5]]


def test_similarity_has_its_share_in_a_blended_list() -> None:
    lists = [[ranked(10.0, 0.4), ranked(0.0, 0.8)]]
    # 3/4 of 1 and 1/4 of a half; nothing and 1/4 of 1.
    assert compare_lists(lists) == [[0.875, 0.25]]


def test_in_a_blended_list_a_place_is_worth_no_more_than_one_above_it() -> None:
    assert compare_lists([[ranked(1.0, 0.0), ranked(10.0, 0.0)]]) == [[pytest.approx(0.075)] * 2]


def test_a_file_of_that_name_is_worth_as_much_as_the_best_of_all() -> None:
    file = ranked(1.0, tier=5, is_named=True)
    other = ranked(10.0)
    assert compare_lists([[file], [other]]) == [[1.0], [1.0]]


def test_a_name_counts_by_its_score_unless_it_is_a_file_or_blended() -> None:
    page = ranked(1.0, tier=1, is_named=True)
    assert compare_lists([[page], [ranked(10.0)]]) == [[0.1], [1.0]]
    blended = ranked(1.0, 0.0, tier=1, is_named=True)
    assert compare_lists([[blended], [ranked(10.0)]]) == [[1.0], [1.0]]
    begun = ranked(1.0, tier=4, is_named=False)
    assert compare_lists([[begun], [ranked(10.0)]]) == [[0.1], [1.0]]


def test_a_rank_earns_its_weight_by_the_cube_of_its_relevance() -> None:
    ranks = Fusion().score_ranks("docs", 3.0, [1.0, 0.5])
    assert [each.earned for each in ranks] == pytest.approx([3 / 21, 3 / 22 / 8])
    assert [(each.rank, each.weight) for each in ranks] == [(1, 3.0), (2, 3.0)]


def test_for_questions_all_sources_weigh_the_same_unless_the_user_weighs_them() -> None:
    assert Fusion().score_ranks("docs", 3.0, [1.0], is_prose=True)[0].weight == 1.0
    weighed = Fusion(k=9, weights={"docs": 2.0})
    assert weighed.score_ranks("docs", 3.0, [1.0], is_prose=True)[0].earned == 0.2
    assert weighed.score_ranks("docs", 3.0, [1.0])[0].weight == 2.0


def test_unless_told_otherwise_meaning_has_a_third_beside_words() -> None:
    assert pytest.approx(1 / 3) == MEANING_SHARE
    (only,) = blend([ranked(1.0)], [], {1: 0.5}, Blend())
    earned = (1 - MEANING_SHARE) / 21 + MEANING_SHARE / 21
    assert only.blended == BlendedRank(1, 1, 0.5, earned, MEANING_SHARE, 20.0)
    (by_words,) = blend([ranked(1.0)], [], {}, Blend(), 0.25)
    assert by_words.blended == BlendedRank(1, None, None, 0.75 / 21, 0.25, 20.0)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_share_of_nothing_and_of_everything_is_allowed(share: float) -> None:
    assert Blend(share=share).share == share


def scored(number: int, score: float, tier: int = 0) -> RankedCandidate:
    candidate = Candidate(
        number, f"docs://{number}", f"T{number}", "article", "", False, 0, score, None
    )
    return RankedCandidate(candidate, (), score, tier)


def numbers(listed: list[RankedCandidate]) -> list[int]:
    return [each.candidate.id for each in listed]


def test_a_document_earns_in_both_lists() -> None:
    words = [scored(1, 9.0), scored(2, 6.0)]
    listed = blend(words, [scored(3, 0.0)], {2: 0.9, 3: 0.8}, Blend(k=1, share=0.5))
    # 1: .5/2 = .25; 2: .5/3 + .5/2 = .4167; 3: .5/3 = .1667
    assert numbers(listed) == [2, 1, 3]
    assert [each.blended.earned for each in listed if each.blended] == pytest.approx(
        [0.41667, 0.25, 0.16667], abs=1e-5
    )
    assert [each.score for each in listed] == [6.0, 9.0, 0.0]


def test_by_scores_a_lead_counts_and_not_only_a_rank() -> None:
    words = [scored(1, 10.0), scored(2, 9.0), scored(3, 1.0)]
    alike = {3: 0.8, 2: 0.4, 4: 0.4}
    listed = blend(words, [scored(4, 0.0)], alike, Blend(share=0.5, by_scores=True))
    # 1: .5; 2: .45 + .25 = .7; 3: .05 + .5 = .55; 4: .25
    assert numbers(listed) == [2, 3, 1, 4]
    assert [each.blended.earned for each in listed if each.blended] == pytest.approx(
        [0.7, 0.55, 0.5, 0.25]
    )
    assert {each.blended.k for each in listed if each.blended} == {None}


def test_a_share_of_nothing_leaves_the_order_of_words() -> None:
    words = [scored(1, 9.0), scored(2, 6.0), scored(3, 1.0)]
    assert numbers(blend(words, [], {3: 0.9, 2: 0.1}, Blend(share=0.0))) == [1, 2, 3]


def test_a_share_of_one_is_the_order_of_meaning() -> None:
    words = [scored(1, 9.0), scored(2, 6.0)]
    listed = blend(words, [scored(3, 0.0)], {1: 0.1, 2: 0.5, 3: 0.9}, Blend(share=1.0))
    assert numbers(listed) == [3, 2, 1]


def test_likeness_never_displaces_a_name() -> None:
    words = [scored(1, 9.0, tier=1), scored(2, 8.0, tier=2), scored(3, 7.0)]
    alike = {3: 0.99, 4: 0.98, 2: 0.1}
    listed = blend(words, [scored(4, 0.0)], alike, Blend(share=1.0))
    assert numbers(listed) == [2, 1, 3, 4]


def test_names_of_a_tier_keep_the_order_of_words() -> None:
    words = [
        scored(1, 9.0, tier=1),
        scored(2, 8.0, tier=1),
        scored(3, 7.0),
        scored(4, 6.0),
    ]
    alike = {2: 0.9, 1: 0.8, 4: 0.7, 3: 0.1}
    assert numbers(blend(words, [], alike, Blend(share=1.0))) == [1, 2, 4, 3]


def test_equal_likeness_is_ordered_by_uri() -> None:
    listed = blend([], [scored(2, 0.0), scored(1, 0.0)], {2: 0.5, 1: 0.5}, Blend())
    assert numbers(listed) == [1, 2]


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_is_a_part_of_one(share: float) -> None:
    with pytest.raises(QueryError, match="from 0 to 1"):
        Blend(share=share)


def test_a_k_that_is_given_holds_for_both_fusions() -> None:
    assert Fusion(k=40).blend == Blend(k=40)
    assert Fusion().blend == Blend(by_scores=True)
    assert Fusion(meaning=0.6).blend.share == 0.6


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
