"""How do agents and programs search? The tools, over MCP on pipes and over HTTP as JSON."""

from stacks.serve.http_replies import HttpReply, make_reply
from stacks.serve.http_server import HttpServer
from stacks.serve.served_index import ServedIndex
from stacks.serve.servers import serve_http, serve_mcp
from stacks.serve.tool_types import Tool, ToolAnswer, ToolParameter
from stacks.serve.tools import TOOLS, call_tool, list_tools

__all__ = [
    "TOOLS",
    "HttpReply",
    "HttpServer",
    "ServedIndex",
    "Tool",
    "ToolAnswer",
    "ToolParameter",
    "call_tool",
    "list_tools",
    "make_reply",
    "serve_http",
    "serve_mcp",
]
