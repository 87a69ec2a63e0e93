"""What a mode demands decides its exit code, and its reports are kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project

if TYPE_CHECKING:
    from pathlib import Path


def demand(folder: Path, systems: list[str], *lines: str) -> Path:
    make_python_project(folder)
    suite = folder / "small.toml"
    suite.write_text(suite.read_text().replace("at_least = 0.8", "at_least = 0.1"))
    config = folder / "cranfield.toml"
    listed = "\n".join([f"systems = {json.dumps(systems)}", *lines])
    config.write_text(f"{config.read_text()}\n[modes.both]\n{listed}\n")
    return folder


@pytest.mark.parametrize("command", ["run", "gate"])
@pytest.mark.parametrize(
    ("systems", "code", "words"),
    [
        (["old", "new"], 0, "new beats old, as the mode demands: RR@10 1.0000 against"),
        (["new", "old"], 1, "old does not beat new, as the mode demands"),
    ],
)
def test_a_candidate_that_has_to_beat_another_is_held_to_it(
    tmp_path: Path, command: str, systems: list[str], code: int, words: str
) -> None:
    demand(tmp_path, systems, f"beats = '{systems[0]}'")
    done = cranfield(tmp_path, command, "--mode", "both")
    assert done.returncode == code, done.stderr
    assert words in done.stdout


@pytest.mark.parametrize("command", ["run", "gate"])
def test_an_equal_candidate_does_not_beat(tmp_path: Path, command: str) -> None:
    demand(tmp_path, ["new", "same"], "beats = 'new'", "gate = false")
    config = tmp_path / "cranfield.toml"
    config.write_text(f'{config.read_text()}\n[systems.same]\nlike = "new"\n')
    done = cranfield(tmp_path, command, "--mode", "both")
    assert done.returncode == 1
    assert "same does not beat new" in done.stdout
    assert "RR@10 1.0000 against 1.0000" in done.stdout


@pytest.mark.parametrize("command", ["run", "gate"])
@pytest.mark.parametrize(("line", "code"), [("gate = true", 1), ("gate = false", 0)])
def test_thresholds_decide_unless_the_mode_says_otherwise(
    tmp_path: Path, command: str, line: str, code: int
) -> None:
    demand(tmp_path, ["new", "old"], line)
    suite = tmp_path / "small.toml"
    suite.write_text(suite.read_text().replace("at_least = 0.1", "at_least = 0.99"))
    done = cranfield(tmp_path, command, "--mode", "both")
    assert done.returncode == code, done.stdout + done.stderr


def test_a_small_gain_beats_but_not_significantly(tmp_path: Path) -> None:
    demand(tmp_path, ["old", "slight"], "beats = 'old'")
    with (tmp_path / "search.py").open("a") as search:
        search.write(
            "\n\ndef slight(text, limit):\n"
            "    return ['doc-1'] if text == 'word1' else old(text, limit)\n"
        )
    config = tmp_path / "cranfield.toml"
    config.write_text(
        f"{config.read_text()}\n[systems.slight]\nkind = 'python'\ncall = 'search.py:slight'\n"
    )
    assert cranfield(tmp_path, "run", "--mode", "both").returncode == 0
    config.write_text(config.read_text().replace("beats =", "significantly = true\nbeats ="))
    done = cranfield(tmp_path, "run", "--mode", "both")
    assert done.returncode == 1
    assert "slight does not beat old significantly" in done.stdout


def test_queries_that_are_not_answered_cannot_make_a_candidate_beat(tmp_path: Path) -> None:
    demand(tmp_path, ["old", "partly"], "beats = 'old'")
    done = cranfield(tmp_path, "run", "--mode", "both")
    assert done.returncode == 1
    assert "partly does not beat old" in done.stdout
    assert "it did not answer 4 queries, old 0" in done.stdout


def test_the_demand_is_in_the_data_too(tmp_path: Path) -> None:
    demand(tmp_path, ["old", "new"], "beats = 'old'", "format = 'json'")
    data = json.loads(cranfield(tmp_path, "run", "--mode", "both").stdout)
    assert [each["met"] for each in data["demands"]] == [True]


def test_the_summary_of_a_relevance_test_says_what_was_demanded(tmp_path: Path) -> None:
    demand(tmp_path, ["new", "old"], "beats = 'new'", "format = 'relevance-summary'")
    suite = tmp_path / "small.toml"
    suite.write_text(suite.read_text().replace('"canonical"', '"files"').replace("ids", "files"))
    done = cranfield(tmp_path, "run", "--mode", "both")
    assert done.returncode == 1
    assert "✗ FAIL old does not beat new, as the mode demands" in done.stdout


def test_a_part_of_a_suite_never_replaces_the_report_of_the_whole(tmp_path: Path) -> None:
    demand(tmp_path, ["new"], "reports = { json = 'results/{suite}.json' }")
    cranfield(tmp_path, "run", "--mode", "both")
    whole = (tmp_path / "results" / "small.json").read_bytes()
    cranfield(tmp_path, "run", "--mode", "both", "--category", "even")
    assert (tmp_path / "results" / "small.json").read_bytes() == whole
    part = json.loads((tmp_path / "results" / "small.category-even.json").read_text())
    assert len(part["runs"][0]["queries"]) == 10


def test_reports_can_be_kept_by_date(tmp_path: Path) -> None:
    demand(tmp_path, ["new"], "reports = { json = 'results/{language}-{date}-{time}.json' }")
    cranfield(tmp_path, "run", "--mode", "both")
    [file] = (tmp_path / "results").iterdir()
    started = json.loads(file.read_text())["volatile"][0]["started"]
    assert file.name.startswith(f"all-{started[:10]}-{started[:13]}")


def test_a_mode_decides_what_a_gate_runs(tmp_path: Path) -> None:
    demand(tmp_path, ["old", "new"])
    done = cranfield(tmp_path, "gate", "--mode", "both", "--system", "old")
    assert (done.returncode, "leave out --system" in done.stderr) == (2, True)
