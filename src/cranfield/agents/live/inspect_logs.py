"""Answers in the logs of Inspect, whoever made them: searched, read, written, and how it ended.

The logs are the only record of a live evaluation: beside the conversation, they hold the arm and
the prompt of every answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from cranfield.agents.answers import AgentAnswer, AgentSearch, AnswerState, read_recordings
from cranfield.errors import CranfieldError, InputError
from cranfield.systems import ToolReading  # noqa: TC001 - msgspec reads annotations at run time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.model import ChatMessage
    from inspect_ai.tool import ToolCallError

__all__ = [
    "ArmRecord",
    "LoggedAnswer",
    "SampleRecord",
    "last_text",
    "read_answer",
    "read_answers",
    "read_logged_answers",
    "read_logs",
    "read_record",
    "write_record",
]


class LoggedAnswer(NamedTuple):
    """An answer with what decided it: the key of its arm and the hash of its prompt.

    `key` is empty for a log that was not made by Cranfield's tasks. `run` is Inspect's own name of
    the evaluation, the same in a log and in one that continues it.
    """

    answer: AgentAnswer
    key: str
    prompt: str
    run: str
    system: str
    is_numbered: bool


def read_answers(place: Path) -> tuple[AgentAnswer, ...]:
    """Read answers as they are recorded: Inspect's logs, or a file with one JSON object a line."""
    is_logged = place.is_dir() or place.suffix == ".eval"
    return read_logs(place) if is_logged else read_recordings(place)


def read_logs(place: Path) -> tuple[AgentAnswer, ...]:
    """Read the answers of a log or of a folder of logs, whoever made them.

    Arms are named by their systems and models too, if there are several. If an arm answered a task
    in several evaluations, they count as repetitions; they must have asked it alike.
    """
    named = _name_arms(read_logged_answers(place))
    _refuse_mixtures(named, place)
    answers = tuple(_number_repeats(named))
    if not answers:
        raise InputError("has no log of Inspect (*.eval) with an answer", file=str(place))
    return answers


def read_logged_answers(place: Path) -> list[LoggedAnswer]:
    """Read every answer of a log or of a folder of logs, oldest first.

    An answer that failed is left out if a later log has it.
    """
    answers: dict[tuple[str, str, str, int], LoggedAnswer] = {}
    for path in _list_logs(place):
        for each in _read_log(path):
            name = (each.run, each.prompt, each.answer.task, each.answer.repeat)
            known = answers.get(name)
            if known is None or known.answer.state is AnswerState.ERROR:
                answers[name] = each
    return list(answers.values())


def _list_logs(place: Path) -> list[Path]:
    if place.is_file():
        return [place]
    return sorted(place.rglob("*.eval"), key=lambda path: (path.name, str(path)))


def _read_log(path: Path) -> Iterator[LoggedAnswer]:
    try:
        from inspect_ai.log import read_eval_log
    except ImportError:
        raise CranfieldError(
            "reading the logs of Inspect needs Inspect: pip install 'cranfield[agents]'"
        ) from None
    try:
        log = read_eval_log(str(path), resolve_attachments="core")
    except (OSError, ValueError, KeyError, EOFError) as problem:
        raise InputError(f"is not a log of Inspect: {problem}", file=str(path)) from None
    record = read_record(log.eval.metadata, ArmRecord)
    for each in log.samples or ():
        was_stopped = log.status == "cancelled" and each.error is not None
        if not was_stopped:
            yield _read_sample(each, log, record)


def _read_sample(sample: EvalSample, log: EvalLog, arm: ArmRecord | None) -> LoggedAnswer:
    record = read_record(sample.metadata, SampleRecord)
    answer = read_answer(sample, log.eval.model, arm.reading if arm else None, record)
    repeat = answer.repeat if arm is None or arm.repeat is None else arm.repeat
    name = arm.arm if arm else log.eval.task.rpartition("/")[2]
    return LoggedAnswer(
        answer=msgspec.structs.replace(answer, arm=name, repeat=repeat),
        key=arm.key if arm else "",
        prompt=record.prompt if record else "",
        run=arm.key if arm and arm.repeat is not None else log.eval.task_id,
        system=arm.system if arm else "",
        is_numbered=arm is not None and arm.repeat is not None,
    )


def _name_arms(logged: Sequence[LoggedAnswer]) -> list[LoggedAnswer]:
    models = {each.answer.model for each in logged}
    systems: dict[str, set[str]] = {}
    for each in logged:
        systems.setdefault(each.answer.arm, set()).add(each.system)
    named: list[LoggedAnswer] = []
    for each in logged:
        name = each.answer.arm
        name += f" ({each.system})" if len(systems[name]) > 1 and each.system else ""
        name += f", {each.answer.model}" if len(models) > 1 else ""
        named.append(each._replace(answer=msgspec.structs.replace(each.answer, arm=name)))
    return named


def _refuse_mixtures(named: Iterable[LoggedAnswer], place: Path) -> None:
    """Refuse answers of one arm that were asked for with other options, prompts or systems."""
    keys: dict[str, str] = {}
    for each in named:
        if keys.setdefault(each.answer.arm, each.key) != each.key:
            raise InputError(
                f"has logs of the arm {each.answer.arm!r} with other options, another system or "
                "other files of it; give a folder or a log (*.eval) in which they are the same",
                file=str(place),
            )


def _number_repeats(answers: Iterable[LoggedAnswer]) -> Iterator[AgentAnswer]:
    """Number the answers of each arm to each task that several evaluations gave."""
    seen: dict[tuple[str, str], int] = {}
    for each in sorted(answers, key=lambda each: each.answer.repeat):
        name = (each.answer.arm, each.answer.task)
        seen[name] = seen.get(name, -1) + 1
        yield msgspec.structs.replace(each.answer, repeat=seen[name])


# What a log says of an arm and a task beside the conversation.

_KEY = "cranfield"
Record = TypeVar("Record", bound=msgspec.Struct)


class ArmRecord(msgspec.Struct, frozen=True):
    """Which arm a log is of. `repeat` is None if the epochs of Inspect count repetitions."""

    arm: str
    key: str
    repeat: int | None = None
    system: str = ""
    tools: str = ""
    reading: ToolReading | None = None


class SampleRecord(msgspec.Struct, frozen=True):
    """Which prompt a task had, and the ids of hits that were pasted into it, if any were."""

    prompt: str
    pasted: tuple[str, ...] | None = None


def write_record(record: msgspec.Struct) -> dict[str, Any]:
    """Return the metadata that hold a record."""
    return {_KEY: msgspec.to_builtins(record)}


def read_record(metadata: Any, kind: type[Record]) -> Record | None:
    """Return the record in metadata; None if there is none, or one of another version."""
    try:
        return msgspec.convert((metadata or {}).get(_KEY), kind)
    except (msgspec.ValidationError, AttributeError):
        return None


# The answer of one conversation.

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
