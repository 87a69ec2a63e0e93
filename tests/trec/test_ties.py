"""Equal scores: the rule, the given order, and all that the order can do."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.measures import parse_measure
from cranfield.model import Grades, TieRule, Undefined
from cranfield.trec.scores import ScoredRun, score_runs
from cranfield.trec_files.qrels import read_qrels

ALL = [
    parse_measure(text)
    for text in (
        "RR", "P@2", "R@3", "AP", "nDCG@3", "nDCG(gain=exp)", "DCG@2", "RPrec", "Success@1", "F1@2",
        "ERR@3", "RBP(p=0.5)", "Bpref", "IPrec@0.5", "Judged@2", "P(rel=2)@2",
    )
]  # fmt: skip


def score(qrels: str, run: str, ties: TieRule = TieRule.DOCUMENT) -> ScoredRun:
    with TemporaryDirectory() as folder:
        judged, results = Path(folder) / "qrels", Path(folder) / "run"
        judged.write_text(qrels)
        results.write_text(run)
        return score_runs(read_qrels(str(judged)), [str(results)], ALL, ties=ties)[0]


@pytest.mark.parametrize("prefix", ["d", "a-document-id-of-more-than-eight-bytes-"])
def test_equal_scores_are_ordered_by_falling_document_id(prefix: str) -> None:
    run = "".join(f"1 Q0 {prefix}{n} {n} 5.0 t\n" for n in range(1, 6))
    scored = score(f"1 0 {prefix}4 1\n", run)
    assert scored.value(parse_measure("RR")) == 1 / 2


@pytest.mark.parametrize("prefix", ["d", "a-document-id-of-more-than-eight-bytes-"])
def test_equal_scores_can_keep_the_order_of_the_rank_column(prefix: str) -> None:
    run = "".join(f"1 Q0 {prefix}{n} {10 - n} 5.0 t\n" for n in (3, 1, 5, 2, 4))
    scored = score(f"1 0 {prefix}2 1\n", run, TieRule.GIVEN)
    assert scored.value(parse_measure("RR")) == 1 / 4


def test_equal_ranks_of_equal_scores_keep_the_order_of_lines() -> None:
    run = "1 Q0 b 0 5 t\n1 Q0 c 0 5 t\n1 Q0 a 0 5 t\n"
    assert score("1 0 c 1\n", run, TieRule.GIVEN).value(parse_measure("RR")) == 1 / 2


def test_the_given_order_never_goes_against_scores() -> None:
    run = "1 Q0 a 1 5 t\n1 Q0 b 2 9 t\n"
    assert score("1 0 b 1\n", run, TieRule.GIVEN).value(parse_measure("RR")) == 1.0


@st.composite
def tied_rankings(draw: st.DrawFn) -> list[list[int | None]]:
    """One query's groups of equal scores, best score first, as the grades of their members."""
    grade = st.one_of(st.none(), st.integers(-1, 3))
    return draw(st.lists(st.lists(grade, min_size=1, max_size=4), min_size=1, max_size=3))


@pytest.mark.corpus
@given(tied_rankings(), st.lists(st.integers(0, 3), max_size=2))
def test_bounds_are_the_extremes_over_every_order(
    groups: list[list[int | None]], missed: list[int]
) -> None:
    names = iter(range(100))
    qrels, run = ["1 0 never 0"], []
    for place, group in enumerate(groups):
        for grade in group:
            document = f"d{next(names)}"
            run.append(f"1 Q0 {document} 1 {-place} t")
            if grade is not None:
                qrels.append(f"1 0 {document} {grade}")
    qrels += [f"1 0 missed{n} {grade}" for n, grade in enumerate(missed)]
    scored = score("\n".join(qrels), "\n".join(run))
    found = [grade for group in groups for grade in group if grade is not None]
    orders = {
        tuple(grade for group in chosen for grade in group)
        for chosen in product(*(set(permutations(group)) for group in groups))
    }
    for measure in ALL:
        values = [measure(Grades(order, (*found, *missed, 0))) for order in orders]
        numbers = [value for value in values if not isinstance(value, Undefined)]
        worst, best = scored.tie_bounds[measure]
        assert worst == pytest.approx(min(numbers)), str(measure)
        assert best == pytest.approx(max(numbers)), str(measure)


def test_ties_that_change_a_value_are_counted_and_others_are_not() -> None:
    qrels = "1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 b 1\n3 0 a 1\n"
    run = "1 Q0 a 1 5 t\n1 Q0 b 2 5 t\n2 Q0 a 1 5 t\n2 Q0 b 2 5 t\n3 Q0 a 1 5 t\n3 Q0 b 2 4 t\n"
    scored = score(qrels, run)
    [warned] = [each for each in scored.warnings if each.code == "ties"]
    assert warned.count == 1
    assert warned.message.startswith("1 query has equal scores whose order changes a value")
    assert scored.tie_bounds[parse_measure("RR")] == ((0.5 + 1 + 1) / 3, 1.0)


def test_a_tie_below_every_cutoff_is_not_counted() -> None:
    qrels = "1 0 a 1\n1 0 x 0\n"
    run = "1 Q0 z 1 9 t\n1 Q0 y 2 8 t\n1 Q0 a 3 5 t\n1 Q0 x 4 5 t\n"
    with TemporaryDirectory() as folder:
        judged, results = Path(folder) / "qrels", Path(folder) / "run"
        judged.write_text(qrels)
        results.write_text(run)
        measures = [parse_measure("P@2")]
        scored = score_runs(read_qrels(str(judged)), [str(results)], measures)[0]
    assert "ties" not in {warned.code for warned in scored.warnings}


def test_bounds_that_cannot_be_told_are_undefined() -> None:
    with TemporaryDirectory() as folder:
        judged, results = Path(folder) / "qrels", Path(folder) / "run"
        judged.write_text("1 0 a 1\n1 0 b -1\n")
        results.write_text("1 Q0 a 1 5 t\n1 Q0 b 2 5 t\n")
        measure = parse_measure("infAP")
        scored = score_runs(read_qrels(str(judged)), [str(results)], [measure])[0]
    unknown = Undefined("infAP can rise when a better hit moves down")
    assert scored.tie_bounds[measure] == (unknown, unknown)
