"""MCP: the real command, driven by the official client and by bytes that no client would send."""

from __future__ import annotations

import json
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import TextResourceContents
from tests.stacks.serve.corpus import DOCUMENTS, command, save_documents, started

from stacks import __version__
from stacks.errors import StacksError
from stacks.query import open_index
from stacks.serve import TOOLS, ServedIndex, serve_mcp
from stacks.serve.mcp_session import list_resources

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Awaitable, Callable
    from pathlib import Path

pytestmark = [pytest.mark.corpus, pytest.mark.process]

NEWER = (*DOCUMENTS, replace(DOCUMENTS[0], uri="docs://shapes/new", title="Newcomer"))
INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_documents(tmp_path_factory.mktemp("index"))


def converse(folder: Path, talk: Callable[[Client], Awaitable[None]], mode: str = "auto") -> None:
    """Start the server as an agent's host does, and talk to it."""
    program, *arguments = command("--mcp", "--db", str(folder))
    server = StdioServerParameters(command=program, args=arguments, env=dict(os.environ))

    async def run() -> None:
        with anyio.fail_after(120):
            async with Client(server, mode=mode) as client:
                await talk(client)

    anyio.run(run)


async def call(client: Client, name: str, /, **arguments: Any) -> tuple[str, bool]:
    result = await client.call_tool(name, arguments)
    (block,) = result.content
    assert block.type == "text"
    assert result.structured_content is None
    return block.text, result.is_error


def make_line(number: int, method: str, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


def start_lines(*lines: bytes) -> bytes:
    ready = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
    return make_line(0, "initialize", **INITIALIZE) + ready + b"".join(lines)


def read_answers(written: bytes) -> dict[Any, dict[str, Any]]:
    """Read standard output, on which nothing but messages may be."""
    messages = [json.loads(line) for line in written.splitlines()]
    assert all(message["jsonrpc"] == "2.0" for message in messages)
    return {message["id"]: message for message in messages}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_finds_and_calls_every_tool(folder: Path, mode: str) -> None:
    async def talk(client: Client) -> None:
        assert client.server_info is not None
        assert (client.server_info.name, client.server_info.version) == ("stacks", __version__)
        instructions = client.instructions or ""
        assert "call search with its name" in instructions
        assert all(tool.name in instructions for tool in TOOLS.values())
        listed = (await client.list_tools()).tools
        assert {tool.name: tool.input_schema for tool in listed} == {
            tool.name: tool.schema() for tool in TOOLS.values()
        }
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in listed)
        found, is_error = await call(client, "search", query="Circle", limit=1)
        assert found.startswith("1. **Circle** – class in shapes, swift\n   `docs://shapes/circle`")
        assert not is_error
        page, _ = await call(client, "read_document", uri="docs://shapes/circle")
        assert page.endswith("# Circle\n\nA round figure.\n\nIt has a radius.")
        assert "async throws" in (await call(client, "search_symbols", is_async=True))[0]
        assert "struct Point" in (await call(client, "search_conformances", name="Hashable"))[0]
        assert "RedCircle" in (await call(client, "get_inheritance", symbol="Circle"))[0]
        assert "- shapes (Shapes): 7" in (await call(client, "list_frameworks"))[0]

    converse(folder, talk, mode)


def test_documents_are_resources_that_can_be_listed_and_read(folder: Path) -> None:
    async def talk(client: Client) -> None:
        listed = await client.list_resources()
        assert [each.uri for each in listed.resources] == sorted(each.uri for each in DOCUMENTS)
        assert listed.next_cursor is None
        circle = next(each for each in listed.resources if each.name == "Circle")
        assert (circle.description, circle.mime_type) == ("A round figure.", "text/markdown")
        (contents,) = (await client.read_resource(circle.uri)).contents
        assert isinstance(contents, TextResourceContents)
        assert contents.text == "# Circle\n\nA round figure.\n\nIt has a radius."
        assert (contents.uri, contents.mime_type) == (circle.uri, "text/markdown")
        templates = (await client.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == ["docs://{+path}"]
        with pytest.raises(
            MCPError, match=r"no document .docs://shapes/cirle.; use search"
        ) as missing:
            await client.read_resource("docs://shapes/cirle")
        assert missing.value.error.code == -32002
        with pytest.raises(MCPError, match="there is no cursor 'x'"):
            await client.list_resources(cursor="x")

    converse(folder, talk)


def test_a_long_list_of_resources_comes_in_pages(tmp_path: Path) -> None:
    many = [
        replace(DOCUMENTS[0], uri=f"docs://many/{number:04}", title=f"N{number}")
        for number in range(1001)
    ]
    with open_index(save_documents(tmp_path, many)) as index:
        pages = [list_resources(index, "")]
        while pages[-1].next_cursor is not None:
            pages.append(list_resources(index, pages[-1].next_cursor))
    listed = [each.uri for page in pages for each in page.resources]
    assert listed == [each.uri for each in many]
    assert [len(page.resources) for page in pages] == [500, 500, 1]


def test_mistakes_are_told_to_the_agent_and_the_server_goes_on(folder: Path) -> None:
    async def talk(client: Client) -> None:
        for name, arguments, said in (
            ("search", {}, "query is missing"),
            ("search", {"query": 5}, "query takes text; got 5"),
            ("search", {"query": "x", "limit": -1}, "limit is at least 1"),
            ("search", {"query": "x", "frame": "y"}, "did you mean framework?"),
            ("read_document", {"uri": "docs://Shapes/Circle"}, "did you mean Circle"),
        ):
            text, is_error = await call(client, name, **arguments)
            assert is_error, text
            assert said in text
        with pytest.raises(MCPError, match="unknown tool 'serch': did you mean search"):
            await client.call_tool("serch", {})
        for symbol, said in (("Point", "value type (struct)"), ("xyzzy", "no page is called")):
            text, is_error = await call(client, "get_inheritance", symbol=symbol)
            assert not is_error
            assert said in text

    converse(folder, talk)


def test_any_text_is_a_query(folder: Path) -> None:
    async def talk(client: Client) -> None:
        for query in ("x" * 10_000, "🐈" * 10_000, "a\0b", "xyz\nzyx\r\n\u2028", '"', "-", ""):
            text, is_error = await call(client, "search", query=query)
            assert not is_error
            assert text.startswith(("nothing found", "nothing to look for"))

    converse(folder, talk)


def test_many_calls_at_once_get_their_own_answers(folder: Path) -> None:
    async def talk(client: Client) -> None:
        async def ask(title: str) -> None:
            text, _ = await call(client, "search", query=title, limit=1)
            assert text.startswith(f"1. **{title}**")

        async with anyio.create_task_group() as tasks:
            for document in DOCUMENTS * 5:
                tasks.start_soon(ask, document.title)

    converse(folder, talk)


def test_a_new_save_is_used_from_the_next_call_on(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        assert "nothing found" in (await call(client, "search", query="Newcomer"))[0]
        save_documents(tmp_path, NEWER)
        assert "docs://shapes/new" in (await call(client, "search", query="Newcomer"))[0]
        (tmp_path / "search.db").unlink()
        assert "docs://shapes/new" in (await call(client, "search", query="Newcomer"))[0]

    save_documents(tmp_path)
    converse(tmp_path, talk)


def finish(process: subprocess.Popen[bytes], sent: bytes) -> tuple[int, bytes, str]:
    """Send bytes, close the input, and wait for the end."""
    written, errors = process.communicate(sent, timeout=120)
    return process.returncode, written, errors.decode()


def test_requests_before_the_end_of_input_are_all_answered(folder: Path) -> None:
    lines = [
        make_line(number, "tools/call", name="search", arguments={"query": "Circle"})
        for number in range(1, 51)
    ]
    with started("--mcp", "--db", str(folder)) as process:
        code, written, errors = finish(process, start_lines(*lines))
    answers = read_answers(written)
    assert (code, errors) == (0, "")
    assert sorted(answers) == list(range(51))
    assert all("Circle" in json.dumps(answers[number]["result"]) for number in range(1, 51))


def test_an_input_that_ends_at_once_is_no_error(folder: Path) -> None:
    with started("--mcp", "--db", str(folder)) as process:
        assert finish(process, b"") == (0, b"", "")


def test_what_was_cancelled_does_not_hold_the_end_up(folder: Path) -> None:
    cancel = (
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": %s}}\n'
    )
    lines = [make_line(7, "tools/call", name="list_frameworks", arguments={}), cancel % b"7"]
    lines += [cancel % b"[1]", cancel % b"null", make_line(8, "ping")]
    with started("--mcp", "--db", str(folder)) as process:
        code, written, _ = finish(process, start_lines(*lines))
    assert code == 0
    assert 8 in read_answers(written)


GARBAGE = (
    b"garbage\n",
    b"\n\n\n",
    b"\xff\xfe\x00\n",
    b"\0" * 1000 + b"\n",
    b"[" * 100_000 + b"\n",
    b'{"jsonrpc": "2.0"}\n[]\n5\nnull\n"text"\n',
    b'{"jsonrpc": "2.0", "id": {}, "method": 5}\n',
    b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "\\ud800"}}\n',
    b"x" * 5_000_000 + b"\n",
    b'{"jsonrpc": "2.0", "id": 5, "result": {}}\n',
    b'{"jsonrpc": "2.0", "method": "notifications/unheard-of", "params": {"a": [1]}}\n',
)


def test_garbage_on_the_input_is_left_out(folder: Path) -> None:
    lines = []
    for number, garbage in enumerate(GARBAGE, 101):
        asked = make_line(number, "tools/call", name="search", arguments={"query": "Circle"})
        lines += [garbage, asked]
    with started("--mcp", "--db", str(folder)) as process:
        code, written, errors = finish(process, b"".join(GARBAGE) + start_lines(*lines))
    assert code == 0
    answers = read_answers(written)
    for number in range(101, 101 + len(GARBAGE)):
        assert "docs://shapes/circle" in json.dumps(answers[number]["result"])
    assert "skipped a line of the input that is not an MCP message" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("number", [b"7", b'"seven"'])
def test_a_request_with_half_a_character_is_refused(folder: Path, number: bytes) -> None:
    call = b'{"jsonrpc": "2.0", "id": %s, "method": "tools/call", "params": %s}\n'
    params = b'{"name": "search", "arguments": {"query": "Circle \\ud800"}}'
    strange = b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}\n'
    with started("--mcp", "--db", str(folder)) as process:
        code, written, errors = finish(
            process, start_lines(call % (number, params), strange, make_line(8, "ping"))
        )
    answers = read_answers(written)
    assert code == 0
    assert "Traceback" not in errors
    assert answers[json.loads(number)]["error"]["code"] == -32600
    assert "half a character" in answers[json.loads(number)]["error"]["message"]
    assert "result" in answers[8]


def test_a_session_goes_on_after_lines_that_are_no_messages(folder: Path) -> None:
    malformed = b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[1]}\n'
    with started("--mcp", "--db", str(folder)) as process:
        code, written, errors = finish(
            process, start_lines(malformed, b"not JSON\n", make_line(6, "ping"))
        )
    answers = read_answers(written)
    assert (code, errors) == (0, "")
    assert answers[5]["error"]["code"] == -32600
    assert answers[None]["error"]["code"] == -32700
    assert answers[6]["result"] == {}


def test_requests_that_are_no_calls_are_refused_by_the_protocol(folder: Path) -> None:
    lines = [
        make_line(1, "tools/call", name="search", arguments=["Circle"]),
        make_line(2, "tools/call", arguments={}),
        make_line(3, "no/such/method"),
        make_line(4, "tools/call", name="s" * 10_000, arguments={}),
    ]
    with started("--mcp", "--db", str(folder)) as process:
        code, written, _ = finish(process, start_lines(*lines))
    answers = read_answers(written)
    assert code == 0
    assert [answers[number]["error"]["code"] for number in range(1, 5)] == [
        -32602,
        -32602,
        -32601,
        -32602,
    ]
    assert len(answers[4]["error"]["message"]) < 300


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_without_complaint(folder: Path, number: signal.Signals) -> None:
    with started("--mcp", "--db", str(folder)) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(start_lines())
        process.stdin.flush()
        assert b'"serverInfo"' in process.stdout.readline()
        process.send_signal(number)
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(process.wait, 60).result() == 0
        assert process.stdout.read() == b""


def test_a_client_that_stops_listening_is_no_defect(folder: Path) -> None:
    with started("--mcp", "--db", str(folder)) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(start_lines(make_line(1, "tools/list")))
        process.stdin.close()
        assert process.wait(60) == 0
        assert b"Traceback" not in process.stderr.read()


def test_without_the_package_the_error_names_the_extra(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "stacks.serve.mcp_session", raising=False)
    holder = ServedIndex(folder)
    with pytest.raises(StacksError, match=r"pip install 'cranfield\[stacks\]'"):
        serve_mcp(holder)
    holder.close()
