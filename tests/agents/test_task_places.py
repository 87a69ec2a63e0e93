"""The bundled tasks for agents are copied to where they are named, as bundled projects are."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.agents.offers import find_tasks, holds_tasks


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ("agents", "suites/agents/tasks"),
        ("agents/tasks/python", "suites/agents/tasks/python"),
        ("suites/agents/tasks/swift", "suites/agents/tasks/swift"),
    ],
)
def test_bundled_tasks_are_copied_when_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, found: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):  # copied, then found
        assert find_tasks(Path(named)) == Path(found)
        assert holds_tasks(tmp_path / found)
    assert (tmp_path / "suites/agents/recordings/example.jsonl").is_file()


@pytest.mark.parametrize("named", ["agent", "suites/home", "agents/tasks/cobol", "other/agents"])
def test_other_places_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_tasks(Path(named)) == Path(named)
    assert not (tmp_path / "suites").exists()


def test_a_folder_of_ones_own_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agents").mkdir()
    assert find_tasks(Path("agents")) == Path("agents")
    assert not (tmp_path / "suites").exists()
