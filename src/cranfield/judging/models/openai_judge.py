"""Judges behind an OpenAI-compatible endpoint: chat completions."""

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

__all__ = ["OPENAI_JUDGE"]

_ENDPOINT = "https://api.openai.com/v1"
_PROBLEMS = {
    "length": "the answer was cut off",
    "content_filter": "the model refused",
    "tool_calls": "the model called a tool",
}


class OpenAIJudge(ModelJudge):
    """Asks through the client of OpenAI; retries are ours."""

    def __init__(self, settings: ModelSettings, context: JudgeContext) -> None:
        try:
            import openai
        except ImportError:
            raise missing_extra("openai") from None
        self._openai = openai
        self._options: dict[str, Any] = {
            "model": settings.model,
            "max_tokens": settings.answer_tokens,
        }
        if settings.temperature is not None:
            self._options["temperature"] = settings.temperature
        self._client = openai.OpenAI(
            api_key=context.key or "none",
            base_url=settings.endpoint or _ENDPOINT,
            timeout=settings.timeout,
            max_retries=0,
        )

    def ask(self, messages: Messages) -> ModelAnswer:
        """Send one chat completion."""
        try:
            completion = self._client.chat.completions.create(
                messages=[
                    {"role": "system", "content": messages.system},
                    {"role": "user", "content": messages.user},
                ],
                **self._options,
            )
            return _read(completion)
        except self._openai.APIStatusError as problem:
            status, headers = problem.status_code, problem.response.headers
            raise status_error(status, problem.message, headers) from None
        except self._openai.APITimeoutError:
            raise FailedRequestError("no answer in time", is_transient=True) from None
        except self._openai.APIConnectionError as problem:
            cause = problem.__cause__ or problem
            raise FailedRequestError(f"the connection failed: {cause}", is_transient=True) from None
        except (AttributeError, IndexError, KeyError, TypeError, ValueError, self._openai.APIError):
            raise FailedRequestError(
                "the server's answer is no chat completion", is_transient=True
            ) from None

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _read(completion: Any) -> ModelAnswer:
    choice = completion.choices[0]
    usage = completion.usage
    problem = _PROBLEMS.get(choice.finish_reason or "", "")
    if choice.message.refusal:
        problem = "the model refused"
    return ModelAnswer(
        text=str(choice.message.content or ""),
        input_tokens=int(usage.prompt_tokens) if usage else 0,
        output_tokens=int(usage.completion_tokens) if usage else 0,
        problem=problem,
    )


OPENAI_JUDGE = ModelJudgeKind("openai", "an OpenAI-compatible endpoint", OpenAIJudge)
