"""Words and meaning in one list: what each earns, and who is never displaced."""

from __future__ import annotations

import pytest

from stacks.errors import QueryError
from stacks.query import Fusion
from stacks.query.candidates import Candidate, RankedCandidate
from stacks.query.fusion import Blend, blend


def ranked(number: int, score: float, tier: int = 0) -> RankedCandidate:
    candidate = Candidate(
        number, f"docs://{number}", f"T{number}", "article", "", False, 0, score, None
    )
    return RankedCandidate(candidate, (), score, tier)


def numbers(listed: list[RankedCandidate]) -> list[int]:
    return [each.candidate.id for each in listed]


def test_a_document_earns_in_both_lists() -> None:
    words = [ranked(1, 9.0), ranked(2, 6.0)]
    listed = blend(words, [ranked(3, 0.0)], {2: 0.9, 3: 0.8}, Blend(k=1, share=0.5))
    # 1: .5/2 = .25; 2: .5/3 + .5/2 = .4167; 3: .5/3 = .1667
    assert numbers(listed) == [2, 1, 3]
    assert [each.blended.earned for each in listed if each.blended] == pytest.approx(
        [0.41667, 0.25, 0.16667], abs=1e-5
    )
    assert [each.score for each in listed] == [6.0, 9.0, 0.0]


def test_by_scores_a_lead_counts_and_not_only_a_rank() -> None:
    words = [ranked(1, 10.0), ranked(2, 9.0), ranked(3, 1.0)]
    alike = {3: 0.8, 2: 0.4, 4: 0.4}
    listed = blend(words, [ranked(4, 0.0)], alike, Blend(share=0.5, by_scores=True))
    # 1: .5; 2: .45 + .25 = .7; 3: .05 + .5 = .55; 4: .25
    assert numbers(listed) == [2, 3, 1, 4]
    assert [each.blended.earned for each in listed if each.blended] == pytest.approx(
        [0.7, 0.55, 0.5, 0.25]
    )
    assert {each.blended.k for each in listed if each.blended} == {None}


def test_a_share_of_nothing_leaves_the_order_of_words() -> None:
    words = [ranked(1, 9.0), ranked(2, 6.0), ranked(3, 1.0)]
    assert numbers(blend(words, [], {3: 0.9, 2: 0.1}, Blend(share=0.0))) == [1, 2, 3]


def test_a_share_of_one_is_the_order_of_meaning() -> None:
    words = [ranked(1, 9.0), ranked(2, 6.0)]
    listed = blend(words, [ranked(3, 0.0)], {1: 0.1, 2: 0.5, 3: 0.9}, Blend(share=1.0))
    assert numbers(listed) == [3, 2, 1]


def test_likeness_never_displaces_a_name() -> None:
    words = [ranked(1, 9.0, tier=1), ranked(2, 8.0, tier=2), ranked(3, 7.0)]
    alike = {3: 0.99, 4: 0.98, 2: 0.1}
    listed = blend(words, [ranked(4, 0.0)], alike, Blend(share=1.0))
    assert numbers(listed) == [2, 1, 3, 4]


def test_names_of_a_tier_keep_the_order_of_words() -> None:
    words = [ranked(1, 9.0, tier=1), ranked(2, 8.0, tier=1), ranked(3, 7.0), ranked(4, 6.0)]
    alike = {2: 0.9, 1: 0.8, 4: 0.7, 3: 0.1}
    assert numbers(blend(words, [], alike, Blend(share=1.0))) == [1, 2, 4, 3]


def test_equal_likeness_is_ordered_by_uri() -> None:
    listed = blend([], [ranked(2, 0.0), ranked(1, 0.0)], {2: 0.5, 1: 0.5}, Blend())
    assert numbers(listed) == [1, 2]


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_is_a_part_of_one(share: float) -> None:
    with pytest.raises(QueryError, match="from 0 to 1"):
        Blend(share=share)


def test_a_k_that_is_given_holds_for_both_fusions() -> None:
    assert Fusion(k=40).blend == Blend(k=40)
    assert Fusion().blend == Blend(by_scores=True)
    assert Fusion(meaning=0.6).blend.share == 0.6
