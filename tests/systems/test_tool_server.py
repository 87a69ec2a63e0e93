"""A system as an MCP server for agents: when it has one, and how its answers are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.systems import SystemSpec, find_tool_server

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.systems import ToolServer


def find(place: Path, kind: str, /, **settings: object) -> ToolServer | None:
    return find_tool_server(SystemSpec("docs", kind, settings, place), {})


def test_an_index_of_stacks_is_served_by_stacks(tmp_path: Path) -> None:
    server = find(tmp_path, "stacks", index="index")
    assert server is not None
    assert server.command[1:] == ("-m", "stacks", "serve", "--mcp", "--db", f"{tmp_path}/index")


def test_settings_that_the_server_would_not_honour_have_no_server(tmp_path: Path) -> None:
    assert find(tmp_path, "stacks", index="index", mode="plain") is None
    assert find(tmp_path, "mcp", run=["x"], tool="find", arguments={"source": "docs"}) is None


def test_a_kind_without_an_mcp_server_has_none(tmp_path: Path) -> None:
    assert find(tmp_path, "http", url="http://127.0.0.1/?q={query}") is None


def test_an_mcp_system_is_its_own_server(tmp_path: Path) -> None:
    settings = {"tool": "find", "query_argument": "q", "folder": "sub", "env": {"A": "1"}}
    server = find(tmp_path, "mcp", run=["x", "--stdio"], **settings)
    assert server is not None
    assert (server.command, server.folder) == (("x", "--stdio"), tmp_path / "sub")
    assert (server.reading.searches, server.environment) == ({"find": "q"}, {"A": "1"})
    assert server.reading.read_hits('[{"id": "a"}, {"id": "b"}]') == ("a", "b")
    assert server.reading.read_hits("nothing was found") == ()


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("1. **Task** – class\n   `pydoc://asyncio/task`\n   `http://x` is code", 1),
        ("- `def f()` – function, `pydoc://a/f`\n- `def g()` – function, `pydoc://a/g`", 2),
        ("There is nothing about `https` here.", 0),
    ],
)
def test_the_hits_of_stacks_are_the_addresses_that_end_a_line(
    tmp_path: Path, text: str, hits: int
) -> None:
    server = find(tmp_path, "stacks", index="index")
    assert server is not None
    assert len(server.reading.read_hits(text)) == hits
