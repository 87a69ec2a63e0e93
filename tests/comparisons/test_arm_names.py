"""Arms are told apart by their names wherever a comparison shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.runs.samples import right_first, right_second, small_suite

from cranfield.comparisons import attribute, compare, compare_arms, name_arms
from cranfield.formats import find_format
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.grid_report import report_grid
from cranfield.reports.leaderboard_report import report_leaderboard
from cranfield.runs.runner import RunOptions, run_suite

if TYPE_CHECKING:
    from cranfield.runs.runner import Run


def prod(text: str, limit: int) -> list[str]:
    return right_second(text, limit)


def run(label: str = "") -> Run:
    return run_suite(small_suite(10), prod, RunOptions(label=label))


def test_arms_are_named_by_their_label_or_their_system() -> None:
    assert name_arms([[run()], [run("new")]]) == ("prod", "new")


def test_runs_of_one_system_are_told_apart_by_their_ids() -> None:
    a, b = run(), run()
    assert name_arms([[a], [b]]) == (f"prod ({a.header.id})", f"prod ({b.header.id})")


def test_systems_under_one_label_are_told_apart_by_both() -> None:
    other = run_suite(small_suite(10), right_first, RunOptions(label="new"))
    assert name_arms([[run("new")], [other]]) == ("prod (new)", "right_first (new)")


def test_a_label_that_is_the_name_of_a_system_is_not_taken_for_it() -> None:
    other = run_suite(small_suite(10), right_first, RunOptions(label="prod"))
    assert name_arms([[run()], [other]]) == ("prod", "right_first (prod)")


def test_one_run_against_itself_is_told_apart_by_letters() -> None:
    same = run()
    assert name_arms([[same], [same]]) == ("prod (A)", "prod (B)")


@pytest.mark.parametrize("written", ["text", "markdown", "json", "csv"])
def test_every_format_shows_both_of_two_runs_of_one_system(written: str) -> None:
    a, b = run(), run()
    report = report_comparison(compare(a, b))
    shown = find_format(written, "comparison").render(report)
    assert "prod against prod" not in shown
    assert written == "csv" or all(f"prod ({each.header.id})" in shown for each in (a, b))


def test_a_table_has_a_column_for_each_arm() -> None:
    a, b = run(), run()
    shown = find_format("markdown", "comparison").render(report_comparison(compare(a, b)))
    names = f"prod ({a.header.id}) | prod ({b.header.id})"
    assert f"| measure | verdict | {names} | difference" in shown


def test_a_leaderboard_and_a_grid_name_every_run() -> None:
    runs = [run() for _ in range(4)]
    board = compare_arms(runs)
    assert len(set(board.names)) == 4
    assert tuple(each.name for each in board.suites[0].standings) == board.names
    assert len({each.title for each in report_leaderboard(board).sections}) >= 4
    [grid] = (made := attribute([[each] for each in runs])).suites
    assert grid.names == board.names
    shown = find_format("markdown", "grid").render(report_grid(made))
    assert all(name in shown for name in board.names)
