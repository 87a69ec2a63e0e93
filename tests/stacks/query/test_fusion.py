"""The lists of several sources on one scale, and what each rank earns."""

from __future__ import annotations

import pytest

from stacks.query import Fusion
from stacks.query.candidates import BlendedRank, Candidate, RankedCandidate
from stacks.query.fusion import MEANING_SHARE, Blend, blend, compare_lists


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
