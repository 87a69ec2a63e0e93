"""Where tasks are: a file, a folder, or the bundled ones; and what tells them from suites."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cranfield.evaluation.bundled_projects import find_bundled
from cranfield.suites.checks.checkers import Checker
from cranfield.systems import CONFIG_NAME

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.suites.checks.checkers import PlaceCheck

__all__ = ["TASK_CHECKER", "find_tasks", "holds_tasks"]

_KEY_OF_TASK = re.compile(r"^(?:prompt|reference)\s*=", re.M)
_SUITE = re.compile(r"^\[\[\s*query\s*\]\]", re.M)


def find_tasks(place: Path) -> Path:
    """Return a place of tasks; the bundled ones are copied to `suites/agents` when named.

    They are `agents`, and what is in it: `agents/tasks/python`, also with `suites/` before it.
    """
    return find_bundled(place, "agents", "tasks")


def holds_tasks(place: Path) -> bool:
    """Return whether a file is a task, or a folder has one; a folder of a project has suites."""
    if place.is_dir():
        if (place / CONFIG_NAME).is_file():
            return False
        return any(_is_task(file) for file in sorted(place.rglob("*.toml")))
    return place.suffix == ".toml" and _is_task(place)


def _is_task(file: Path) -> bool:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return _KEY_OF_TASK.search(text) is not None and _SUITE.search(text) is None


def _check(place: Path) -> PlaceCheck:
    # Imported here: `cranfield check` of suites asks what holds tasks, and needs no checks of them.
    from cranfield.agents.task_checks import check_tasks

    return check_tasks(find_tasks(place))


TASK_CHECKER = Checker("tasks", lambda place: holds_tasks(find_tasks(place)), _check)
"""What `cranfield check` finds in tasks."""
