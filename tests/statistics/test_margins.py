"""A margin that no difference could exceed is refused, wherever a margin is set."""

from __future__ import annotations

from contextlib import nullcontext as does_not_raise
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project
from tests.runs.samples import right_first, right_second, small_suite

from cranfield.comparisons import CompareOptions, attribute, compare, compare_arms
from cranfield.errors import ComparisonError
from cranfield.measures import parse_measure
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.statistics import require_margin

if TYPE_CHECKING:
    from pathlib import Path

REFUSED = "a margin of 1 would make any two systems equivalent: values of RR@10 differ by 1"


@pytest.mark.parametrize("margin", [0.0, -0.1, float("nan")])
def test_a_margin_is_positive(margin: float) -> None:
    with pytest.raises(ComparisonError, match="a margin has to be positive"):
        require_margin(margin, [])


@pytest.mark.parametrize(
    ("margin", "measures", "is_refused"),
    [
        (5.0, ("DCG@10",), False),
        (0.999, ("RR@10",), False),
        (None, ("RR@10",), False),
        (1.0, ("RR@10",), True),
        (5.0, ("DCG@10", "RR@10"), True),
    ],
)
def test_a_margin_is_smaller_than_the_values_of_a_measure_can_differ(
    margin: float | None, measures: tuple[str, ...], *, is_refused: bool
) -> None:
    """Those of a measure without a bound may differ by any amount."""
    expected = pytest.raises(ComparisonError) if is_refused else does_not_raise()
    with expected:
        require_margin(margin, [parse_measure(each) for each in measures])


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
