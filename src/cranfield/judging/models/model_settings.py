"""What a suite says about a model that helps with judging: `[judging.model]`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import msgspec

from cranfield.errors import CranfieldError
from cranfield.shapes import find_misfits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.evaluation.project import Project
    from cranfield.model import Suite
    from cranfield.runs.runner import Run

__all__ = ["ModelSettings", "ModelThreshold", "current_suite", "read_model_settings"]

_VARIABLE = re.compile(r"\$\{\w+\}")
_WHERE = "[judging.model]"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_Amount = Annotated[float, msgspec.Meta(ge=0)]


class ModelThreshold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The value that a corrected figure must reach, if the model agrees with people enough."""

    measure: str
    at_least: float


class ModelSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model that judges hits, how it is asked, and how far it is trusted.

    - `kind` is `openai`, `anthropic` or `command`; `endpoint` is the address of a compatible
      server, `run` the command. `key` names an environment variable: `"${NAME}"`.
    - `prompt` is a file in the suite's folder; `question` completes it, `questions` do so for
      single categories. `grades` are the words that the model may answer, and what they mean.
    - With `only_unmatched`, hits that the suite's own rules find right are not sent; categories in
      `always` are sent whole, those in `never` not at all.
    - `budget` is the most that all answers in the store may cost, by `price_in` and `price_out` for
      a million tokens; `most_calls` the most answers. `per_minute` requests, `jobs` at once.
    - `agreement` is the kappa with people that must be shown before a gate sees any figure.
    - `gate` has thresholds for the corrected figures.
    """

    kind: str
    model: str
    prompt: str
    endpoint: str = ""
    key: str = ""
    run: tuple[str, ...] = ()
    question: str = ""
    questions: dict[str, str] = msgspec.field(default_factory=dict)
    grades: dict[str, int] = msgspec.field(
        default_factory=lambda: {"HIGH": 2, "PARTIAL": 1, "NOT_RELEVANT": 0}
    )
    only_unmatched: bool = True
    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    agreement: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.6
    gate: tuple[ModelThreshold, ...] = ()
    budget: _Amount | None = None
    price_in: _Amount | None = None
    price_out: _Amount | None = None
    most_calls: Annotated[int, msgspec.Meta(ge=1)] = 1000
    per_minute: Annotated[float, msgspec.Meta(gt=0)] = 60.0
    jobs: Annotated[int, msgspec.Meta(ge=1, le=32)] = 4
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 60.0
    attempts: Annotated[int, msgspec.Meta(ge=1, le=20)] = 5
    answer_tokens: Annotated[int, msgspec.Meta(ge=1)] = 16
    temperature: float | None = None

    @property
    def highest(self) -> int:
        """The highest grade that the model can give."""
        return max(self.grades.values())

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return what so many tokens cost; None if the prices are unknown."""
        if self.price_in is None or self.price_out is None:
            return None
        return (input_tokens * self.price_in + output_tokens * self.price_out) / 1e6

    def question_of(self, category: str) -> str:
        """Return the question for queries of a category."""
        return self.questions.get(category, self.question)


def read_model_settings(suite: Suite) -> ModelSettings:
    """Read the settings of the model that a suite has opted in to."""
    written = suite.judging.model
    if not written:
        raise CranfieldError(
            f"the suite {suite.id} lets no model judge; to opt in, write [judging.model] with "
            "kind, model and prompt into it, or into cranfield.toml"
        )
    problems = [str(each) for each in find_misfits(dict(written), ModelSettings)]
    if not problems:
        settings = msgspec.convert(dict(written), ModelSettings)
        problems = list(_mistakes(settings, written))
    if problems:
        raise CranfieldError(f"the suite {suite.id}: {_WHERE} {'; '.join(problems)}")
    return settings


def _mistakes(settings: ModelSettings, written: Mapping[str, Any]) -> list[str]:
    found = []
    if settings.key and not _VARIABLE.fullmatch(settings.key):
        found.append('key names an environment variable: write key = "${NAME}", never the key')
    if any(not word.strip() or word != word.strip() for word in settings.grades):
        found.append("grades: a word is empty, or has spaces around it")
    if len(settings.grades) < 2 or min(settings.grades.values()) < 0 or settings.highest < 1:
        found.append("grades: give at least two words, with grades from 0 up and one above 0")
    if settings.budget is not None and settings.cost(0, 0) is None:
        found.append("budget needs price_in and price_out, the prices of a million tokens")
    if (settings.kind == "command") != bool(settings.run):
        found.append('run is the command of kind = "command", and of no other')
    if settings.key and _is_readable(settings.endpoint):
        found.append("endpoint is http:// beyond this machine, and would show the key to others")
    if set(settings.always) & set(settings.never):
        found.append("always and never name the same category")
    found += [f"{name} is empty" for name in ("model", "prompt") if not written[name].strip()]
    return found


def _is_readable(endpoint: str) -> bool:
    address = urlsplit(endpoint)
    return address.scheme == "http" and address.hostname not in _LOOPBACK


def current_suite(run: Run, project: Project) -> Suite:
    """Return the suite of a run with the settings of judging that its project has now.

    A suite that the project does not list keeps those that it was run with.
    """
    stored = run.header.suite
    found = project.find_suite(stored.id)
    if found is None:
        return stored
    return replace(stored, judging=found.judging, folder=found.folder)
