"""Lines of an MCP session that are not messages, and what is answered."""

from __future__ import annotations

import pytest
from mcp.types import jsonrpc_message_adapter
from pydantic import ValidationError

from stacks.serve.mcp_session import refuse_line


@pytest.mark.parametrize(
    ("line", "number", "code", "said"),
    [
        (
            b'{"jsonrpc":"2.0","id":5,"method":"ping","params":[1]}',
            5,
            -32600,
            "params: ",
        ),
        (b'{"jsonrpc":"2.0","id":"a","method":7}', "a", -32600, "method: Input"),
        (b'{"id":5,"method":"ping"}', 5, -32600, "jsonrpc: Field required"),
        (b'{"jsonrpc":"2.0","id":{},"method":7}', None, -32600, "method: Input"),
        (b'{"jsonrpc":"2.0"}', None, -32600, "method: Field required"),
        (b'[{"jsonrpc":"2.0","id":5,"method":"ping"}]', None, -32600, "not a batch"),
        (b"null", None, -32600, "not a JSON object"),
        (b'{"jsonrpc":"2.0","id":5', None, -32700, "the line is not JSON"),
        (b"[" * 100_000, None, -32700, "the line is not JSON"),
    ],
)
def test_a_line_that_is_no_message_is_answered_with_an_error(
    line: bytes, number: int | str | None, code: int, said: str
) -> None:
    refusal = refuse_line(find_problem(line))
    assert refusal is not None
    assert (refusal.id, refusal.error.code) == (number, code)
    assert said in refusal.error.message


@pytest.mark.parametrize(
    "line",
    [
        b" \n",
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"a":"\\ud800"}}',
        b'{"jsonrpc":"2.0","id":5,"result":7}',
        b'{"jsonrpc":"2.0","id":5,"error":7}',
    ],
)
def test_a_line_whose_sender_waits_for_nothing_is_not_answered(line: bytes) -> None:
    assert refuse_line(find_problem(line)) is None


def find_problem(line: bytes) -> Exception:
    with pytest.raises(ValidationError) as caught:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    return caught.value
