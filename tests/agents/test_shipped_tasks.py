"""The bundled tasks: references pass every check, wrong answers fail exactly what they should."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.agents import load_tasks, verify_tasks

TASKS = Path(__file__).parents[2] / "suites" / "agents" / "tasks"


@pytest.mark.process
@pytest.mark.corpus
@pytest.mark.parametrize("language", ["python", "swift"])
def test_references_pass_and_wrong_answers_fail_as_they_say(language: str) -> None:
    if not any((TASKS / language).glob("**/*.toml")):
        pytest.skip("there is no task")
    problems = verify_tasks(load_tasks(TASKS / language))
    assert not [f"{each.task.id} {each.place}: {each.message}" for each in problems]
