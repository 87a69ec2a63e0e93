"""What a run lost against a baseline: counted query by query, held to the rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.runs.samples import right_first, right_second, small_suite

from cranfield.comparisons import Direction
from cranfield.evaluation.acceptance import review_acceptance
from cranfield.evaluation.project import Project
from cranfield.gates.baseline_comparisons import compare_to_baseline
from cranfield.gates.baselines import Baseline, make_baseline
from cranfield.gates.gate_rules import Severity
from cranfield.gates.gated_runs import find_promotions, gate_run
from cranfield.model import Hit, Query, RegressionRules, Response, Status, Suite, Threshold
from cranfield.runs.runner import Run, RunOptions, run_suite
from cranfield.systems import FileFingerprint, System

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

ACCEPTED = {"date": "2026-11-16T00:00:00Z", "author": "Ann", "reason": "first", "commit": ""}
HOME = RegressionRules(at_most=2, protected=("exact",), watched=("semantic",), accept_at=3)


def files_suite(rules: RegressionRules = HOME, **fields: Any) -> Suite:
    categories = ["exact"] * 4 + ["content"] * 4 + ["semantic"] * 4
    queries = tuple(
        Query(f"q{n}", f"word{n}", {"files": [f"doc-{n}"]}, category, pass_rank=1)
        for n, category in enumerate(categories)
    )
    return Suite("home", "files", queries, rules=rules, **fields)


def failing(numbers: Collection[int]) -> Callable[[str, int], list[str]]:
    """A search that finds everything but what these queries ask for."""

    def search(text: str, limit: int) -> list[str]:
        number = int(text.removeprefix("word"))
        return ["other"] if number in numbers else [f"doc-{number}"]

    return search


def baseline_of(numbers: Collection[int], suite: Suite | None = None) -> Baseline:
    return make_baseline(run_suite(suite or files_suite(), failing(numbers)), "main", ACCEPTED)


def judged(before: Collection[int], after: Collection[int]) -> dict[str, Severity]:
    run = run_suite(files_suite(), failing(after))
    found = compare_to_baseline(run, baseline_of(before))
    return {each.rule: each.severity for each in found.results}


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ([], [], {}),
        ([4, 5], [4, 5], {}),
        ([], [4], {}),
        ([], [4, 5], {}),
        ([], [4, 5, 6], {"at_most": Severity.FAIL}),
        ([8, 9, 10], [4, 5, 6], {"at_most": Severity.FAIL, "watched": Severity.WARN}),
        ([], [0], {"protected": Severity.FAIL}),
        ([8], [4], {"watched": Severity.WARN}),
        ([8], [], {}),
        ([8], [9], {}),
        ([8, 9, 10], [], {"accept_at": Severity.NOTE}),
        ([8, 9, 10], [4], {"watched": Severity.WARN}),
        ([0, 1, 2], [], {"accept_at": Severity.NOTE}),
    ],
)
def test_each_rule_speaks_where_it_should_and_is_silent_elsewhere(
    before: list[int], after: list[int], said: dict[str, Severity]
) -> None:
    assert judged(before, after) == said


def test_gains_do_not_make_up_for_losses_that_a_suite_counts() -> None:
    run = run_suite(files_suite(), failing([4, 5, 6]))
    found = compare_to_baseline(run, baseline_of([0, 1, 2, 3]))
    assert len(found.beyond_noise(Direction.IMPROVED)) == 4
    assert len(found.beyond_noise(Direction.WORSE)) == 3
    assert not found.passed


def test_an_unchanged_run_is_all_the_same() -> None:
    found = compare_to_baseline(run_suite(files_suite(), failing([1])), baseline_of([1]))
    assert {change.beyond_noise for change in found.changes} == {Direction.SAME}
    assert found.stale == ()


def test_a_change_within_the_measured_noise_is_none() -> None:
    turns = iter(range(1000))

    def unsure(text: str, limit: int) -> list[str]:
        return (right_first if next(turns) % 2 else right_second)(text, limit)

    noisy = run_suite(small_suite(3), unsure, RunOptions(repeats=4))
    baseline = make_baseline(noisy, "main", ACCEPTED)
    found = compare_to_baseline(run_suite(small_suite(3), right_second), baseline)
    assert {change.beyond_noise for change in found.changes} == {Direction.SAME}
    sure = make_baseline(run_suite(small_suite(3), right_first), "main", ACCEPTED)
    found = compare_to_baseline(run_suite(small_suite(3), right_second), sure)
    assert {change.beyond_noise for change in found.changes} == {Direction.WORSE}


def test_only_queries_that_are_still_the_same_are_compared() -> None:
    suite = files_suite()
    first, second, *rest = suite.queries
    changed = replace(second, text="word99")
    new = Query("new", "word0", {"files": ["doc-0"]}, pass_rank=1)
    later = replace(suite, queries=(changed, *rest, new))
    found = compare_to_baseline(run_suite(later, failing([])), baseline_of([], suite))
    assert set(found.left_out) == {"q0", "q1", "new"}
    assert first.id not in {change.query.id for change in found.changes}
    assert found.stale == ("3 queries were added, changed or removed",)


def test_a_baseline_that_shares_nothing_never_passes() -> None:
    other = replace(files_suite(), queries=(Query("x", "word1", {"files": ["doc-1"]}),))
    gated = gate_run(run_suite(other, failing([])), baseline_of([]))
    assert [each.rule for each in gated.results] == ["compared"]
    assert not gated.passed


def test_runs_that_asked_for_other_numbers_of_hits_are_not_compared() -> None:
    gated = gate_run(run_suite(files_suite(), failing([]), RunOptions(limit=20)), baseline_of([]))
    assert [(each.rule, each.severity) for each in gated.results] == [("compared", Severity.FAIL)]


def test_a_stale_baseline_is_not_replaced_by_itself() -> None:
    suite = files_suite()
    later = replace(suite, queries=suite.queries[1:])
    found = compare_to_baseline(run_suite(later, failing([])), baseline_of([8, 9, 10], suite))
    assert [each.rule for each in found.results] == ["accept_at"]
    assert not found.may_replace
    same = compare_to_baseline(run_suite(suite, failing([])), baseline_of([8, 9, 10], suite))
    assert same.may_replace


def test_an_uneven_value_is_not_taken_for_a_regression() -> None:
    suite = Suite("uneven", "judged", (Query("q", "w", {"ids": {"a": 3, "b": 2, "c": 1}}),))

    def search(text: str, limit: int) -> list[str]:
        return ["b", "x", "a", "y", "c"]

    baseline = make_baseline(run_suite(suite, search), "main", ACCEPTED)
    assert compare_to_baseline(run_suite(suite, search), baseline).results == ()


@pytest.mark.parametrize(("every", "worse"), [(3, 0), (1, 3)])
def test_a_query_that_mostly_fails_got_worse_and_one_slip_is_not_a_loss(
    every: int, worse: int
) -> None:
    turns: dict[str, int] = {}

    def unsure(text: str, limit: int) -> list[str]:
        turns[text] = turns.get(text, 0) + 1
        return (right_second if turns[text] % every == 0 else right_first)(text, limit)

    sure = make_baseline(run_suite(small_suite(3), right_first), "main", ACCEPTED)
    later = run_suite(small_suite(3), unsure, RunOptions(repeats=3))
    assert len(compare_to_baseline(later, sure).beyond_noise(Direction.WORSE)) == worse


class Slipping(System):
    """Answers all but the first time that the query is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def search(self, query: Query, limit: int) -> Response:  # noqa: ARG002
        self.asked += 1
        if self.asked == 1:
            return Response.failed(Status.TIMEOUT, "took too long")
        return Response(Status.OK, hits=(Hit("doc-0"),))


def test_a_repetition_that_was_not_answered_is_no_noise_and_hides_no_later_fall() -> None:
    query = Query("q0", "word0", {"files": ["doc-0"]}, pass_rank=1)
    suite = Suite("home", "files", (query,))
    accepted = run_suite(suite, Slipping(), RunOptions(repeats=3))
    baseline = make_baseline(accepted, "main", ACCEPTED)
    [kept] = baseline.queries
    assert (kept.values["Pass"], kept.seen, kept.repeats) == (1.0, {}, 2)
    assert kept.status == "timeout"
    found = compare_to_baseline(run_suite(suite, failing({0})), baseline)
    assert [change.query.id for change in found.beyond_noise(Direction.WORSE)] == ["q0"]


@pytest.mark.parametrize("is_corpus", [True, False])
def test_another_corpus_makes_a_baseline_stale_and_another_program_is_noted(
    *, is_corpus: bool
) -> None:
    run = run_suite(files_suite(), failing(()))
    header = replace(
        run.header,
        files={"pages": FileFingerprint(3, "now")},
        spec={"corpus": ["pages"]} if is_corpus else {},
    )
    baseline = replace(baseline_of(()), files={"pages": "before"})
    found = compare_to_baseline(replace(run, header=header), baseline)
    stale, noted = ("the corpus changed: pages",), ["files"]
    expected = (stale, []) if is_corpus else ((), noted)
    assert (found.stale, [each.rule for each in found.results]) == expected


def test_files_that_are_searched_and_came_or_went_make_a_baseline_stale() -> None:
    run = run_suite(files_suite(), failing(()))
    files = {name: FileFingerprint(3, "same") for name in ("pages", "/new/more", "program")}
    header = replace(run.header, files=files, spec={"corpus": ["./pages", "/new/more"]})
    before = {"pages": "same", "old": "same", "tool": "same"}
    baseline = replace(baseline_of(()), files=before, corpus=("pages", "old"))
    found = compare_to_baseline(replace(run, header=header), baseline)
    assert found.stale == ("the corpus changed: more (new), old (gone)",)


def test_the_baseline_knows_which_files_are_searched() -> None:
    run = run_suite(files_suite(), failing(()))
    files = {name: FileFingerprint(3, name) for name in ("pages", "/a/index", "/b/index", "tool")}
    header = replace(run.header, files=files, spec={"corpus": ["./pages", "/b/index"]})
    baseline = make_baseline(replace(run, header=header), "main", ACCEPTED)
    assert baseline.corpus == ("pages", "b/index")
    assert baseline.files["a/index"] == "/a/index"
    assert compare_to_baseline(replace(run, header=header), baseline).stale == ()


def test_a_route_that_is_lost_makes_a_query_worse() -> None:
    queries = (Query("r", "danger", {"route": "crisis"}, "danger"),)
    suite = Suite("golden", "passages", queries, rules=RegressionRules(protected=("danger",)))

    class Routing(System):
        def __init__(self, route: str) -> None:
            self.route = route

        def search(self, query: Query, limit: int) -> Response:  # noqa: ARG002 - as systems are
            return Response.of((), route=self.route)

    baseline = make_baseline(run_suite(suite, Routing("crisis")), "main", ACCEPTED)
    lost = gate_run(run_suite(suite, Routing("elsewhere")), baseline)
    assert [each.rule for each in lost.results] == ["lost", "protected"]
    assert gate_run(run_suite(suite, Routing("crisis")), baseline).passed


def test_a_system_that_answers_nothing_fails_its_gate() -> None:
    def broken(text: str, limit: int) -> list[str]:
        raise RuntimeError("no index")

    gated = gate_run(run_suite(files_suite(), broken))
    assert not gated.passed
    assert gated.results[0].rule == "answered"


def test_a_system_that_answers_every_query_once_is_no_system_without_answers() -> None:
    turns: dict[str, int] = {}

    def tired(text: str, limit: int) -> list[str]:
        turns[text] = turns.get(text, 0) + 1
        if turns[text] == 1:
            raise RuntimeError("not yet")
        return failing([])(text, limit)

    gated = gate_run(run_suite(files_suite(), tired, RunOptions(repeats=2)))
    assert "answered" not in {each.rule for each in gated.results}


def test_a_gate_that_nothing_could_fail_says_so() -> None:
    gated = gate_run(run_suite(files_suite(), failing([])))
    assert [(each.rule, each.severity) for each in gated.results] == [("judged", Severity.WARN)]


def test_a_changed_gate_makes_a_baseline_stale() -> None:
    later = files_suite(gate=(Threshold("Pass", 0.5),))
    found = compare_to_baseline(run_suite(later, failing([])), baseline_of([]))
    assert found.stale == ("the suite's gate, rules, categories or notes changed",)
    assert len(found.changes) == 12


def test_thresholds_and_rules_are_judged_together() -> None:
    suite = files_suite(gate=(Threshold("Pass", 0.9), Threshold("RR@10", 0.99, diagnostic=True)))
    gated = gate_run(run_suite(suite, failing([0, 4])), baseline_of([], suite))
    assert [(each.rule, each.severity) for each in gated.results] == [
        ("threshold", Severity.FAIL),
        ("protected", Severity.FAIL),
        ("threshold", Severity.WARN),
    ]
    assert not gated.passed
    assert gate_run(run_suite(files_suite(), failing([0]))).passed


def test_too_many_queries_without_an_answer_fail() -> None:
    def broken(text: str, limit: int) -> list[str]:
        if text in ("word1", "word2"):
            raise RuntimeError("no index")
        return failing([])(text, limit)

    for most, passed in ((None, False), (2, True), (1, False)):
        suite = files_suite(RegressionRules(most_failures=most))
        assert gate_run(run_suite(suite, broken)).passed is passed


def test_a_threshold_is_raised_after_clean_runs_in_a_row() -> None:
    rules = RegressionRules(promote_after=3)
    suite = files_suite(rules, gate=(Threshold("Pass", 0.5), Threshold("Pass", 1.0, "exact")))

    def run(numbers: list[int]) -> Run:
        return run_suite(suite, failing(numbers))

    good = [run([4]), run([]), run([4, 5])]
    assert find_promotions(good[2], good[:1]) == []
    (note,) = find_promotions(good[2], good[:2])
    assert (
        note.message == "3 runs in a row reached 0.83 of Pass; its threshold of 0.5 can be raised"
    )
    assert find_promotions(run(list(range(12))), good[1:]) == []


def test_no_threshold_is_raised_by_runs_that_did_not_pass() -> None:
    rules = RegressionRules(promote_after=2)
    suite = files_suite(rules, gate=(Threshold("Pass", 0.5), Threshold("Pass", 1.0, "exact")))

    def run(numbers: list[int]) -> Run:
        return run_suite(suite, failing(numbers))

    assert find_promotions(run([4]), [run([])])
    # The category is below its threshold in the earlier one, then in this one.
    assert find_promotions(run([]), [run([0])]) == []
    assert find_promotions(run([0]), [run([])]) == []
    # Against the baseline more queries were lost than noise explains.
    assert find_promotions(run([4, 5]), [run([])], baseline_of([], suite)) == []
    assert find_promotions(run([4, 5]), [run([4, 5])], baseline_of([4, 5], suite))


def test_a_drop_to_nothing_is_a_drop_however_little_there_was() -> None:
    wanted = {f"doc-{number}": 1 for number in range(10)}
    suite = Suite("many", "judged", (Query("q", "w", {"ids": wanted}),))
    wrong = [f"x{place}" for place in range(9)]
    before = run_suite(suite, lambda *_: [*wrong, "doc-0"])
    baseline = make_baseline(before, "main", ACCEPTED)
    (change,) = compare_to_baseline(run_suite(suite, lambda *_: wrong), baseline).changes
    by = change.deciding
    assert by is not None
    assert by.a is not None
    assert 0 < by.a < 0.07
    assert (by.b, by.is_lower) == (0.0, True)


def test_what_speaks_against_a_new_baseline_names_the_queries_without_an_answer() -> None:
    queries = tuple(Query(f"q{n}", f"word{n}", {"files": ["doc-0"]}, pass_rank=1) for n in range(3))
    run = run_suite(Suite("some", "files", queries), Slipping())
    said = review_acceptance([run], Project(Path("nowhere")))
    assert f"{run.header.id}, some: not answered, or not every time: 1 (q0)" in said
