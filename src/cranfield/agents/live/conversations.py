"""Answers in the logs of Inspect: what was searched, read and written, and how it ended."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.agents.recordings import AgentAnswer, AgentSearch, AnswerState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from inspect_ai.log import EvalSample
    from inspect_ai.model import ChatMessage
    from inspect_ai.tool import ToolCallError

    from cranfield.agents.live.log_record import SampleRecord
    from cranfield.systems import ToolReading

__all__ = ["last_text", "read_answer"]

_LONGEST_MESSAGE = 500
_CUT_OFF = {
    "max_tokens": "the answer is cut off: the model reached its longest output",
    "model_length": "the conversation outgrew the context window of the model",
}
_REASON = re.compile(r"^(?!tenacity\.)[\w.]+: (.+)$", re.M)
_MISTAKES = ("parsing", "approval")
"""Errors of a call that the model made wrongly: they say nothing about the search."""


def read_answer(
    sample: EvalSample, model: str, reading: ToolReading | None, record: SampleRecord | None
) -> AgentAnswer:
    """Read the answer of one conversation; arm and repetition are those of the sample's epoch."""
    calls = list(_list_calls(sample.messages))
    searches = tuple(_read_searches(calls, reading))
    opened = tuple(dict.fromkeys(_read_opened(calls, searches, reading)))
    if record and record.pasted is not None:
        searches = (AgentSearch(_first_prompt(sample), record.pasted), *searches)
        opened = (*record.pasted, *opened)
    state, message = _judge_end(sample, calls, reading)
    return AgentAnswer(
        task=str(sample.id),
        arm="",
        answer=last_text(sample.messages),
        repeat=sample.epoch - 1,
        state=state,
        message=message[:_LONGEST_MESSAGE],
        model=model,
        searches=searches,
        read=opened,
        seconds=sample.total_time,
        tokens=sum(each.total_tokens for each in sample.model_usage.values()),
    )


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a tool with what it returned."""

    function: str
    arguments: Mapping[str, Any]
    text: str = ""
    error: ToolCallError | None = None


def _list_calls(messages: Sequence[ChatMessage]) -> Iterator[_Call]:
    results = {each.tool_call_id: each for each in messages if each.role == "tool"}
    for message in messages:
        if message.role == "assistant":
            for call in message.tool_calls or ():
                returned = results.get(call.id)
                result = (returned.text, returned.error) if returned else ()
                yield _Call(call.function, call.arguments, *result)


def _read_searches(calls: Sequence[_Call], reading: ToolReading | None) -> Iterator[AgentSearch]:
    for call in calls:
        if reading is None or call.function not in reading.searches or call.error:
            continue
        query = str(call.arguments.get(reading.searches[call.function], ""))
        yield AgentSearch(query, reading.read_hits(call.text))


def _read_opened(
    calls: Sequence[_Call], searches: Sequence[AgentSearch], reading: ToolReading | None
) -> Iterator[str]:
    """Yield the ids that were opened: by a tool that reads, or by another that was given a hit."""
    found = {hit for search in searches for hit in search.hits}
    for call in calls:
        if reading is None or call.function in reading.searches or call.error:
            continue
        if call.function in reading.reads:
            yield str(call.arguments.get(reading.reads[call.function], ""))
        else:
            yield from (
                each for each in call.arguments.values() if isinstance(each, str) and each in found
            )


def _judge_end(
    sample: EvalSample, calls: Sequence[_Call], reading: ToolReading | None
) -> tuple[AnswerState, str]:
    if sample.error is not None:
        return AnswerState.ERROR, _find_reason(sample.error.message, sample.error.traceback)
    searched = [each for each in calls if reading and each.function in reading.searches]
    errors = [each.error for each in searched if each.error and each.error.type not in _MISTAKES]
    if errors and len(errors) == len(searched):
        return AnswerState.ERROR, f"no search was answered: {errors[-1].message}"
    if sample.limit is not None:
        return AnswerState.LIMIT, f"{sample.limit.type} limit of {sample.limit.limit:g}"
    if not sample.output.choices:
        return AnswerState.ERROR, "the model sent no answer"
    if _is_refusal(sample):
        return AnswerState.REFUSED, last_text(sample.messages)
    cut_off = _CUT_OFF.get(sample.output.stop_reason, "")
    return (AnswerState.LIMIT if cut_off else AnswerState.ANSWERED), cut_off


def _find_reason(message: str, traceback: str) -> str:
    """Return what failed: the last failure, if a request was sent again in vain."""
    reasons = _REASON.findall(traceback) if message.startswith("RetryError") else []
    return reasons[-1] if reasons else message


def _is_refusal(sample: EvalSample) -> bool:
    content = sample.output.choices[0].message.content
    parts = [] if isinstance(content, str) else content
    return sample.output.stop_reason == "content_filter" or any(
        getattr(part, "refusal", None) for part in parts
    )


def last_text(messages: Sequence[ChatMessage]) -> str:
    """Return the last thing that the model wrote; calls of tools alone are none."""
    written = (each.text for each in reversed(messages) if each.role == "assistant")
    return next((text for text in written if text.strip()), "")


def _first_prompt(sample: EvalSample) -> str:
    given = sample.input
    return given if isinstance(given, str) else "\n".join(each.text for each in given)
