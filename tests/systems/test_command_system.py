"""Commands as users have them, good and bad, asked through the one door of all systems."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from cranfield.errors import SystemUnusableError
from cranfield.model import Status
from tests.systems.helpers import ask, ends, opened, short, wait_for, write_program

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

ECHO = "print(json.dumps([sys.argv[1]]))"


def test_ids_are_read_from_json(tmp_path: Path) -> None:
    code = "print(json.dumps({'hits': [{'id': 'a', 'score': 2}, {'id': 'b', 'score': 1}]}))"
    with opened("command", tmp_path, run=[*write_program(tmp_path, code), "{query}"]) as system:
        response = system.search(ask(), 10)
    assert response.status is Status.OK
    assert [(hit.id, hit.score) for hit in response.hits] == [("a", 2.0), ("b", 1.0)]


def test_ids_are_matched_in_text_in_order_and_once(tmp_path: Path) -> None:
    run = [*write_program(tmp_path, "print('doc:b x doc:a y doc:b doc:c')"), "{query}"]
    with opened("command", tmp_path, run=run, pattern=r"doc:(?<id>\w)") as system:
        assert [hit.id for hit in system.search(ask(), 2).hits] == ["b", "a"]


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "x" * 10_000,
        'it\'s "quoted" `back` $HOME ; rm -rf *',
        "braces {query} {k} {unknown} {{query}}",
        "--help",
        "-",
        "two\nlines\r\n",
        "ünïcödé 猫 🐈",
        " ",
        "",
        "%s %d ${PATH}",
    ],
    ids=short,
)
def test_a_query_arrives_as_it_is(tmp_path: Path, text: str) -> None:
    run = write_program(tmp_path, "print(json.dumps([{'id': 'x', 'text': sys.argv[1]}]))")
    with opened("command", tmp_path, run=[*run, "{query}"]) as system:
        [hit] = system.search(ask(text), 10).hits
    assert hit.text == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("zero\0byte", "a query with a zero byte cannot be an argument"),
        ("half a sign \ud800", "cannot be started: 'utf-8' codec can't encode"),
        ("x" * 3_000_000, "cannot be started: Argument list too long"),
    ],
    ids=short,
)
def test_a_query_that_no_argument_can_be_is_an_error(
    tmp_path: Path, text: str, message: str
) -> None:
    with opened("command", tmp_path, run=[*write_program(tmp_path, ECHO), "{query}"]) as system:
        response = system.search(ask(text), 10)
    assert response.status is Status.ERROR
    assert message in response.message


def test_a_group_is_left_out_where_the_query_has_nothing_for_it(tmp_path: Path) -> None:
    run = [
        *write_program(tmp_path, "print(json.dumps(sys.argv[1:]))"),
        "{query}",
        ["--language", "{filters.language}"],
        ["--in={language}"],
        ["-n{k}", "{category}"],
    ]
    with opened("command", tmp_path, run=run) as system:
        plain = system.search(ask(), 10)
        full = system.search(
            ask(filters={"language": "de", "more": 1}, language="en", category="how-to"), 10
        )
    assert [hit.id for hit in plain.hits] == ["cats"]
    wanted = ["cats", "--language", "de", "--in=en", "-n10", "how-to"]
    assert [hit.id for hit in full.hits] == wanted


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("code", "settings", "status", "message", "raw"),
    [
        ("sys.exit(3)", {}, Status.ERROR, "ended with code 3", ""),
        ("sys.exit('no index')", {}, Status.ERROR, "ended with code 1", "no index\n"),
        ("print('[1]'); sys.exit(2)", {}, Status.ERROR, "ended with code 2", "[1]\n"),
        ("os.kill(os.getpid(), 11)", {}, Status.ERROR, "was ended by signal 11", ""),
        ("", {}, Status.UNPARSEABLE, "this is not JSON", ""),
        ("", {"pattern": "x"}, Status.EMPTY, "", ""),
        ("print('[]')", {}, Status.EMPTY, "", ""),
        ("print('hits: none')", {}, Status.UNPARSEABLE, "this is not JSON", "hits: none\n"),
        ("print('{}')", {}, Status.UNPARSEABLE, "the JSON has no list of hits", "{}"),
        (
            "sys.stdout.buffer.write(b'[\"\\xff\"]')",
            {},
            Status.UNPARSEABLE,
            "this is not JSON",
            '["\\xff"]',
        ),
        (
            "while True: print('x' * 100_000)",
            {},
            Status.ERROR,
            "printed too much and was stopped",
            "x" * (4000 - 256),  # without the end of a word that was cut
        ),
        (
            "print('begun', flush=True); time.sleep(600)",
            {"timeout": 1.5},
            Status.TIMEOUT,
            "no answer within 1.5 s",
            "begun\n",
        ),
    ],
    ids=short,
)
def test_a_failure_is_recorded_as_what_it_was(
    tmp_path: Path,
    code: str,
    settings: dict[str, object],
    status: Status,
    message: str,
    raw: str,
) -> None:
    run = [*write_program(tmp_path, code), "{query}"]
    with opened("command", tmp_path, run=run, **settings) as system:
        response = system.search(ask(), 10)
    assert response.status is status
    assert message in response.message
    assert response.raw == raw
    assert response.hits == ()


def test_invalid_text_is_no_hindrance_to_a_pattern(tmp_path: Path) -> None:
    code = r"sys.stdout.buffer.write(b'\xff\xfe id=a \xc3 id=b')"
    run = [*write_program(tmp_path, code), "{query}"]
    with opened("command", tmp_path, run=run, pattern="id=(?<id>.)") as system:
        assert [hit.id for hit in system.search(ask(), 10).hits] == ["a", "b"]


def test_a_hundred_thousand_ids_are_read(tmp_path: Path) -> None:
    code = "print(json.dumps([f'd{n}' for n in range(100_000)]))"
    run = [*write_program(tmp_path, code), "{query}"]
    with opened("command", tmp_path, run=run) as system:
        assert len(system.search(ask(), 100_000).hits) == 100_000
        assert len(system.search(ask(), 10).hits) == 10


def test_it_runs_in_its_folder_with_its_environment(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    program = write_program(
        tmp_path, "print(json.dumps([os.path.basename(os.getcwd()), os.environ['INDEX']]))"
    )
    with opened(
        "command",
        tmp_path,
        {"NAME": "small"},
        run=[*program, "{query}"],
        folder="data",
        env={"INDEX": "${NAME}.db"},
    ) as system:
        system.check()
        assert [hit.id for hit in system.search(ask(), 10).hits] == ["data", "small.db"]


def test_a_secret_of_the_environment_is_not_shown(tmp_path: Path) -> None:
    program = write_program(tmp_path, "print(os.environ['KEY']); sys.exit(os.environ['KEY'])")
    with opened(
        "command",
        tmp_path,
        {"SECRET": "hunter2hunter2"},
        run=[*program, "{query}"],
        env={"KEY": "${SECRET}"},
    ) as system:
        response = system.search(ask(), 10)
    assert response.raw == "${SECRET}\n\n${SECRET}\n"


def test_a_variable_that_is_not_set_is_said(tmp_path: Path) -> None:
    with (
        pytest.raises(
            SystemUnusableError, match=r"'mine': env\.KEY needs the environment variable SECRET"
        ),
        opened("command", tmp_path, run=["true", "{query}"], env={"KEY": "${SECRET}"}),
    ):
        pass


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"run": ["./nowhere", "{query}"]}, "nowhere does not exist or cannot be executed"),
        ({"run": ["no-such-program-here", "{query}"]}, "no-such-program-here does not exist"),
        ({"run": ["./notes.txt", "{query}"]}, "notes.txt does not exist or cannot be executed"),
        ({"run": ["true", "{query}"], "folder": "gone"}, "gone does not exist; create it"),
        ({"run": ["true", "{query}"], "folder": "notes.txt"}, "notes.txt does not exist"),
    ],
)
def test_what_is_missing_is_found_before_the_first_query(
    tmp_path: Path, settings: dict[str, object], message: str
) -> None:
    (tmp_path / "notes.txt").write_text("not a program")
    with (
        opened("command", tmp_path, **settings) as system,
        pytest.raises(SystemUnusableError, match=message),
    ):
        system.check()


def test_a_program_beside_the_configuration_is_found(tmp_path: Path) -> None:
    program = tmp_path / "search"
    program.write_text(f"#!{sys.executable}\nimport sys, json\nprint(json.dumps(sys.argv[1:]))\n")
    program.chmod(0o755)
    with opened("command", tmp_path, run=["./search", "{query}"]) as system:
        system.check()
        assert [hit.id for hit in system.search(ask(), 10).hits] == ["cats"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "missing required field `run`"),
        ({"run": []}, "run must begin with the program"),
        ({"run": [["grep"], "{query}"]}, "run must begin with the program"),
        ({"run": ["grep"]}, "run has no {query}; put it where the query belongs"),
        ({"run": "grep {query}"}, "Expected `array`, got `str`"),
        ({"run": ["grep", "{query}", "{quarry}"]}, "run: nothing fills {quarry}; there are"),
        (
            {"run": ["grep", "{query}", "--in", "{filters.lang}"]},
            "not every query has {filters.lang}; make it a list of its own with what goes with it",
        ),
        ({"run": ["grep", "{query}", "{language}"]}, "not every query has {language}"),
        (
            {"run": ["grep", "{query}"], "keep_alive": True},
            "run has {query}, but with keep_alive the process starts before",
        ),
        ({"run": ["grep", "{query}"], "timeout": 0}, "timeout must be more than 0 seconds"),
        ({"run": ["grep", "{query}"], "timeout": float("inf")}, "timeout must be more than 0"),
        ({"run": ["grep", "{query}"], "patern": "x"}, "unknown setting of the kind command 'pa"),
        ({"run": ["grep", "{query}"], "pattern": "("}, "is not a regular expression"),
        ({"run": ["grep", "{query}"], "hits": "a..b"}, "cannot read the path 'a..b' from '..b'"),
        ({"run": ["grep", "{query}"], "pattern": "x", "id": "y"}, "give one of the two"),
    ],
)
def test_a_mistake_in_the_settings_is_explained(
    tmp_path: Path, settings: dict[str, object], message: str
) -> None:
    with pytest.raises(SystemUnusableError) as refused, opened("command", tmp_path, **settings):
        pass
    assert message in str(refused.value)
    assert "'mine'" in str(refused.value)


def test_braces_can_be_written_twice(tmp_path: Path) -> None:
    run = [*write_program(tmp_path, "print(json.dumps(sys.argv[1:]))"), "{query}", "{{print}}"]
    with opened("command", tmp_path, run=run) as system:
        assert [hit.id for hit in system.search(ask(), 10).hits] == ["cats", "{print}"]


def test_many_threads_get_their_own_answers(tmp_path: Path) -> None:
    run = [*write_program(tmp_path, ECHO), "{query}"]
    with opened("command", tmp_path, run=run) as system, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: system.search(ask(f"q{n}"), 10), range(40)))
    assert [answer.hits[0].id for answer in answers] == [f"q{n}" for n in range(40)]


def test_closing_stops_what_runs(tmp_path: Path) -> None:
    code = "open('pid', 'w').write(str(os.getpid())); time.sleep(600)"
    run = [*write_program(tmp_path, code), "{query}"]
    with opened("command", tmp_path, run=run, timeout=600) as system, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(system.search, ask(), 10)
        wait_for(tmp_path / "pid")
        system.close()
        assert answer.result(60).status is Status.ERROR


def test_an_interrupt_from_the_keyboard_leaves_no_process_behind(tmp_path: Path) -> None:
    slow = write_program(
        tmp_path, "open('pid', 'w').write(str(os.getpid())); time.sleep(600)", "slow.py"
    )
    asking = f"""
    from pathlib import Path
    from cranfield.model import Query
    from cranfield.systems import SystemSpec, open_system
    told = {{"run": [*{slow}, "{{query}}"], "timeout": 600}}
    spec = SystemSpec("mine", "command", told, Path("."))
    open_system(spec, dict(os.environ)).search(Query("q", "q"), 10)
    """
    outer = subprocess.Popen(
        write_program(tmp_path, asking, "asking.py"), cwd=tmp_path, stderr=subprocess.PIPE
    )
    inner = int(wait_for(tmp_path / "pid"))
    outer.send_signal(signal.SIGINT)
    _, complaint = outer.communicate(timeout=60)
    assert b"KeyboardInterrupt" in complaint
    assert ends(inner)
