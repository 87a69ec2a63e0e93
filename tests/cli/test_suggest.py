"""`cranfield suggest`: from a log to a file for review."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_project

if TYPE_CHECKING:
    from pathlib import Path

LOG = """\
{"query": "word1", "count": 90, "user": "jane"}
{"query": "open the file", "count": 12, "helpful": 3, "user": "jane"}
nonsense
{"query": "jane@example.org", "count": 40}
{"query": "URL"}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = make_project(tmp_path)
    (made / "log.jsonl").write_text(LOG)
    return made


def test_what_the_project_does_not_ask_is_written_for_review(project: Path) -> None:
    suite = (project / "small.toml").read_text()
    shown = cranfield(project, "suggest", "--log", "log.jsonl", "--out", "new.toml")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout == ""
    assert "5 lines, 1 of them not readable; 3 different queries, 1 of them asked already" in (
        shown.stderr
    )
    assert "dropped as personal: 1 with an e-mail address" in shown.stderr
    written = (project / "new.toml").read_text()
    assert [each["text"] for each in tomllib.loads(written)["query"]] == ["open the file", "URL"]
    assert "jane" not in written
    assert (project / "small.toml").read_text() == suite
    assert cranfield(project, "check", "new.toml").returncode == 2


def test_without_a_project_everything_is_new_and_goes_to_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("query,count,clicked\nword1,3,1\nURL,2,0\n")
    shown = cranfield(tmp_path, "suggest", "--log", "log.csv", "--limit", "1")
    assert shown.returncode == 0, shown.stderr
    [only] = tomllib.loads(shown.stdout)["query"]
    assert only["id"] == "new-001"


def test_a_file_that_somebody_may_have_worked_on_is_not_overwritten(project: Path) -> None:
    (project / "new.toml").write_text("mine")
    shown = cranfield(project, "suggest", "--log", "log.jsonl", "--out", "new.toml")
    assert shown.returncode == 2
    assert "exists already" in shown.stderr
    assert (project / "new.toml").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--log", "no.jsonl"), "cannot be read"),
        (("--log", "search.py"), "is not a query log"),
        (("--log", "log.jsonl", "--suite", "no.toml"), "does not exist"),
        (("--log", "log.jsonl", "--limit", "0"), "limit"),
    ],
)
def test_a_mistake_is_one_clear_message(
    project: Path, arguments: tuple[str, ...], message: str
) -> None:
    shown = cranfield(project, "suggest", *arguments)
    assert shown.returncode == 2
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr
