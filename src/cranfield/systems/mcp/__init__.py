"""Systems that are tools of MCP servers."""

from cranfield.systems.mcp.mcp_server import McpError, McpServer

__all__ = ["McpError", "McpServer"]
