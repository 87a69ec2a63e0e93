"""Broken runs: which faults gates notice, from how many queries on, and how that is shown."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from tests.benchmarks.scripted import Scripted, suite_of
from tests.cli.projects import cranfield, make_python_project

from cranfield.formats import render
from cranfield.gates.baselines import make_baseline
from cranfield.gates.gated_runs import gate_run
from cranfield.model import Hit, Query, RegressionRules, Response, Suite, Threshold
from cranfield.runs.runner import Run, RunOptions, run_suite
from cranfield.systems import System
from gate_faults import MUTATIONS, Mutation
from gate_sensitivity import (
    MutationReport,
    MutationResult,
    check_mutations,
    main,
    report_mutations,
)

if TYPE_CHECKING:
    from pathlib import Path


def results(run: Run, *names: str, seed: int = 0) -> dict[str, MutationResult]:
    chosen = [MUTATIONS[name] for name in names]
    return {each.name: each for each in check_mutations(run, chosen, seed=seed).results}


def test_by_default_more_lost_queries_than_noise_explains_turn_the_gate_red() -> None:
    run = run_suite(suite_of({"a": ["1", "2"], "b": ["1", "0"]}), Scripted())
    found = results(run, "drop-right")["drop-right"]
    assert (found.applied, found.changed, found.caught) == (3, 3, True)
    assert (found.smallest, found.typical, found.by) == (2, 2, ("lost",))
    assert dict(found.per_category) == {"a": 2, "b": None}


def test_if_none_may_fall_one_lost_query_turns_the_gate_red() -> None:
    ranks = {"a": ["1", "2"], "b": ["1", "0"]}
    run = run_suite(suite_of(ranks, RegressionRules(at_most=0)), Scripted())
    found = results(run, "drop-right")["drop-right"]
    assert (found.smallest, found.typical, found.by) == (1, 1, ("at_most",))
    assert dict(found.per_category) == {"a": 1, "b": 1}


def test_a_protected_category_needs_one_query_and_the_others_one_more_than_may_fall() -> None:
    rules = RegressionRules(at_most=2, protected=("names",))
    ranks = {"names": ["1"] * 2, "words": ["1"] * 30, "few": ["1"] * 2}
    found = results(run_suite(suite_of(ranks, rules), Scripted()), "drop-right")["drop-right"]
    assert dict(found.per_category) == {"names": 1, "words": 3, "few": None}
    assert (found.smallest, found.typical) == (1, 3)
    assert found.by == ("at_most", "protected")


def test_a_threshold_turns_red_when_the_mean_falls_below_it_and_not_before() -> None:
    rules = RegressionRules(at_most=1000)
    gate = Threshold("RR@10", 0.75)
    run = run_suite(suite_of({"": ["1"] * 20}, rules, gate), Scripted())
    found = results(run, "drop-right", "swap-1-4")
    # 20 ones: five lost leave 15/20, which is enough. At rank 4 each costs three quarters: six
    # leave 15.5/20, seven 14.75/20.
    assert (found["drop-right"].smallest, found["swap-1-4"].smallest) == (6, 7)
    assert found["drop-right"].by == ("RR@10 ≥ 0.75",)
    assert dict(found["drop-right"].per_category) == {}


def test_a_threshold_of_a_category_is_named_with_it_and_others_cannot_break_it() -> None:
    rules = RegressionRules(at_most=1000)
    gate = Threshold("P@1", 0.5, "a"), Threshold("P@1", 1.0, diagnostic=True)
    run = run_suite(suite_of({"a": ["1"] * 4, "b": ["1"] * 4}, rules, *gate), Scripted())
    found = results(run, "drop-right")["drop-right"]
    assert dict(found.per_category) == {"a": 3, "b": None}
    assert found.by == ("P@1 ≥ 0.5 in a",)


def test_what_rises_does_not_hide_what_falls() -> None:
    """Swapping helps the nine at rank 4 and hurts the one at rank 1."""
    suite = suite_of({"": ["4"] * 9 + ["1"]}, RegressionRules(at_most=0))
    swap = results(run_suite(suite, Scripted()), "swap-1-4")["swap-1-4"]
    assert (swap.changed, swap.caught, swap.smallest) == (10, True, 1)


@pytest.mark.parametrize(("at_least", "smallest"), [(0.3, 1), (0.2, None)])
def test_a_mean_that_falls_with_one_and_rises_with_all_is_found_where_it_falls(
    at_least: float, smallest: int | None
) -> None:
    """The mean is 0.325; it is 0.25 when only the one at rank 1 is swapped, 0.925 with all."""
    rules = RegressionRules(at_most=1)
    suite = suite_of({"": ["4"] * 9 + ["1"]}, rules, Threshold("RR@10", at_least))
    report = check_mutations(run_suite(suite, Scripted()), [MUTATIONS["swap-1-4"]])
    [swap] = report.results
    assert (swap.caught, swap.smallest) == (False, smallest)
    assert report.blind == (() if smallest else (swap,))


class Broken(System):
    """Gives stored answers, some of them without their right hits."""

    def __init__(self, run: Run, lost: set[str]) -> None:
        queries = run.header.suite.queries
        self.known = {queries[each.place].id: each for each in run.store.answers(run.header.id)}
        self.lost = lost

    def search(self, query: Query, limit: int) -> Response:  # noqa: ARG002
        response = self.known[query.id].response
        kept = [hit for hit in response.hits if not hit.id.startswith("right-")]
        return replace(response, hits=tuple(kept)) if query.id in self.lost else response


@pytest.mark.thorough
@pytest.mark.corpus
def test_the_numbers_found_are_those_of_real_runs_with_broken_answers() -> None:
    """Every choice of queries, run again: no fewer turn the gate red than `smallest` says."""
    rules = RegressionRules(at_most=3)
    gate = Threshold("RR@10", 0.45), Threshold("P@1", 0.5, "b")
    suite = suite_of({"a": ["1", "2", "4", "0"], "b": ["1", "1", "5"]}, rules, *gate)
    run = run_suite(suite, Scripted())
    baseline = make_baseline(run, "main", {"date": "", "author": "", "reason": ""})
    ids = [query.id for query in suite.queries]
    red = {
        lost
        for count in range(len(ids) + 1)
        for lost in combinations(ids, count)
        if not gate_run(run_suite(suite, Broken(run, set(lost))), baseline).passed
    }
    found = results(run, "drop-right")["drop-right"]
    assert found.smallest == min(map(len, red))
    for category, smallest in found.per_category.items():
        within = [len(lost) for lost in red if all(each.startswith(category) for each in lost)]
        assert smallest == min(within, default=None)


def test_values_that_fall_and_rise_at_once_are_broken_one_by_one() -> None:
    """Right at 1, 5, 6 and 7 of 8; reversed at 2, 3, 4 and 8: P@1 falls to 0 and P@5 rises."""
    query = Query("q", "1", {"matches": ["right-q$", "q-5$", "q-6$", "q-7$"]})
    suite = Suite("made", "canonical", (query,), gate=(Threshold("P@1", 1.0),))
    suite = replace(suite, rules=RegressionRules(at_most=5))
    found = results(run_suite(suite, Scripted()), "reverse")["reverse"]
    assert (found.caught, found.smallest, found.by) == (True, 1, ("P@1 ≥ 1",))


def test_a_gate_without_teeth_is_named_for_every_mutation_it_lets_through() -> None:
    suite = suite_of({"a": ["1"] * 6, "b": ["2"] * 6}, RegressionRules(at_most=1000))
    report = check_mutations(run_suite(suite, Scripted()))
    # Whatever a gate asks, a system that answers nothing at all does not pass.
    applied = [each.name for each in report.results if each.applied and each.name != "fail"]
    assert [each.name for each in report.blind if each.name != "fail"] == applied
    others = [each for each in report.results if each.name != "fail"]
    assert all(each.smallest is None and each.by == () for each in others)


def test_a_mutation_that_no_answer_can_have_says_so() -> None:
    run = run_suite(suite_of({"only": ["1", "2"]}), Scripted(hits=3))
    found = results(run, "swap-1-4", "lose-source", "wrong-category")
    assert {name: each.reason for name, each in found.items()} == {
        "swap-1-4": "no query has four hits",
        "lose-source": "no query has hits of one source among several",
        "wrong-category": "no query has another category to take hits from",
    }
    assert not any(each.caught or each.applied for each in found.values())


def test_a_run_of_failures_has_nothing_to_break() -> None:
    report = check_mutations(run_suite(suite_of({"a": ["timeout"] * 3}), Scripted()))
    assert {each.applied for each in report.results} == {0}
    assert report.missed == ()


def test_a_mutation_that_no_measure_shows_changes_nothing() -> None:
    run = run_suite(suite_of({"a": ["2"] * 5, "b": ["3"] * 5}), Scripted())
    found = results(run, "swap-1-4")["swap-1-4"]
    assert (found.applied, found.changed, found.caught, found.smallest) == (10, 0, False, None)


def test_the_most_frequent_source_is_lost_by_field_before_scheme() -> None:
    """Hits 1 to 5 are of the guide and the rest of the blog, whatever their ids say."""

    def hit(name: str, place: int) -> Hit:
        return Hit(f"docs://{name}", fields={"source": "guide" if place <= 5 else "blog"})

    suite = suite_of({"a": ["1", "8", "5"]}, RegressionRules(at_most=0))
    run = run_suite(suite, Scripted(hit=hit))
    found = results(run, "lose-source")["lose-source"]
    # The one at rank 8 comes to rank 3; the other two are lost.
    assert (found.applied, found.changed, found.smallest) == (3, 3, 1)


def test_queries_that_are_not_answered_count_where_no_value_shows_it() -> None:
    rules = RegressionRules(at_most=1000, most_failures=3)
    run = run_suite(suite_of({"a": ["0"] * 40}, rules), Scripted())
    found = results(run, "fail", "empty")
    # 5 % of 40 are two, which may fail; it takes four.
    assert (found["fail"].changed, found["fail"].smallest, found["fail"].caught) == (40, 4, False)
    assert found["fail"].draws == 5
    assert (found["empty"].changed, found["empty"].smallest) == (0, None)


def test_a_share_of_the_queries_is_rounded_up() -> None:
    run = run_suite(suite_of({"a": ["1"] * 21}, RegressionRules(at_most=1)), Scripted())
    found = results(run, "empty")["empty"]
    assert (found.red, found.draws, found.caught, found.smallest) == (5, 5, True, 2)


def test_a_rule_that_the_run_fails_unbroken_catches_nothing() -> None:
    suite = suite_of({"a": ["2"] * 4}, RegressionRules(at_most=9), Threshold("P@1", 0.9))
    report = check_mutations(run_suite(suite, Scripted()), [MUTATIONS["drop-right"]])
    assert report.before == ("P@1 ≥ 0.9",)
    assert [each.name for each in report.blind] == ["drop-right"]


def test_the_same_seed_gives_the_same_report_and_the_order_of_queries_is_free() -> None:
    suite = suite_of({"a": ["1", "2", "4"] * 5, "b": ["1", "5", "0"] * 5}, RegressionRules(2))
    run = run_suite(suite, Scripted())
    chosen = [MUTATIONS[name] for name in ("drop-right", "empty")]
    assert check_mutations(run, chosen, seed=7) == check_mutations(run, chosen, seed=7)
    turned = run_suite(replace(suite, queries=suite.queries[::-1]), Scripted())
    there, back = results(run, "drop-right", seed=7), results(turned, "drop-right", seed=7)
    assert there["drop-right"].smallest == back["drop-right"].smallest == 3


def test_repeated_answers_are_all_broken() -> None:
    suite = suite_of({"a": ["1"] * 4}, RegressionRules(at_most=0))
    run = run_suite(suite, Scripted(), RunOptions(repeats=3))
    found = results(run, "drop-right")["drop-right"]
    assert (found.applied, found.smallest) == (4, 1)


def test_a_mutation_of_ones_own_is_tried_like_the_others() -> None:
    loud = Mutation("loud", "all ids in capitals", "hits", lambda given, _: Response.of(
        tuple(Hit(hit.id.upper()) for hit in given.response.hits)))  # fmt: skip
    run = run_suite(suite_of({"ä ☃": ["1"] * 3}, RegressionRules(at_most=0)), Scripted())
    [found] = check_mutations(run, [loud]).results
    assert (found.name, found.caught, dict(found.per_category)) == ("loud", True, {"ä ☃": 1})


def test_broken_runs_are_held_to_the_baseline_that_is_given() -> None:
    """Against itself a run loses all four; a baseline that had two of them sees only these."""
    suite = suite_of({"a": ["1"] * 4}, RegressionRules(at_most=2))
    run = run_suite(suite, Scripted())
    chosen = [MUTATIONS["drop-right"]]
    [alone] = check_mutations(run, chosen).results
    accepted = {"date": "", "author": "", "reason": ""}
    known = make_baseline(run_suite(suite, Broken(run, {"a0", "a1"})), "main", accepted)
    [held] = check_mutations(run, chosen, baseline=known).results
    assert (alone.caught, alone.smallest) == (True, 3)
    assert (held.caught, held.smallest) == (False, None)


CAUGHT = MutationResult(
    "drop-right", "the right hits are gone", 9, 8, 1, 1, ("at_most",), 1, 3, {"a": 1, "b": None}
)
AT_TIMES = MutationResult("empty", "no result", 9, 9, 2, 5, ("at_most",), 3, 4, {"a": 3, "b": None})
LET_THROUGH = MutationResult("reverse", "turned", 9, 5, 0, 1, per_category={"a": None, "b": None})
UNSEEN = MutationResult("swap-1-4", "swapped", 9, 0, 0, 1)
NOT_TRIED = MutationResult("lose-source", "a source is gone", reason="no query has two sources")


def report_of(*results: MutationResult, before: tuple[str, ...] = ()) -> MutationReport:
    return MutationReport("run-1", "made", 10, 0, before, results)


def test_the_text_has_a_line_a_mutation_and_names_what_is_missed() -> None:
    shown = render(report_mutations(report_of(CAUGHT, AT_TIMES, LET_THROUGH, UNSEEN, NOT_TRIED)))
    assert shown == (
        "made: 10 answers of run run-1, broken in 5 ways (seed 0)\n"
        "\n"
        "mutation     gate           queries  changed  fewest  typically\n"
        "drop-right   red                  9        8       1          3\n"
        "empty        red in 2 of 5        9        9       3          4\n"
        "reverse      green                9        5       –          –\n"
        "swap-1-4     green                9        0       –          –\n"
        "lose-source  –                    0        0       –          –\n"
        "\n"
        "fewest in   a  b\n"
        "drop-right  1  –\n"
        "empty       3  –\n"
        "reverse     –  –\n"
        "swap-1-4    –  –\n"
        "\n"
        "drop-right: the right hits are gone; noticed by at_most\n"
        "empty: no result; noticed by at_most\n"
        "reverse: turned; noticed by no rule\n"
        "swap-1-4: swapped; no measure of the suite shows it\n"
        "lose-source: a source is gone; not applicable: no query has two sources\n"
        "\n"
        "the gate never catches, however many queries break: reverse, swap-1-4\n"
        "the gate does not always catch: empty\n"
    )


def test_a_gate_that_catches_everything_is_said_to() -> None:
    shown = render(report_mutations(report_of(CAUGHT, NOT_TRIED)))
    assert shown.endswith("\nthe gate catches everything that could be broken\n")


def test_a_report_in_which_nothing_could_be_broken_praises_nothing() -> None:
    assert render(report_mutations(report_of(NOT_TRIED))).endswith("\nnothing could be broken\n")


def test_a_run_that_fails_its_gate_unbroken_is_warned_about() -> None:
    shown = render(report_mutations(report_of(CAUGHT, before=("P@1 ≥ 0.9",))))
    assert "warning: the run fails its gate unbroken, by P@1 ≥ 0.9;" in shown


def test_names_from_a_suite_cannot_move_the_cursor() -> None:
    hostile = MutationResult(
        "x", "y\x1b[2J", 1, 1, 1, 1, ("P@1 ≥ 1 in \x1b[31m",), 1, 1, {"\x1b[31mred": 1}
    )
    shown = render(report_mutations(MutationReport("r", "\x1b[2J", 1, 0, ("\x07",), (hostile,))))
    assert "\x1b" not in shown
    assert "\x07" not in shown


@pytest.mark.process
def test_the_newest_run_of_a_project_is_broken_and_compared_with_its_baseline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = make_python_project(tmp_path, 10)
    config = ["--config", str(project)]
    with pytest.raises(SystemExit, match="no run of small is stored"):
        main(config)
    cranfield(project, "run", "--system", "new")
    assert main(config) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(
        "small is compared with itself; it has no baseline\nsmall: 10 answers"
    )
    assert "drop-right: the right hits are gone; noticed by" in shown.out
    # Eight mutations, each of all queries and of two categories; a log has at most twenty lines,
    # here fewer, as the steps of two mutations that nothing can be done with are passed over.
    told = shown.err.splitlines()
    assert told[0] == "[2/24] drop-right in even"
    assert told[-1] == "[24/24] wrong-category in odd"
    assert len(told) == 18
    cranfield(project, "baseline", "accept", "latest", "--reason", "good", "--author", "Ann")
    assert main([str(project / "small.toml"), *config]) == 0
    assert "small is compared with the baseline main\n" in capsys.readouterr().out
