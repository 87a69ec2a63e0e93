"""Systems that are tools of MCP servers."""

from cranfield.systems.mcp.mcp_system import McpSettings

__all__ = ["McpSettings"]
