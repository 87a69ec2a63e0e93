"""Turns a path and a query string into a reply; every failure is a reply too."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs

from cranfield_shared.version import __version__
from stacks.errors import QueryError, StacksError
from stacks.query import ask_near
from stacks.serve.tool_types import read_texts
from stacks.serve.tools import call_tool, list_tools

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stacks.serve.served_index import ServedIndex
    from stacks.serve.tool_types import Tool

__all__ = ["HttpReply", "fail", "make_reply"]

_MOST_PARAMETERS = 100

_HEALTH = "/health"
_SHORT_NAMES = {"q": "query"}

_logger = logging.getLogger(__name__)


class HttpReply(NamedTuple):
    """A status and a JSON object."""

    status: HTTPStatus
    data: dict[str, Any]


def fail(status: HTTPStatus, message: str) -> HttpReply:
    """Return an error as JSON."""
    return HttpReply(status, {"error": message})


def make_reply(served: ServedIndex, path: str, query: str) -> HttpReply:
    """Answer a request."""
    path = path.rstrip("/") or "/"
    try:
        if path == _HEALTH:
            return _report_health(served)
        tools = {tool.path: tool for tool in list_tools()}
        return _call(served, tools[path], query) if path in tools else _refuse_path(path, tools)
    except QueryError as problem:
        return fail(HTTPStatus.BAD_REQUEST, str(problem))
    except StacksError as problem:
        _logger.warning("%s", problem)
        return fail(HTTPStatus.INTERNAL_SERVER_ERROR, str(problem))
    except Exception:
        _logger.exception("%s failed", path)
        return fail(HTTPStatus.INTERNAL_SERVER_ERROR, "a bug in stacks; see its log")


def _call(served: ServedIndex, tool: Tool, query: str) -> HttpReply:
    given = read_texts(tool.parameters, _read_query(query))
    for short, name in _SHORT_NAMES.items():
        for parameter in tool.parameters:
            if parameter.name == name and parameter.is_required and name not in given:
                raise QueryError(f"{short} is missing: {parameter.description}")
    with served.acquire() as index:
        answer = call_tool(index, tool.name, given)
    return HttpReply(HTTPStatus.OK if answer.is_found else HTTPStatus.NOT_FOUND, answer.data)


def _refuse_path(path: str, tools: Iterable[str]) -> HttpReply:
    known = [*tools, _HEALTH]
    message = f"there is no {path[:80]}; {ask_near(path, known)}paths are {', '.join(known)}"
    return fail(HTTPStatus.NOT_FOUND, message)


def _report_health(served: ServedIndex) -> HttpReply:
    """Report what is served; the status is stale if a newer index cannot be opened."""
    with served.acquire() as index:
        files = [{"path": str(each.path), "documents": each.documents} for each in index.databases]
        documents = sum(each.documents for each in index.databases)
    data: dict[str, Any] = {
        "status": "stale" if served.problem else "ok",
        "version": __version__,
        "documents": documents,
        "files": files,
    }
    if served.problem:
        data["problem"] = served.problem
    return HttpReply(HTTPStatus.OK, data)


def _read_query(query: str) -> dict[str, list[str]]:
    """Parse a query string; a `%` that two hexadecimal digits do not follow is kept as it is."""
    try:
        texts = parse_qs(
            query, keep_blank_values=True, errors="strict", max_num_fields=_MOST_PARAMETERS
        )
    except UnicodeDecodeError:
        raise QueryError("the query string is not percent-encoded UTF-8") from None
    except ValueError:
        raise QueryError(f"there are more than {_MOST_PARAMETERS} arguments") from None
    given: dict[str, list[str]] = {}
    for name, values in texts.items():
        given.setdefault(_SHORT_NAMES.get(name, name), []).extend(values)
    return given
