"""Finding out how an unknown system's answer is read, and writing that down."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.systems.helpers import ENVIRONMENT, short, write_program
from tests.systems.servers import Received, Reply, serving

from cranfield.errors import CranfieldError, SystemUnusableError
from cranfield.model import Hit, Response, Status
from cranfield.scaffold.first_query import (
    TriedQuery,
    TypedSystem,
    add_settings,
    guess_reading,
    list_options,
    read_typed,
    relocate,
    try_query,
)
from cranfield.scaffold.project_files import (
    Expected,
    describe_hits,
    describe_unread,
    refuse_existing,
    render_config,
    render_suite,
    write_project,
)
from cranfield.systems import Extraction, ReadingSettings, SystemSpec, load_systems


def ids_read(text: str, **given: str) -> list[str] | None:
    """Guess, then read with the settings that were guessed and nothing else."""
    guess = guess_reading(text, given, 10)
    if guess is None:
        return None
    settings = msgspec.convert(guess.settings, ReadingSettings)
    response = Extraction(settings).from_bytes(text.encode(), 10)
    return [hit.id for hit in response.hits]


ONE_AND_TWO: list[Any] = [
    {"data": {"found": [{"pageUrl": "one", "n": 1}, {"pageUrl": "two", "n": 1}]}},
    {
        "took": 1,
        "_shards": {"failures": []},
        "hits": {"total": 2, "hits": [{"_id": "one"}, {"_id": "two"}]},
    },
    {"response": {"docs": [{"id": "one"}, {"id": "two"}]}},
    {"query": {"search": [{"ns": 0, "pageid": "one"}, {"ns": 0, "pageid": "two"}]}},
    {"data": {"search": {"edges": [{"node": {"id": "one"}}, {"node": {"id": "two"}}]}}},
    {"found": ["one", "two"]},
    [["one", 0.9], ["two", 0.7]],
    {"groups": [{"inner": [{"id": "one"}, {"id": "two"}]}]},
    {"facets": [{"name": "x"}], "answer": {"results": [{"docId": "one"}, {"docId": "two"}]}},
    {"matches": [{"title": "one", "tags": ["a"]}, {"title": "two", "tags": ["b"]}]},
    {"results": [{"kind": "a", "id": 7, "link": "one"}, {"kind": "a", "id": 7, "link": "two"}]},
    "one\ntwo\n",
    "  one\r\n  two\r\n",
    " 1. one  0.93\n 2. two  0.81\n",
    "0.93 one\n0.81 two\n",
    "one 12.5\ntwo 3\n",
    "one:12: def search(\ntwo:3:import search\n",
    "1\tone\tsame\n2\ttwo\tsame\n",
    '{"id": "one", "score": 2}\n{"score": 1, "id": "two"}\n',
]


@pytest.mark.parametrize("answer", ONE_AND_TWO, ids=short)
def test_an_answer_of_a_usual_form_is_read_without_being_told_how(answer: Any) -> None:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    assert ids_read(text) == ["one", "two"]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("see https://a.org/x.\nand (https://a.org/y)\n", ["https://a.org/x", "https://a.org/y"]),
        ("2 results\n 1 Title of it\n   docs://a/b\n", ["docs://a/b"]),
        ("found src/a.py and\n/etc/hosts.conf, that is all\n", ["src/a.py", "/etc/hosts.conf"]),
        ("1\tno 1\n2\tno 2\n", ["no 1", "no 2"]),
        ("مرحبا\nЖук\n", ["مرحبا", "Жук"]),
        ("\ufeff[[7, 0.5]]", ["7"]),
    ],
)
def test_ids_are_found_inside_text(text: str, ids: list[str]) -> None:
    assert ids_read(text) == ids


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "No results found.",
        '{"error": "no such index"}',
        '{"vector": [0.1, 0.2]}',
        '{"results": [{"kind": "page"}, {"kind": "page"}]}',
        '{"results": [{"headline": "x", "tags": ["a", "b"]}]}',
        '{"data": {"found": [{"url": "a"}',  # cut off
        "<!DOCTYPE html>\n<a href='https://example.org'>x</a>",
        '{"id": "a\\u0062"}\n{"id": "c"}',  # a pattern would not see the b
        '{"id": "a", "of": {"id": "x"}}\n{"id": "b", "of": {"id": "y"}}',
        "[" * 5000,
        "\0\x01 \x02",
    ],
    ids=short,
)
def test_what_tells_of_no_hits_is_not_guessed_at(text: str) -> None:
    assert ids_read(text) is None


def test_a_guess_keeps_what_was_told() -> None:
    text = json.dumps({"a": {"b": [{"id": "x", "sku": "s1"}, {"id": "y", "sku": "s2"}]}})
    assert ids_read(text, id="sku") == ["s1", "s2"]
    assert ids_read("one\ntwo", id="sku") is None


def test_the_simplest_pattern_that_finds_the_same_is_taken() -> None:
    plain = guess_reading("https://a.org/x\nmore https://a.org/y", {}, 10)
    marked = guess_reading("<https://a.org/x> is it", {}, 10)
    assert plain is not None
    assert plain.settings == {"pattern": r"https?://\S+"}
    assert marked is None or marked.settings != plain.settings


def test_a_large_answer_without_form_takes_no_time_to_speak_of() -> None:
    assert guess_reading("x" * 3_000_000 + " y", {}, 10) is None
    assert guess_reading("a. " * 1_000_000, {}, 10) is None


def program_spec(folder: Path, code: str, **settings: Any) -> SystemSpec:
    run = [*write_program(folder, code), "{query}", "{k}"]
    return SystemSpec("mine", "command", {"run": run, **settings}, folder)


@pytest.mark.process
def test_a_command_with_the_usual_names_needs_no_guess(tmp_path: Path) -> None:
    code = "print(json.dumps({'results': [{'url': sys.argv[1], 'score': 2}]}))"
    tried = try_query(program_spec(tmp_path, code), ENVIRONMENT, "cats and dogs")
    assert [(hit.id, hit.score) for hit in tried.response.hits] == [("cats and dogs", 2.0)]
    assert (tried.format, tried.chosen) == ("JSON", None)


@pytest.mark.process
def test_a_guess_is_tried_on_the_system_itself(tmp_path: Path) -> None:
    code = """
    with open("asked.txt", "a") as asked:
        asked.write(sys.argv[1] + chr(10))
    print(json.dumps({"data": {"found": [{"key": "k1", "score": 2}, {"key": "k2", "score": 1}]}}))
    """
    tried = try_query(program_spec(tmp_path, code), ENVIRONMENT, "cats")
    assert tried.chosen == {"hits": "data.found", "id": "key"}
    assert tried.response.hits[0] == Hit("k1", 2.0, "", {"key": "k1", "score": 2})
    # As told, as a whole, and as guessed.
    assert (tmp_path / "asked.txt").read_text() == "cats\n" * 3


@pytest.mark.process
def test_a_pattern_that_matches_nothing_shows_what_came_back(tmp_path: Path) -> None:
    spec = program_spec(tmp_path, "print('page 1, page 2')", pattern="doc-[0-9]+")
    tried = try_query(spec, ENVIRONMENT, "cats")
    assert tried.received.strip() == "page 1, page 2"
    assert tried.chosen is None


@pytest.mark.process
@pytest.mark.parametrize("printed", ["", "\\n \\n", '{"results": []}'])
def test_an_answer_without_hits_is_empty_and_not_unreadable(tmp_path: Path, printed: str) -> None:
    tried = try_query(program_spec(tmp_path, f"print('{printed}')"), ENVIRONMENT, "cats")
    assert tried.response.status is Status.EMPTY
    assert tried.received == ""


@pytest.mark.process
def test_a_command_that_fails_is_an_error_with_what_it_said(tmp_path: Path) -> None:
    spec = program_spec(tmp_path, "sys.exit('usage: search WORD')")
    with pytest.raises(SystemUnusableError, match=r"(?s)ended with code 1.*usage: search WORD"):
        try_query(spec, ENVIRONMENT, "cats")


@pytest.mark.process
def test_a_command_that_hangs_is_an_error(tmp_path: Path) -> None:
    spec = program_spec(tmp_path, "time.sleep(60)", timeout=0.3)
    with pytest.raises(SystemUnusableError, match=r"no answer within 0\.3 s"):
        try_query(spec, ENVIRONMENT, "cats")


@pytest.mark.server
def test_a_server_is_asked_and_its_answer_guessed() -> None:
    def reply(received: Received) -> Reply:
        [word] = received.params["q"]
        return Reply({"response": {"docs": [{"id": f"{word} {n}"} for n in range(3)]}})

    with serving(reply) as server:
        spec = TypedSystem("web", "http", {"url": server.url + "/s?q={query}&n={k}"})
        tried = try_query(spec.spec(Path()), {}, "ä & b")
    assert [hit.id for hit in tried.response.hits] == ["ä & b 0", "ä & b 1", "ä & b 2"]
    assert tried.chosen == {"hits": "response.docs", "id": "id"}


@pytest.mark.server
def test_a_server_that_complains_is_an_error() -> None:
    with serving(lambda _: Reply({"error": "no key"}, code=401)) as server:
        spec = TypedSystem("web", "http", {"url": server.url + "/?q={query}"}).spec(Path())
        with pytest.raises(SystemUnusableError, match=r"(?s)401 Unauthorized.*no key"):
            try_query(spec, {}, "cats")


def test_a_callable_that_returns_text_is_read_by_a_guess(tmp_path: Path) -> None:
    (tmp_path / "talker.py").write_text("def search(text, limit):\n    return 'one\\ntwo'\n")
    spec = SystemSpec("mine", "python", {"call": "talker.py:search"}, tmp_path)
    tried = try_query(spec, {}, "cats")
    assert [hit.id for hit in tried.response.hits] == ["one", "two"]
    assert tried.chosen == {"pattern": r"(?m)^\S+$"}


@pytest.mark.corpus
@pytest.mark.process
def test_a_tool_whose_text_is_prose_is_read_by_a_guess(tmp_path: Path) -> None:
    code = """
    from mcp.server.mcpserver import MCPServer
    server = MCPServer("documents")
    @server.tool()
    def search(query: str, top: int) -> str:
        return f"1. {query}: see https://a.org/1 for it, 2. https://a.org/2 too"
    server.run()
    """
    run = write_program(tmp_path, code)
    settings = {"run": run, "tool": "search", "limit_argument": "top"}
    tried = try_query(SystemSpec("mine", "mcp", settings, tmp_path), ENVIRONMENT, "cats")
    assert [hit.id for hit in tried.response.hits] == ["https://a.org/1", "https://a.org/2"]


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("--command", "./search --limit {k}", r"\{query\} is missing.*\./search"),
        ("--command", "", r"\{query\} is missing"),
        ("--command", "./search {query} | head", r"without a shell"),
        ("--command", "./search '{query}", r"cannot be split"),
        ("--command", "./search {query} {page}", r"nothing fills \{page\}"),
        ("--url", "http://localhost/search", r"\{query\} is missing.*http"),
        ("--url", "http://localhost/?q={query}&api_key=secret", r"environment variable"),
        ("--python", "nocolon", r"module:name"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_it_is(
    tmp_path: Path, option: str, text: str, message: str
) -> None:
    with pytest.raises(CranfieldError, match=message) as caught:
        read_typed("search", option, text).spec(tmp_path)
    assert not isinstance(caught.value, SystemUnusableError)
    assert "=secret" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "a b", "a.b", 'x"]', "é"])
def test_a_name_that_would_break_the_file_is_refused(name: str) -> None:
    with pytest.raises(CranfieldError, match="cannot stand in"):
        read_typed(name, "--command", "./search {query}")


def test_further_settings_are_toml_or_else_text() -> None:
    system = read_typed("search", "--url", "http://h/?q={query}")
    added = add_settings(
        system, ["timeout=60", "limit_argument=", "id = data.key", "body.size=3", "body.q={query}"]
    )
    assert dict(added.settings) == {
        "url": "http://h/?q={query}",
        "timeout": 60,
        "limit_argument": "",
        "id": "data.key",
        "body": {"size": 3, "q": "{query}"},
    }
    for wrong in ("timeout", "=3"):
        with pytest.raises(CranfieldError, match="NAME=VALUE"):
            add_settings(system, [wrong])


def test_a_system_goes_on_running_where_it_was_typed(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("")
    there = tmp_path / "eval" / "search"
    command = read_typed("a", "--command", "./search {query}")
    assert relocate(command, tmp_path, there).settings["folder"] == "../.."
    assert relocate(command, tmp_path, tmp_path) == command
    for call in ("mine.py:search", "mine:search"):
        moved = relocate(read_typed("a", "--python", call), tmp_path, there)
        assert moved.settings["call"] == "../../mine.py:search"
    installed = read_typed("a", "--python", "json:loads")
    assert relocate(installed, tmp_path, there) == installed


NASTY = 'say "it\'s" \\ \x7f\x00\n{query} é 🐈 [systems.x]'


def test_what_is_written_is_read_back_the_same(tmp_path: Path) -> None:
    settings = {
        "run": ["./search", NASTY, ["--kind", "{filters.kind}"], "{query}"],
        "pattern": r"it's \d+ '",
        "env": {"A B": NASTY},
        "timeout": 2.5,
        "keep_alive": False,
    }
    (tmp_path / "cranfield.toml").write_text(render_config(TypedSystem("old", "command", settings)))
    [spec] = load_systems(tmp_path / "cranfield.toml").values()
    assert (spec.name, spec.kind, dict(spec.settings)) == ("old", "command", settings)


def test_the_second_build_is_there_once_its_signs_are_taken_away() -> None:
    system = read_typed("new", "--command", "./search {query}")
    config = render_config(system)
    second = config[config.index("# [systems.newer]") :].replace("# ", "")
    assert tomllib.loads(second)["systems"]["newer"]["run"] == ["./search", "{query}"]


@pytest.mark.parametrize(
    ("text", "name"),
    [("Hash Table?", "hash-table"), ("चक्र", "first"), (NASTY, None), ("x" * 500, "x" * 40)],
)
def test_any_query_and_any_id_make_a_suite(text: str, name: str | None) -> None:
    suite = tomllib.loads(render_suite(text, Expected(NASTY)))
    [query] = suite["query"]
    assert (query["text"], query["expect"]["ids"]) == (text, [NASTY])
    assert name is None or query["id"] == name


def test_only_what_a_person_confirmed_is_not_marked() -> None:
    assert "TO DO: confirm" in render_suite("q", Expected("doc-1"))
    assert "TO DO: nobody" in render_suite("q", Expected())
    assert "TO DO" not in render_suite("q", Expected("doc-1", confirmed=True))


def test_nothing_is_overwritten_and_no_half_is_left(tmp_path: Path) -> None:
    (tmp_path / "queries.toml").write_text("mine")
    with pytest.raises(CranfieldError, match=r"queries\.toml already exists"):
        refuse_existing(tmp_path)
    with pytest.raises(CranfieldError, match="cannot be written"):
        write_project(tmp_path, {"cranfield.toml": "x", "queries.toml": "y"})
    assert [path.name for path in tmp_path.iterdir()] == ["queries.toml"]
    assert (tmp_path / "queries.toml").read_text() == "mine"
    with pytest.raises(CranfieldError, match="is a file"):
        refuse_existing(tmp_path / "queries.toml")


def test_hits_are_shown_within_the_width_and_without_escapes() -> None:
    hits = tuple(
        Hit(f"doc-{n}-" + "i" * 100, 1 / n, "t\x1b[31m " * 50, {"title": "T" * 90})
        for n in range(1, 9)
    )
    shown = describe_hits(TriedQuery("q" * 500, Response.of(hits), "JSON"), 80)
    assert max(map(len, shown.splitlines())) <= 80
    assert "\x1b" not in shown
    assert "… and 3 more" in shown


def test_an_unread_answer_is_shown_in_part_and_without_escapes() -> None:
    failed = Response.failed(Status.UNPARSEABLE, "the JSON has no list of hits")
    shown = describe_unread(TriedQuery("q", failed, received='{"a": "\x1b[2J"}\n' * 100))
    assert "the JSON has no list of hits" in shown
    assert "… and 88 lines more" in shown
    assert "\x1b" not in shown
    for option in ("--pattern", "--hits", "--id"):
        assert option in shown


def test_the_python_of_these_tests_can_be_typed_as_a_command() -> None:
    typed = read_typed("a", "--command", f"{sys.executable} -c 'print(1)' {{query}}")
    assert typed.settings["run"] == [sys.executable, "-c", "print(1)", "{query}"]


def test_every_kind_that_can_be_typed_has_one_option_and_an_example_that_is_read() -> None:
    options = list_options()
    assert {option: kind.name for option, kind in options.items()} == {
        "--command": "command",
        "--url": "http",
        "--mcp": "mcp",
        "--python": "python",
        "--sql": "postgres",
    }
    for option, kind in options.items():
        assert kind.init is not None
        typed = read_typed("mine", option, kind.init.example)
        assert typed.kind == kind.name
        assert typed.settings[kind.init.setting]
