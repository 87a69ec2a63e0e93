"""Judges behind the clients of OpenAI and Anthropic."""

from __future__ import annotations

import importlib
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield.judging.models.model_judge import (
    FailedRequestError,
    ModelAnswer,
    ModelJudge,
    ModelJudgeKind,
    missing_extra,
    status_error,
)

if TYPE_CHECKING:
    from cranfield.judging.models.model_judge import JudgeContext
    from cranfield.judging.models.model_settings import ModelSettings
    from cranfield.judging.models.prompts import Messages

__all__ = [
    "ANTHROPIC_JUDGE",
    "OPENAI_JUDGE",
    "ClientJudge",
]

_NOT_AS_DOCUMENTED = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What reading an answer raises that is not of the shape that the provider documents."""


class ClientJudge(ModelJudge):
    """Asks through a client of OpenAI's or Anthropic's, whose errors have the same names.

    Retries are ours: the client makes none.
    """

    library: ClassVar[str]
    client: ClassVar[str]
    endpoint: ClassVar[str]
    answer: ClassVar[str]
    """What the provider calls an answer."""

    def __init__(self, settings: ModelSettings, context: JudgeContext) -> None:
        try:
            self._library: Any = importlib.import_module(self.library)
        except ImportError:
            raise missing_extra(self.library) from None
        self.options: dict[str, Any] = {
            "model": settings.model,
            "max_tokens": settings.answer_tokens,
        }
        if settings.temperature is not None:
            self.options["temperature"] = settings.temperature
        self.connection: Any = getattr(self._library, self.client)(
            api_key=context.key or "none",
            base_url=settings.endpoint or self.endpoint,
            timeout=settings.timeout,
            max_retries=0,
        )

    @abstractmethod
    def send(self, messages: Messages) -> ModelAnswer:
        """Send one request, and read its answer."""

    def ask(self, messages: Messages) -> ModelAnswer:
        """Send one request; what goes wrong is a FailedRequestError."""
        try:
            return self.send(messages)
        except self._library.APIStatusError as problem:
            status, headers = problem.status_code, problem.response.headers
            raise status_error(status, problem.message, headers) from None
        except self._library.APITimeoutError:
            raise FailedRequestError("no answer in time", is_transient=True) from None
        except self._library.APIConnectionError as problem:
            cause = problem.__cause__ or problem
            raise FailedRequestError(f"the connection failed: {cause}", is_transient=True) from None
        except (*_NOT_AS_DOCUMENTED, self._library.APIError):
            raise FailedRequestError(
                f"the server's answer is no {self.answer}", is_transient=True
            ) from None

    def close(self) -> None:
        """Close the connections."""
        self.connection.close()


_PROBLEMS_OF_OPENAI = {
    "length": "the answer was cut off",
    "content_filter": "the model refused",
    "tool_calls": "the model called a tool",
}


class OpenAIJudge(ClientJudge):
    """Asks through the client of OpenAI."""

    library = "openai"
    client = "OpenAI"
    endpoint = "https://api.openai.com/v1"
    answer = "chat completion"

    def send(self, messages: Messages) -> ModelAnswer:
        """Send one chat completion."""
        completion = self.connection.chat.completions.create(
            messages=[
                {"role": "system", "content": messages.system},
                {"role": "user", "content": messages.user},
            ],
            **self.options,
        )
        return _read_openai(completion)


def _read_openai(completion: Any) -> ModelAnswer:
    choice = completion.choices[0]
    usage = completion.usage
    problem = _PROBLEMS_OF_OPENAI.get(choice.finish_reason or "", "")
    if choice.message.refusal:
        problem = "the model refused"
    return ModelAnswer(
        text=str(choice.message.content or ""),
        input_tokens=int(usage.prompt_tokens) if usage else 0,
        output_tokens=int(usage.completion_tokens) if usage else 0,
        problem=problem,
    )


OPENAI_JUDGE = ModelJudgeKind("openai", "an OpenAI-compatible endpoint", OpenAIJudge)


_WHOLE = ("end_turn", "stop_sequence")
_PROBLEMS_OF_ANTHROPIC = {"max_tokens": "the answer was cut off", "refusal": "the model refused"}


class AnthropicJudge(ClientJudge):
    """Asks through the client of Anthropic."""

    library = "anthropic"
    client = "Anthropic"
    endpoint = "https://api.anthropic.com"
    answer = "message"

    def send(self, messages: Messages) -> ModelAnswer:
        """Send one message."""
        message = self.connection.messages.create(
            system=messages.system,
            messages=[{"role": "user", "content": messages.user}],
            **self.options,
        )
        return _read_anthropic(message)


def _read_anthropic(message: Any) -> ModelAnswer:
    texts = [block.text for block in message.content if block.type == "text"]
    reason = str(message.stop_reason)
    problem = (
        ""
        if reason in _WHOLE
        else _PROBLEMS_OF_ANTHROPIC.get(reason, f"the model stopped: {reason}")
    )
    return ModelAnswer(
        text="".join(texts),
        input_tokens=int(message.usage.input_tokens),
        output_tokens=int(message.usage.output_tokens),
        problem=problem,
    )


ANTHROPIC_JUDGE = ModelJudgeKind("anthropic", "Anthropic's endpoint", AnthropicJudge)
