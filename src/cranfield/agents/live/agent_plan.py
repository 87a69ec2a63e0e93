"""What a live evaluation asks and can show: tasks, arms, repetitions and limits, and in words."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cranfield.agents.answers import AnswerState
from cranfield.agents.arm_comparison import detectable_gain
from cranfield.agents.live.grounding import SERVERS
from cranfield.defaults import SEED
from cranfield.formats import count_of
from cranfield.systems import fingerprint_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cranfield.agents.answers import AgentAnswer
    from cranfield.agents.live.grounding import AgentArm
    from cranfield.agents.live.live_run import LiveRun, Requests
    from cranfield.agents.tasks import Task

__all__ = [
    "STATE_WORDS",
    "SYSTEM_PROMPT",
    "AgentLimits",
    "AgentOptions",
    "AgentPlan",
    "Question",
    "describe_agent_plan",
    "describe_asked",
    "hash_prompt",
]

SYSTEM_PROMPT = (
    "You write code that other people will run. Use only modules, names and arguments that exist "
    "in the version that the task names, and nothing that is deprecated there. If you have tools "
    "that search documentation, use them before you rely on what you are not sure of. End with "
    "one complete code block."
)
"""What every agent is told first, the same in all arms."""


@dataclass(frozen=True, slots=True)
class AgentLimits:
    """What an agent may use for one answer; without `turns` and `seconds` the task decides."""

    turns: int | None = None
    seconds: float | None = None
    tokens: int = 100_000


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """How agents are asked, the same in all arms. Repetition n is asked with `seed` + n.

    `hits` is the number of hits that are pasted, or that a search of the agent returns at most.
    """

    model: str
    repeats: int = 1
    seed: int = SEED
    temperature: float | None = None
    hits: int = 5
    limits: AgentLimits = AgentLimits()


class Question(NamedTuple):
    """One answer that is wanted: of an arm, to a task, in a repetition."""

    arm: str
    task: str
    repeat: int


@dataclass(frozen=True, slots=True)
class AgentPlan:
    """Everything that a live evaluation asks. `tools` says how grounded agents search.

    `keys` identify what decides the answers of each arm: model, options, prompt, system and its
    files. An answer in a log is used again if its key and its task's prompt are the same.
    """

    tasks: tuple[Task, ...]
    arms: tuple[AgentArm, ...]
    options: AgentOptions
    tools: str
    keys: Mapping[str, str]

    @classmethod
    def make(
        cls, tasks: Iterable[Task], arms: Iterable[AgentArm], options: AgentOptions, tools: str
    ) -> AgentPlan:
        """Make a plan; the files of the systems must exist."""
        arms = tuple(arms)
        keys = {arm.name: _hash_arm(arm, options, tools) for arm in arms}
        return cls(tuple(tasks), arms, options, tools, keys)

    @property
    def questions(self) -> tuple[Question, ...]:
        """All answers that are wanted, repetition by repetition."""
        return tuple(
            Question(arm.name, task.id, repeat)
            for repeat in range(self.options.repeats)
            for arm in self.arms
            for task in self.tasks
        )

    @property
    def uses_hits(self) -> bool:
        """Whether the number of hits is ours to choose; a server of a system has its own."""
        return any(arm.system for arm in self.arms) and self.tools != SERVERS

    @property
    def detectable(self) -> float | None:
        """The difference between two arms that so many tasks and repetitions can show."""
        return detectable_gain(len(self.tasks), self.options.repeats)


def hash_prompt(task: Task) -> str:
    """Identify what a task asks and how much an answer may use."""
    return _hash([task.id, task.prompt, task.seconds, task.turns])


def _hash_arm(arm: AgentArm, options: AgentOptions, tools: str) -> str:
    described = asdict(options)
    del described["repeats"]  # more repetitions leave the first ones as they are
    system: list[Any] = []
    if arm.system is None:
        del described["hits"]
    else:
        files = fingerprint_files(path for path in arm.system.paths() if path.exists())
        system = [arm.system.kind, dict(arm.system.settings), str(arm.ground), tools]
        system += [each.sha256 for each in files.values()]
    return _hash([SYSTEM_PROMPT, described, system])


def _hash(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value, enc_hook=str, order="sorted")).hexdigest()


# The plan and its outcome in words.

STATE_WORDS = {
    AnswerState.ANSWERED: "answered",
    AnswerState.LIMIT: "out of budget",
    AnswerState.REFUSED: "refused",
    AnswerState.ERROR: "not reached",
}
"""How the end of a conversation is called in reports."""


def describe_agent_plan(run: LiveRun, missing: int, requests: Requests) -> str:
    """Say what will be asked, within which limits, and what difference it can show."""
    plan = run.plan
    options, limits = plan.options, plan.options.limits
    tasks, repeats = count_of(len(plan.tasks), "task"), count_of(options.repeats, "repetition")
    arms = ", ".join(each.name for each in plan.arms)
    wanted = len(plan.questions)
    most = missing * limits.tokens
    turns = _bound(limits.turns, [each.turns for each in plan.tasks])
    seconds = _bound(limits.seconds, [each.seconds for each in plan.tasks])
    wanted_of = f"{count_of(wanted, 'answer')} of {options.model}"
    lines = [
        f"{tasks}, {count_of(len(plan.arms), 'arm')} ({arms}), {repeats}: {wanted_of}",
        f"{wanted - missing} in the logs, {missing} to ask, with {most:,} tokens at most",
        f"limits of an answer: {turns} turns, {seconds} seconds, {limits.tokens:,} tokens",
        f"{_describe_model(options)}; {requests.jobs} at a time, "
        + count_of(requests.retries, "retry", "retries"),
    ]
    systems = [each.system.name for each in plan.arms if each.system]
    if systems:
        found = f" ({count_of(options.hits, 'hit')})" if plan.uses_hits else ""
        lines.append(f"grounded by {', '.join(systems)}, through {plan.tools}{found}")
    if len(plan.arms) > 1:
        lines.append(_describe_power(plan, tasks, repeats))
    return "\n".join([*lines, f"logs: {run.logs}"])


def _describe_model(options: AgentOptions) -> str:
    if options.temperature is None:
        return f"seed {options.seed}, temperature of the model"
    return f"seed {options.seed}, temperature {options.temperature:g}"


def _describe_power(plan: AgentPlan, tasks: str, repeats: str) -> str:
    gain = plan.detectable
    if gain is None:
        return f"{tasks}, {repeats} are too few to show any difference"
    return f"{tasks}, {repeats} can show a difference of {100 * gain:.0f} points (in 80 % of runs)"


def _bound(given: float | None, own: Sequence[float]) -> str:
    """Write a limit, or the range of those that the tasks have."""
    values = [given] if given is not None else [min(own), max(own)]
    return " to ".join(dict.fromkeys(f"{each:g}" for each in values))


def describe_asked(answers: Iterable[AgentAnswer]) -> str:
    """Say how the conversations ended and what they cost."""
    listed = list(answers)
    counts = Counter(each.state for each in listed)
    ends = ", ".join(f"{counts[state]} {word}" for state, word in STATE_WORDS.items())
    tokens = sum(each.tokens or 0 for each in listed)
    return f"{count_of(len(listed), 'answer')}: {ends}; {tokens:,} tokens"
