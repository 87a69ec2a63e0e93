"""A live evaluation: asks what no log answers yet, and reads all answers from the logs.

Inspect writes each answer into a log before it asks the next. In a cluster, each worker opens the
systems of all arms once, and sends its logs back; a question whose worker is lost is asked again
by another one, and what the first spent on it is lost.
"""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.agents.answers import AnswerState
from cranfield.agents.live.agent_plan import Question, hash_prompt
from cranfield.agents.live.grounding import open_groundings
from cranfield.agents.live.inspect_logs import read_logged_answers
from cranfield.errors import CranfieldError
from cranfield.systems import fingerprint_files, refuse_other_build
from cranfield_shared.files import replace_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from inspect_ai import Task as InspectTask

    from cranfield.agents.answers import AgentAnswer
    from cranfield.agents.live.agent_plan import AgentPlan
    from cranfield.agents.live.grounding import AgentArm, Grounding
    from cranfield.executors import StartWorkers
    from cranfield.systems import FileFingerprint

__all__ = [
    "LiveRun",
    "RemoteAgents",
    "Requests",
    "check_model",
    "evaluate_questions",
]


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A plan and the folder of its logs, which are its only record."""

    plan: AgentPlan
    logs: Path

    def answers(self) -> list[AgentAnswer]:
        """Return the answers that the logs hold, arm by arm, in the order of the plan."""
        found = self._find_answers()
        arms = [arm.name for arm in self.plan.arms]
        ordered = sorted(self.plan.questions, key=lambda each: arms.index(each.arm))
        return [found[each] for each in ordered if each in found]

    def missing(self) -> list[Question]:
        """Return what is to be asked: what has no answer yet, or failed."""
        found = self._find_answers()
        return [
            each
            for each in self.plan.questions
            if each not in found or found[each].state is AnswerState.ERROR
        ]

    def ask(
        self,
        questions: Iterable[Question],
        environment: Mapping[str, str],
        requests: Requests,
        note: Callable[[], object] = bool,
    ) -> None:
        """Ask what is `missing`; `note` is called after each answer.

        Every answer is in the logs before the next one is asked for, so a run that was stopped
        goes on where it was.
        """
        wanted = tuple(questions)
        if not wanted:
            return
        plan = self.plan
        if requests.start is not None:
            agents = RemoteAgents(plan, environment, requests, requests.start)
            agents.ask(wanted, self.logs, note)
            return
        with open_groundings(plan.arms, plan.tools, plan.options.hits, environment) as groundings:
            evaluate_questions(plan, wanted, groundings, self.logs, requests, note)

    def _find_answers(self) -> dict[Question, AgentAnswer]:
        prompts = {task.id: hash_prompt(task) for task in self.plan.tasks}
        logged = read_logged_answers(self.logs) if self.logs.is_dir() else []
        return {
            Question(each.answer.arm, each.answer.task, each.answer.repeat): each.answer
            for each in logged
            if each.is_numbered
            and self.plan.keys.get(each.answer.arm) == each.key
            and prompts.get(each.answer.task) == each.prompt
        }


# Questions asked with Inspect, in this process.

_BUG = "the evaluation of Inspect failed"


@dataclass(frozen=True, slots=True)
class Requests:
    """How requests are sent: `jobs` answers at a time, and again up to `retries` times.

    With `start`, workers of a cluster send them.
    """

    jobs: int = 4
    retries: int = 5
    start: StartWorkers | None = None


def check_model(name: str) -> None:
    """Raise CranfieldError if Inspect cannot make the model: no such provider, or no key for it."""
    try:
        from inspect_ai.model import get_model
    except ImportError:
        raise CranfieldError(
            "asking a model needs Inspect: pip install 'cranfield[agents]'; recorded answers are "
            "checked without it: --recorded FILE"
        ) from None
    try:
        get_model(name)
    except Exception as problem:  # noqa: BLE001 - every provider raises its own
        said = getattr(problem, "message", None) or problem
        raise CranfieldError(f"the model {name!r} cannot be used: {said}") from None


def evaluate_questions(
    plan: AgentPlan,
    questions: Collection[Question],
    groundings: Mapping[str, Grounding],
    logs: Path,
    requests: Requests,
    note: Callable[[], object] = bool,
) -> None:
    """Ask some questions of a plan in this process; `note` is called after each answer."""
    from inspect_ai import eval as evaluate

    tasks = list(_make_tasks(plan, frozenset(questions), groundings, note))
    written = evaluate(
        tasks,
        model=plan.options.model,
        display="none",
        log_dir=str(logs),
        log_level="error",
        log_buffer=1,
        fail_on_error=False,
        ctl_server=False,
        max_tasks=1,
        max_samples=requests.jobs,
        max_connections=requests.jobs,
        max_retries=requests.retries,
    )
    if len(written) < len(tasks) or any(log.status == "cancelled" for log in written):
        raise KeyboardInterrupt  # which Inspect keeps to itself
    for log in written:
        if log.status == "error" and not log.samples:
            raise CranfieldError(f"{_BUG}: {log.error.message if log.error else 'it says no more'}")


def _make_tasks(
    plan: AgentPlan,
    wanted: frozenset[Question],
    groundings: Mapping[str, Any],
    note: Callable[[], object],
) -> Iterator[InspectTask]:
    from cranfield.agents.live.inspect_tasks import Batch, make_inspect_task

    for repeat in range(plan.options.repeats):
        for arm in plan.arms:
            chosen = tuple(
                task for task in plan.tasks if Question(arm.name, task.id, repeat) in wanted
            )
            if chosen:
                batch = Batch(chosen, repeat)
                yield make_inspect_task(plan, arm, groundings.get(arm.name), batch, note=note)


# Questions asked by the workers of a cluster.


class RemoteAgents:
    """Agents of a plan, asked by the workers that `start` starts."""

    def __init__(
        self,
        plan: AgentPlan,
        environment: Mapping[str, str],
        requests: Requests,
        start: StartWorkers,
    ) -> None:
        self._jobs = requests.jobs
        sent = replace(plan, arms=tuple(_resolve(plan)))
        files = fingerprint_files(_list_files(sent))
        single = Requests(1, requests.retries)
        self._workers = start(partial(_AskedAgents, sent, dict(environment), single, files))

    def ask(self, questions: Sequence[Question], logs: Path, note: Callable[[], object]) -> None:
        """Ask questions; each log is whole in the folder before the next question is asked."""

        def ask(question: Question) -> None:
            for name, content in self._workers.call("ask", question).items():
                replace_bytes(logs / name, content)
            note()

        threads = ThreadPoolExecutor(self._jobs)
        try:
            list(threads.map(ask, questions))
        finally:
            threads.shutdown(cancel_futures=True)
            self._workers.close()


class _AskedAgents:
    """The agents of a worker."""

    def __init__(
        self,
        plan: AgentPlan,
        environment: Mapping[str, str],
        requests: Requests,
        files: Mapping[str, FileFingerprint],
    ) -> None:
        refuse_other_build("a system", files, _list_files(plan))
        os.environ.update(environment)  # Inspect finds the keys of models there
        check_model(plan.options.model)
        self._plan = plan
        self._requests = requests
        self._opened = ExitStack()
        self._groundings = self._opened.enter_context(
            open_groundings(plan.arms, plan.tools, plan.options.hits, environment)
        )

    def ask(self, question: Question) -> dict[str, bytes]:
        """Ask one question; return its log by the name of the file."""
        with tempfile.TemporaryDirectory(prefix="cranfield-agent-") as name:
            folder = Path(name)
            evaluate_questions(self._plan, [question], self._groundings, folder, self._requests)
            return {path.name: path.read_bytes() for path in sorted(folder.glob("*.eval"))}

    def close(self) -> None:
        """Close the systems."""
        self._opened.close()


def _resolve(plan: AgentPlan) -> list[AgentArm]:
    """Return the arms with folders that do not depend on where a process was started."""
    return [
        arm
        if arm.system is None
        else replace(arm, system=replace(arm.system, folder=arm.system.folder.resolve()))
        for arm in plan.arms
    ]


def _list_files(plan: AgentPlan) -> list[Path]:
    systems = [arm.system for arm in plan.arms if arm.system is not None]
    return [path for system in systems for path in system.paths() if path.exists()]
