"""Judges behind Anthropic's endpoint: messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.judging.models.client_judge import ClientJudge
from cranfield.judging.models.model_judge import ModelAnswer, ModelJudgeKind

if TYPE_CHECKING:
    from cranfield.judging.models.prompt_file import Messages

__all__ = ["ANTHROPIC_JUDGE"]

_WHOLE = ("end_turn", "stop_sequence")
_PROBLEMS = {"max_tokens": "the answer was cut off", "refusal": "the model refused"}


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
        return _read(message)


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
