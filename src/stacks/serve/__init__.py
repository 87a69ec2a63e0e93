"""How do agents and programs search? The tools, over MCP on pipes and over HTTP as JSON."""

from stacks.serve.http_replies import HttpReply, make_reply
from stacks.serve.http_server import ConnectionLimits, HttpServer
from stacks.serve.request_queue import Load, QueueLimits, RequestQueue
from stacks.serve.servers import ServedIndex, serve_http, serve_mcp
from stacks.serve.tool_types import Tool, ToolAnswer, ToolParameter
from stacks.serve.tools import TOOLS, call_tool, list_tools

__all__ = [
    "TOOLS",
    "ConnectionLimits",
    "HttpReply",
    "HttpServer",
    "Load",
    "QueueLimits",
    "RequestQueue",
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
