"""A margin that no difference could exceed is refused, wherever a margin is set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project
from tests.runs.samples import right_first, right_second, small_suite

from cranfield.comparisons import CompareOptions, attribute, compare, compare_arms
from cranfield.errors import ComparisonError
from cranfield.measures import parse_measure
from cranfield.runs import RunOptions, run_suite
from cranfield.verdicts import require_margin

if TYPE_CHECKING:
    from pathlib import Path

REFUSED = "a margin of 1 would make any two systems equivalent: values of RR@10 differ by 1"


@pytest.mark.parametrize("margin", [0.0, -0.1, float("nan")])
def test_a_margin_is_positive(margin: float) -> None:
    with pytest.raises(ComparisonError, match="a margin has to be positive"):
        require_margin(margin, [])


def test_a_measure_without_a_bound_may_have_any_margin() -> None:
    require_margin(5.0, [parse_measure("DCG@10")])
    require_margin(0.999, [parse_measure("RR@10")])
    require_margin(None, [parse_measure("RR@10")])


def test_comparisons_refuse_a_margin_that_nothing_exceeds() -> None:
    old, new = (run_suite(small_suite(6), each) for each in (right_second, right_first))
    options = CompareOptions(margin=1.0)
    with pytest.raises(ComparisonError, match=REFUSED):
        compare(old, new, options)
    with pytest.raises(ComparisonError, match=REFUSED):
        compare_arms([old, new, old], options)
    with pytest.raises(ComparisonError, match=REFUSED):
        attribute([[each] for each in (old, new, old, new)], options)
    counted = RunOptions(measures=(parse_measure("DCG@10"),))
    old, new = (run_suite(small_suite(6), each, counted) for each in (right_second, right_first))
    assert compare(old, new, CompareOptions(margin=5.0)).suites


def test_commands_refuse_it_before_the_first_query(tmp_path: Path) -> None:
    project = make_python_project(tmp_path)
    shown = cranfield(project, "compare", "old", "new", "--margin", "5")
    assert shown.returncode == 2
    assert "a margin of 5 would make any two systems equivalent" in shown.stderr
    assert not (project / ".cranfield" / "cranfield.db").exists()
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 1.0 x\n")
    scored = cranfield(tmp_path, "score", "qrels.txt", "a.run", "a.run", "--margin", "1")
    assert (scored.returncode, "a margin of 1 would" in scored.stderr) == (2, True)
