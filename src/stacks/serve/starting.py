"""Starting the MCP server, which needs a package that not everybody has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stacks.errors import StacksError

if TYPE_CHECKING:
    from stacks.serve.holder import IndexHolder

__all__ = ["serve_mcp"]


def serve_mcp(holder: IndexHolder) -> None:
    """Serve the tools on standard input and output until the input is closed."""
    try:
        from stacks.serve.mcp import run
    except ImportError as problem:
        raise StacksError(
            f"an MCP server needs the package mcp, version 2.3 or later ({problem}); "
            "install it with: pip install 'cranfield[stacks]'"
        ) from problem
    run(holder)
