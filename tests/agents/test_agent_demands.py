"""A gate refers to recorded answers of agents: a fall blocks, unless the project says otherwise."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project

from cranfield.agents.answers import AgentAnswer, AnswerState, write_recordings

if TYPE_CHECKING:
    from pathlib import Path

FACTS = 'module = "Tea"\n[[types]]\nname = "Cup"\ncomplete = true\nmembers = ["init()", "volume"]\n'
TASK = """id = "cup-{number}"
language = "swift"
kind = "new"
prompt = "…"
reference = "import Tea\\nlet a = Cup().volume"
[target]
swift = "6.0"
platform = "iOS 17.0"
symbols = "../symbols"
"""
GATE = """
[gate.agents]
tasks = "tasks"
baseline = "before.jsonl"
candidate = "after.jsonl"
"""
COUNT = 20


def answers(right: int, count: int = COUNT, arm: str = "grounded") -> bytes:
    return write_recordings(
        AgentAnswer(
            f"cup-{number}",
            arm,
            f"import Tea\nlet a = Cup().{'volume' if number < right else 'size'}",
        )
        for number in range(count)
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    make_python_project(tmp_path)
    suite = tmp_path / "small.toml"
    suite.write_text(suite.read_text().replace("at_least = 0.8", "at_least = 0.1"))
    (tmp_path / "symbols").mkdir()
    (tmp_path / "symbols" / "Tea.facts.toml").write_text(FACTS)
    (tmp_path / "tasks").mkdir()
    for number in range(COUNT):
        (tmp_path / "tasks" / f"cup-{number}.toml").write_text(TASK.format(number=number))
    (tmp_path / "before.jsonl").write_bytes(answers(18))
    set_gate(tmp_path)
    return tmp_path


def set_gate(folder: Path, more: str = "") -> None:
    config = folder / "cranfield.toml"
    config.write_text(config.read_text().partition("\n[gate.agents]")[0] + GATE + more)


@pytest.mark.parametrize(
    ("right", "code", "words"),
    [
        (18, 0, "right answers 0.9000 against 0.9000 over 20 tasks, verdict"),
        (20, 0, "right answers 1.0000 against 0.9000 over 20 tasks, verdict"),
        (
            8,
            1,
            "right answers 0.4000 against 0.9000 over 20 tasks, verdict worse; hurt: cup-",
        ),
    ],
)
def test_the_verdict_on_agents_decides(project: Path, right: int, code: int, words: str) -> None:
    (project / "after.jsonl").write_bytes(answers(right))
    done = cranfield(project, "gate", "--system", "new")
    assert done.returncode == code, done.stdout
    assert words in done.stdout


def test_a_fall_is_a_warning_if_the_project_says_so(project: Path) -> None:
    set_gate(project, "blocks = false\n")
    (project / "after.jsonl").write_bytes(answers(8))
    done = cranfield(project, "gate", "--system", "new", "--format", "json")
    assert done.returncode == 0, done.stdout
    [rule] = [
        each for each in json.loads(done.stdout)["runs"][0]["results"] if each["rule"] == "agents"
    ]
    assert rule["severity"] == "warn"


def test_tasks_that_are_left_out_do_not_pass(project: Path) -> None:
    (project / "after.jsonl").write_bytes(answers(15, 15))
    done = cranfield(project, "gate", "--system", "new")
    assert done.returncode == 4, done.stdout
    assert "the baseline answers tasks that after.jsonl does not" in done.stdout
    assert "cup-15" in done.stdout


def test_answers_that_could_not_be_had_are_no_fall(project: Path) -> None:
    lost = [
        AgentAnswer(f"cup-{number}", "grounded", "", state=AnswerState.ERROR)
        for number in range(15, COUNT)
    ]
    (project / "after.jsonl").write_bytes(answers(15, 15) + write_recordings(lost))
    assert cranfield(project, "gate", "--system", "new").returncode == 4


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ('arm = "groundet"\n', "did you mean grounded"),
        ('armm = "grounded"\n', "did you mean arm"),
    ],
)
def test_a_mistake_is_named(project: Path, more: str, words: str) -> None:
    (project / "after.jsonl").write_bytes(answers(18))
    set_gate(project, more)
    done = cranfield(project, "gate", "--system", "new")
    assert done.returncode == 2
    assert words in done.stderr


def test_recordings_that_are_missing_stop_the_gate(project: Path) -> None:
    done = cranfield(project, "gate", "--system", "new")
    assert done.returncode == 2
    assert "after.jsonl: cannot be read" in done.stderr


def test_a_changed_recording_needs_the_gate(project: Path) -> None:
    (project / ".git").mkdir()
    config = project / "cranfield.toml"
    config.write_text(config.read_text() + '[gate]\npaths = ["src/**"]\n')
    config.write_text(config.read_text().replace("[gate.agents]", "[gate . agents]", 1))
    (project / "after.jsonl").write_bytes(answers(8))
    for path, is_run in (("after.jsonl", True), ("tasks/cup-1.toml", True), ("README.md", False)):
        (project / "changed.txt").write_text(f"{path}\n")
        done = cranfield(project, "gate", "--system", "new", "--changed-paths", "changed.txt")
        assert ("verdict worse" in done.stdout) is is_run, (path, done.stderr)
