"""A cranfield.toml: what it may say, and every mistake in it at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project

if TYPE_CHECKING:
    from pathlib import Path


def configure(folder: Path, *, head: str = "", tail: str = "") -> Path:
    make_python_project(folder)
    config = folder / "cranfield.toml"
    config.write_text(f"{head}\n{config.read_text()}\n{tail}\n")
    return folder


def refused(folder: Path, *command: str) -> str:
    done = cranfield(folder, *(command or ("check",)))
    assert done.returncode == 2, done.stdout
    return done.stderr


@pytest.mark.parametrize(
    ("head", "tail", "message"),
    [
        ('suite = ["small.toml"]', "", "cranfield.toml:1: unknown key 'suite': did you mean suit"),
        ("", "[system.plain]\nkind = 'python'", "unknown key 'system': did you mean systems"),
        ("threshold = 0.9", "", "unknown key 'threshold': did you mean thresholds"),
        ("", "[gate]\npath = ['src']", "gate: unknown key 'path': did you mean paths"),
        ("", "[modes.a]\nsystems = ['old']\nbeat = 'x'", "unknown key 'beat': did you mean beats"),
        ("", "[modes.a]\nsystems = ['odl']", "[modes.a] unknown system 'odl': did you mean old"),
        ("", "[modes.a]\nsystems = ['old']\nformat = 'txt'", "unknown format 'txt': did you mean"),
        (
            "",
            "[modes.a]\nsystems = ['old']\nreports = { json = '{sute}.json' }",
            "unknown field of the report {sute}.json 'sute': did you mean suite",
        ),
        (
            "",
            "[modes.a]\nsystems = ['old', 'new']\nbeats = 'new'",
            "beats 'new': name it in systems, before the candidate 'new'",
        ),
        ("", "[modes.a]\nsystems = []", "[modes.a] has no systems"),
        ("", "[accept]\nkey = ['x']", "accept: unknown key 'key': did you mean keys"),
        ("milestone = 'M2'", "", "unknown milestone 'M2'"),
        (
            "",
            "[[thresholds]]\nmeasure = 'P@1'\nat_last = 0.9",
            "thresholds[0]: unknown key 'at_last': did you mean at_least",
        ),
    ],
)
def test_what_would_be_ignored_is_refused(
    tmp_path: Path, head: str, tail: str, message: str
) -> None:
    assert message in refused(configure(tmp_path, head=head, tail=tail))


def test_every_mistake_is_told_at_once(tmp_path: Path) -> None:
    told = refused(configure(tmp_path, head="suite = 'x'", tail="[gates]\npaths = ['x']\n[mode]"))
    assert all(f"unknown key '{name}'" in told for name in ("suite", "gates", "mode"))


def test_mistakes_of_systems_and_of_the_rest_are_told_together(tmp_path: Path) -> None:
    told = refused(configure(tmp_path, head="suite = 'x'", tail="[systems.x]\nkind = 'pyton'"))
    assert "unknown key 'suite'" in told
    assert "'pyton'" in told


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("measure = 'P@1'\nat_least = 0.9\nsuite = 'smal'", "unknown suite 'smal': did you mean"),
        (
            "measure = 'P@1'\nat_least = 0.9\ncategory = 'evn'",
            "unknown category of the suite 'evn'",
        ),
        ("measure = 'Q@1'\nat_least = 0.9", "unknown measure 'Q'"),
        ("measure = 'P@1'\nat_least = 90", "P@1 is never above 1"),
    ],
)
def test_a_threshold_that_nothing_could_reach_is_refused(
    tmp_path: Path, table: str, message: str
) -> None:
    configure(tmp_path, tail=f"[[thresholds]]\n{table}")
    assert message in refused(tmp_path, "run", "--system", "old")


THRESHOLDS = """
[[thresholds]]
measure = "RR@10"
at_least = 0.5

[[thresholds]]
milestone = "M3"
suite = "small"
measure = "RR@10"
at_least = 0.95
"""


def test_thresholds_of_a_milestone_replace_those_of_the_suite(tmp_path: Path) -> None:
    configure(tmp_path, tail=THRESHOLDS)
    assert cranfield(tmp_path, "gate", "--system", "old").returncode == 0
    done = cranfield(tmp_path, "gate", "--system", "old", "--milestone", "M3")
    assert done.returncode == 1
    assert "at least 0.95 is required at M3" in done.stdout
    assert (
        "RR@10 ≥ 0.95 (M3)"
        in cranfield(tmp_path, "run", "--system", "old", "--milestone", "M3").stdout
    )
    assert "RR@10 ≥ 0.5" in cranfield(tmp_path, "run", "--system", "old").stdout


def test_a_stored_run_is_held_to_the_milestone_that_is_asked_for(tmp_path: Path) -> None:
    configure(tmp_path, tail=THRESHOLDS)
    cranfield(tmp_path, "run", "--system", "old")
    assert cranfield(tmp_path, "gate", "--run", "latest").returncode == 0
    assert cranfield(tmp_path, "gate", "--run", "latest", "--milestone", "M3").returncode == 1


def test_the_milestone_of_the_file_is_in_force_without_an_option(tmp_path: Path) -> None:
    configure(tmp_path, head='milestone = "M3"', tail=THRESHOLDS)
    assert cranfield(tmp_path, "gate", "--system", "old").returncode == 1
    told = refused(tmp_path, "gate", "--system", "old", "--milestone", "M4")
    assert "unknown milestone of the project 'M4': did you mean M3" in told


def test_check_shows_the_thresholds_that_are_in_force(tmp_path: Path) -> None:
    configure(tmp_path, tail=THRESHOLDS)
    assert "gate: RR@10 ≥ 0.5 (cranfield.toml)" in cranfield(tmp_path, "check").stdout
    shown = cranfield(tmp_path, "check", "--milestone", "M3").stdout
    assert "gate: RR@10 ≥ 0.95 (M3, cranfield.toml)" in shown


def test_a_golden_set_takes_thresholds_and_names_of_the_project(tmp_path: Path) -> None:
    query = {"id": "a", "query": "?", "category": "howto", "expected_routing": "x", "mood": "sad"}
    (tmp_path / "golden-set-en.json").write_text(json.dumps([query]))
    (tmp_path / "search.py").write_text("def no(text, limit):\n    return []\n")
    (tmp_path / "cranfield.toml").write_text(
        'suites = ["golden-set-en.json"]\n[accept]\nkeys = ["mood"]\ncategories = ["howto"]\n'
        "[systems.no]\nkind = 'python'\ncall = 'search.py:no'\n"
        "[[thresholds]]\nmeasure = 'Route'\nat_least = 1\ncategory = 'howto'\n"
    )
    assert cranfield(tmp_path, "check").returncode == 0
    done = cranfield(tmp_path, "gate")
    assert (done.returncode, "Route in howto is 0.0000" in done.stdout) == (1, True)
