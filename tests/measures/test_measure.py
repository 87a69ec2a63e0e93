from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import CranfieldError, MeasureError, UnknownNameError
from cranfield.measures import FAMILIES, Family, Measure, parse_measure
from cranfield.model import Grades, Undefined

EVERY_KIND = [
    "RR", "RR@10", "P@5", "P", "R@100", "R", "Success@3", "F1@10", "F1", "AP", "AP@100", "RPrec",
    "nDCG", "nDCG@10", "nDCG(gain=exp)@10", "DCG@10", "DCG", "ERR@20", "ERR", "RBP(p=0.8)", "Bpref",
    "infAP", "IPrec@0.1", "Judged@10", "Judged", "NumRet", "NumRel", "NumRelRet", "P(rel=2)@5",
    "RR(rel=2)@10", "nDCG(gain=exp, rel=2)@10", "ERR(max=3)@5", "RBP(p=0.95, rel=1)@100",
    "Bpref(rel=3)", "IPrec(rel=2)@0.5", "IPrec@1e-05", "infAP(rel=2)", "NumRelRet(rel=2)",
]  # fmt: skip


@pytest.mark.parametrize("text", EVERY_KIND)
def test_a_measure_prints_what_it_was_parsed_from(text: str) -> None:
    measure = parse_measure(text)
    assert str(measure) == text
    assert parse_measure(str(measure)) == measure
    assert hash(parse_measure(text)) == hash(measure)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("P(rel=1)@5", "P@5"),
        ("nDCG(gain=linear)@10", "nDCG@10"),
        ("RBP", "RBP(p=0.8)"),
        ("nDCG( rel = 2 , gain = exp )@10", "nDCG(gain=exp, rel=2)@10"),
        ("MRR@10", "RR@10"),
        ("MAP", "AP"),
        ("NDCG@10", "nDCG@10"),
        ("Rprec", "RPrec"),
        (" P@5 ", "P@5"),
    ],
)
def test_two_spellings_of_one_measure_are_equal(one: str, other: str) -> None:
    assert parse_measure(one) == parse_measure(other)
    assert len({parse_measure(one), parse_measure(other)}) == 1


def test_measures_with_another_cutoff_or_parameter_differ() -> None:
    different = {parse_measure(text) for text in ("P@5", "P@10", "P(rel=2)@5", "P", "R@5")}
    assert len(different) == 5


@pytest.mark.parametrize(
    ("unknown", "near"), [("nDGC@10", "nDCG"), ("ndcg@10", "nDCG"), ("Sucess@3", "Success")]
)
def test_an_unknown_name_suggests_near_ones(unknown: str, near: str) -> None:
    with pytest.raises(UnknownNameError, match=rf"did you mean .*{near}"):
        parse_measure(unknown)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("P@0", "whole number of at least 1 and at most 1000000000, not '0'"),
        ("P@1.5", "at most 1000000000, not '1.5'"),
        ("P@" + "9" * 5000, "at most 1000000000"),
        ("ERR(max=200)@5", "at most 127, not '200'"),
        ("P@-1", "not '-1'"),
        ("P@ten", "not 'ten'"),
        ("Success", "needs a cutoff, as in Success@10"),
        ("RPrec@5", "takes no cutoff"),
        ("RPrecMult@0", "must be a number above 0, not '0'"),
        ("RPrecMult@inf", "must be a number above 0, not 'inf'"),
        ("RPrecMult", "needs a cutoff, as in RPrecMult@0.5"),
        ("IPrec@1.5", "from 0 to 1"),
        ("RBP(p=1)", "between 0 and 1"),
        ("RBP(p=x)", "must be a number"),
        ("nDCG(gain=cubic)@10", "linear or exp, not 'cubic'"),
        ("P(depth=3)@5", "has no parameter 'depth' (it has: rel)"),
        ("P(rel)@5", "as rel=VALUE"),
        ("P(rel=1, rel=2)@5", "write rel once"),
        ("P(rel=0)@5", "at least 1"),
        ("Judged(rel=2)@10", "use P(rel=…)"),
        ("NumRet(rel=2)", "use NumRelRet(rel=…)"),
        ("", "cannot read ''"),
        ("P@", "cannot read 'P@'"),
        ("P@5@6", "cannot read"),
        ("P(rel=1", "cannot read"),
    ],
)
def test_a_wrong_measure_is_refused_with_the_remedy(wrong: str, message: str) -> None:
    with pytest.raises(MeasureError) as refused:
        parse_measure(wrong)
    assert message in str(refused.value)


@pytest.mark.corpus
@given(st.text(max_size=30))
def test_no_text_breaks_the_parser(text: str) -> None:
    try:
        measure = parse_measure(text)
    except CranfieldError:
        return
    assert parse_measure(str(measure)) == measure


def test_a_family_of_the_users_own_is_parsed_and_computed_like_ours() -> None:
    def first_grade(grades: Grades, measure: Measure) -> float | Undefined:
        if not grades.ranked:
            return Undefined("nothing was retrieved")
        return float(grades.ranked[0] or 0) + measure.number("add")

    add = FAMILIES.get("ERR").parameters["max"]
    family = Family(
        name="FirstGrade",
        summary="grade of the first hit",
        example="FirstGrade",
        of_grades=first_grade,
        parameters={"add": add},
    )
    FAMILIES.register(family.name, family)
    measure = parse_measure("FirstGrade(add=2)")
    assert measure(Grades((3,), (3,))) == 5.0
    assert measure(Grades((), (3,))) == Undefined("nothing was retrieved")


def test_a_taken_name_is_not_taken_over() -> None:
    with pytest.raises(CranfieldError, match="already registered"):
        FAMILIES.register("AP", FAMILIES.get("RR"))


@pytest.mark.parametrize("text", ["RR", "nDCG@10", "AP", "P@5"])
def test_an_answer_to_a_query_that_expects_no_hits_has_no_precision(text: str) -> None:
    value = parse_measure(text)(Grades((1, None), expects_hits=False))
    assert value == Undefined("the query expects no hits")
    assert not isinstance(parse_measure(text)(Grades((1, None), (1,))), Undefined)
