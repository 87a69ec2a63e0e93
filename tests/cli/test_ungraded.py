"""An answer that could not be graded is counted, named and never passed over."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield

if TYPE_CHECKING:
    from pathlib import Path

SUITE = """
id = "patterns"
class = "canonical"
[[gate]]
measure = "RR@10"
at_least = 0.9
[[query]]
id = "endless"
text = "endless"
expect.matches = '^(a|aa)+$'
[[query]]
id = "plain"
text = "plain"
expect.matches = 'a'
"""
PROJECT = """
suites = ["patterns.toml"]
[systems.new]
kind = "python"
call = "search.py:search"
[systems.other]
kind = "python"
call = "search.py:other"
"""
SEARCH = """
def search(text, limit):
    return ["a" * 60 + "!"]

def other(text, limit):
    return ["a"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "patterns.toml").write_text(SUITE)
    (tmp_path / "cranfield.toml").write_text(PROJECT)
    (tmp_path / "search.py").write_text(SEARCH)
    return tmp_path


def test_a_gate_fails_over_what_was_not_graded_with_a_code_of_its_own(project: Path) -> None:
    done = cranfield(project, "gate", "--system", "new")
    assert done.returncode == 5, done.stdout + done.stderr
    assert "1 of 2 queries was not graded (the pattern '^(a|aa)+$' took more than" in done.stdout
    assert "endless" in done.stdout
    shown = cranfield(project, "gate", "--run", "latest", "-f", "json")
    [run] = json.loads(shown.stdout)["runs"]
    assert (shown.returncode, run["passed"], run["cause"]) == (5, False, "grading")
    assert "not graded" in cranfield(project, "gate", "--run", "latest", "-f", "junit").stdout


def test_a_run_names_what_was_not_graded_and_fails_its_gate(project: Path) -> None:
    done = cranfield(project, "run", "--system", "new", "--gate")
    assert done.returncode == 5
    assert "1 of 2 queries was not graded and is in no mean (the pattern" in done.stdout
    assert "gate FAILED" in done.stdout
    assert cranfield(project, "run", "--system", "new").returncode == 0


@pytest.mark.parametrize("arms", [("other", "new"), ("other", "new", "other")])
def test_a_comparison_leaves_out_what_was_not_graded_and_says_so(
    project: Path, arms: tuple[str, ...]
) -> None:
    done = cranfield(project, "compare", *arms)
    assert done.returncode == 5, done.stdout + done.stderr
    assert "1 of 2 queries was not graded and is left out" in done.stdout
    if len(arms) == 2:
        shown = cranfield(project, "compare", *arms, "-f", "json")
        [suite] = json.loads(shown.stdout)["suites"]
        assert (suite["buckets"]["not graded"], suite["buckets"]["lost"]) == (1, 0)


@pytest.mark.parametrize("command", ["gate -s new", "run -s new --gate", "compare other new"])
def test_a_page_shows_what_was_not_graded_and_the_code_stays(project: Path, command: str) -> None:
    done = cranfield(project, *command.split(), "--report", "html=page.html")
    assert done.returncode == 5, done.stdout + done.stderr
    packed = re.findall(r">([A-Za-z0-9+/=]{40,})<", (project / "page.html").read_text())
    assert any(b'"ungraded":"the pattern' in zlib.decompress(b64decode(each)) for each in packed)


def test_an_answer_that_was_not_graded_is_shown(project: Path) -> None:
    for system in ("other", "new"):
        cranfield(project, "run", "--system", system)
    shown = cranfield(project, "runs", "show", "latest", "endless")
    assert shown.returncode == 0, shown.stderr
    assert "RR@10: undefined: the pattern '^(a|aa)+$' took more than" in shown.stdout
    data = json.loads(cranfield(project, "runs", "show", "latest", "endless", "-f", "json").stdout)
    assert data["answers"][0]["hits"][0]["targets"] == []
    listed = json.loads(cranfield(project, "runs", "list", "-f", "json").stdout)["runs"]
    both = cranfield(project, "runs", "show", *(each["id"] for each in listed), "endless")
    assert both.returncode == 0, both.stderr


@pytest.mark.process
def test_a_run_with_ungraded_answers_becomes_no_baseline_unasked(project: Path) -> None:
    cranfield(project, "run", "--system", "new")
    done = cranfield(project, "baseline", "accept", "latest", "--reason", "as it is")
    assert done.returncode != 0
    assert "1 of 2 queries was not graded" in done.stdout + done.stderr
