"""What `inspect eval cranfield/…` finds: our tasks in each arm, and our checks as a scorer.

Importing this needs Inspect.
"""

from __future__ import annotations

import atexit
import os
from contextlib import ExitStack
from functools import partial
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio.to_thread
from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai.agent import AgentPrompt, as_solver, react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Score, accuracy, scorer, stderr
from inspect_ai.solver import solver
from inspect_ai.tool import ToolDef, ToolError, mcp_server_stdio
from inspect_ai.util import LimitExceededError, time_limit, turn_limit

from cranfield.agents.answer_checks import CheckOutcome, applicable_checks
from cranfield.agents.answers import ANSWERED, AgentAnswer, evaluate_answers
from cranfield.agents.live.agent_plan import (
    SYSTEM_PROMPT,
    AgentLimits,
    AgentOptions,
    AgentPlan,
    hash_prompt,
)
from cranfield.agents.live.grounding import (
    ArmMode,
    Ground,
    choose_arms,
    name_tools,
    open_groundings,
)
from cranfield.agents.live.inspect_logs import ArmRecord, SampleRecord, last_text, write_record
from cranfield.agents.offers import find_tasks
from cranfield.agents.tasks import load_tasks
from cranfield.errors import SystemUnusableError
from cranfield.evaluation.project import open_project

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from inspect_ai.agent import AgentState
    from inspect_ai.scorer import Scorer, Target
    from inspect_ai.solver import Generate, Solver, TaskState
    from inspect_ai.tool import MCPServer, Tool

    from cranfield.agents.answers import CheckedAnswer
    from cranfield.agents.live.grounding import AgentArm, Grounding
    from cranfield.agents.tasks import Task
    from cranfield.systems import ToolServer

__all__ = [
    "Batch",
    "checks",
    "grounded",
    "make_inspect_task",
    "ungrounded",
]


class Batch(NamedTuple):
    """Tasks that are asked together.

    With `repeat` they are asked with the seed of that repetition; without, as often as the epochs
    of Inspect say.
    """

    tasks: tuple[Task, ...]
    repeat: int | None = None


def make_inspect_task(
    plan: AgentPlan,
    arm: AgentArm,
    grounding: Grounding | None,
    batch: Batch,
    *,
    note: Callable[[], object] = bool,
    scorer: Scorer | None = None,
) -> InspectTask:
    """Make the task of Inspect that asks an arm about some tasks; `note` is called for each."""

    async def end(_: TaskState) -> None:
        note()

    options = plan.options
    reading = grounding.reading if grounding and arm.ground is Ground.TOOL else None
    system = arm.system.name if arm.system else ""
    record = ArmRecord(arm.name, plan.keys[arm.name], batch.repeat, system, plan.tools, reading)
    return InspectTask(
        name=f"cranfield_{arm.name}",
        dataset=MemoryDataset([_make_sample(task, arm, grounding) for task in batch.tasks]),
        solver=_answer(batch.tasks, options.limits, _tools(arm, grounding)),
        cleanup=end,
        scorer=scorer,
        config=GenerateConfig(
            seed=options.seed + (batch.repeat or 0), temperature=options.temperature
        ),
        token_limit=options.limits.tokens,
        metadata=write_record(record),
        fail_on_error=False,
    )  # fmt: skip


def _make_sample(task: Task, arm: AgentArm, grounding: Grounding | None) -> Sample:
    pasted = grounding.paste(task) if grounding and arm.ground is Ground.PASTE else None
    record = SampleRecord(hash_prompt(task), pasted.hits if pasted else None)
    return Sample(
        id=task.id,
        input=task.prompt + (pasted.text if pasted else ""),
        target=list(task.needs),
        metadata=write_record(record),
    )


@solver(name="cranfield_agent")
def _answer(
    tasks: Sequence[Task], limits: AgentLimits, tools: Callable[[], Sequence[Any]]
) -> Solver:
    """Let Inspect's agent answer, within the limits of the task."""
    by_id = {task.id: task for task in tasks}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        task = by_id[str(state.sample_id)]
        turns = limits.turns or task.turns
        agent = react(
            prompt=AgentPrompt(SYSTEM_PROMPT, handoff_prompt=None, assistant_prompt=None),
            tools=tools(),
            submit=False,
            on_continue=_stop_after(turns),
        )
        bounds = [turn_limit(turns), time_limit(limits.seconds or task.seconds)]
        return await as_solver(agent, limits=bounds)(state, generate)

    return solve


def _stop_after(turns: int) -> Callable[[AgentState], Awaitable[bool]]:
    """Return what ends a conversation before a turn too many; Inspect ends it only after that."""

    async def go_on(state: AgentState) -> bool:
        taken = sum(each.role == "assistant" for each in state.messages)
        if state.output.message.tool_calls and taken >= turns:
            raise LimitExceededError("turn", value=taken, limit=turns)
        return bool(state.output.message.tool_calls)

    return go_on


def _tools(arm: AgentArm, grounding: Grounding | None) -> Callable[[], list[Any]]:
    """Return what makes the tools of an agent: each has a server of its own."""
    if grounding is None or arm.ground is Ground.PASTE:
        return list
    server = grounding.server
    if server is None:
        return lambda: [_make_search_tool(grounding)]
    return lambda: [_make_server(server, arm.name)]


def _make_server(server: ToolServer, name: str) -> MCPServer:
    program, *arguments = server.command
    return mcp_server_stdio(
        name=name,
        command=program,
        args=arguments,
        cwd=server.folder,
        env=dict(server.environment),
    )


def _make_search_tool(grounding: Grounding) -> Tool:
    async def execute(query: str, limit: int = grounding.hits) -> str:
        """Search the documentation.

        Args:
            query: What to look for: a name or words.
            limit: How many results at most.

        """
        ask = partial(grounding.search, query, max(1, min(limit, 100)))
        try:
            return await anyio.to_thread.run_sync(ask)
        except SystemUnusableError as problem:
            raise ToolError(str(problem)) from None

    return ToolDef(execute, name="search").as_tool()


# The checks as a scorer: one value for each check, never one for all.

_ONE_AT_A_TIME = 1  # answers of one version share a folder of what was read of stubs
_VALUES = {CheckOutcome.PASS: 1.0, CheckOutcome.FAIL: 0.0}


@scorer(metrics={"*": [accuracy(), stderr()]})
def checks(tasks: str) -> Scorer:
    """Check answers to the tasks of a folder; what is unknown or does not apply has no value."""
    loaded = {task.id: task for task in load_tasks(Path(tasks))}
    names = _list_checks(loaded)
    limiter = anyio.CapacityLimiter(_ONE_AT_A_TIME)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - Inspect's protocol
        task = loaded[str(state.sample_id)]
        check = partial(_check, task, last_text(state.messages))
        return _make_score(await anyio.to_thread.run_sync(check, limiter=limiter), names)

    return score


def _list_checks(tasks: Mapping[str, Task]) -> list[str]:
    found = (check.name for task in tasks.values() for check in applicable_checks(task))
    return [ANSWERED, *dict.fromkeys(found)]


def _check(task: Task, written: str) -> CheckedAnswer:
    answer = AgentAnswer(task=task.id, arm="inspect", answer=written)
    return evaluate_answers([task], [answer]).checked[0]


def _make_score(checked: CheckedAnswer, names: Sequence[str]) -> Score:
    outcomes = {each.check: each.outcome for each in checked.results}
    reasons = [f"{each.check}, line {each.line}: {each.reason}" for each in checked.failures]
    return Score(
        value={name: _VALUES.get(outcomes.get(name, CheckOutcome.UNKNOWN), nan) for name in names},
        answer=checked.code,
        explanation="\n".join(reasons) or "nothing wrong was found",
        metadata={name: str(outcome) for name, outcome in outcomes.items()},
    )


# What `inspect eval` finds by name, through the entry point.

_USUAL = AgentOptions("")


@task
def ungrounded(
    tasks: str,
    turns: int | None = None,
    seconds: float | None = None,
    tokens: int = _USUAL.limits.tokens,
) -> InspectTask:
    """Ask an agent without search: `-T tasks=FOLDER`."""
    arms = choose_arms([], ArmMode.UNGROUNDED, Ground.TOOL)
    return _make(tasks, arms, AgentOptions("", limits=AgentLimits(turns, seconds, tokens)))


@task
def grounded(  # noqa: PLR0913, PLR0917 - the options of a command line
    tasks: str,
    system: str,
    config: str | None = None,
    ground: str = "tool",
    k: int = _USUAL.hits,
    turns: int | None = None,
    seconds: float | None = None,
    tokens: int = _USUAL.limits.tokens,
) -> InspectTask:
    """Ask an agent with a system of cranfield.toml: `-T tasks=FOLDER -T system=NAME`."""
    spec = open_project(config).system(system)
    arms = choose_arms([spec], ArmMode.GROUNDED, Ground(ground))
    limits = AgentLimits(turns, seconds, tokens)
    return _make(tasks, arms, AgentOptions("", hits=k, limits=limits))


def _make(folder: str, arms: Sequence[AgentArm], options: AgentOptions) -> InspectTask:
    """Make the only arm's task; its system stays open until the process ends."""
    loaded = load_tasks(find_tasks(Path(folder)))
    environment = dict(os.environ)
    tools = name_tools(arms, environment)
    plan = AgentPlan.make(loaded, arms, options, tools)
    stack = ExitStack()
    opened = stack.enter_context(open_groundings(arms, tools, options.hits, environment))
    atexit.register(stack.close)
    (arm,) = arms
    return make_inspect_task(
        plan, arm, opened.get(arm.name), Batch(loaded), scorer=checks(str(Path(folder).resolve()))
    )
