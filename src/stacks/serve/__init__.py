"""How do others ask? The six tools, over MCP on pipes and over HTTP as JSON."""

from stacks.serve.holder import IndexHolder
from stacks.serve.http import HttpServer, serve_http
from stacks.serve.parameters import Parameter
from stacks.serve.replies import Reply, make_reply
from stacks.serve.starting import serve_mcp
from stacks.serve.tools import TOOLS, Answer, Tool, call_tool

__all__ = [
    "TOOLS",
    "Answer",
    "HttpServer",
    "IndexHolder",
    "Parameter",
    "Reply",
    "Tool",
    "call_tool",
    "make_reply",
    "serve_http",
    "serve_mcp",
]
