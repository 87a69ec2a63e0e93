"""All formats of one report show the same figures, number by number."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import pytest
from tests.formats.samples import make_subject

from cranfield.formats import render

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.formats import Report


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("subjects")


def text_rows(report: Report, name: str = "text") -> list[list[str]]:
    return [re.split(r"\s{2,}", line.strip()) for line in render(report, name).splitlines()]


def markdown_rows(report: Report, name: str = "markdown") -> list[list[str]]:
    text = re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), render(report, name))
    text = re.sub(r"</?code>|\u200b", "", text)
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def csv_rows(report: Report) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(render(report, "csv"))))


def data_of(report: Report) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(render(report, "json"))
    return content


def test_formats_of_a_run_agree(folder: Path) -> None:
    report = make_subject("run", folder)
    records = iter(csv_rows(report))
    for run in data_of(report)["runs"]:
        means = [f"{value:.4f}" for value in run["overall"]["means"].values()]
        for rows in (text_rows(report), markdown_rows(report)):
            assert ["all", str(run["overall"]["queries"]), *means] in rows
        for query in run["queries"]:
            record = next(records)
            assert record["query"] == query["id"]
            assert record["rank"] == str(query["first_rank"] or "")
            assert [float(record[name]) for name in run["measures"]] == list(
                query["values"].values()
            )
            shown = [f"{value:.4f}" for value in query["values"].values()]
            row = [query["id"], query["text"], query["status"], record["rank"] or "–", *shown]
            assert row in text_rows(report)
            assert row in markdown_rows(report)
    assert next(records, None) is None


def test_formats_of_a_comparison_agree(folder: Path) -> None:
    report = make_subject("comparison", folder)
    [suite] = data_of(report)["suites"]
    text, markdown = text_rows(report), markdown_rows(report)
    for each in suite["measures"]:
        interval = f"[{each['interval']['low']:+.4f}, {each['interval']['high']:+.4f}]"
        figures = [f"{each['a']:.4f}", f"{each['b']:.4f}", f"{each['difference']:+.4f}", interval]
        role = " (secondary)" if each["secondary"] else ""
        row = [each["measure"], each["verdict"] + role, *figures]
        assert row in [shown[:6] for shown in text]
        assert row in [shown[:6] for shown in markdown]
        p = "–" if each["p_adjusted"] is None else f"{each['p_adjusted']:.4f}"
        [in_text] = [shown for shown in text if shown[:6] == row]
        [in_markdown] = [shown for shown in markdown if shown[:6] == row]
        assert in_text[6] == p == in_markdown[7]
    for bucket, count in suite["buckets"].items():
        assert [bucket, str(count)] in markdown
    headline = suite["headline"]
    for query, record in zip(suite["per_query"], csv_rows(report), strict=True):
        values = [query[side]["values"][headline] for side in "ab"]
        ranks = [query[side]["first_rank"] for side in "ab"]
        assert [float(record[f"{headline} {side}"]) for side in "AB"] == values
        assert [int(record[f"rank_{side}"]) for side in "ab"] == ranks
        named = [query["id"], query["text"], query["bucket"]]
        row = [*named, *map(str, ranks), *(f"{value:.4f}" for value in values)]
        assert row in text
        assert row in markdown


def test_formats_of_a_gate_agree(folder: Path) -> None:
    report = make_subject("gate", folder)
    data = data_of(report)
    text, markdown = text_rows(report), markdown_rows(report)
    summary, records = markdown_rows(report, "github"), iter(csv_rows(report))
    suites = ET.fromstring(render(report, "junit").encode())  # noqa: S314 - it is our own
    for run, cases in zip(data["runs"], suites, strict=True):
        failed = [case for case in cases.iter("testcase") if "gate" in case.get("classname", "")]
        assert any(case.find("failure") is not None for case in failed) is not run["passed"]
        means = [f"{value:.4f}" for value in run["overall"]["means"].values()]
        for rows in (text, markdown, summary):
            assert ["all", str(run["overall"]["queries"]), *means] in rows
        for group in (run["compared"] or {"groups": []})["groups"]:
            before, after = group["before"], group["after"]
            figures = [f"{before:.4f}", f"{after:.4f}", f"{after - before:+.4f}"]
            counts = [str(group["worse"]), str(group["improved"])]
            row = [group["name"], str(group["queries"]), *figures, *counts]
            for rows in (text, markdown, summary):
                assert row in rows
        for query in run["queries"]:
            record = next(records)
            change = query["change"] or {"kind": "", "before": "", "after": ""}
            assert record["query"] == query["id"]
            assert record["change"] == change["kind"]
            assert [record["before"], record["after"]] == [
                str(change[side]) for side in ("before", "after")
            ]
            assert [float(record[name]) for name in run["measures"]] == list(
                query["values"].values()
            )
    assert next(records, None) is None
