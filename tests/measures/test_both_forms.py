"""The readable definition and the vectorised form of every measure are equal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measures.graded_columns import columns_of

from cranfield.measures import parse_measure
from cranfield.model import Grades, Undefined

MEASURES = [
    "RR", "RR@3", "RR(rel=2)@5", "P@1", "P@5", "P", "P(rel=2)@3", "R@3", "R", "R(rel=2)@5", "F1",
    "F1@4", "F1(rel=2)", "AP", "AP@4", "AP(rel=2)", "Success@1", "Success(rel=3)@5", "RPrec",
    "RPrec(rel=2)", "Bpref", "Bpref(rel=2)", "infAP", "infAP(rel=2)", "nDCG", "nDCG@5",
    "nDCG(gain=exp)@5", "nDCG(rel=2)", "DCG", "DCG@3", "DCG(gain=exp, rel=2)", "ERR", "ERR@3",
    "ERR(max=2)", "RBP(p=0.8)", "RBP(p=0.95, rel=2)@4", "IPrec@0", "IPrec@0.1", "IPrec@0.25",
    "IPrec(rel=2)@0.5", "IPrec@1", "Judged", "Judged@3", "NumRet", "NumRel", "NumRelRet(rel=2)",
    "GMAP", "GMBpref(rel=2)", "IPrec11", "IPrec11(rel=2)", "RPrecMult@0.2", "RPrecMult(rel=2)@1.4",
    "RelP", "RelP@3", "RelP(rel=2)@5", "SetAP", "SetAP(rel=2)", "Utility", "Utility(rel=2)",
    "NumNonrelRet", "NumNonrelRet(rel=2)", "Unjudged@3", "RBPResidual(p=0.9)", "G", "G(rel=1)",
    "G(rel=2)", "nDCGRel", "nDCGRel(gain=exp, rel=2)", "RnDCG", "RnDCG(gain=exp, rel=2)",
]  # fmt: skip


@st.composite
def graded_rankings(draw: st.DrawFn) -> dict[str, Grades]:
    """Rankings whose judged hits are among the judgments, as files have it."""
    rankings = {}
    for query in range(draw(st.integers(1, 6))):
        ranked = draw(st.lists(st.one_of(st.none(), st.integers(-1, 4)), max_size=12))
        missed = draw(st.lists(st.integers(-1, 4), max_size=6))
        found = [grade for grade in ranked if grade is not None]
        rankings[f"q{query}"] = Grades(tuple(ranked), tuple(found + missed))
    return rankings


@pytest.mark.corpus
@pytest.mark.parametrize("text", MEASURES)
@given(graded=graded_rankings())
def test_both_forms_are_equal_to_the_last_bit(text: str, graded: dict[str, Grades]) -> None:
    measure = parse_measure(text)
    column = measure.of_columns(columns_of(graded))
    one_by_one = [measure(grades) for grades in graded.values()]
    assert [column.value(query) for query in range(len(graded))] == one_by_one
    assert [bool(np.isnan(value)) for value in column.values] == [
        isinstance(value, Undefined) for value in one_by_one
    ]


@given(graded=graded_rankings())
def test_columns_give_back_the_rankings_they_were_built_from(graded: dict[str, Grades]) -> None:
    columns = columns_of(graded)
    for query, grades in enumerate(graded.values()):
        again = columns.grades(query)
        assert again.ranked == grades.ranked
        assert sorted(again.judgments or ()) == sorted(grades.judgments or ())


@pytest.mark.parametrize(
    "text",
    [
        "RR", "nDCG@10", "AP", "P@5", "ERR", "IPrec@0.5", "RBP", "Bpref", "IPrec11",
        "RPrecMult@0.4", "RelP@3", "SetAP", "Utility", "RnDCG", "RnDCG(gain=exp)",
    ],
)  # fmt: skip
@given(graded=graded_rankings())
def test_no_value_falls_when_a_better_hit_moves_up(text: str, graded: dict[str, Grades]) -> None:
    """The law behind the bounds over tie orders."""
    measure = parse_measure(text)
    for grades in graded.values():
        value = measure(grades)
        for rank in range(1, len(grades.ranked)):
            above, below = grades.ranked[rank - 1], grades.ranked[rank]
            if below is None or below < 1 or (above is not None and above >= below):
                continue
            swapped = list(grades.ranked)
            swapped[rank - 1], swapped[rank] = below, above
            better = measure(Grades(tuple(swapped), grades.judgments))
            if not isinstance(value, Undefined) and not isinstance(better, Undefined):
                assert better >= value - 1e-12


def test_columns_refuse_what_they_cannot_hold() -> None:
    with pytest.raises(ValueError, match="'q1' has unknown judgments"):
        columns_of({"q1": Grades((1,))})


def test_a_mean_is_summed_in_query_order_as_trec_eval_does() -> None:
    """A pairwise sum of these differs from the running one, and so could a printed digit."""
    values = np.full(1000, 0.1)
    graded = {f"q{i:04}": Grades((*[0] * 9, 1), (1,)) for i in range(len(values))}
    column = parse_measure("RR").of_columns(columns_of(graded))
    running = 0.0
    for value in values:
        running += value
    assert running != np.sum(values)
    assert column.mean() == running / len(values)


def test_a_geometric_mean_is_of_all_queries_and_no_zero_makes_it_zero() -> None:
    graded = {"a": Grades((1,), (1,)), "b": Grades((0, 1), (1,)), "c": Grades((0,), (1,))}
    measure = parse_measure("GMAP")
    column = measure.of_columns(columns_of(graded))
    assert column.values.tolist() == [1.0, 0.5, 0.0]
    assert measure.aggregate(column) == pytest.approx((1.0 * 0.5 * 0.00001) ** (1 / 3), rel=1e-14)
    empty = measure.of_columns(columns_of({}))
    assert measure.aggregate(empty) == Undefined("there is no query to measure")


def test_means_leave_undefined_queries_out() -> None:
    graded = {"a": Grades((1, None), (1,)), "b": Grades((), (1,))}
    column = parse_measure("Judged@10").of_columns(columns_of(graded))
    assert column.mean() == 0.5
    nothing = parse_measure("Judged@10").of_columns(columns_of({"b": graded["b"]}))
    assert nothing.mean() == Undefined("nothing was retrieved")
