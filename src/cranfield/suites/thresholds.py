"""Thresholds that a project sets for a suite, in the place of the suite's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import InputError
from cranfield.measures import parse_measure
from cranfield.suites.classes import CLASSES
from cranfield.suites.requirements import check_threshold
from cranfield.suites.suite_source import FindingSeverity, SuiteSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.model import Suite, Threshold

__all__ = ["set_thresholds"]


def set_thresholds(suite: Suite, thresholds: Sequence[Threshold], *, file: str) -> Suite:
    """Return a suite with these thresholds; each replaces one of its measure and category.

    `file` is where they are written. One that cannot be applied to the suite is refused.
    """
    source = SuiteSource(suite, Path(file))
    query_class = CLASSES.get(suite.query_class)
    problems = [
        InputError(f"[[thresholds]] of {suite.id}: {_without_label(finding.message)}", file=file)
        for threshold in thresholds
        for finding in check_threshold(source, threshold, query_class)
        if finding.severity is FindingSeverity.ERROR
    ]
    if problems:
        raise InputError.join(problems)
    gate = {_key(each): each for each in suite.gate}
    gate.update({_key(each): each for each in thresholds})
    return replace(suite, gate=tuple(gate.values()))


def _key(threshold: Threshold) -> tuple[str, str]:
    return str(parse_measure(threshold.measure)), threshold.category


def _without_label(message: str) -> str:
    return message.removeprefix("gate: ")
