"""The arms of a live evaluation, and how an agent gets at a system: server, tool or prompt."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError, SystemUnusableError
from cranfield.model import Query
from cranfield.systems import ToolReading, find_tool_server, open_system

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cranfield.agents.tasks import Task
    from cranfield.model import Response
    from cranfield.systems import System, SystemSpec, ToolServer

__all__ = [
    "PASTED",
    "SEARCH_TOOL",
    "SERVERS",
    "UNGROUNDED",
    "AgentArm",
    "ArmMode",
    "Ground",
    "Grounding",
    "Pasted",
    "choose_arms",
    "name_tools",
    "open_groundings",
]

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


# How an agent gets at the system of its arm.

SERVERS = "its own MCP server"
SEARCH_TOOL = "one tool, search, that Cranfield makes of any system"
PASTED = "the best hits, pasted into the prompt"

_LONGEST_TEXT = 600
_OWN_READING = ToolReading({"search": "query"}, pattern=r"(?m)^\d+\. (?P<id>.+)$")
_INTRODUCTION = "Documentation that a search for this task found, best first:"


@dataclass(frozen=True, slots=True)
class Pasted:
    """What is added to a prompt, and the ids of the hits in it."""

    text: str
    hits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grounding:
    """A system that is open to ground an arm; `server` is None unless agents get its own one."""

    system: System
    hits: int
    server: ToolServer | None = None

    @property
    def reading(self) -> ToolReading:
        """How the calls of agents are read."""
        return self.server.reading if self.server else _OWN_READING

    def search(self, text: str, limit: int) -> str:
        """Search for an agent; raises SystemUnusableError if the system does not answer."""
        return _render(self._ask(text, limit))

    def paste(self, task: Task) -> Pasted:
        """Search for a task and return what to add to its prompt."""
        response = self._ask(task.prompt, self.hits)
        text = f"\n\n{_INTRODUCTION}\n\n{_render(response)}" if response.hits else ""
        return Pasted(text, tuple(hit.id for hit in response.hits))

    def _ask(self, text: str, limit: int) -> Response:
        response = self.system.search(Query(id="agent", text=text), limit)
        if response.status.is_failure:
            message = f"the search for {text[:80]!r} failed: {response.message}"
            raise SystemUnusableError(message)
        return response


def name_tools(arms: Sequence[AgentArm], environment: Mapping[str, str]) -> str:
    """Name how the agents of all arms search: alike, so only the systems differ."""
    grounded = [arm for arm in arms if arm.system is not None]
    if any(arm.ground is Ground.PASTE for arm in grounded):
        return PASTED
    servers = [find_tool_server(arm.system, environment) for arm in grounded if arm.system]
    return SERVERS if all(servers) else SEARCH_TOOL


@contextmanager
def open_groundings(
    arms: Sequence[AgentArm], tools: str, hits: int, environment: Mapping[str, str]
) -> Iterator[dict[str, Grounding]]:
    """Open and check the systems of all arms, by the names of the arms."""
    opened: dict[str, Grounding] = {}
    try:
        for arm in arms:
            if arm.system is not None:
                server = find_tool_server(arm.system, environment) if tools == SERVERS else None
                opened[arm.name] = Grounding(open_system(arm.system, environment), hits, server)
                opened[arm.name].system.check()
        yield opened
    finally:
        for each in opened.values():
            each.system.close()


def _render(response: Response) -> str:
    """List hits: the id, the title if there is one, and the beginning of the text."""
    if not response.hits:
        return "nothing was found"
    lines: list[str] = []
    for rank, hit in enumerate(response.hits, start=1):
        lines.append(f"{rank}. {' '.join(hit.id.split())}")
        lines += [f"   {part}" for part in _describe(hit.fields, hit.text)]
    return "\n".join(lines)


def _describe(fields: Mapping[str, Any], text: str) -> Iterator[str]:
    title = fields.get("title")
    if isinstance(title, str) and title:
        yield " ".join(title.split())
    flat = " ".join((text or str(fields.get("summary") or "")).split())
    if flat:
        yield flat if len(flat) <= _LONGEST_TEXT else f"{flat[:_LONGEST_TEXT].rstrip()}…"
