"""How an agent gets at a system: its MCP server, a search tool of ours, or hits in the prompt."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.agents.live.agent_arms import Ground
from cranfield.errors import SystemUnusableError
from cranfield.model import Query
from cranfield.systems import ToolReading, find_tool_server, open_system

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cranfield.agents.live.agent_arms import AgentArm
    from cranfield.agents.tasks import Task
    from cranfield.model import Response
    from cranfield.systems import System, ToolServer

__all__ = [
    "PASTED",
    "SEARCH_TOOL",
    "SERVERS",
    "Grounding",
    "Pasted",
    "name_tools",
    "open_groundings",
]

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
    """Name how the agents of all arms search: alike, so that only the systems differ."""
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
