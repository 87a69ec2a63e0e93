"""Values worked out by hand.

The ranking used most: hits graded 0, 2, none, 1, 0, 3 while the judged documents are
3, 2, 1, 1, 0, 0, 0. So relevant hits stand at ranks 2, 4 and 6, of 4 relevant documents.
"""

from __future__ import annotations

from math import log2

import pytest

from cranfield.measures import parse_measure
from cranfield.model import Grades, Undefined

GRADES = Grades((0, 2, None, 1, 0, 3), (3, 2, 1, 1, 0, 0, 0))
NOTHING_FOUND = Grades((), (1, 1))
NOTHING_RELEVANT = Grades((0, None), (0, 0))
PATTERN = Grades((0, 1, 1), judgments=None)

IDEAL = (
    3,
    3 + 2 / log2(3),
    3 + 2 / log2(3) + 1 / log2(4),
    3 + 2 / log2(3) + 1 / log2(4) + 1 / log2(5),
)
AT_2 = 2 / log2(3)
AT_4 = AT_2 + 1 / log2(5)
AT_6 = AT_4 + 3 / log2(7)
BEST_DCG = 3 + 2 / log2(3) + 1 / log2(4) + 1 / log2(5)


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("RR", 1 / 2),
        ("RR(rel=3)", 1 / 6),
        ("RR@1", 0.0),
        ("P@5", 2 / 5),
        ("P@10", 3 / 10),
        ("P", 3 / 6),
        ("P(rel=2)@5", 1 / 5),
        ("R@5", 2 / 4),
        ("R", 3 / 4),
        ("R(rel=2)", 2 / 2),
        ("Success@1", 0.0),
        ("Success@2", 1.0),
        ("Success(rel=3)@5", 0.0),
        ("F1", 2 * (3 / 6) * (3 / 4) / (3 / 6 + 3 / 4)),
        ("F1@5", 2 * (2 / 5) * (2 / 4) / (2 / 5 + 2 / 4)),
        ("F1@1", 0.0),
        ("AP", (1 / 2 + 2 / 4 + 3 / 6) / 4),
        ("AP@5", (1 / 2 + 2 / 4) / 4),
        ("AP(rel=2)", (1 / 2 + 2 / 6) / 2),
        ("RPrec", 2 / 4),
        ("RPrec(rel=2)", 1 / 2),
        ("DCG", 2 / log2(3) + 1 / log2(5) + 3 / log2(7)),
        ("DCG@2", 2 / log2(3)),
        ("DCG(gain=exp)@2", 3 / log2(3)),
        ("nDCG", (2 / log2(3) + 1 / log2(5) + 3 / log2(7)) / BEST_DCG),
        ("nDCG@2", (2 / log2(3)) / (3 + 2 / log2(3))),
        ("nDCG(gain=exp)@2", (3 / log2(3)) / (7 + 3 / log2(3))),
        ("nDCG(rel=2)", (2 / log2(3) + 3 / log2(7)) / (3 + 2 / log2(3))),
        ("ERR", 3 / 16 / 2 + 13 / 16 * (1 / 16) / 4 + 13 / 16 * 15 / 16 * (7 / 16) / 6),
        ("ERR@2", 3 / 16 / 2),
        ("ERR(max=3)@2", 3 / 8 / 2),
        ("RBP(p=0.5)", 0.5 * (2 / 3 * 0.5 + 1 / 3 * 0.125 + 1 * 0.03125)),
        ("RBP(p=0.5, rel=1)", 0.5 * (0.5 + 0.125 + 0.03125)),
        ("RBP(p=0.5, rel=1)@2", 0.5 * 0.5),
        # One judged-irrelevant hit stands above the first two, two above the third; of four
        # relevant and three irrelevant documents, three pairs count for each.
        ("Bpref", ((1 - 1 / 3) + (1 - 1 / 3) + (1 - 2 / 3)) / 4),
        ("IPrec@0", 1 / 2),
        ("IPrec@0.5", 2 / 4),
        ("IPrec@0.75", 3 / 6),
        ("IPrec@1.0", 0.0),
        ("Judged@3", 2 / 3),
        ("Judged", 5 / 6),
        ("NumRet", 6.0),
        ("NumRel", 4.0),
        ("NumRel(rel=2)", 2.0),
        ("NumRelRet", 3.0),
        ("NumNonrelRet", 2.0),
        ("NumNonrelRet(rel=2)", 3.0),
        ("Utility", 3.0 - 3.0),
        ("Utility(rel=3)", 1.0 - 5.0),
        ("GMAP", (1 / 2 + 2 / 4 + 3 / 6) / 4),
        ("GMBpref", ((1 - 1 / 3) + (1 - 1 / 3) + (1 - 2 / 3)) / 4),
        # Recall 0 to 0.8 is reached by at most three documents (rounded), 0.9 and 1 by four.
        ("IPrec11", (9 * 1 / 2) / 11),
        ("RPrecMult@0.5", 1 / 2),
        ("RPrecMult@1", 2 / 4),
        ("RPrecMult@1.4", 3 / 6),
        ("RPrecMult@2", 3 / 8),
        ("RelP", 3 / 4),
        ("RelP@2", 1 / 2),
        ("RelP@5", 2 / 4),
        ("SetAP", 3 / 6 * (3 / 4)),
        ("Unjudged@2", 0.0),
        ("Unjudged@5", 1 / 5),
        ("Unjudged@10", 1 / 10),
        ("RBPResidual(p=0.5)", 0.5 * 0.25 + 0.5**6),
        ("nDCGRel", (AT_2 / IDEAL[1] + AT_4 / IDEAL[3] + AT_6 / IDEAL[3] + AT_6 / IDEAL[3]) / 4),
        # The best ranking is 3, 2, 1, 1: its grades end at ranks 1, 2 and 4, the hits at 6.
        ("RnDCG", (0 / IDEAL[0] + AT_2 / IDEAL[1] + AT_4 / IDEAL[3] + AT_6 / IDEAL[3]) / 4),
        # The best ranking has gained 3, 5, 6, 7, 8, 9 by rank, this one 0, 2, 2, 3, 3, 6.
        ("G", (2 / log2(2 + 5 - 2) + 1 / log2(2 + 7 - 3) + 3 / log2(2 + 9 - 6)) / 7),
        # One, two and three hits that are not relevant stand above the relevant ones.
        ("G(rel=1)", (1 / log2(3) + 1 / log2(4) + 1 / log2(5)) / 4),
    ],
)
def test_value_of_the_worked_ranking(measure: str, value: float) -> None:
    assert parse_measure(measure)(GRADES) == pytest.approx(value, rel=1e-15)


def test_inferred_ap_by_hand() -> None:
    """Ranks: irrelevant, relevant, unpooled, pooled but not judged, relevant; two relevant."""
    grades = Grades((0, 1, None, -1, 1), (1, 1, 0, -1))
    e = 0.00001
    at_two = 1 / 2 + 1 / 2 * (1 / 1) * (e / (1 + 2 * e))
    at_five = 1 / 5 + 4 / 5 * (3 / 4) * ((1 + e) / (2 + 2 * e))
    assert parse_measure("infAP")(grades) == pytest.approx((at_two + at_five) / 2, rel=1e-14)


def test_without_a_sample_inferred_ap_of_a_perfect_ranking_is_one() -> None:
    assert parse_measure("infAP")(Grades((1, 1), (1, 1))) == pytest.approx(1.0, abs=1e-4)


def test_interpolated_precision_looks_at_all_later_ranks() -> None:
    grades = Grades((0, 1, 1, 1), (1, 1, 1))
    assert parse_measure("IPrec@0.1")(grades) == 3 / 4


def test_recall_levels_are_rounded_half_up_as_in_trec_eval_10() -> None:
    """0.3 of 5 is 1.5, two documents; version 9 also needed two, but for 0.25 of 5 two, not one."""
    grades = Grades((1, 0, 0, 1), (1, 1, 1, 1, 1))
    assert parse_measure("IPrec@0.3")(grades) == 2 / 4
    assert parse_measure("IPrec@0.25")(grades) == 1.0


@pytest.mark.parametrize(
    "measure",
    [
        "RR", "P@5", "P", "R@5", "AP", "nDCG@10", "RPrec", "F1", "Bpref", "IPrec11",
        "RPrecMult@0.2", "RelP", "RelP@5", "SetAP", "Utility", "Unjudged@5", "RBPResidual",
        "nDCGRel", "RnDCG", "G",
    ],
)  # fmt: skip
def test_an_empty_ranking_scores_zero(measure: str) -> None:
    assert parse_measure(measure)(NOTHING_FOUND) == 0.0


@pytest.mark.parametrize(
    "measure",
    [
        "R@5", "AP", "nDCG@10", "RPrec", "F1", "Bpref", "infAP", "IPrec@0", "IPrec11",
        "RPrecMult@0.2", "RelP", "RelP@5", "SetAP", "nDCGRel", "RnDCG", "G", "G(rel=1)",
    ],
)  # fmt: skip
def test_a_query_with_nothing_relevant_scores_zero_as_in_trec_eval(measure: str) -> None:
    assert parse_measure(measure)(NOTHING_RELEVANT) == 0.0


@pytest.mark.parametrize(
    "measure",
    [
        "R@5", "F1@5", "AP", "nDCG@10", "RPrec", "Bpref", "infAP", "IPrec@0", "NumRel", "RBP",
        "IPrec11", "RelP@5", "SetAP", "nDCGRel", "RnDCG", "G", "GMAP", "GMBpref",
    ],
)  # fmt: skip
def test_what_needs_all_right_answers_is_undefined_where_nobody_knows_them(measure: str) -> None:
    value = parse_measure(measure)(PATTERN)
    assert isinstance(value, Undefined)
    assert "not known" in value.reason


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("RR", 1 / 2),
        ("P@5", 2 / 5),
        ("Success@2", 1.0),
        ("RBP(p=0.5, rel=1)", 0.375),
        ("NumRet", 3.0),
    ],
)
def test_what_needs_only_the_hits_is_defined_for_patterns(measure: str, value: float) -> None:
    assert parse_measure(measure)(PATTERN) == value


def test_judged_share_of_no_hits_is_undefined() -> None:
    assert parse_measure("Judged@10")(NOTHING_FOUND) == Undefined("nothing was retrieved")


def test_a_grade_beyond_errs_scale_is_undefined_and_names_the_remedy() -> None:
    value = parse_measure("ERR@10")(Grades((6,), (6,)))
    assert value == Undefined("grade 6 is above max=4; ask for ERR(max=6)")


def test_a_second_page_of_one_target_earns_nothing_in_ndcg_but_counts_in_dcg() -> None:
    twice = Grades((1, 1), judgments=(1,), targets=(0, 0))
    assert parse_measure("nDCG@10")(twice) == 1.0
    assert parse_measure("DCG@10")(twice) == 1 + 1 / log2(3)
    assert parse_measure("R@10")(twice) == 1.0
    assert parse_measure("AP")(twice) == 1.0
    assert parse_measure("P@2")(twice) == 1.0


def test_dcg_of_a_single_right_answer_is_the_published_figure() -> None:
    """1.0 at rank 1, 0.6309 at rank 2, 0.2890 at rank 10."""
    dcg = parse_measure("DCG@10")
    found_at = [dcg(Grades((*[0] * (rank - 1), 1))) for rank in (1, 2, 10)]
    assert found_at == [pytest.approx(v, abs=1e-4) for v in (1.0, 0.6309, 0.2891)]


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("RR", 1 / 2),
        ("P@1", 0.0),
        ("R@1", 0.0),
        ("R", 1.0),
        ("Success@1", 0.0),
        ("RPrec", 0.0),
        ("AP", 1 / 2),
        ("DCG", 1 / log2(3)),
        ("nDCG", 1 / log2(3)),
        ("nDCG(gain=exp)", 1 / log2(3)),
        ("Bpref", 0.0),
        ("NumRel", 1.0),
        ("NumRelRet", 1.0),
        ("Judged", 1.0),
        ("Pass", 1.0),
    ],
)
def test_a_target_of_grade_0_is_judged_and_earns_nothing(measure: str, value: float) -> None:
    assert parse_measure(measure)(Grades((0, 1), (1, 0), targets=(1, 0))) == value
