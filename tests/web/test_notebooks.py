"""Finished values in notebooks: the top of the page in a frame, rows for data frames."""

from __future__ import annotations

import html
import json
import re
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from tests.runs.samples import right_first, right_second, small_suite

from cranfield.comparisons import compare, compare_arms
from cranfield.evaluation.gate_evaluation import gate
from cranfield.runs.runner import run_suite

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def values() -> dict[str, Any]:
    suite = small_suite(20)
    a, b = run_suite(suite, right_second), run_suite(suite, right_first)
    return {
        "run": a,
        "comparison": compare(a, b),
        "leaderboard": compare_arms([a, b, a]),
        "gate": gate([b]),
    }


@pytest.mark.parametrize("name", ["run", "comparison", "leaderboard", "gate"])
def test_a_value_shows_the_top_of_its_page_and_gives_its_rows(
    name: str, values: dict[str, Any]
) -> None:
    shown = values[name]._repr_html_()
    [page] = re.findall(r'^<iframe srcdoc="([^"]*)" sandbox=""', shown)
    assert html.unescape(page).startswith("<!doctype html>")
    assert "<script" not in html.unescape(page)
    rows = values[name].rows()
    assert len(rows) >= 20
    assert rows[0]["query"] == "q0"


def test_a_frame_of_a_comparison_has_its_outcome(values: dict[str, Any]) -> None:
    shown = html.unescape(values["comparison"]._repr_html_())
    assert "right_first is better at lookups by name" in shown
    assert values["comparison"].verdict._repr_html_() == "<b>better</b>"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_data_frame_is_made_of_the_rows_by_the_library_asked_for(
    library: str, values: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = ModuleType(library)
    stand_in.DataFrame = lambda rows, **_: ("frame", rows)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, library, stand_in)
    made = getattr(values["comparison"], f"to_{library}")()
    assert made == ("frame", values["comparison"].rows())


@pytest.mark.parametrize("name", ["run", "comparison", "leaderboard", "gate"])
def test_pandas_takes_the_rows(name: str, values: dict[str, Any]) -> None:
    pandas = pytest.importorskip("pandas")
    frame, rows = values[name].to_pandas(), values[name].rows()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == list(rows[0])
    assert len(frame) == len(rows)
    assert frame["query"].tolist() == [row["query"] for row in rows]
    for column in numbers(rows):
        assert pandas.api.types.is_numeric_dtype(frame[column]), column
        kept = [None if pandas.isna(value) else value for value in frame[column]]
        assert kept == [row[column] for row in rows]


@pytest.mark.parametrize("name", ["run", "comparison", "leaderboard", "gate"])
def test_polars_takes_the_rows(name: str, values: dict[str, Any]) -> None:
    polars = pytest.importorskip("polars")
    frame, rows = values[name].to_polars(), values[name].rows()
    assert isinstance(frame, polars.DataFrame)
    assert frame.columns == list(rows[0])
    assert frame.to_dicts() == rows
    for column in numbers(rows):
        assert frame[column].dtype.is_numeric(), column


def numbers(rows: list[dict[str, Any]]) -> list[str]:
    """Return the columns that have numbers, and nothing but numbers and gaps."""
    found = [
        name
        for name in rows[0]
        if {type(row[name]) for row in rows} - {type(None)} in ({float}, {int}, {int, float})
    ]
    assert found
    return found


def test_a_gap_at_the_beginning_of_a_column_keeps_its_numbers() -> None:
    """Measures may be undefined for the first hundreds of queries."""
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    suite = small_suite(300)
    late = compare(
        run_suite(suite, right_never_before(250)), run_suite(suite, right_never_before(260))
    )
    column = late.to_polars()["rank_a"]
    assert column.dtype == polars.Int64
    assert column.null_count() == 250
    assert pandas.api.types.is_numeric_dtype(late.to_pandas()["rank_a"])


def right_never_before(number: int) -> Any:
    def search(text: str, limit: int) -> list[str]:
        found = int(text.removeprefix("word"))
        return right_first(text, limit) if found >= number else ["doc-x"]

    return search


def test_the_example_notebook_runs(request: pytest.FixtureRequest) -> None:
    folder: Path = request.config.rootpath / "examples"
    cells = json.loads((folder / "compare.ipynb").read_text())["cells"]
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        names: dict[str, Any] = {}
        for cell in cells:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)  # noqa: S102 - our own notebook
    assert str(names["comparison"].verdict)
    assert names["comparison"]._repr_html_().startswith("<iframe")
