"""Answers checked by the workers of a cluster get the results that they get here."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cranfield.agents import remote_checks
from cranfield.agents.answer_checks import Submission, check_answers
from cranfield.agents.remote_checks import check_remotely, list_tools
from cranfield.agents.tasks import load_tasks
from cranfield.errors import SystemUnusableError
from cranfield.executors import find_workers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.agents.answer_checks import CheckResult
    from cranfield.executors import Workers

pytestmark = [pytest.mark.process, pytest.mark.corpus, pytest.mark.xdist_group("ray")]

TASKS = Path(__file__).parents[2] / "suites" / "agents" / "tasks"
FILES = ("python/python-toml-file.toml", "python/python-list-folder.toml", "swift")


class LostOnce:
    """A worker's checks; the first worker that has begun to check is lost."""

    def __init__(self, open_object: Callable[[], Any], mark: Path) -> None:
        self.inner = open_object()
        self.mark = mark

    def check(self, submissions: Sequence[Submission]) -> list[tuple[CheckResult, ...]]:
        if not self.mark.exists():
            self.inner.check(submissions[:1])
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        checked: list[tuple[CheckResult, ...]] = self.inner.check(submissions)
        return checked

    def close(self) -> None:
        self.inner.close()


@pytest.fixture
def submissions(monkeypatch: pytest.MonkeyPatch) -> list[Submission]:
    """Answers to tasks of two languages, a few to a worker, those of a target apart."""
    monkeypatch.setattr(remote_checks, "_MOST_TOGETHER", 3)
    tasks = [task for file in FILES for task in load_tasks(TASKS / file)[:2]]
    wrong = [Submission(each.answer, task) for task in tasks for each in task.wrong]
    return [*(Submission(task.reference, task) for task in tasks), *wrong]


def start(open_object: Callable[[], Any]) -> Workers:
    found = find_workers("ray")
    assert found is not None
    return found(open_object)


def test_a_lost_worker_changes_nothing(
    submissions: list[Submission], cluster: None, tmp_path: Path
) -> None:
    mark = tmp_path / "lost"

    def start_losing(open_object: Callable[[], Any]) -> Workers:
        return start(partial(LostOnce, open_object, mark))

    there = check_remotely(start_losing, submissions)
    assert mark.exists()
    assert there == check_answers(submissions)
    assert {each.outcome for results in there for each in results} > {"pass", "fail"}


def test_a_worker_that_would_check_otherwise_is_refused(
    submissions: list[Submission], cluster: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        remote_checks, "list_tools", lambda *given: {**list_tools(*given), "mypy": "0.1"}
    )
    with pytest.raises(SystemUnusableError, match=r"differently: mypy: \d.* there, 0\.1 here"):
        check_remotely(start, submissions)


def test_nothing_to_check_starts_no_worker() -> None:
    assert check_remotely(start, []) == []
