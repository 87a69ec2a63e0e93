"""Every setting of every kind is honoured or refused: none is read and then forgotten."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import pytest

from cranfield.errors import CranfieldError
from cranfield.systems import SYSTEMS, SystemSpec, open_system, prepare_system
from stacks.index import Request, save
from tests.systems.helpers import ENVIRONMENT, ask
from tests.systems.servers import Received, Reply, serving

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.process, pytest.mark.server]

ANSWER = {
    "hits": [{"id": "a-1", "n": "b", "s": 2, "t": "words", "more": {"x": 1}}],
    "other": [{"id": "c-1"}],
    "to": "code",
    "why": ["typo"],
}
READING = {
    "pattern": "[ab]-[0-9]",
    "hits": "other",
    "id": "n",
    "score": "s",
    "text": "t",
    "fields": "more",
    "route": "to",
    "flags": "why",
}
COMMON = {
    "files": ["extra.txt"],
    "database": "extra.txt",
    "corpus": ["extra.txt"],
    "prepare": [sys.executable, "-c", "open('built', 'w').close()"],
    "inputs": ["extra.txt"],
    "ignored_filters": ["kind"],
    "timeout": 0.000001,
}
SERVER = """\
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "initialize":
        time.sleep(float(os.environ.get("SLOW", "0")))
        result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {}}
    elif asked["method"] == "tools/list":
        schema = {"properties": {"query": {}, "q": {}, "limit": {}, "k": {}, "kind": {}}}
        result = {"tools": [{"name": n, "inputSchema": schema} for n in ("search", "find")]}
    elif "id" in asked:
        told = [sys.argv[2:], asked["params"], os.environ.get("NAME", ""), os.getcwd()]
        said = {**json.load(open(sys.argv[1])), "raw": told}
        said["hits"] = [*said["hits"], {"id": json.dumps(told)}]
        result = {"content": [{"type": "text", "text": json.dumps(said)}]}
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""
PROGRAM = """\
import json, os, sys
told = json.dumps([sys.argv[2:], os.environ.get("NAME", ""), os.getcwd()])
said = json.load(open(sys.argv[1]))
said["hits"] = [*said["hits"], {"id": told}]
if len(sys.argv) > 2:
    print(json.dumps(said))
for line in sys.stdin if len(sys.argv) == 2 else []:
    said["hits"] = [{"id": line}]
    print(json.dumps(said), flush=True)
"""
MINE = """\
import json, pathlib
ANSWER = json.loads(pathlib.Path(%r).read_text())
def search(text, limit, query):
    return {**ANSWER, "hits": [*ANSWER["hits"], *query.filters]}
def other(text, limit, query):
    return ["other"]
def text(text, limit, query):
    return "a-1 and a-2"
"""


SQL = """
SELECT * FROM (VALUES ('a', 'b', 2, 'd', '{"x": 1}'::jsonb), ('c', 'd', 3, 'd', NULL))
    AS found (id, n, s, t, more)
WHERE %(query)s <> '' LIMIT %(k)s
"""


Case: TypeAlias = tuple[dict[str, Any], dict[str, Any]]
"""The settings that a kind starts from, and another value of every setting."""
FIXED: dict[str, Case] = {
    "postgres": (
        {"sql": SQL},
        {
            "sql": f"{SQL} OFFSET 1",
            "dsn": "${OTHER_URL}",
            "embedder": "wordllama",
            **READING,
        },
    ),
    "python": (
        {"call": "mine.py:search"},
        {"call": "mine.py:other", "arguments": {"no_such": 1}, **READING},
    ),
    "recorded": ({"file": "answers.jsonl"}, {"file": "others.jsonl", **READING}),
    "runfile": ({"file": "a.run"}, {"file": "b.run"}),
    "stacks": (
        {"index": "index"},
        {
            "index": "elsewhere",
            "mode": "plain",
            "sources": ["other"],
            "framework": "x",
            "weights": {"markdown": 3.0},
            "rrf_k": 5.0,
            "meaning": -1.0,
            "text": True,
            "without": ["nothing"],
            "language": "swift",
            "prefix": "markdown://book/",
        },
    ),
}
"""Kinds that need neither a server nor paths that are known beforehand."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps(ANSWER))
    (tmp_path / "below").mkdir()
    (tmp_path / "extra.txt").write_text("x")
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "mine.py").write_text(MINE % str(answer))
    (tmp_path / "answers.jsonl").write_text(json.dumps({**ANSWER, "id": "q1"}))
    (tmp_path / "others.jsonl").write_text(json.dumps({"id": "q1", "hits": ["other"]}))
    (tmp_path / "a.run").write_text("q1 Q0 a 1 3.0 x\n")
    (tmp_path / "b.run").write_text("q1 Q0 b 1 3.0 x\n")
    (tmp_path / "book").mkdir()
    for name in ("one", "two"):
        page = f"# {name.title()}\n\nCats are {name}. " + "More cats. " * 40
        (tmp_path / "book" / f"{name}.md").write_text(page)
    save([Request.parse(f"markdown={tmp_path / 'book'}")], tmp_path / "index")
    return tmp_path


def cases(folder: Path, url: str) -> dict[str, Case]:
    """Return the case of each kind."""
    answer = str(folder / "answer.json")
    command = [sys.executable, str(folder / "program.py"), answer]
    server = [sys.executable, str(folder / "server.py"), answer]
    config = {"file": "answer.json", "key": "to", "equals": "elsewhere"}
    ran = {"folder": "below", "env": {"NAME": "x"}}
    return {
        "command": (
            {"run": [*command, "{query}"]},
            {
                "run": [*command, "{query}", "more"],
                "keep_alive": True,
                "config": config,
                **READING,
                **ran,
            },
        ),
        "http": (
            {"url": url + "/?q={query}"},
            {
                "url": url + "/other?q={query}",
                "method": "POST",
                "params": {"a": "b"},
                "headers": {"x-a": "b"},
                "body": {"a": "b"},
                "preset": "solr",
                "retries": 0,
                "rate": 0.5,
                "ca_file": "extra.txt",
                **READING,
            },
        ),
        "mcp": (
            {"run": server, "tool": "search"},
            {
                "run": [*server, "more"],
                "tool": "find",
                "query_argument": "q",
                "limit_argument": "k",
                "arguments": {"kind": "x"},
                **READING,
                **ran,
                "start_timeout": 0.000001,
            },
        ),
        **FIXED,
    }


SPECIAL: dict[tuple[str, str], dict[str, Any]] = {
    # A pattern reads text, and this callable returns JSON.
    ("python", "pattern"): {"call": "mine.py:text"},
    # A vector is made if it is wanted, by a model.
    ("postgres", "timeout"): {"sql": SQL.replace("WHERE", ", pg_sleep(0.05) WHERE")},
    ("postgres", "embedder"): {"sql": SQL.replace("'d'", "left(%(vector)s, 4)")},
    # Inputs are read by a command.
    **{(kind, "inputs"): {"prepare": COMMON["prepare"]} for kind in SYSTEMS.names()},
}
NOT_OBSERVED = {
    ("http", "retries"): "tests/systems/test_http_client.py",
    ("http", "rate"): "tests/systems/test_http_client.py",
}
"""Settings whose effect takes a busy server or time; each is tested there."""


def observe(kind: str, settings: dict[str, Any], folder: Path, received: list[Received]) -> Any:
    """Return everything that a setting can change, or why it is refused."""
    environment = {**ENVIRONMENT, "DATABASE_URL": os.environ.get("DATABASE_URL", "")}
    spec = SystemSpec("mine", kind, settings, folder)
    query = ask("cats", filters={"kind": "class"} if kind == "python" else {})
    filtered = ask("cats", filters={"kind": "class"})
    before = len(received)
    try:
        paths, database = spec.paths(), spec.database
        prepare_system(spec, environment, lambda _: None)
        built = (folder / ".cranfield" / "prepared.json").exists()
        record = (folder / ".cranfield" / "prepared.json").read_text() if built else ""
        system = open_system(spec, environment)
    except CranfieldError as problem:
        return str(problem)
    try:
        system.check()
        response = system.search(query, 5)
        try:
            notices: Any = system.check_queries([filtered])
        except CranfieldError as problem:
            notices = str(problem)
    except CranfieldError as problem:
        return str(problem)
    finally:
        system.close()
    requests = [
        (each.method, each.path, each.headers.get("x-a"), each.body) for each in received[before:]
    ]
    return paths, database, record, response, notices, requests


KNOWN = sorted(
    {
        field.name
        for kind in SYSTEMS.names()
        for field in msgspec.structs.fields(SYSTEMS.get(kind).settings)
    }
)


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize("kind", SYSTEMS.names())
def test_every_setting_has_an_effect_or_is_refused(
    folder: Path, kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == "postgres":
        monkeypatch.setenv("DATABASE_URL", request.getfixturevalue("postgres").url)
    with serving(lambda _: Reply(ANSWER)) as server:
        start, others = cases(folder, server.url)[kind]
        own = {field.name for field in msgspec.structs.fields(SYSTEMS.get(kind).settings)}
        assert own <= {*COMMON, *others}, "give another value of each setting"
        for name in KNOWN:
            base = {**start, **SPECIAL.get((kind, name), {})}
            value = {**COMMON, **others}.get(name, "x")
            if (kind, name) in NOT_OBSERVED:
                continue
            varied = observe(kind, {**base, name: value}, folder, server.received)
            (folder / ".cranfield" / "prepared.json").unlink(missing_ok=True)
            if name not in own or name in SYSTEMS.get(kind).refuses:
                assert isinstance(varied, str), (kind, name)
                assert name in varied
                continue
            plain = observe(kind, base, folder, server.received)
            (folder / ".cranfield" / "prepared.json").unlink(missing_ok=True)
            assert varied != plain, f"{name} of the kind {kind} has no effect"
