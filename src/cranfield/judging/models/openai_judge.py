"""Judges behind an OpenAI-compatible endpoint: chat completions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.judging.models.client_judge import ClientJudge
from cranfield.judging.models.model_judge import ModelAnswer, ModelJudgeKind

if TYPE_CHECKING:
    from cranfield.judging.models.prompt_file import Messages

__all__ = ["OPENAI_JUDGE"]

_PROBLEMS = {
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
        return _read(completion)


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
