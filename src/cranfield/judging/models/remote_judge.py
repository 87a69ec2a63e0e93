"""A model asked by the workers of a cluster; budget, pace and answers are kept here.

Each worker opens the judge once. A request whose worker is lost is sent again by another one; if
the first was answered, it is paid for twice.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from cranfield.errors import LostWorkersError
from cranfield.judging.models.model_judge import MODEL_JUDGES, FailedRequestError, ModelJudge
from cranfield.systems import fingerprint_files, refuse_other_build

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cranfield.executors import StartWorkers
    from cranfield.judging.models.model_judge import JudgeContext, ModelAnswer
    from cranfield.judging.models.model_settings import ModelSettings
    from cranfield.judging.models.prompts import Messages
    from cranfield.systems import FileFingerprint

__all__ = ["RemoteJudge", "open_judge"]


def open_judge(
    settings: ModelSettings, context: JudgeContext, start: StartWorkers | None
) -> ModelJudge:
    """Open the judge of a suite in this process, or with workers that `start` starts."""
    if start is not None:
        return RemoteJudge(settings, context, start)
    return MODEL_JUDGES.get(settings.kind).open(settings, context)


class RemoteJudge(ModelJudge):
    """Has a worker of its own for each request that is under way."""

    def __init__(self, settings: ModelSettings, context: JudgeContext, start: StartWorkers) -> None:
        sent = replace(
            context, environment=dict(context.environment), folder=context.folder.resolve()
        )
        files = fingerprint_files(_list_files(settings, sent.folder))
        self._workers = start(partial(_AskedJudge, settings, sent, files))

    def ask(self, messages: Messages) -> ModelAnswer:
        """Let a worker send one request; if it is lost, another one."""
        try:
            answer: ModelAnswer | FailedRequestError = self._workers.call("ask", messages)
        except LostWorkersError as problem:
            raise FailedRequestError(str(problem)) from None
        if isinstance(answer, FailedRequestError):
            raise answer
        return answer

    def close(self) -> None:
        """Let the workers go."""
        self._workers.close()


class _AskedJudge:
    """The judge of a worker; a request that failed is returned, so nothing of it is lost."""

    def __init__(
        self, settings: ModelSettings, context: JudgeContext, files: Mapping[str, FileFingerprint]
    ) -> None:
        refuse_other_build(settings.model, files, _list_files(settings, context.folder))
        self._judge = open_judge(settings, context, None)

    def ask(self, messages: Messages) -> ModelAnswer | FailedRequestError:
        """Send one request."""
        try:
            return self._judge.ask(messages)
        except FailedRequestError as problem:
            return problem

    def close(self) -> None:
        """Close the judge."""
        self._judge.close()


def _list_files(settings: ModelSettings, folder: Path) -> list[Path]:
    """List the files that the command of a judge names: its program, or what that runs."""
    return [folder / word for word in settings.run if (folder / word).is_file()]
