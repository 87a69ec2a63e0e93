"""Turns a path and a query string into a reply; every failure is a reply too."""

from __future__ import annotations

import logging
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs

from cranfield_shared.version import __version__
from stacks.errors import OverloadError, QueryError, StacksError
from stacks.query import ask_near
from stacks.serve.tool_types import check_arguments, read_texts
from stacks.serve.tools import list_tools

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from stacks.serve.request_queue import RequestQueue
    from stacks.serve.servers import ServedIndex
    from stacks.serve.tool_types import Tool

__all__ = ["HEALTH", "HttpReply", "fail", "make_reply", "refuse"]

_MOST_PARAMETERS = 100

HEALTH = "/health"
"""The path that is answered even if the server is overloaded."""
_SHORT_NAMES = {"q": "query"}

_logger = logging.getLogger(__name__)


class HttpReply(NamedTuple):
    """A status, a JSON object, and headers that not every reply has."""

    status: HTTPStatus
    data: dict[str, Any]
    headers: Mapping[str, str] = MappingProxyType({})


def fail(status: HTTPStatus, message: str) -> HttpReply:
    """Return an error as JSON."""
    return HttpReply(status, {"error": message})


def refuse(problem: OverloadError) -> HttpReply:
    """Return a refusal that says why, and when to try again."""
    return HttpReply(
        HTTPStatus.SERVICE_UNAVAILABLE,
        {"error": str(problem), "retry_after": problem.retry_after},
        {"Retry-After": str(problem.retry_after)},
    )


def make_reply(served: ServedIndex, queue: RequestQueue, path: str, query: str) -> HttpReply:
    """Answer a request; only calls of tools wait for their turn."""
    path = path.rstrip("/") or "/"
    try:
        return _route(served, queue, path, query)
    except OverloadError as problem:
        return refuse(problem)
    except QueryError as problem:
        return fail(HTTPStatus.BAD_REQUEST, str(problem))
    # The index or its model, not the client: worth a line in the log of whoever serves it.
    except StacksError as problem:
        _logger.warning("%s", problem)
        return fail(HTTPStatus.INTERNAL_SERVER_ERROR, str(problem))
    except Exception:
        _logger.exception("%s failed", path)
        return fail(HTTPStatus.INTERNAL_SERVER_ERROR, "a bug in stacks; see its log")


def _route(served: ServedIndex, queue: RequestQueue, path: str, query: str) -> HttpReply:
    if path == HEALTH:
        return _report_health(served, queue)
    tools = {tool.path: tool for tool in list_tools()}
    if path not in tools:
        return _refuse_path(path, tools)
    return _call(served, queue, tools[path], query)


def _call(served: ServedIndex, queue: RequestQueue, tool: Tool, query: str) -> HttpReply:
    given = read_texts(tool.parameters, _read_query(query))
    for short, name in _SHORT_NAMES.items():
        for parameter in tool.parameters:
            if parameter.name == name and parameter.is_required and name not in given:
                raise QueryError(f"{short} is missing: {parameter.description}")
    arguments = check_arguments(tool.parameters, given)
    # Arguments are checked before: a mistake is answered even if the queue is full. The index is
    # acquired after the wait: it may have been saved again in between.
    with queue.turn(), served.acquire() as index:
        answer = tool.answer(index, arguments)
    return HttpReply(HTTPStatus.OK if answer.is_found else HTTPStatus.NOT_FOUND, answer.data)


def _refuse_path(path: str, tools: Iterable[str]) -> HttpReply:
    known = [*tools, HEALTH]
    message = f"there is no {path[:80]}; {ask_near(path, known)}paths are {', '.join(known)}"
    return fail(HTTPStatus.NOT_FOUND, message)


def _report_health(served: ServedIndex, queue: RequestQueue) -> HttpReply:
    """Report what is served; the status is stale if a newer index cannot be opened."""
    with served.acquire() as index:
        files = [{"path": str(each.path), "documents": each.documents} for each in index.databases]
        documents = sum(each.documents for each in index.databases)
    data: dict[str, Any] = {
        "status": "stale" if served.problem else "ok",
        "version": __version__,
        "documents": documents,
        "files": files,
        "load": queue.load._asdict(),
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
