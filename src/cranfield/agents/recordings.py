"""Recorded answers of agents: one JSON object a line, with what was searched and read."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import msgspec

from cranfield.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["AgentAnswer", "AgentSearch", "AnswerState", "read_recordings", "write_recordings"]

_LARGEST = 500_000_000
_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class AnswerState(StrEnum):
    """How an agent came to its end."""

    ANSWERED = "answered"
    LIMIT = "limit"
    """It ran out of turns, time or tokens: what it wrote by then counts."""
    REFUSED = "refused"
    """The model declined."""
    ERROR = "error"
    """The model or the search could not be reached: this says nothing about either arm."""


class AgentSearch(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A search that an agent made, and the ids of the hits that it was shown, best first."""

    query: str
    hits: tuple[str, ...] = ()


class AgentAnswer(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an agent answered to a task in one arm.

    `read` are the ids of documents that it opened or was shown in full. `tokens` are those of the
    whole conversation.
    """

    task: _Name
    arm: _Name
    answer: str
    repeat: Annotated[int, msgspec.Meta(ge=0)] = 0
    state: AnswerState = AnswerState.ANSWERED
    message: str = ""
    model: str = ""
    searches: tuple[AgentSearch, ...] = ()
    read: tuple[str, ...] = ()
    seconds: float | None = None
    tokens: int | None = None


def read_recordings(path: Path) -> tuple[AgentAnswer, ...]:
    """Read recorded answers; raises one InputError with every line that does not fit."""
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(f"is larger than {_LARGEST:,} bytes", file=str(path))
        lines = path.read_bytes().split(b"\n")
    except OSError as problem:
        raise InputError(f"cannot be read: {problem}", file=str(path)) from None
    decoder = msgspec.json.Decoder(AgentAnswer)
    answers: dict[tuple[str, str, int], AgentAnswer] = {}
    problems: list[InputError] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            answer = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as problem:
            problems.append(InputError(str(problem), file=str(path), line=number))
            continue
        key = (answer.task, answer.arm, answer.repeat)
        if key in answers:
            message = (
                f"answers {answer.task!r} in {answer.arm!r} again; number repetitions with `repeat`"
            )
            problems.append(InputError(message, file=str(path), line=number))
        answers[key] = answer
    if problems:
        raise InputError.join(problems)
    if not answers:
        raise InputError("has no answer; write one JSON object a line", file=str(path))
    return tuple(answers.values())


def write_recordings(answers: Iterable[AgentAnswer]) -> bytes:
    """Write answers so that `read_recordings` reads the same."""
    return b"".join(msgspec.json.encode(each) + b"\n" for each in answers)
