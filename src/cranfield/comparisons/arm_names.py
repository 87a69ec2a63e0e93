"""What the arms of a comparison are called: no two by the same name."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.runs.runner import Run

__all__ = ["name_arms"]


def name_arms(arms: Sequence[Sequence[Run]]) -> tuple[str, ...]:
    """Name each arm, one run per suite: by its label, or by its system without one.

    Arms that would share a name are told apart by system and label, then by the id of their first
    run, and if they are the same run by a letter.
    """
    plain = [_name_arm(arm) for arm in arms]
    names = plain
    for refined in (
        [_with_label(arm) for arm in arms],
        [f"{name} ({arm[0].header.id})" for name, arm in zip(plain, arms, strict=True)],
        [f"{name} ({_letter(place)})" for place, name in enumerate(plain)],
    ):
        taken = Counter(names)
        names = [
            longer if taken[name] > 1 else name for name, longer in zip(names, refined, strict=True)
        ]
    return tuple(names)


def _name_arm(arm: Sequence[Run]) -> str:
    """Name an arm as all its runs are named; by their system if labels differ but it does not."""
    names = {run.header.name for run in arm}
    systems = {run.header.system for run in arm}
    return systems.pop() if len(names) > 1 and len(systems) == 1 else arm[0].header.name


def _with_label(arm: Sequence[Run]) -> str:
    name, system = _name_arm(arm), arm[0].header.system
    return name if name == system else f"{system} ({name})"


def _letter(place: int) -> str:
    return chr(ord("A") + place) if place < 26 else f"arm {place + 1}"
