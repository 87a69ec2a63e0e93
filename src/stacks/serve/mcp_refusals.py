"""Answers to lines of the input that are no messages of MCP, as JSON-RPC wants them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcp import types
from pydantic import ValidationError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["refuse_line"]

_NOT_JSON = "the line is not JSON; send one message a line"
_NO_OBJECT = "the line is not a JSON object; send one message a line, not a batch"
_HALF_A_CHARACTER = (
    "the request holds text that is not Unicode, such as half a character (\\ud800), or is "
    "no request of MCP; send it without"
)


def refuse_line(problem: Exception) -> types.JSONRPCError | None:
    """Make the answer to a line that is no message; None if nobody waits for an answer.

    Nobody does after an empty line, a notification or a response.
    """
    errors: Sequence[Any] = problem.errors() if isinstance(problem, ValidationError) else ()
    if not errors:
        return None
    if errors[0]["type"] == "json_invalid":
        return _refuse_text(errors[0]["input"])
    # The error for a missing field has the whole message, others only the field.
    whole = (each["input"] for each in errors if each["type"] in ("missing", "model_type"))
    return _refuse_message(next(whole, None), _describe(errors))


def _refuse_text(line: str | bytes) -> types.JSONRPCError | None:
    r"""Refuse a line that the protocol's parser cannot read.

    JSON can write half a character (a lone surrogate, `\ud800`), which is no text. Python's own
    parser reads it, so that the number of the request is known.
    """
    if not line.strip():
        return None
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return _make_error(None, types.PARSE_ERROR, _NOT_JSON)
    return _refuse_message(message, _HALF_A_CHARACTER)


def _refuse_message(message: object, reason: str) -> types.JSONRPCError | None:
    if not isinstance(message, dict):
        return _make_error(None, types.INVALID_REQUEST, _NO_OBJECT)
    is_response = "result" in message or "error" in message
    is_notification = "id" not in message and isinstance(message.get("method"), str)
    if is_response or is_notification:
        return None
    return _make_error(_read_number(message), types.INVALID_REQUEST, reason)


def _describe(errors: Sequence[Any]) -> str:
    """Say which fields of a request are wrong."""
    wrong = [
        f"{'.'.join(map(str, each['loc'][1:]))}: {each['msg']}"
        for each in errors
        if each["loc"][:1] == ("JSONRPCRequest",)
    ]
    return f"the message is no request of MCP; {', '.join(wrong)}"


def _read_number(message: dict[str, Any]) -> int | str | None:
    """Read the number of a request; None if it is none that an answer could have."""
    number = message.get("id")
    if isinstance(number, bool) or not isinstance(number, int | str) or not _is_text(str(number)):
        return None
    return number


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _make_error(number: int | str | None, code: int, message: str) -> types.JSONRPCError:
    error = types.ErrorData(code=code, message=message)
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=error)
