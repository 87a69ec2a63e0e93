"""Are tasks fit for use? Every mistake of every file at once, and whether their answers hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.agents.task_verification import examine_tasks
from cranfield.agents.tasks import read_tasks
from cranfield.suites import Finding, FindingSeverity
from cranfield.systems import CONFIG_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.agents.task_verification import TaskProblem, UndecidedCheck
    from cranfield.agents.tasks import Task

__all__ = ["TaskCheck", "check_tasks", "holds_tasks"]

_KEY_OF_TASK = re.compile(r"^(?:prompt|reference)\s*=", re.M)
_SUITE = re.compile(r"^\[\[\s*query\s*\]\]", re.M)
_WRONG = re.compile(r"^\s*\[\[\s*wrong\s*\]\]")
_REFERENCE = re.compile(r"^\s*reference\s*=")


@dataclass(frozen=True, slots=True)
class TaskCheck:
    """The tasks of a file or folder that can be read, and the findings about all of them."""

    place: Path
    tasks: tuple[Task, ...]
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether there is no error."""
        return not any(each.severity is FindingSeverity.ERROR for each in self.findings)


def holds_tasks(place: Path) -> bool:
    """Return whether a file is a task, or a folder has one; a folder of a project has suites."""
    if place.is_dir():
        if (place / CONFIG_NAME).is_file():
            return False
        return any(_is_task(file) for file in sorted(place.rglob("*.toml")))
    return place.suffix == ".toml" and _is_task(place)


def check_tasks(place: Path) -> TaskCheck:
    """Check a task file or a folder of them: form, names, references and wrong answers.

    A reference has to pass every check that can be decided here, and a wrong answer has to fail
    those that it says, with findings about the names that it says, and no others.
    """
    tasks, problems = read_tasks(place)
    examined = examine_tasks(tasks)
    findings = [
        *(
            Finding(FindingSeverity.ERROR, part.message, line=part.line, file=part.file)
            for problem in problems
            for part in problem.parts
        ),
        *(_of_problem(each) for each in examined.problems),
        *(finding for task in tasks for finding in _omissions(task)),
        *(_of_undecided(each, place) for each in examined.undecided),
    ]
    return TaskCheck(place, tasks, tuple(sorted(findings, key=_order)))


def _order(finding: Finding) -> int:
    return list(FindingSeverity).index(finding.severity)


def _is_task(file: Path) -> bool:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return _KEY_OF_TASK.search(text) is not None and _SUITE.search(text) is None


def _of_problem(problem: TaskProblem) -> Finding:
    task = problem.task
    message = f"{problem.place}: {problem.message}"
    return Finding(FindingSeverity.ERROR, message, task.id, _line_of(problem), task.path)


def _line_of(problem: TaskProblem) -> int | None:
    """Return the line of the file that a problem is about, as far as it can be found."""
    header = _REFERENCE if problem.wrong is None else _WRONG
    lines = Path(problem.task.path).read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines, 1) if header.match(line)]
    if problem.wrong is None:
        return starts[0] + (problem.line or 1) if starts else None
    return starts[problem.wrong] if problem.wrong < len(starts) else None


def _omissions(task: Task) -> Iterator[Finding]:
    """Find what a task may leave out, and should not."""
    warnings = {
        "it has no wrong answer: nothing shows that its checks can fail": not task.wrong,
        "`needs` is empty: nobody can say whether search found what the task needs": not task.needs,
        f"the name of the file is not the id, {task.id}": Path(task.path).stem != task.id,
    }
    for message, is_so in warnings.items():
        if is_so:
            yield Finding(FindingSeverity.WARNING, message, task.id, file=task.path)


def _of_undecided(undecided: UndecidedCheck, place: Path) -> Finding:
    count = undecided.references
    of = "one reference" if count == 1 else f"{count} references"
    message = f"{undecided.check} could not be decided for {of}: {undecided.reason}"
    return Finding(FindingSeverity.NOTE, message, file=str(place))
