"""`cranfield init`: from a search of one's own to a project that runs at once."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.cli.projects import cranfield
from tests.systems.servers import Received, Reply, free_port, serving
from typer.testing import CliRunner

from cranfield.cli import app
from cranfield.errors import CranfieldError, SystemUnusableError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

SEARCH = """\
import json, sys
word, limit = sys.argv[1], int(sys.argv[2])
found = [{"key": f"{word}-{n}", "score": 9 - n, "title": f"On {word}, part {n}"} for n in range(7)]
print(json.dumps({"data": {"found": found[:limit] if word != "nothing" else []}}))
"""
COMMAND = f"{sys.executable} search.py {{query}} {{k}}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "search.py").write_text(SEARCH)
    return tmp_path


def system_of(folder: Path, name: str = "search") -> dict[str, object]:
    systems = tomllib.loads((folder / "cranfield.toml").read_text())["systems"]
    settings: dict[str, object] = systems[name]
    return settings


def expected_in(folder: Path) -> list[str]:
    [query] = tomllib.loads((folder / "queries.toml").read_text())["query"]
    ids: list[str] = query["expect"]["ids"]
    return ids


def assert_runs(folder: Path, figure: str) -> None:
    """Check and run the project as it is, with the real commands; the first figure is RR@10."""
    checked = cranfield(folder, "check")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "fit to run" in checked.stdout
    ran = cranfield(folder, "run")
    assert ran.returncode == 0, ran.stderr
    [row] = [line for line in ran.stdout.splitlines() if line.startswith("all ")]
    assert row.split()[:3] == ["all", "1", figure]


def test_a_command_becomes_a_project_that_runs_at_once(home: Path) -> None:
    made = cranfield(home, "init", "--command", COMMAND, "--query", "cats")
    assert made.returncode == 0, made.stderr
    lines = made.stdout.splitlines()
    assert lines[0].startswith("asked 'cats': 7 hits in ")
    assert lines[2].split() == ["id", "about", "score"]
    assert lines[3].split() == ["1", "cats-0", "On", "cats,", "part", "0", "9"]
    assert lines[8] == "     … and 2 more"
    assert '  hits = "data.found"' in lines
    assert '  id = "key"' in lines
    assert "cats-0: is that right?" in made.stdout
    assert [line.strip() for line in lines[-3:]] == [
        "cranfield check               are the queries fit to be run?",
        "cranfield run                 run them, and measure the answers",
        "cranfield compare search new  two builds, with [systems.new] filled in",
    ]
    assert system_of(home) == {
        "kind": "command",
        "run": [sys.executable, "search.py", "{query}", "{k}"],
        "hits": "data.found",
        "id": "key",
    }
    assert "# TO DO: confirm." in (home / "queries.toml").read_text()
    assert_runs(home, "1.0000")


def test_a_second_build_is_compared_once_its_signs_are_taken_away(home: Path) -> None:
    cranfield(home, "init", "--command", COMMAND, "--query", "cats", "--name", "old")
    config = (home / "cranfield.toml").read_text()
    start = config.index("# [systems.new]")
    (home / "cranfield.toml").write_text(config[:start] + config[start:].replace("# ", ""))
    compared = cranfield(home, "compare", "old", "new")
    assert compared.returncode == 0, compared.stderr
    assert "new against old" in compared.stdout


def test_a_project_elsewhere_asks_the_command_where_it_was_typed(home: Path) -> None:
    there = home / "my evaluation" / "first"
    made = cranfield(
        home, "init", "--command", COMMAND, "--query", "cats",
        "--expect", "cats-1", "--to", str(there),
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert f"  cd '{there}'\n" in made.stdout
    assert system_of(there)["folder"] == "../.."
    assert expected_in(there) == ["cats-1"]
    assert "TO DO" not in (there / "queries.toml").read_text()
    assert_runs(there, "0.5000")


@pytest.mark.server
def test_a_server_becomes_a_project_that_runs_at_once(tmp_path: Path) -> None:
    def reply(received: Received) -> Reply:
        return Reply({"results": [{"url": f"https://a.org/{received.params['q'][0]}"}]})

    with serving(reply) as server:
        url = server.url + "/search?q={query}&limit={k}"
        made = cranfield(tmp_path, "init", "--url", url, "--query", "big cats", "--name", "web")
        assert made.returncode == 0, made.stderr
        assert "read as JSON, by the usual names" in made.stdout
        assert system_of(tmp_path, "web") == {"kind": "http", "url": url}
        assert expected_in(tmp_path) == ["https://a.org/big cats"]
        assert_runs(tmp_path, "1.0000")


def test_a_callable_and_a_text_become_projects(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def search(text, limit):\n    return [text, 'other']\n")
    made = cranfield(
        tmp_path, "init", "--python", "mine:search", "--query", "cats", "--to", "called"
    )
    assert made.returncode == 0, made.stderr
    assert_runs(tmp_path / "called", "1.0000")
    (tmp_path / "say.py").write_text("print('see page 7 and page 9')\n")
    command = f"{sys.executable} say.py {{query}}"
    made = cranfield(
        tmp_path, "init", "--command", command, "--query", "cats", "--to", "said",
        "--pattern", r"page (?P<id>\d+)", "--set", "timeout=20",
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert expected_in(tmp_path / "said") == ["7"]
    assert system_of(tmp_path / "said")["timeout"] == 20
    assert_runs(tmp_path / "said", "1.0000")


@pytest.mark.corpus
def test_a_tool_of_a_server_becomes_a_project(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(
        "from mcp.server.mcpserver import MCPServer\n"
        "server = MCPServer('documents')\n"
        "@server.tool()\n"
        "def look(query: str, top: int) -> list[str]:\n"
        "    return [query, 'other'][:top]\n"
        "server.run()\n"
    )
    arguments = ("--mcp", f"{sys.executable} server.py", "--tool", "look", "--query", "cats")
    refused = cranfield(tmp_path, "init", *arguments)
    assert refused.returncode == 3
    assert "limit_argument, there are: query, top" in refused.stderr
    made = cranfield(tmp_path, "init", *arguments, "--set", "limit_argument=top")
    assert made.returncode == 0, made.stderr
    assert_runs(tmp_path, "1.0000")


@pytest.mark.parametrize("name", ["cranfield.toml", "queries.toml"])
def test_what_is_there_is_not_overwritten_and_nothing_asked(home: Path, name: str) -> None:
    (home / name).write_text("mine")
    (home / "search.py").write_text("open('asked', 'w')")
    made = cranfield(home, "init", "--command", COMMAND, "--query", "cats")
    assert made.returncode == 2
    assert f"{name} already exists, and nothing was written" in made.stderr
    assert sorted(path.name for path in home.iterdir()) == sorted(["search.py", name])
    assert (home / name).read_text() == "mine"


@pytest.mark.server
def test_a_system_that_cannot_be_reached_writes_nothing_unless_told_to(tmp_path: Path) -> None:
    there = tmp_path / "x"
    arguments = ("--url", f"http://127.0.0.1:{free_port()}/?q={{query}}", "--query", "cats")
    made = cranfield(tmp_path, "init", *arguments, "--to", "x")
    assert made.returncode == 3
    assert "cannot connect to 127.0.0.1" in made.stderr
    assert "--no-try" in made.stderr
    assert not there.exists()
    made = cranfield(tmp_path, "init", *arguments, "--to", "x", "--no-try")
    assert made.returncode == 0, made.stderr
    assert "write into it which hit is right" in made.stdout
    assert cranfield(there, "check").returncode == 0
    assert cranfield(there, "run").returncode == 3


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "how the search is queried is missing"),
        (("--query", "cats"), 2, "cranfield init --command './search {query} --limit {k}'"),
        (("--command", COMMAND), 2, "a query to try is missing"),
        (("--command", COMMAND, "--query", " "), 2, "the query is empty"),
        (("--command", COMMAND, "--url", "http://h/{query}"), 2, "are two systems"),
        (("--mcp", "./server", "--query", "cats"), 2, "--mcp and --tool go together"),
        (("--command", "./search", "--query", "cats"), 2, "{query} is missing"),
        (("--command", "./no {query}", "--query", "cats"), 3, "does not exist"),
        (("--command", f"{sys.executable} -c 1/0 {{query}}", "--query", "cats"), 3, "ZeroDivision"),
        (("--command", COMMAND, "--query", "nothing", "--hits", "data.found"), 2, "has no hits"),
        (("--command", COMMAND, "--query", "cats", "--hits", "data.lost"), 2, "leads nowhere"),
        (("--command", COMMAND, "--query", "cats", "--pattern", "doc-9"), 2, '| {"data"'),
        (("--command", COMMAND, "--query", "cats", "--pattern", "("), 2, "regular expression"),
        (("--command", COMMAND, "--query", "cats", "--set", "tmeout=3"), 2, "timeout"),
        (("--command", COMMAND, "--query", "cats", "--name", "a b"), 2, "cannot stand in"),
        (("--command", COMMAND, "--query", "cats", "--to", "search.py"), 2, "is a file"),
        (("--command", COMMAND, "--query", "cats", "--to", "search.py/x"), 2, "cannot be written"),
    ],
)
def test_a_mistake_is_one_clear_message_and_writes_nothing(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(home)
    problem = CliRunner().invoke(app, ["init", *arguments]).exception
    assert isinstance(problem, CranfieldError)
    assert isinstance(problem, SystemUnusableError) == (code == 3)
    assert message in str(problem)
    assert not list(home.glob("*.toml"))


@pytest.mark.parametrize(("arguments", "code"), [(("--query", "x"), 2), (("--url", "http://x"), 2)])
def test_a_mistake_shows_no_traceback(home: Path, arguments: tuple[str, ...], code: int) -> None:
    made = cranfield(home, "init", *arguments)
    assert made.returncode == code
    assert made.stderr.startswith("cranfield: ")
    assert "Traceback" not in made.stderr


# Only a terminal that a process is ruled by turns a key into an interruption.
# A job in the background may have been told to ignore it, and so would all it starts.
RULED = """\
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "cranfield", "init", *sys.argv[1:]])
"""


INTERRUPT = b"\x03"


class Talk(NamedTuple):
    """What was seen on a terminal, and how the command ended."""

    seen: str
    code: int


def talk(folder: Path, answers: list[str], *arguments: str) -> Talk:
    """Run the command on a terminal; whenever it waits after a colon, type the next answer."""
    keyboard, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", RULED, *arguments],
        start_new_session=True,
        cwd=folder,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "COLUMNS": "90"},
    )
    os.close(terminal)
    try:
        seen = _converse(keyboard, [answer.encode() for answer in answers])
        # To close the terminal earlier would hang up on a command that is about to end.
        code = process.wait(60)
    finally:
        process.kill()
        process.wait()
        os.close(keyboard)
    return Talk(seen.decode().replace("\r\n", "\n"), code)


def _converse(keyboard: int, answers: list[bytes]) -> bytes:
    """Type the answers, and tell what was shown until the command closed its terminal.

    Python loses an interruption that comes after a prompt is shown and before it waits for a
    key: as a person would, whoever sees nothing happen presses once more.
    """
    seen, typed, patience = b"", b"", 60
    with contextlib.suppress(OSError):  # the terminal is closed with the process
        while patience:
            if not select.select([keyboard], [], [], 1)[0]:
                patience -= 1
                if typed == INTERRUPT:
                    os.write(keyboard, typed)
                continue
            read = os.read(keyboard, 4096)
            if not read:
                break
            seen += read
            if answers and seen.endswith(b": "):
                typed = answers.pop(0)
                os.write(keyboard, typed)
    return seen


def test_a_person_is_asked_for_what_is_missing(home: Path) -> None:
    typed = ["./search --limit 3\n", f"{COMMAND}\n", "nothing\n", "cats\n", "2\n"]
    told = talk(home, typed, "--hits", "data.found", "--id", "key")
    assert told.code == 0, told.seen
    assert told.seen.startswith("How is your search queried?")
    assert "{query} is missing" in told.seen
    assert "no hits; another query to try: " in told.seen
    assert "  2  cats-1" in told.seen
    assert "which hit is right?" in told.seen
    assert "one query; expects cats-1\n" in told.seen
    assert expected_in(home) == ["cats-1"]
    assert_runs(home, "0.5000")


@pytest.mark.parametrize(
    ("answer", "expected", "confirmed"),
    [("\n", "cats-0", False), ("cats-5\n", "cats-5", True), ("99\n", "99", True)],
)
def test_the_right_hit_is_a_number_an_id_or_not_known(
    home: Path, answer: str, expected: str, confirmed: bool
) -> None:
    told = talk(home, ["cats\n", answer], "--command", COMMAND)
    assert told.code == 0, told.seen
    assert expected_in(home) == [expected]
    assert ("TO DO" not in (home / "queries.toml").read_text()) is confirmed


@pytest.mark.server
def test_a_server_can_be_typed_too(tmp_path: Path) -> None:
    with serving(lambda _: Reply(["doc-1", "doc-2"])) as server:
        told = talk(tmp_path, [f"{server.url}/?q={{query}}\n", "cats\n", "1\n"])
        assert told.code == 0, told.seen
        assert system_of(tmp_path)["kind"] == "http"
        assert_runs(tmp_path, "1.0000")


@pytest.mark.parametrize("key", ["\x04", "\x03"], ids=["end of input", "interrupt"])
def test_leaving_writes_nothing(home: Path, key: str) -> None:
    told = talk(home, [f"{COMMAND}\n", key])
    assert told.code == 130
    assert "Traceback" not in told.seen
    assert not list(home.glob("*.toml"))


def test_whoever_says_everything_is_asked_nothing(home: Path) -> None:
    told = talk(home, [], "--command", COMMAND, "--query", "cats")
    assert told.code == 0, told.seen
    assert "which hit" not in told.seen
