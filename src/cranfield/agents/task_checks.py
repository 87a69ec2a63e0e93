"""Are tasks fit for use? Every mistake of every file at once, and whether their answers hold."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.agents.answer_checks import CheckOutcome, Submission, check_answers
from cranfield.agents.tasks import read_tasks
from cranfield.suites import Finding, FindingSeverity
from cranfield.suites.checks.checkers import PlaceCheck

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.agents.answer_checks import CheckResult
    from cranfield.agents.tasks import Task, WrongAnswer

__all__ = [
    "TaskExamination",
    "TaskProblem",
    "UndecidedCheck",
    "check_tasks",
    "examine_tasks",
    "has_name",
    "verify_tasks",
]

_WRONG = re.compile(r"^\s*\[\[\s*wrong\s*\]\]")
_REFERENCE = re.compile(r"^\s*reference\s*=")


def check_tasks(place: Path) -> PlaceCheck:
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
    return PlaceCheck(place, "task", len(tasks), tuple(sorted(findings, key=_order)))


def _order(finding: Finding) -> int:
    return list(FindingSeverity).index(finding.severity)


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


# Do tasks hold what they say? References pass every check, wrong answers fail what they should.

_IDENTIFIER = re.compile(r"\w+")


class TaskProblem(NamedTuple):
    """A false alarm (on what is right) or a miss (of what is wrong).

    It is about the wrong answer of that number, or about the reference, with the line in it.
    """

    task: Task
    is_false_alarm: bool
    message: str
    wrong: int | None = None
    line: int | None = None

    @property
    def place(self) -> str:
        """Which answer it is about: `reference` or `wrong[0]`."""
        return "reference" if self.wrong is None else f"wrong[{self.wrong}]"


class UndecidedCheck(NamedTuple):
    """A check that could not look at the references of some tasks, and why."""

    check: str
    reason: str
    references: int


class TaskExamination(NamedTuple):
    """What is wrong with the answers of tasks, and which checks could not say."""

    problems: tuple[TaskProblem, ...]
    undecided: tuple[UndecidedCheck, ...]


def verify_tasks(tasks: Sequence[Task]) -> tuple[TaskProblem, ...]:
    """Check the reference and the wrong answers of tasks, all at once.

    A check that is unknown here, because a tool is not installed, is not a problem of a task.
    """
    return examine_tasks(tasks).problems


def examine_tasks(tasks: Sequence[Task]) -> TaskExamination:
    """Check the answers of tasks as `verify_tasks` does, and say what could not be decided."""
    submissions = [
        Submission(answer, task)
        for task in tasks
        for answer in (task.reference, *(each.answer for each in task.wrong))
    ]
    results = iter(check_answers(submissions))
    problems: list[TaskProblem] = []
    undecided: Counter[tuple[str, str]] = Counter()
    for task in tasks:
        of_reference = next(results)
        problems += _of_reference(task, of_reference)
        undecided.update(_undecided(of_reference))
        for number, wrong in enumerate(task.wrong):
            problems += _of_wrong(task, number, wrong, next(results))
    return TaskExamination(
        tuple(problems), tuple(UndecidedCheck(*key, count) for key, count in undecided.items())
    )


def _undecided(results: Sequence[CheckResult]) -> Iterator[tuple[str, str]]:
    for each in results:
        if each.outcome is CheckOutcome.UNKNOWN:
            yield each.check, each.findings[0].reason


def has_name(symbol: str, name: str) -> bool:
    """Return whether a finding's symbol is what a task calls by a name: the last words agree."""
    return _last_word(symbol) == _last_word(name)


def _last_word(symbol: str) -> str:
    words = _IDENTIFIER.findall(symbol)
    return words[-1] if words else symbol


def _of_reference(task: Task, results: Sequence[CheckResult]) -> Iterator[TaskProblem]:
    for result in results:
        for each in result.failures:
            message = f"the reference fails {result.check}: {each.reason}"
            yield TaskProblem(task, True, message, line=each.line)


def _of_wrong(
    task: Task, number: int, wrong: WrongAnswer, results: Sequence[CheckResult]
) -> Iterator[TaskProblem]:
    outcomes = {each.check: each for each in results}
    for name in wrong.fails:
        result = outcomes.get(name)
        if result is None:
            message = f"the check {name} does not apply to this task"
            yield TaskProblem(task, False, message, number)
        elif result.outcome is CheckOutcome.PASS:
            yield TaskProblem(task, False, f"it should fail {name}, and passes", number)
    for result in results:
        if result.outcome is CheckOutcome.FAIL and result.check not in wrong.fails:
            reason = result.failures[0].reason
            yield TaskProblem(task, True, f"it fails {result.check} too: {reason}", number)
    yield from _unnamed(task, number, wrong, results)


def _unnamed(
    task: Task, number: int, wrong: WrongAnswer, results: Sequence[CheckResult]
) -> Iterator[TaskProblem]:
    symbols = [each.symbol for result in results for each in result.failures if each.symbol]
    for name in wrong.names:
        if not any(has_name(symbol, name) for symbol in symbols):
            yield TaskProblem(task, False, f"no finding is about {name}", number)
    for symbol in symbols:
        if wrong.names and not any(has_name(symbol, name) for name in wrong.names):
            message = f"a finding is about {symbol}, which is not named"
            yield TaskProblem(task, True, message, number)
