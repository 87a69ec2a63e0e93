"""Judges that are commands: one JSON object a line in, one a line out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from cranfield.errors import CranfieldError
from cranfield.judging.models.model_judge import (
    FailedRequestError,
    ModelAnswer,
    ModelJudge,
    ModelJudgeKind,
)
from cranfield.systems.line_process import LineProcess, LineProcessError, ProcessPool
from cranfield.systems.programs import check_program

if TYPE_CHECKING:
    from cranfield.judging.models.model_judge import JudgeContext
    from cranfield.judging.models.model_settings import ModelSettings
    from cranfield.judging.models.prompt_file import Messages

__all__ = ["COMMAND_JUDGE"]


class _Reply(msgspec.Struct):
    answer: str = ""
    error: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


class CommandJudge(ModelJudge):
    """Starts a program without a shell, and keeps it for the next hit; a slow one is killed.

    It gets `model`, `system` and `user`, and answers with `answer`, or with `error`.
    """

    def __init__(self, settings: ModelSettings, context: JudgeContext) -> None:
        self._settings = settings
        try:
            check_program(settings.run[0], context.folder, context.environment)
        except CranfieldError as problem:
            raise CranfieldError(f"[judging.model] {problem}") from None
        self._pool = ProcessPool(
            lambda: LineProcess(
                settings.run, folder=context.folder, environment=context.environment
            )
        )

    def ask(self, messages: Messages) -> ModelAnswer:
        """Send one line and read one."""
        line = msgspec.json.encode({"model": self._settings.model, **messages._asdict()})
        try:
            reply = msgspec.json.decode(
                self._pool.run(lambda each: self._talk(each, line)), type=_Reply
            )
        except TimeoutError:
            raise FailedRequestError("no answer in time", is_transient=True) from None
        except LineProcessError as problem:
            said = problem.errors.strip().rpartition("\n")[2]
            raise FailedRequestError(f"the command {problem} {said}".strip()) from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise FailedRequestError(
                'the command printed something else than {"answer": "…"}'
            ) from None
        if reply.error:
            raise FailedRequestError(f"the command says: {reply.error}")
        return ModelAnswer(reply.answer, reply.input_tokens, reply.output_tokens)

    def _talk(self, process: LineProcess, line: bytes) -> bytes:
        deadline = time.monotonic() + self._settings.timeout
        process.send(line, deadline)
        return process.receive(deadline)

    def close(self) -> None:
        """End the processes."""
        self._pool.close()


COMMAND_JUDGE = ModelJudgeKind(
    "command", "a program that reads and writes JSON lines", CommandJudge
)
