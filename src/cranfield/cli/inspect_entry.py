"""What `inspect eval cranfield/…` finds: our tasks in each arm, and our checks as a scorer."""

from __future__ import annotations

import atexit
import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from inspect_ai import Task as InspectTask
from inspect_ai import task

from cranfield.agents import load_tasks
from cranfield.agents.live import (
    AgentLimits,
    AgentOptions,
    AgentPlan,
    ArmMode,
    Ground,
    choose_arms,
    name_tools,
    open_groundings,
)
from cranfield.agents.live.inspection import Batch, checks, make_inspect_task
from cranfield.evaluation import find_tasks, open_project

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.agents.live import AgentArm

__all__ = ["checks", "grounded", "ungrounded"]

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
def grounded(
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
