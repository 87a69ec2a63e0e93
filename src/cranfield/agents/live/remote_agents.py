"""Agents asked by the workers of a cluster; their logs are sent back and kept here.

Each worker opens the systems of all arms once. A question whose worker is lost is asked again by
another one; what the first spent on it is lost.
"""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.agents.live.grounding import open_groundings
from cranfield.agents.live.inspect_evaluation import Requests, check_model, evaluate_questions
from cranfield.systems import fingerprint_files, refuse_other_build
from cranfield_shared.files import replace_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cranfield.agents.live.agent_arms import AgentArm
    from cranfield.agents.live.agent_plan import AgentPlan, Question
    from cranfield.executors import StartWorkers
    from cranfield.systems import FileFingerprint

__all__ = ["RemoteAgents"]


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
