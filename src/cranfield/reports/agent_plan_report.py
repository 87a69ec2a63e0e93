"""What agents will be asked and what that can show, and what became of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cranfield.agents import AnswerState
from cranfield.formats import count_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.agents import AgentAnswer
    from cranfield.agents.live import AgentOptions, AgentPlan, LiveRun, Requests

__all__ = ["STATE_WORDS", "describe_agent_plan", "describe_asked"]

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
