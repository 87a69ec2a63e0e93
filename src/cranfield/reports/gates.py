"""The report of `cranfield gate`, and the formats it can take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.gates import GatedRun

__all__ = ["GATE_FORMATS", "GateFormat", "GateReport"]


@dataclass(frozen=True, slots=True)
class GateReport:
    """Runs before their gates; `skipped` says why nothing was asked, where that is so.

    `options` are what commands need besides to find the same project.
    """

    runs: Sequence[GatedRun]
    skipped: str = ""
    options: str = ""

    @property
    def passed(self) -> bool:
        """Whether every run passed."""
        return all(each.passed for each in self.runs)


@dataclass(frozen=True, slots=True)
class GateFormat:
    """A way to write a report of gates."""

    name: str
    render: Callable[[GateReport], str]


GATE_FORMATS: Registry[GateFormat] = Registry("format", GateFormat, group="cranfield.gate_formats")
