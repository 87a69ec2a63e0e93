"""A judge that is a model: what it is asked, how its answer is read, and one that is a command."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping  # noqa: TC003 - read at run time by dataclasses
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path  # noqa: TC003 - likewise
from typing import TYPE_CHECKING, Self

import msgspec

from cranfield.errors import CranfieldError
from cranfield.registry import Registry
from cranfield.systems import LineProcess, LineProcessError, ProcessPool, check_program

if TYPE_CHECKING:
    from cranfield.judging.models.model_settings import ModelSettings
    from cranfield.judging.models.prompts import Messages

__all__ = [
    "COMMAND_JUDGE",
    "MODEL_JUDGES",
    "FailedRequestError",
    "JudgeContext",
    "ModelAnswer",
    "ModelJudge",
    "ModelJudgeKind",
    "read_wait",
    "status_error",
]

_FATAL = frozenset({401, 402, 403, 404})
_TRANSIENT = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model said, and the tokens that were paid for.

    `problem` says why the text is not an answer: a refusal, or an end before the end.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class JudgeContext:
    """What a judge needs beyond its settings: the key, the environment, the suite's folder."""

    key: str
    environment: Mapping[str, str]
    folder: Path


class FailedRequestError(Exception):
    """A request without an answer.

    `is_fatal` if every other request would fail as well, `is_transient` if the same may succeed
    later: after `wait` seconds, if the server says so.
    """

    def __init__(
        self,
        message: str,
        *,
        is_transient: bool = False,
        is_fatal: bool = False,
        wait: float | None = None,
    ) -> None:
        super().__init__(message)
        self.is_transient = is_transient
        self.is_fatal = is_fatal
        self.wait = wait


class ModelJudge(ABC):
    """Asks a model. One judge is used by several threads at once."""

    @abstractmethod
    def ask(self, messages: Messages) -> ModelAnswer:
        """Return what the model says, once; raises FailedRequestError."""

    def close(self) -> None:  # noqa: B027 - not every judge has something to close
        """Give up connections and processes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class ModelJudgeKind:
    """A kind of judge: how it is opened from the settings of a suite."""

    name: str
    summary: str
    open: Callable[[ModelSettings, JudgeContext], ModelJudge]


MODEL_JUDGES: Registry[ModelJudgeKind] = Registry(
    "kind of model judge", ModelJudgeKind, group="cranfield.model_judges"
)
_BUILT_IN = {
    "openai": "client_judges:OPENAI_JUDGE",
    "anthropic": "client_judges:ANTHROPIC_JUDGE",
    "command": "model_judge:COMMAND_JUDGE",
}
for _name, _place in _BUILT_IN.items():
    MODEL_JUDGES.register_reference(_name, f"cranfield.judging.models.{_place}")


def status_error(status: int, message: str, headers: Mapping[str, str]) -> FailedRequestError:
    """Return the error of an HTTP status: fatal, transient, or of this request alone."""
    text = f"the server answered {status}: {message}"
    if status in _FATAL:
        return FailedRequestError(f"{text}; check key, model and endpoint", is_fatal=True)
    is_transient = status in _TRANSIENT or status >= 500
    return FailedRequestError(text, is_transient=is_transient, wait=read_wait(headers))


def read_wait(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a server asks to wait: Retry-After as a number or a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name, "")
        try:
            return max(0.0, float(text) * unit)
        except ValueError:
            pass
    try:
        return max(0.0, parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time())
    except (KeyError, ValueError, TypeError):
        return None


def missing_extra(package: str) -> CranfieldError:
    """Return the error that names the extra to install."""
    return CranfieldError(
        f"judging by this kind of model needs the package {package}: pip install 'cranfield[judge]'"
    )


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
