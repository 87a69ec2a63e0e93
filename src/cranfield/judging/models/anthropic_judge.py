"""Judges behind Anthropic's endpoint: messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    from cranfield.judging.models.prompt_file import Messages

__all__ = ["ANTHROPIC_JUDGE"]

_ENDPOINT = "https://api.anthropic.com"
_WHOLE = ("end_turn", "stop_sequence")
_PROBLEMS = {"max_tokens": "the answer was cut off", "refusal": "the model refused"}


class AnthropicJudge(ModelJudge):
    """Asks through the client of Anthropic; retries are ours."""

    def __init__(self, settings: ModelSettings, context: JudgeContext) -> None:
        try:
            import anthropic
        except ImportError:
            raise missing_extra("anthropic") from None
        self._anthropic = anthropic
        self._options: dict[str, Any] = {
            "model": settings.model,
            "max_tokens": settings.answer_tokens,
        }
        if settings.temperature is not None:
            self._options["temperature"] = settings.temperature
        self._client = anthropic.Anthropic(
            api_key=context.key or "none",
            base_url=settings.endpoint or _ENDPOINT,
            timeout=settings.timeout,
            max_retries=0,
        )

    def ask(self, messages: Messages) -> ModelAnswer:
        """Send one message."""
        try:
            message = self._client.messages.create(
                system=messages.system,
                messages=[{"role": "user", "content": messages.user}],
                **self._options,
            )
            return _read(message)
        except self._anthropic.APIStatusError as problem:
            status, headers = problem.status_code, problem.response.headers
            raise status_error(status, problem.message, headers) from None
        except self._anthropic.APITimeoutError:
            raise FailedRequestError("no answer in time", is_transient=True) from None
        except self._anthropic.APIConnectionError as problem:
            cause = problem.__cause__ or problem
            raise FailedRequestError(f"the connection failed: {cause}", is_transient=True) from None
        except (AttributeError, KeyError, TypeError, ValueError, self._anthropic.AnthropicError):
            raise FailedRequestError(
                "the server's answer is no message", is_transient=True
            ) from None

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _read(message: Any) -> ModelAnswer:
    texts = [block.text for block in message.content if block.type == "text"]
    reason = str(message.stop_reason)
    problem = "" if reason in _WHOLE else _PROBLEMS.get(reason, f"the model stopped: {reason}")
    return ModelAnswer(
        text="".join(texts),
        input_tokens=int(message.usage.input_tokens),
        output_tokens=int(message.usage.output_tokens),
        problem=problem,
    )


ANTHROPIC_JUDGE = ModelJudgeKind("anthropic", "Anthropic's endpoint", AnthropicJudge)
