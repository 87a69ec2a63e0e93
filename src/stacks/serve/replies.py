"""From a path and a query string to what is sent back, whatever was asked."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs

from stacks import __version__
from stacks.errors import QueryError, StacksError
from stacks.query import ask_near
from stacks.serve.parameters import read_texts
from stacks.serve.tools import TOOLS, Tool, call_tool

if TYPE_CHECKING:
    from stacks.serve.holder import IndexHolder

__all__ = ["Reply", "fail", "make_reply"]

MOST_PARAMETERS = 100

_HEALTH = "/health"
_SHORT_NAMES = {"q": "query"}
_TOOLS_BY_PATH = {tool.path: tool for tool in TOOLS.values()}

_logger = logging.getLogger(__name__)


class Reply(NamedTuple):
    """A status and a JSON object."""

    status: HTTPStatus
    data: dict[str, Any]


def fail(status: HTTPStatus, message: str) -> Reply:
    """Say what is wrong."""
    return Reply(status, {"error": message})


def make_reply(holder: IndexHolder, path: str, query: str) -> Reply:
    """Answer a request; every failure is an answer too."""
    path = path.rstrip("/") or "/"
    try:
        if path == _HEALTH:
            return _tell_health(holder)
        tool = _TOOLS_BY_PATH.get(path)
        return _refuse_path(path) if tool is None else _ask(holder, tool, query)
    except QueryError as problem:
        return fail(HTTPStatus.BAD_REQUEST, str(problem))
    except StacksError as problem:
        _logger.warning("%s", problem)
        return fail(HTTPStatus.INTERNAL_SERVER_ERROR, str(problem))
    except Exception:
        _logger.exception("%s failed", path)
        return fail(HTTPStatus.INTERNAL_SERVER_ERROR, "a defect of stacks; see its log")


def _ask(holder: IndexHolder, tool: Tool, query: str) -> Reply:
    given = read_texts(tool.parameters, _read_query(query))
    for short, name in _SHORT_NAMES.items():
        for parameter in tool.parameters:
            if parameter.name == name and parameter.is_required and name not in given:
                raise QueryError(f"{short} is missing: {parameter.description}")
    with holder.lend() as index:
        answer = call_tool(index, tool.name, given)
    return Reply(HTTPStatus.OK if answer.is_found else HTTPStatus.NOT_FOUND, answer.data)


def _refuse_path(path: str) -> Reply:
    known = [*_TOOLS_BY_PATH, _HEALTH]
    message = f"there is no {path[:80]}; {ask_near(path, known)}paths are {', '.join(known)}"
    return fail(HTTPStatus.NOT_FOUND, message)


def _tell_health(holder: IndexHolder) -> Reply:
    """Say what is served; a newer index that cannot be opened makes it stale."""
    with holder.lend() as index:
        files = [{"path": str(each.path), "documents": each.documents} for each in index.databases]
        documents = sum(each.documents for each in index.databases)
    data: dict[str, Any] = {
        "status": "stale" if holder.problem else "ok",
        "version": __version__,
        "documents": documents,
        "files": files,
    }
    if holder.problem:
        data["problem"] = holder.problem
    return Reply(HTTPStatus.OK, data)


def _read_query(query: str) -> dict[str, list[str]]:
    """Take a query string apart; `%` before anything but two digits stands for itself."""
    try:
        texts = parse_qs(
            query, keep_blank_values=True, errors="strict", max_num_fields=MOST_PARAMETERS
        )
    except UnicodeDecodeError:
        raise QueryError("the query string is not percent-encoded UTF-8") from None
    except ValueError:
        raise QueryError(f"there are more than {MOST_PARAMETERS} arguments") from None
    given: dict[str, list[str]] = {}
    for name, values in texts.items():
        given.setdefault(_SHORT_NAMES.get(name, name), []).extend(values)
    return given
