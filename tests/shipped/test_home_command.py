"""The desktop search's relevance test, run as its user runs it."""

from __future__ import annotations

import csv
import re
import shutil
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield
from tests.shipped.projects import SUITES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.corpus, pytest.mark.process]

COLUMNS = [
    "id",
    "query",
    "category",
    "expected_file",
    "actual_rank",
    "actual_top3",
    "result",
    "fts5_score",
    "semantic_score",
    "merged_score",
]
COUNTS = {
    "exact_filename": 10,
    "partial_filename": 10,
    "content_search": 15,
    "semantic": 10,
    "edge_case": 5,
    "TOTAL": 50,
}


def copy_home(folder: Path) -> Path:
    """A copy in which nothing was prepared or run yet."""
    made = shutil.ignore_patterns("index", "results.csv", ".cranfield")
    return shutil.copytree(SUITES / "home", folder / "suites" / "home", ignore=made)


def test_both_modes_are_run_summed_up_and_set_side_by_side(tmp_path: Path) -> None:
    home = copy_home(tmp_path)
    done = cranfield(tmp_path, "run", "home", "--mode", "both")
    assert done.returncode == 0, done.stderr
    for name, count in COUNTS.items():
        assert len(re.findall(rf"^ *{name}: +\d+/{count} ", done.stdout, re.M)) == 2, name
    assert done.stdout.count("✓ PASS (threshold: 80%)") == 2
    _, title, table = done.stdout.partition("A/B comparison:\n")
    assert title
    heading, *rows = table.split("\n")
    assert heading.split() == ["fts5", "both", "Delta"]
    assert [row.split()[0] for row in rows[: len(COUNTS)]] == [*COUNTS]
    assert "Regressions: 0 queries worse" in table
    assert "✓ PASS both beats fts5, as the mode demands: Pass" in table
    check_rows(home / "results.csv", done.stdout)
    totals = re.findall(r"^TOTAL: (\d+)/50", done.stdout, re.M)
    alone = cranfield(tmp_path, "run", "home", "--mode", "semantic", "--milestone", "M3")
    assert re.findall(r"^TOTAL: (\d+)/50", alone.stdout, re.M) == totals[-1:]
    assert "(threshold: 95%)" in alone.stdout
    assert alone.returncode == int(int(totals[-1]) < 0.95 * 50)


def check_rows(path: Path, printed: str) -> None:
    with path.open(newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    assert reader.fieldnames == COLUMNS
    assert len(rows) == len({row["id"] for row in rows}) == 50
    totals = re.findall(r"^TOTAL: (\d+)/50", printed, re.M)
    assert sum(row["result"] == "PASS" for row in rows) == int(totals[-1])
    assert {row["result"] for row in rows} <= {"PASS", "FAIL"}
    assert any(float(row["semantic_score"] or 0) > 0 for row in rows)
