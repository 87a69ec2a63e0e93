"""Reports of mutations: what is caught, what is not, and what could not be tried."""

from __future__ import annotations

import json

from cranfield.formats import render
from cranfield.gates.mutations import MutationReport, MutationResult
from cranfield.reports import report_mutations

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
    shown = render(report_mutations([report_of(CAUGHT, AT_TIMES, LET_THROUGH, UNSEEN, NOT_TRIED)]))
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
    shown = render(report_mutations([report_of(CAUGHT, NOT_TRIED)]))
    assert shown.endswith("\nthe gate catches everything that could be broken\n")


def test_a_report_in_which_nothing_could_be_broken_praises_nothing() -> None:
    assert render(report_mutations([report_of(NOT_TRIED)])).endswith("\nnothing could be broken\n")


def test_a_run_that_fails_its_gate_unbroken_is_warned_about() -> None:
    shown = render(report_mutations([report_of(CAUGHT, before=("P@1 ≥ 0.9",))]))
    assert "warning: the run fails its gate unbroken, by P@1 ≥ 0.9;" in shown


def test_names_from_a_suite_cannot_move_the_cursor() -> None:
    hostile = MutationResult(
        "x", "y\x1b[2J", 1, 1, 1, 1, ("P@1 ≥ 1 in \x1b[31m",), 1, 1, {"\x1b[31mred": 1}
    )
    shown = render(report_mutations([MutationReport("r", "\x1b[2J", 1, 0, ("\x07",), (hostile,))]))
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_the_json_has_everything_and_ids_of_runs_in_one_place() -> None:
    written = json.loads(
        render(report_mutations([report_of(CAUGHT, LET_THROUGH, NOT_TRIED)]), "json")
    )
    assert written["volatile"] == [{"id": "run-1"}]
    [suite] = written["suites"]
    assert "run-1" not in json.dumps(suite)
    assert (suite["blind"], suite["missed"]) == (["reverse"], ["reverse"])
    assert suite["mutations"][0] == {
        "name": "drop-right",
        "description": "the right hits are gone",
        "applied": 9,
        "changed": 8,
        "caught": True,
        "red": 1,
        "draws": 1,
        "by": ["at_most"],
        "smallest": 1,
        "typical": 3,
        "per_category": {"a": 1, "b": None},
        "not_applicable": "",
    }
    assert suite["mutations"][2]["not_applicable"] == "no query has two sources"


def test_no_reports_are_no_lines_and_an_empty_list() -> None:
    assert render(report_mutations([])) == ""
    assert json.loads(render(report_mutations([]), "json"))["suites"] == []
