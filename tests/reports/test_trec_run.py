"""A run exported as a TREC run: the same figures when scored, in the order that was returned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.comparisons import compare
from cranfield.errors import CranfieldError
from cranfield.formats import render
from cranfield.gates.gated_runs import gate_run
from cranfield.model import Hit, Query, Suite
from cranfield.reports.any_report import report
from cranfield.reports.run_report import report_runs
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.summaries import summarise
from cranfield.suites import load_suite
from cranfield.trec.scores import ScoreOptions, score

if TYPE_CHECKING:
    from pathlib import Path

JUDGED = {
    "q1": {"d1": 2, "d2": 1, "d9": 1},
    "q2": {"d3": 1},
    "q3": {"d4": 3, "d5": 0},
}
ANSWERS = {
    # Equal scores, in an order that sorting by document would change.
    "one": [("d1", 1.0), ("d2", 1.0), ("d8", 1.0)],
    "two": [("d7", 0.2), ("d3", 0.9)],  # scores that rise
    "three": [],
}


def search(text: str, limit: int) -> list[Hit]:
    return [Hit(name, score) for name, score in ANSWERS[text]][:limit]


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    (tmp_path / "topics.txt").write_text("q1\tone\nq2\ttwo\nq3\tthree\n")
    lines = [
        f"{query} 0 {document} {grade}\n"
        for query, grades in JUDGED.items()
        for document, grade in grades.items()
    ]
    (tmp_path / "qrels.txt").write_text("".join(lines))
    return load_suite(tmp_path)


def test_an_exported_run_is_scored_at_the_same_figures(suite: Suite, tmp_path: Path) -> None:
    run = run_suite(suite, search, RunOptions(label="two words"))
    exported = tmp_path / "exported.run"
    exported.write_text(report(run, "trec"))
    assert exported.read_text().splitlines()[0] == "q1 Q0 d1 1 3 two_words"
    names = [str(measure) for measure in run.measures]
    scored = score(str(tmp_path / "qrels.txt"), [str(exported)], names)
    means = summarise(run).overall.means
    assert means.keys() == scored.runs[0].columns.keys()
    for measure, mean in means.items():
        assert scored.runs[0].value(measure) == mean, measure


def test_the_systems_own_scores_are_kept_if_they_give_the_order() -> None:
    suite = Suite("s", "judged", (Query("q", "text", {"ids": ["b"]}),))
    run = run_suite(suite, lambda *_: [Hit("a", 0.75), Hit("b", 0.5)])
    assert report(run, "trec") == "q Q0 a 1 0.75 <lambda>\nq Q0 b 2 0.5 <lambda>\n"
    close = run_suite(suite, lambda *_: [Hit("a", 1.00000000001), Hit("b", 1.0)])
    assert report(close, "trec").splitlines()[1] == "q Q0 b 2 1 <lambda>"
    huge = run_suite(suite, lambda *_: [Hit("a", 1e300), Hit("b", 1.0)])
    assert report(huge, "trec").splitlines()[0] == "q Q0 a 1 2 <lambda>"


@pytest.mark.parametrize(("query", "hit"), [("q", "a b"), ("q 1", "a"), ("q", "a\u00a0b")])
def test_ids_with_white_space_are_refused(query: str, hit: str) -> None:
    suite = Suite("s", "judged", (Query(query, "text", {"ids": ["b"]}),))
    run = run_suite(suite, lambda *_: [Hit(hit)])
    with pytest.raises(CranfieldError, match=r"has white space in its id.*export as json"):
        report(run, "trec")


def test_two_runs_are_refused() -> None:
    suite = Suite("s", "judged", (Query("q", "text", {"ids": ["b"]}),))
    runs = [gate_run(run_suite(suite, lambda *_: [Hit("b")])) for _ in range(2)]
    with pytest.raises(CranfieldError, match="trec writes one run"):
        render(report_runs(runs), "trec")


def test_score_and_compare_give_one_verdict_on_one_set_of_values(tmp_path: Path) -> None:
    names = [f"q{number}" for number in range(40)]
    (tmp_path / "topics.txt").write_text("".join(f"{name}\t{name}\n" for name in names))
    (tmp_path / "qrels.txt").write_text("".join(f"{name} 0 right 1\n" for name in names))
    suite = load_suite(tmp_path)

    def before(text: str, limit: int) -> list[str]:
        return ["right" if int(text[1:]) % 5 == 0 else "a", "b", "right"][:limit]

    def after(text: str, limit: int) -> list[str]:
        return (["right"] if int(text[1:]) % 4 else ["a", "b", "c", "right"])[:limit]

    arms = [run_suite(suite, each) for each in (before, after)]
    for place, arm in enumerate(arms):
        (tmp_path / f"{place}.run").write_text(report(arm, "trec"))
    [compared] = compare(arms[0], arms[1]).suites
    measures = [str(each.measure) for each in compared.measures]
    options = ScoreOptions(margin=0.02)
    files = [str(tmp_path / f"{place}.run") for place in (0, 1)]
    scored = score(str(tmp_path / "qrels.txt"), files, measures, options).comparisons
    assert [each.verdict for each in scored] == [each.verdict for each in compared.measures]
    for one, other in zip(scored, compared.measures, strict=True):
        assert one.result is not None
        assert other.result is not None
        assert one.result.interval == other.result.interval
        assert one.result.p_adjusted == other.result.p_adjusted
