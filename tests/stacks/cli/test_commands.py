"""The command as people type it."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [pytest.mark.corpus, pytest.mark.process]

HANDBOOK = {
    "deploy.md": "# Deploying\n\nHow to ship a release to production servers.\n",
    "rollback.md": "# Rolling back\n\nUndo a release that went wrong.\n",
    "alerts/paging.md": "# Paging\n\nWho is woken at night.\n",
}


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    for name, text in HANDBOOK.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def stacks(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `stacks` with its home in the test's folder."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "STACKS_HOME": str(tmp_path / "home")}
        command = [sys.executable, "-m", "stacks", *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path
        )

    return run


Run: TypeAlias = "Callable[..., subprocess.CompletedProcess[str]]"


def test_save_then_search_then_read(stacks: Run, handbook: Path) -> None:
    saved = stacks("save", "--from", f"markdown={handbook}")
    assert saved.returncode == 0, saved.stderr
    assert "3 documents" in saved.stdout
    assert "markdown: 3 pages read, 3 documents written" in saved.stdout
    found = stacks("search", "undo a release")
    assert found.stdout.splitlines()[0].startswith(" 1. Rolling back")
    uri = found.stdout.splitlines()[1].strip()
    read = stacks("read", uri)
    assert "Undo a release that went wrong." in read.stdout
    assert read.returncode == 0


def test_search_as_json_has_every_field_a_program_wants(stacks: Run, handbook: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    report = json.loads(stacks("search", "release", "--format", "json", "--explain").stdout)
    assert report["query"] == "release"
    first = report["hits"][0]
    assert {"rank", "uri", "title", "score", "source", "kind", "summary"} <= first.keys()
    assert first["explanation"]["standing"]["rank"] == 1


def test_explain_shows_columns_factors_and_fusion(stacks: Run, handbook: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    text = stacks("search", "paging", "--explain").stdout
    assert "title " in text
    assert "title is the query" in text
    assert "markdown rank 1, weight 1" in text


def test_nothing_found_says_so(stacks: Run, handbook: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    assert 'nothing found for "zebra"; try fewer' in stacks("search", "zebra").stdout
    assert "nothing to look for" in stacks("search", "***").stdout


def test_nothing_found_suggests_names_and_tells_of_unknown_filters(
    stacks: Run, handbook: Path
) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    assert "did you mean Deploying?" in stacks("search", "dpeloying").stdout
    told = json.loads(stacks("search", "dpeloying", "--format", "json").stdout)
    assert (told["hits"], told["suggestions"]) == ([], ["Deploying"])
    assert told["remark"].startswith('nothing found for "dpeloying"')
    unknown = stacks("search", "release", "--source", "markdwon").stdout
    assert 'there is no source "markdwon" here; did you mean markdown?' in unknown
    weighed = stacks("search", "release", "--weight", "markdwon=2")
    assert weighed.returncode == 2
    assert "'markdwon', which is not in this index; did you mean markdown?" in weighed.stderr
    assert (
        'no page is called "Pagign"; did you mean Paging?' in stacks("inheritance", "Pagign").stdout
    )


def test_several_words_are_one_query(stacks: Run, handbook: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    apart = stacks("search", "undo", "a", "release", "--format", "json").stdout
    assert apart == stacks("search", "undo a release", "--format", "json").stdout
    assert json.loads(apart)["query"] == "undo a release"


def test_long_titles_are_cut_so_that_lines_fit(stacks: Run, handbook: Path) -> None:
    (handbook / "long.md").write_text(f"# {'Long title ' * 30}\n\n{'Long text ' * 30}\n")
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    lines = stacks("search", "long").stdout.splitlines()
    assert max(map(len, lines)) <= 100
    assert "…  (article in" in lines[0]


def test_read_as_json_says_deprecated_as_search_does(stacks: Run, handbook: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    uri = json.loads(stacks("search", "paging", "--format", "json").stdout)["hits"][0]["uri"]
    told = json.loads(stacks("read", uri, "--format", "json").stdout)
    assert told["deprecated"] is False
    assert "is_deprecated" not in told


def run_in_shell(
    script: str, tmp_path: Path, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    settings = {**os.environ, "STACKS_HOME": str(tmp_path / "home"), **environment}
    command = ["sh", "-c", script.replace("stacks", f"{sys.executable} -m stacks", 1)]
    return subprocess.run(command, capture_output=True, check=False, env=settings)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_what_an_encoding_cannot_say_is_no_error(
    stacks: Run, handbook: Path, tmp_path: Path, encoding: str
) -> None:
    (handbook / "猫.md").write_text("# Katze 猫\n\nüber alles\n")
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    done = run_in_shell("stacks search katze", tmp_path, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Katze 猫".encode(encoding, "replace") in done.stdout


@pytest.mark.parametrize(
    ("output", "reason"),
    [(">/dev/full", b"No space left on device"), (">&-", b"standard output is closed")],
)
def test_output_that_cannot_be_written_is_one_message(
    stacks: Run, handbook: Path, tmp_path: Path, output: str, reason: bytes
) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    done = run_in_shell(f"stacks search release {output}", tmp_path)
    assert done.returncode == 2
    assert done.stderr == b"stacks: the output cannot be written: " + reason + b"\n"


def test_help_that_cannot_be_written_is_one_message(tmp_path: Path) -> None:
    done = run_in_shell("stacks search --help >/dev/full", tmp_path)
    assert (done.returncode, done.stderr) == (2, b"stacks: No space left on device\n")


@pytest.mark.parametrize("arguments", ["search x --db index", "search x --db .", "doctor --db x"])
def test_a_working_folder_that_is_gone_is_one_message(tmp_path: Path, arguments: str) -> None:
    gone = tmp_path / "gone"
    script = f"mkdir {gone}; cd {gone}; rmdir {gone}; {sys.executable} -m stacks {arguments}"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode in (1, 2)
    assert "index" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


# Whoever runs the tests may have been told to ignore a signal, as nohup does.
STOPPING = """
import os, signal, sys, time
from pathlib import Path
from stacks.cli.main import main
from stacks.sources import SOURCES, Source, SourceKind

class Stopping(Source):
    def pages(self):
        assert (Path(sys.argv[sys.argv.index("--to") + 1]) / "search.db.in-flight").exists()
        os.kill(os.getpid(), number)
        time.sleep(60)  # A signal may take a moment to arrive.
        yield from ()

    def read(self, page):
        return []

number = int(sys.argv.pop(1))
signal.signal(number, signal.SIG_DFL if number != signal.SIGINT else signal.default_int_handler)
kind = SourceKind("stopping", "gets a signal", "stopping=x", lambda _: Stopping())
SOURCES.register(kind.name, kind)
main()
"""


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
)
def test_a_save_that_is_stopped_leaves_the_old_index_and_nothing_else(
    stacks: Run, handbook: Path, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    home = tmp_path / "home"
    before = (home / "search.db").read_bytes()
    saving = [sys.executable, "-c", STOPPING, str(int(number)), "save", "--quiet", "--replace"]
    done = subprocess.run(
        [*saving, "--to", str(home), "--from", "stopping=x"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout) == (
        code,
        "stacks: stopped; the index that was there is untouched\n",
        "",
    )
    assert not (home / "search.db.in-flight").exists()
    assert (home / "search.db").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "x"], "there is no index at"),
        (["search", "x", "--format", "xml"], "formats are text, json, markdown"),
        (["search", "x", "--weight", "docs"], "--weight takes SOURCE=NUMBER"),
        (["search", "x", "--min-ios", "9" * 20], "there is no index at"),
        (["search", "x", "--rrf-k", "-1"], "the k of the rank fusion is a number from 0 on"),
        (["search", "x", "--rrf-k", "nan"], "the k of the rank fusion is a number from 0 on"),
        (["search", "x", "--weight", "docs=inf"], "the weight of docs is a number from 0 on"),
        (["save", "--from", "markdown=.", "--to", "handbook.md"], "--to takes a folder"),
        (["save", "--from", "markdown"], "--from takes SOURCE=PATH"),
        (["save", "--from", "markdwon=x"], "unknown source 'markdwon': did you mean markdown?"),
        (["save", "--from", "markdown=/nowhere/at/all"], "/nowhere/at/all"),
        (["save", "--packages", "--from", "markdown=."], "no --from names a source of it"),
        (["read", "markdown://x"], "there is no index at"),
        (["symbols"], "there is no index at"),
    ],
)
def test_a_mistake_is_one_message_and_exit_code_2(
    stacks: Run, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "handbook.md").touch()
    done = stacks(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("stacks: ")


def test_doctor_tells_of_a_sound_index_and_of_a_broken_one(
    stacks: Run, handbook: Path, tmp_path: Path
) -> None:
    (handbook / "empty.md").write_text("")
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    sound = stacks("doctor")
    assert sound.returncode == 0
    assert "3 documents, 3 in the text index" in sound.stdout
    assert "unreadable 1" in sound.stdout
    path = tmp_path / "home" / "search.db"
    path.write_bytes(path.read_bytes()[:20_000])
    broken = stacks("doctor")
    assert broken.returncode == 1
    assert "WRONG" in broken.stdout


def test_doctor_looks_at_each_file_by_itself(stacks: Run, handbook: Path, tmp_path: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    (tmp_path / "home" / "packages.db").touch()
    (tmp_path / "home" / "samples.db").write_text("no database at all, but long enough" * 100)
    done = stacks("doctor")
    assert done.returncode == 1
    assert "3 documents, 3 in the text index" in done.stdout
    assert "packages.db is empty" in done.stdout
    assert "samples.db is not an index" in done.stdout


@pytest.mark.parametrize("table", ["docs_fts", "doc_symbols_fts", "doc_code_fts"])
@pytest.mark.parametrize("rows", ["1", "id > 10", "id = 10", "id = 1"])
def test_doctor_finds_a_broken_text_index(
    stacks: Run, handbook: Path, tmp_path: Path, table: str, rows: str
) -> None:
    (handbook / "code.md").write_text("# Code\n\n```python\nclass A:\n    x = 1\n```\n")
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    with closing(sqlite3.connect(tmp_path / "home" / "search.db")) as connection:
        sql = f"DELETE FROM {table}_data WHERE {rows}"  # noqa: S608 - from the lists above
        assert connection.execute(sql).rowcount
        connection.commit()
    done = stacks("doctor")
    assert done.returncode == 1
    assert f"WRONG {tmp_path / 'home' / 'search.db'}: {table} is broken" in done.stdout


def test_doctor_tells_of_a_file_in_flight_without_an_index(stacks: Run, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "search.db.in-flight").touch()
    done = stacks("doctor")
    assert done.returncode == 1
    assert "holds no index" in done.stdout
    assert "search.db.in-flight: being saved, or left by a save that was killed" in done.stdout


def test_doctor_shows_twenty_events_and_all_when_asked(stacks: Run, handbook: Path) -> None:
    for number in range(23):
        (handbook / f"empty{number:02}.md").write_text("")
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    some = stacks("doctor").stdout
    assert some.count("  unreadable: markdown empty") == 20
    assert "… and 3 more: stacks doctor --all" in some
    everything = stacks("doctor", "--all").stdout
    assert everything.count("  unreadable: markdown empty") == 23
    assert "more: stacks doctor" not in everything


def test_list_tells_what_is_there_and_what_can_be_saved(stacks: Run, handbook: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    assert "3  markdown  (weight 1)" in stacks("list").stdout
    kinds = stacks("list", "--kinds").stdout
    for name in ("apple-docs", "swift-evolution", "pydoc", "packages", "samples", "jsonl"):
        assert name in kinds


def test_only_changed_reads_what_changed(stacks: Run, handbook: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    (handbook / "deploy.md").write_text("# Deploying\n\nOtherwise.\n")
    saved = stacks("save", "--from", f"markdown={handbook}", "--only-changed")
    assert "3 pages read, 2 unchanged, 1 documents written" in saved.stdout


def test_a_reader_that_has_seen_enough_is_no_error(
    stacks: Run, handbook: Path, tmp_path: Path
) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    environment = {**os.environ, "STACKS_HOME": str(tmp_path / "home")}
    command = f"{sys.executable} -m stacks search release --explain | head -1"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=False, env=environment
    )
    assert done.stderr == ""


def test_help_shows_examples(stacks: Run) -> None:
    for command in ("save", "search", "symbols", "serve"):
        assert f"\n  stacks {command} " in stacks(command, "--help").stdout


def test_the_light_start_loads_no_reader(stacks: Run) -> None:
    heavy = ("griffe", "tree_sitter", "mcp", "stacks.sources", "numpy")
    code = f"import sys, stacks.cli.main; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
