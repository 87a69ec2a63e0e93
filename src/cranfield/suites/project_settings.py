"""What a project sets for a suite, in the place of the suite's own: measures, rules, thresholds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from cranfield.errors import InputError
from cranfield.measures import parse_measure
from cranfield.model import JudgingSettings
from cranfield.suites.classes import CLASSES
from cranfield.suites.requirements import check_measure, check_regression_rules, check_threshold
from cranfield.suites.suite_source import FindingSeverity, SuiteSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.model import RegressionRules, Suite, Threshold
    from cranfield.suites.suite_source import Finding

__all__ = [
    "JudgingTable",
    "set_measures",
    "set_rules",
    "set_thresholds",
]


def set_measures(suite: Suite, measures: Sequence[str], *, file: str) -> Suite:
    """Return a suite that is measured by these, the headline first.

    `file` is where they are written. Measures that have no meaning for the suite are refused.
    """
    measured = replace(suite, measures=tuple(measures))
    source = SuiteSource(measured, Path(file))
    query_class = CLASSES.get(suite.query_class)
    found = [each for text in measures for each in check_measure(source, text, query_class)]
    _refuse(found, f"[measures] {suite.id}", file)
    return measured


def set_rules(suite: Suite, rules: RegressionRules, *, file: str) -> Suite:
    """Return a suite whose runs may lose what these rules say, and nothing that its own did.

    `file` is where they are written. A category that no query has is refused.
    """
    ruled = replace(suite, rules=rules)
    found = check_regression_rules(SuiteSource(ruled, Path(file)))
    _refuse(found, f"[regressions.{suite.id}]", file)
    return ruled


def set_thresholds(suite: Suite, thresholds: Sequence[Threshold], *, file: str) -> Suite:
    """Return a suite with these thresholds; each replaces one of its measure and category.

    `file` is where they are written. One that cannot be applied to the suite is refused.
    """
    source = SuiteSource(suite, Path(file))
    query_class = CLASSES.get(suite.query_class)
    found = [each for one in thresholds for each in check_threshold(source, one, query_class)]
    _refuse(found, f"[[thresholds]] of {suite.id}", file)
    gate = {_key(each): each for each in suite.gate}
    gate.update({_key(each): each for each in thresholds})
    return replace(suite, gate=tuple(gate.values()))


def _key(threshold: Threshold) -> tuple[str, str]:
    return str(parse_measure(threshold.measure)), threshold.category


def _refuse(found: Iterable[Finding], place: str, file: str) -> None:
    """Raise the errors among findings as one, with the place of the project's file."""
    problems = [
        InputError(f"{place}: {_without_label(each.message)}", file=file)
        for each in found
        if each.severity is FindingSeverity.ERROR
    ]
    if problems:
        raise InputError.join(problems)


def _without_label(message: str) -> str:
    """Leave out the key of a suite's file; the place in the project's file stands before it."""
    return message.removeprefix("gate: ").removeprefix("measures: ").removeprefix("regressions: ")


_JUDGED_BY = msgspec.Meta(
    pattern="^(people(:.+)?|clicks|model:.+)$",
    examples=["people", "people:NAME", "model:NAME", "clicks"],
)


class JudgingTable(msgspec.Struct, frozen=True):
    """What [judging] may say; `settings` is the value that everything else reads."""

    highest: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    guidelines: str = ""
    overlap: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    raters: Annotated[int, msgspec.Meta(ge=1, le=3)] = 2
    judged_by: Annotated[str, _JUDGED_BY] | Literal[""] = ""
    holes: Literal["left out", "irrelevant"] = "left out"
    model: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def settings(self) -> JudgingSettings:
        """The settings of a suite."""
        return JudgingSettings(
            highest=self.highest,
            guidelines=self.guidelines,
            overlap=self.overlap,
            raters=self.raters,
            judged_by=self.judged_by,
            holes=self.holes,
            model=self.model,
        )
