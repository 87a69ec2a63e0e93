"""The bundled tasks: references pass every check, wrong answers fail exactly what they should."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cranfield.agents.task_checks import verify_tasks
from cranfield.agents.tasks import load_tasks

TASKS = Path(__file__).parents[2] / "suites" / "agents" / "tasks"


@pytest.mark.process
@pytest.mark.corpus
@pytest.mark.xdist_group("names")
@pytest.mark.parametrize("language", ["python", "swift"])
def test_references_pass_and_wrong_answers_fail_as_they_say(language: str) -> None:
    if not any((TASKS / language).glob("**/*.toml")):
        pytest.skip("there is no task")
    problems = verify_tasks(load_tasks(TASKS / language))
    assert not [f"{each.task.id} {each.place}: {each.message}" for each in problems]


@pytest.mark.process
@pytest.mark.corpus
def test_the_documented_checks_print_what_the_page_shows() -> None:
    text = (TASKS.parents[2] / "docs" / "agents.md").read_text()
    [(block, printed)] = re.findall(r"```python\n(.*?)```\n\nprints\n\n```\n(.*?)```", text, re.S)
    shown = subprocess.run(
        [sys.executable, "-c", block],
        cwd=TASKS.parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout == printed
