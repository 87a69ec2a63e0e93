"""Judges that are asked through the client of their provider."""

from __future__ import annotations

import importlib
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield.judging.models.model_judge import (
    FailedRequestError,
    ModelAnswer,
    ModelJudge,
    missing_extra,
    status_error,
)

if TYPE_CHECKING:
    from cranfield.judging.models.model_judge import JudgeContext
    from cranfield.judging.models.model_settings import ModelSettings
    from cranfield.judging.models.prompt_file import Messages

__all__ = ["ClientJudge"]

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
