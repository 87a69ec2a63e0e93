"""Scored runs as a report: the same figures in every format, and nothing that was not asked for."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from cranfield.formats import CellKind, Detail, Table, render
from cranfield.trec.scores import default_measures
from cranfield.trec.trec_eval_format import TREC_EVAL_MEASURES
from tests.formats.samples import make_subject

if TYPE_CHECKING:
    from cranfield.formats import Report


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return make_subject("score", tmp_path_factory.mktemp("scores"))


def test_counts_are_counts_and_values_are_values(report: Report) -> None:
    table = report.sections[0].blocks[0]
    assert isinstance(table, Table)
    kinds = {row[0]: row[1].kind for row in table.rows}
    assert kinds == {
        "RR": CellKind.VALUE,
        "NumRet": CellKind.COUNT,
        "queries": CellKind.COUNT,
    }


def test_all_formats_show_the_same_figures(report: Report) -> None:
    data = json.loads(render(report, "json"))
    records = {
        (row["run"], row["query"], row["measure"]): float(row["value"])
        for row in csv.DictReader(io.StringIO(render(report, "csv")))
    }
    lines = [line.split("\t") for line in render(report, "trec_eval").splitlines()]
    text = [line.split() for line in render(report).splitlines()]
    for place, run in enumerate(data["runs"]):
        for measure, figure in run["measures"].items():
            assert records[run["name"], "all", measure] == figure
            shown = f"{figure:.0f}" if measure == "NumRet" else f"{figure:.4f}"
            [row] = [row for row in text if row[:1] == [measure] and len(row) == 3]
            assert row[1 + place] == shown
            name = {"RR": "recip_rank", "NumRet": "num_ret"}[measure]
            assert [f"{name:<22}", "all", shown] in lines
        for query, values in run["queries"].items():
            for measure, value in values.items():
                assert records[run["name"], query, measure] == value
    assert len(records) == 2 * 2 * (1 + 3)


def test_a_comparison_has_its_verdict_in_text_and_json(report: Report) -> None:
    [compared] = json.loads(render(report, "json"))["comparisons"]
    assert compared["measure"] == "RR"
    [row] = [line for line in render(report).splitlines() if line.startswith("second.run  RR")]
    assert compared["verdict"]["kind"] in row
    assert f"{compared['difference']:+.4f}" in row


def test_queries_are_listed_only_if_all_is_shown(report: Report) -> None:
    assert report.detail is Detail.ALL
    assert [section.title for section in report.sections[2:]] == ["first.run", "second.run"]


def test_trec_eval_measures_all_that_trec_eval_prints() -> None:
    assert default_measures("trec_eval") == TREC_EVAL_MEASURES
    assert [str(measure) for measure in default_measures("text")][:2] == ["nDCG@10", "RR@10"]
