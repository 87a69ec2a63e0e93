"""Tasks are read from TOML, and all mistakes of a file are reported at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cranfield.agents.tasks import TASK_KINDS, load_task, load_tasks
from cranfield.errors import InputError

ROOT = Path(__file__).parents[2]
DOCUMENTED = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "agents.md").read_text(), re.S)[0]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "task.toml"
    path.write_text(DOCUMENTED)
    return path


def test_the_documented_task_is_read(written: Path) -> None:
    task = load_task(written)
    assert (task.id, task.language, task.kind) == ("python-toml-file", "python", "new")
    assert task.target.python == "3.11"
    assert (task.seconds, task.turns) == (300.0, 8)
    assert task.reference.startswith("import tomllib")
    assert [(each.fails, each.names) for each in task.wrong] == [(("exists", "tests"), ("toml",))]


def test_the_documented_kinds_are_the_ones_there_are() -> None:
    [row] = re.findall(r"^\| `kind` \| (.*) \|$", (ROOT / "docs" / "agents.md").read_text(), re.M)
    assert re.findall(r"`([\w-]+)`", row) == list(TASK_KINDS)


def test_all_mistakes_of_a_file_are_reported_at_once(written: Path) -> None:
    text = DOCUMENTED.replace("prompt =", "promt =").replace('kind = "new"', 'kind = "nwe"')
    text = text.replace('"exists", "tests"', '"exist"').replace(
        '"3.11"\n', '"3.11"\nswift = "6.0"\n'
    )
    written.write_text(text)
    with pytest.raises(InputError) as caught:
        load_task(written)
    message = str(caught.value)
    assert "unknown key 'promt'" in message
    assert "did you mean prompt" in message
    assert "unknown kind 'nwe'" in message
    assert "wrong[0].fails: unknown check 'exist'" in message
    assert "target.swift is for swift" in message


def test_a_mistake_in_a_wrong_answer_names_its_line(written: Path) -> None:
    written.write_text(DOCUMENTED.replace("note =", "nota ="))
    line = DOCUMENTED.splitlines().index("[[wrong]]") + 1
    with pytest.raises(InputError, match=rf"task\.toml:{line}: .*unknown key 'nota'"):
        load_task(written)


def test_two_tasks_of_one_id_are_refused(written: Path) -> None:
    (written.parent / "other.toml").write_text(DOCUMENTED)
    with pytest.raises(InputError, match="has the id 'python-toml-file' of"):
        load_tasks(written.parent)


def test_a_folder_without_tasks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no \.toml file"):
        load_tasks(tmp_path)


def test_what_is_not_toml_names_the_line(written: Path) -> None:
    written.write_text('id = "a"\nprompt = "\n')
    with pytest.raises(InputError, match=r"task\.toml:2: is not TOML"):
        load_task(written)


def test_the_name_of_a_bundled_task_file_is_its_id() -> None:
    for task in load_tasks(ROOT / "suites" / "agents" / "tasks"):
        assert Path(task.path).stem == task.id
