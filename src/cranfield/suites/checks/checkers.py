"""Checkers: what `cranfield check` can check beside suites, such as tasks for agents.

A slice offers a `Checker` in the group `cranfield.checkers`. Every place that is named to the
command is checked by the first checker that holds it, and as a suite if none does.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.registry import Registry
from cranfield.suites.suite_source import FindingSeverity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cranfield.suites.suite_source import Finding

__all__ = ["CHECKERS", "CheckedPlaces", "Checker", "PlaceCheck", "check_places"]


@dataclass(frozen=True, slots=True)
class PlaceCheck:
    """What was found at a place: how many things can be read there, and the findings about all.

    `noun` is what one of them is called, in the singular.
    """

    place: Path
    noun: str
    count: int
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether there is no error."""
        return not any(each.severity is FindingSeverity.ERROR for each in self.findings)


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks places of one kind; its name is the plural of their noun, and the key in JSON.

    `holds` is asked about every place that is named, so it has to be quick to say no.
    """

    name: str
    holds: Callable[[Path], bool]
    check: Callable[[Path], PlaceCheck]


CHECKERS: Registry[Checker] = Registry("checker", Checker, group="cranfield.checkers")


class CheckedPlaces(NamedTuple):
    """What checkers found, and the places that none of them holds, as they were named."""

    checks: tuple[PlaceCheck, ...]
    others: tuple[str, ...]


def check_places(named: Iterable[str]) -> CheckedPlaces:
    """Check the places that a checker holds, each once, and return the others."""
    checks: dict[str, PlaceCheck] = {}
    others: list[str] = []
    for name in named:
        if name in checks:
            continue
        checker = next((each for each in CHECKERS.values() if each.holds(Path(name))), None)
        if checker is None:
            others.append(name)
        else:
            checks[name] = checker.check(Path(name))
    return CheckedPlaces(tuple(checks.values()), tuple(others))
