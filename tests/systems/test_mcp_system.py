"""MCP servers: a real one written with the official package, and one that misbehaves on order."""

from __future__ import annotations

import json
import textwrap
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from cranfield.errors import SystemUnusableError
from cranfield.model import Status
from tests.systems.helpers import ask, ends, opened, short, write_program

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

REAL = """
from typing import Any
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("documents")


@server.tool()
def search(query: str, limit: int, kind: str = "any") -> dict[str, Any]:
    hits = [{"id": f"{query}-{n}", "score": 1 / n, "kind": kind} for n in range(1, 99)]
    return {"hits": hits[:limit], "route": "docs"}


@server.tool()
def listed(query: str, limit: int) -> list[dict[str, str]]:
    return [{"id": f"{query}-{n}"} for n in range(limit)]


@server.tool(structured_output=False)
def blocks(query: str, limit: int) -> list[dict[str, str]]:
    return [{"id": f"{query}-{n}"} for n in range(limit)]


@server.tool()
def told(query: str, limit: int) -> str:
    return f"1. doc:{query} 2. doc:x"


@server.tool()
def as_json_text(query: str, limit: int) -> str:
    return json.dumps([{"id": query}])


@server.tool()
async def talkative(query: str, limit: int, context: Context) -> list[str]:
    for step in range(5):
        await context.report_progress(step, 5)
    print("noise", file=sys.stderr)
    return [query]


@server.tool()
def failing(query: str, limit: int) -> list[str]:
    raise ToolError("no index here")


@server.tool()
def slow(query: str, limit: int) -> list[str]:
    time.sleep(600)
    return []


@server.tool()
def identity(query: str, limit: int) -> list[str]:
    return [query, str(os.getpid())]


server.run()
"""


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return write_program(tmp_path_factory.mktemp("server"), REAL, "real.py")


def test_a_tool_is_called_and_its_structure_read(tmp_path: Path, real: list[str]) -> None:
    with opened("mcp", tmp_path, run=real, tool="search") as system:
        system.check()
        response = system.search(ask("cats"), 3)
        again = system.search(ask("dogs"), 1)
    assert [hit.id for hit in response.hits] == ["cats-1", "cats-2", "cats-3"]
    assert (response.hits[1].score, response.route) == (0.5, "docs")
    assert again.hits[0].id == "dogs-1"


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("tool", "settings", "limit", "ids"),
    [
        ("listed", {}, 2, ["cats-0", "cats-1"]),
        ("blocks", {}, 2, ["cats-0", "cats-1"]),
        ("blocks", {}, 1, ["cats-0"]),
        ("blocks", {}, 0, []),
        ("told", {"pattern": r"doc:(?<id>\w+)"}, 5, ["cats", "x"]),
        ("search", {"pattern": r'"id": ?"(?<id>[^"]+)"'}, 2, ["cats-1", "cats-2"]),
        ("as_json_text", {}, 5, ["cats"]),
        ("talkative", {}, 5, ["cats"]),
        ("search", {"hits": "hits[*].id"}, 1, ["cats-1"]),
    ],
)
def test_every_shape_of_a_result_is_read(
    tmp_path: Path, real: list[str], tool: str, settings: dict[str, Any], limit: int, ids: list[str]
) -> None:
    with opened("mcp", tmp_path, run=real, tool=tool, **settings) as system:
        response = system.search(ask(), limit)
    assert response.status is (Status.OK if ids else Status.EMPTY), response
    assert [hit.id for hit in response.hits] == ids


@pytest.mark.corpus
def test_arguments_are_added_and_left_out(tmp_path: Path, real: list[str]) -> None:
    arguments = {"kind": "{filters.kind}"}
    with opened("mcp", tmp_path, run=real, tool="search", arguments=arguments) as system:
        system.check()
        plain = system.search(ask(), 1)
        filtered = system.search(ask(filters={"kind": "class"}), 1)
    assert [each.hits[0].fields["kind"] for each in (plain, filtered)] == ["any", "class"]


def test_a_query_arrives_as_it_is(tmp_path: Path, real: list[str]) -> None:
    texts = ["", "x" * 10_000, 'quotes " and {query}', "two\nlines\r\n", "\0 \u2028 猫", "--help"]
    with opened("mcp", tmp_path, run=real, tool="search") as system:
        found = [system.search(ask(text), 1).hits[0].id for text in texts]
    assert found == [f"{text}-1" for text in texts]


def test_a_failure_of_the_tool_is_an_error_with_its_words(tmp_path: Path, real: list[str]) -> None:
    with opened("mcp", tmp_path, run=real, tool="failing") as system:
        response = system.search(ask(), 1)
        assert system.search(ask("half a sign \ud800"), 1).status is Status.ERROR
    assert response.status is Status.ERROR
    assert response.message.startswith("the tool failed: ")
    assert "no index here" in response.raw


def test_text_without_json_or_pattern_is_unparseable(tmp_path: Path, real: list[str]) -> None:
    with opened("mcp", tmp_path, run=real, tool="told") as system:
        response = system.search(ask(), 1)
    assert response.status is Status.UNPARSEABLE
    assert response.raw == "1. doc:cats 2. doc:x"


@pytest.mark.corpus
def test_a_tool_that_never_answers_is_a_time_out(tmp_path: Path, real: list[str]) -> None:
    with opened("mcp", tmp_path, run=real, tool="slow", timeout=1) as system:
        response = system.search(ask(), 1)
    assert (response.status, response.message) == (Status.TIMEOUT, "no answer within 1 s")


@pytest.mark.corpus
def test_threads_share_servers_and_are_not_mixed_up(tmp_path: Path, real: list[str]) -> None:
    with opened("mcp", tmp_path, run=real, tool="identity") as system:
        system.check()
        with ThreadPoolExecutor(3) as pool:
            found = list(pool.map(lambda n: system.search(ask(f"q{n}"), 2), range(60)))
    assert [response.hits[0].id for response in found] == [f"q{n}" for n in range(60)]
    processes = {int(response.hits[1].id) for response in found}
    assert len(processes) <= 3
    assert all(ends(process) for process in processes)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tool": "serch"}, "unknown tool 'serch': did you mean search"),
        ({"tool": "search", "query_argument": "q"}, "has no argument 'q'; name it with query_arg"),
        (
            {"tool": "search", "limit_argument": "top_k"},
            "has no argument 'top_k'; name it with limit_argument, there are: query, limit, kind",
        ),
        ({"tool": "search", "limit_argument": ""}, "the tool search needs limit; give it in arg"),
    ],
)
def test_a_tool_that_does_not_fit_is_found_by_the_check(
    tmp_path: Path, real: list[str], settings: dict[str, Any], message: str
) -> None:
    with (
        opened("mcp", tmp_path, run=real, **settings) as system,
        pytest.raises(SystemUnusableError) as refused,
    ):
        system.check()
    assert message in str(refused.value)


# What the misbehaving server does for tools/call is given to it as code.
ODD = """
def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return json.loads(line)

def result(asked, *texts, **more):
    blocks = [{"type": "text", "text": text} for text in texts]
    say(id=asked["id"], result={"content": blocks, **more})

PAGES = [["first", "second"], ["third"], ["search"]]
print("Starting up!", flush=True)
while True:
    asked = hear()
    method = asked.get("method")
    if method == "initialize":
        say(id=asked["id"], result={"protocolVersion": "2024-11-05", "capabilities": {},
                                    "serverInfo": {"name": "odd", "version": "0"}})
    elif method == "tools/list":
        page = int(asked["params"].get("cursor", 0))
        more = {"nextCursor": str(page + 1)} if page + 1 < len(PAGES) else {}
        say(id=asked["id"], result={"tools": [{"name": name} for name in PAGES[page]], **more})
    elif method == "tools/call":
        BODY
"""


LINK = """
link = {"type": "resource_link", "uri": "file:///a", "name": "A"}
say(id=asked["id"], result={"content": [None, 5, link]})
"""
EMBEDDED = """
resource = {"uri": "x", "text": '["a"]'}
say(id=asked["id"], result={"content": [{"type": "resource", "resource": resource}]})
"""
REFUSING = """
sys.stdin.readline()
print(json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "too old"}}))
sys.stdout.flush()
time.sleep(600)
"""


NOT_UTF8 = """
line = b'{"jsonrpc": "2.0", "id": %d, "result": {"content": "\\xff"}}\\n' % asked["id"]
sys.stdout.buffer.write(line)
sys.stdout.flush()
"""


def odd(folder: Path, body: str) -> list[str]:
    indented = "\n        ".join(textwrap.dedent(body).strip().splitlines())
    return write_program(folder, ODD.replace("BODY", indented), "odd.py")


def test_tools_are_listed_over_all_pages(tmp_path: Path) -> None:
    run = odd(tmp_path, "result(asked, '[]')")
    with opened("mcp", tmp_path, run=run, tool="search") as system:
        system.check()
    with (
        opened("mcp", tmp_path, run=run, tool="thrid") as system,
        pytest.raises(SystemUnusableError, match="unknown tool 'thrid': did you mean third"),
    ):
        system.check()


def test_requests_and_noise_of_the_server_are_answered_or_passed_over(tmp_path: Path) -> None:
    run = odd(
        tmp_path,
        """
        print("debugging!", flush=True)
        print("[1, null, \\"x\\"]", flush=True)
        say(method="notifications/message", params={"level": "info", "data": "x"})
        say(id=99, result={"content": [{"type": "text", "text": "[\\"stale\\"]"}]})
        say(id="p1", method="ping")
        pong = hear()
        say(id=7, method="sampling/createMessage", params={})
        refusal = hear()
        heard = json.dumps([{"id": "heard", "pong": pong, "refusal": refusal}])
        answer = {"content": [{"type": "text", "text": heard}]}
        print(json.dumps([{"jsonrpc": "2.0", "method": "notifications/progress"},
                          {"jsonrpc": "2.0", "id": asked["id"], "result": answer}]), flush=True)
        """,
    )
    with opened("mcp", tmp_path, run=run, tool="search") as system:
        [hit] = system.search(ask(), 1).hits
    assert hit.fields["pong"] == {"jsonrpc": "2.0", "id": "p1", "result": {}}
    assert hit.fields["refusal"]["id"] == 7
    assert hit.fields["refusal"]["error"]["code"] == -32601


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("body", "status", "message", "ids"),
    [
        ("sys.exit(3)", Status.ERROR, "the server cannot be used: it ended with code 3", []),
        ("os.abort()", Status.ERROR, "it was ended by signal 6", []),
        ("pass", Status.TIMEOUT, "no answer within 2 s", []),
        ("while True: print('noise')", Status.TIMEOUT, "no answer within 2 s", []),
        (
            "while True: print('x' * 99_999, end='')",
            Status.ERROR,
            "it sent more than 16 MiB at once",
            [],
        ),
        (
            "say(id=asked['id'], error={'code': -32602, 'message': 'no such tool'})",
            Status.ERROR,
            "tools/call failed: no such tool",
            [],
        ),
        ("say(id=asked['id'])", Status.ERROR, "the answer to tools/call has no result", []),
        ("result(asked, isError=True)", Status.ERROR, "the tool failed: it does not say why", []),
        ("result(asked, 'no hits, sorry')", Status.UNPARSEABLE, "this is not JSON", []),
        ("result(asked, '[\"\\ud800\"]')", Status.ERROR, "text that is not Unicode", []),
        ("result(asked, '[\"\\udc80 \\ud83d\"]')", Status.ERROR, "half a character", []),
        (NOT_UTF8, Status.ERROR, "text that is not Unicode", []),
        ("result(asked)", Status.EMPTY, "", []),
        ("result(asked, '{\"error\": 1}')", Status.UNPARSEABLE, "has no list of hits", []),
        ('result(asked, \'{"id": "a"}\')', Status.OK, "", ["a"]),
        ("result(asked, '\"a\"', '\"b\"')", Status.OK, "", ["a", "b"]),
        ("result(asked, 'x', structuredContent={'hits': ['a']})", Status.OK, "", ["a"]),
        ("result(asked, '[\"a\"]', structuredContent={'result': '[]'})", Status.OK, "", ["a"]),
        ("result(asked); sys.exit()", Status.EMPTY, "", []),
        (
            LINK,
            Status.OK,
            "",
            ["file:///a"],
        ),
        (
            EMBEDDED,
            Status.OK,
            "",
            ["a"],
        ),
        ("say(id=asked['id'], result={'content': 'text'})", Status.EMPTY, "", []),
    ],
)
def test_whatever_a_server_does_is_recorded_as_what_it_was(
    tmp_path: Path, body: str, status: Status, message: str, ids: list[str]
) -> None:
    patience = 2 if status is Status.TIMEOUT else 60
    run = odd(tmp_path, body)
    with opened("mcp", tmp_path, run=run, tool="search", timeout=patience) as system:
        for _ in range(2):
            response = system.search(ask(), 10)
            assert response.status is status, response
            assert message in response.message
            assert [hit.id for hit in response.hits] == ids


@pytest.mark.parametrize(
    "schema",
    [
        {"required": 5},
        {"required": "query"},
        {"required": {"query": 1}},
        {"required": [5, None, ["query"], {"query": 1}]},
        {"required": None, "additionalProperties": "no"},
        {"properties": ["query"], "required": ["query"]},
        {"properties": {"query": 5, "limit": None}},
    ],
    ids=short,
)
def test_a_schema_that_is_none_refuses_nothing(tmp_path: Path, schema: dict[str, Any]) -> None:
    known = {"properties": {"query": {}, "limit": {}}, **schema}
    run = odd(tmp_path, "result(asked, '[\"a\"]')")
    program = tmp_path / "odd.py"
    program.write_text(
        program.read_text().replace('{"name": name}', f'{{"name": name, "inputSchema": {known}}}')
    )
    with opened(
        "mcp", tmp_path, run=run, tool="search", query_argument="query", limit_argument="limit"
    ) as system:
        system.check()
        assert system.search(ask(), 10).hits[0].id == "a"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("sys.exit('no module named index')", "it ended with code 1; fix run\nno module named i"),
        ("time.sleep(600)", "its server did not answer within 1 s; fix run, or raise start_time"),
        ("print('hello'); time.sleep(600)", "did not answer within 1 s"),
        ("sys.exit(os.environ['KEY'])", "fix run\n${SECRET}"),
        (
            REFUSING,
            "its server cannot be used: initialize failed: too old",
        ),
    ],
)
def test_a_server_that_does_not_start_is_found_by_the_check(
    tmp_path: Path, code: str, message: str
) -> None:
    patience = 1 if "1 s" in message else 60
    with (
        opened(
            "mcp",
            tmp_path,
            {"SECRET": "hunter2hunter2"},
            run=write_program(tmp_path, code),
            tool="search",
            start_timeout=patience,
            env={"KEY": "${SECRET}"},
        ) as system,
        pytest.raises(SystemUnusableError) as refused,
    ):
        system.check()
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tool": "search"}, "missing required field `run`"),
        ({"run": [], "tool": "search"}, "run is empty; give the program"),
        ({"run": ["x"]}, "missing required field `tool`"),
        ({"run": ["x"], "tool": "s", "query_argument": ""}, "query_argument is empty"),
        ({"run": ["x"], "tool": "s", "start_timeout": 0}, "start_timeout must be more than 0"),
        ({"run": ["x"], "tool": "s", "arguments": {"a": "{b}"}}, "arguments: nothing fills {b}"),
    ],
)
def test_a_mistake_in_the_settings_is_explained(
    tmp_path: Path, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(SystemUnusableError) as refused, opened("mcp", tmp_path, **settings):
        pass
    assert message in str(refused.value)


def test_a_program_that_is_not_there_is_said(tmp_path: Path) -> None:
    with opened("mcp", tmp_path, run=["./nowhere"], tool="search") as system:
        with pytest.raises(SystemUnusableError, match="nowhere does not exist or cannot be exec"):
            system.check()
        response = system.search(ask(), 1)
    assert (response.status, "No such file" in response.message) == (Status.ERROR, True)


def test_what_is_sent_is_one_line_of_json_each(tmp_path: Path) -> None:
    run = odd(tmp_path, "open('heard', 'w').write(json.dumps(asked)); result(asked, '[]')")
    settings = {"query_argument": "q", "limit_argument": "", "arguments": {"mode": "fast"}}
    with opened("mcp", tmp_path, run=run, tool="search", **settings) as system:
        system.search(ask("two\nlines"), 1)
    assert json.loads((tmp_path / "heard").read_text()) == {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"mode": "fast", "q": "two\nlines"}},
    }
