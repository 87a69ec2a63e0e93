"""The arms of a live evaluation: no grounding, or a system as a tool or pasted into the prompt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cranfield.systems import SystemSpec

__all__ = ["UNGROUNDED", "AgentArm", "ArmMode", "Ground", "choose_arms"]

UNGROUNDED = "ungrounded"


class ArmMode(StrEnum):
    """Which arms are asked."""

    UNGROUNDED = "ungrounded"
    GROUNDED = "grounded"
    BOTH = "both"


class Ground(StrEnum):
    """How a system grounds an agent."""

    TOOL = "tool"
    """The agent can search, as often as its turns permit."""
    PASTE = "paste"
    """The best hits for the task are pasted into the prompt, once."""


@dataclass(frozen=True, slots=True)
class AgentArm:
    """One arm; without a system it is the ungrounded one."""

    name: str
    system: SystemSpec | None = None
    ground: Ground = Ground.TOOL


def choose_arms(systems: Iterable[SystemSpec], mode: ArmMode, ground: Ground) -> list[AgentArm]:
    """Return the arms, the one that others are compared with first.

    A single system's arm is named by how it grounds, those of several by their systems.
    """
    grounded = [] if mode is ArmMode.UNGROUNDED else list(systems)
    if mode is not ArmMode.UNGROUNDED and not grounded:
        raise CranfieldError(
            "there is no system to ground the agent; name one of cranfield.toml with --system, or "
            "ask without one: --mode ungrounded"
        )
    own = {Ground.TOOL: "grounded", Ground.PASTE: "pasted"}[ground]
    names = [own] if len(grounded) == 1 else [each.name for each in grounded]
    if len(set(names)) != len(names) or UNGROUNDED in names:
        raise CranfieldError(
            f"the arms would be named {', '.join(names)}; each needs its own name, and none may be "
            f"{UNGROUNDED!r}: compare a system with another one"
        )
    arms = [AgentArm(name, each, ground) for name, each in zip(names, grounded, strict=True)]
    return arms if mode is ArmMode.GROUNDED else [AgentArm(UNGROUNDED), *arms]
