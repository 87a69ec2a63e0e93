"""The logs of Inspect as recorded answers, whether Cranfield or `inspect eval` made them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cranfield.agents.live.conversations import read_answer
from cranfield.agents.live.log_record import ArmRecord, SampleRecord, read_record
from cranfield.agents.recordings import AnswerState, read_recordings
from cranfield.errors import CranfieldError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from inspect_ai.log import EvalLog, EvalSample

    from cranfield.agents.recordings import AgentAnswer

__all__ = ["LoggedAnswer", "read_answers", "read_logged_answers", "read_logs"]


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
        raise InputError(f"is no log of Inspect: {problem}", file=str(path)) from None
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
