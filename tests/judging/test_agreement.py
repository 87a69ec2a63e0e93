"""How well raters agree: the coefficients of the statistics, by class, with intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.judging.samples import judge, listed_run, unjudged_suite

from cranfield.judging.agreement import measure_agreement, share_of_raters
from cranfield.judging.kappas import cohen_kappa, fleiss_kappa, krippendorff_alpha
from cranfield.judging.pool import make_pool
from cranfield.judgments import Judgment, JudgmentState
from cranfield.model import Hit

if TYPE_CHECKING:
    from cranfield.judging.pool import Pool
    from cranfield.model import Suite

SUITE = unjudged_suite(12)
ANN = [1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0]
BO = [1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0]
CY = [1, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1]


def judged(suite: Suite, **raters: list[int]) -> list[Judgment]:
    return [
        replace(judge(query, "d", grade), rater=rater, number=place)
        for rater, grades in raters.items()
        for place, (query, grade) in enumerate(zip(suite.queries, grades, strict=True))
    ]


def pooled(suite: Suite) -> Pool:
    return make_pool([listed_run(suite, {query.text: [Hit("d")] for query in suite.queries})])


def test_two_raters_have_cohens_kappa_and_alpha() -> None:
    [found] = measure_agreement(pooled(SUITE), judged(SUITE, ann=ANN, bo=BO))
    figures = {each.name: each for each in found.figures}
    kappa = figures["Cohen's kappa, ann and bo"]
    assert (found.hits, found.agreed) == (12, 10)
    assert kappa.value == cohen_kappa(ANN, BO).value == pytest.approx(2 / 3)
    assert figures["Krippendorff's alpha"].value == krippendorff_alpha([ANN, BO]).value
    assert kappa.low is not None
    assert kappa.high is not None
    assert kappa.low < 2 / 3 < kappa.high <= 1.0
    assert "Fleiss' kappa" not in figures


def test_three_raters_have_fleiss_kappa_and_each_pair_its_own() -> None:
    [found] = measure_agreement(pooled(SUITE), judged(SUITE, ann=ANN, bo=BO, cy=CY))
    table = [[3 - sum(each), sum(each)] for each in zip(ANN, BO, CY, strict=True)]
    figures = {each.name: each for each in found.figures}
    assert figures["Fleiss' kappa"].value == fleiss_kappa(table).value
    assert len(figures) == 5


def test_each_category_is_measured_by_itself() -> None:
    queries = tuple(
        replace(query, category="even" if place % 2 == 0 else "odd")
        for place, query in enumerate(SUITE.queries)
    )
    suite = replace(SUITE, queries=queries)
    found = measure_agreement(pooled(suite), judged(suite, ann=ANN, bo=BO))
    assert [(each.name, each.hits) for each in found] == [("all", 12), ("even", 6), ("odd", 6)]


def test_the_same_seed_gives_the_same_interval_and_another_does_not() -> None:
    pool, judgments = pooled(SUITE), judged(SUITE, ann=ANN, bo=BO)
    assert measure_agreement(pool, judgments, 1) == measure_agreement(pool, judgments, 1)
    assert measure_agreement(pool, judgments, 1) != measure_agreement(pool, judgments, 2)


def test_one_rater_alone_agrees_with_nobody() -> None:
    assert measure_agreement(pooled(SUITE), judged(SUITE, ann=ANN)) == []


def test_full_agreement_on_one_grade_has_no_value_but_a_reason() -> None:
    [found] = measure_agreement(pooled(SUITE), judged(SUITE, ann=[1] * 12, bo=[1] * 12))
    assert found.agreed == 12
    assert all(each.value is None and "one category" in each.reason for each in found.figures)


def test_raters_are_counted_by_what_stands() -> None:
    first = judge(SUITE.queries[0], "d", 1)
    others = [
        replace(first, grade=0),
        replace(first, document="e", state=JudgmentState.SKIPPED, grade=None),
        replace(first, document="f", state=JudgmentState.UNRATEABLE, grade=None),
    ]
    [share] = share_of_raters([first, *others])
    assert (share.graded, share.unrateable, share.skipped) == (1, 1, 1)
