"""Systems that are made before they are asked: where a file is missing, or the corpus changed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

import stacks
from cranfield.errors import SystemUnusableError
from cranfield.systems import SystemSpec, prepare_system

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

COPY = "import shutil; shutil.copy('corpus.txt', 'index.txt'); open('times', 'a').write('x')"


def make_spec(folder: Path, *command: str) -> SystemSpec:
    (folder / "corpus.txt").write_text("one")
    settings = {
        "run": [sys.executable, "-c", "print()", "{query}"],
        "files": ["index.txt"],
        "corpus": ["corpus.txt"],
        "prepare": list(command) or [sys.executable, "-c", COPY],
    }
    return SystemSpec("new", "command", settings, folder)


def prepare(spec: SystemSpec) -> list[str]:
    told: list[str] = []
    prepare_system(spec, {"PATH": os.environ.get("PATH", os.defpath)}, told.append)
    return told


def times(folder: Path) -> int:
    return len((folder / "times").read_text())


def test_a_system_is_made_once_and_again_where_its_corpus_changed(tmp_path: Path) -> None:
    spec = make_spec(tmp_path)
    assert "because it is not built yet" in prepare(spec)[0]
    assert prepare(spec) == []
    assert times(tmp_path) == 1
    (tmp_path / "corpus.txt").write_text("two")
    assert "because corpus.txt changed" in prepare(spec)[0]
    assert (tmp_path / "index.txt").read_text() == "two"
    (tmp_path / "index.txt").unlink()
    assert "not built yet" in prepare(spec)[0]
    assert times(tmp_path) == 3


@pytest.mark.corpus
def test_an_index_of_another_version_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "one.md").write_text("# One\n\nA page.\n")
    command = ["stacks", "save", "--from", "markdown=pages", "--to", "index", "--quiet"]
    settings = {"index": "index", "prepare": command}
    spec = SystemSpec("new", "stacks", settings, tmp_path)
    assert "because it is not built yet" in prepare(spec)[0]
    assert prepare(spec) == []
    path = tmp_path / "index" / "search.db"
    with closing(sqlite3.connect(path)) as index:
        index.execute("PRAGMA user_version = 2")
        index.execute("ALTER TABLE sources DROP COLUMN is_archive")
    record = tmp_path / ".cranfield" / "prepared.json"
    record.write_text(record.read_text().replace(stacks.INDEX_VERSION, "2.2"))
    assert "because the version of the builder changed" in prepare(spec)[0]
    with stacks.open(path) as opened:
        assert [hit.title for hit in opened.search("page").hits] == ["One"]


@pytest.mark.parametrize("record", ["", "[]", "{", '{"stacks save": "abc"}'])
def test_a_record_that_cannot_be_read_makes_everything_anew(tmp_path: Path, record: str) -> None:
    spec = make_spec(tmp_path)
    prepare(spec)
    (tmp_path / ".cranfield" / "prepared.json").write_text(record)
    assert "because what it is built from may have changed" in prepare(spec)[0]
    assert json.loads((tmp_path / ".cranfield" / "prepared.json").read_text())


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ((sys.executable, "-c", "raise SystemExit(4)"), "prepare ended with 4"),
        (("./no-such-program",), "prepare cannot be run"),
    ],
)
def test_a_command_that_fails_says_so_and_is_not_remembered(
    tmp_path: Path, command: tuple[str, ...], message: str
) -> None:
    spec = make_spec(tmp_path, *command)
    with pytest.raises(SystemUnusableError, match=message):
        prepare(spec)
    assert not (tmp_path / ".cranfield").exists()


INDEX = """\
import pathlib, sys
out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "index.txt")
out.parent.mkdir(exist_ok=True)
out.write_text("built by the first")
with open("times", "a") as times:
    times.write("x")
"""


def built_by(folder: Path, command: list[str], **settings: Any) -> SystemSpec:
    """Return a system whose index a script makes: `python3` is the one of this environment."""
    if not (folder / "index.py").exists():
        (folder / "index.py").write_text(INDEX)
    given = {"run": ["cat", "{query}"], "files": ["index.txt"], "prepare": command, **settings}
    return SystemSpec("new", "command", given, folder)


@pytest.mark.parametrize(
    "command",
    [
        ["python3", "index.py"],
        ["python3", "./index.py"],
        ["python3", "-u", "index.py", "index.txt"],
        ["python3", "-m", "index"],
        ["python3", "{folder}/index.py"],
        ["sh", "-c", "python3 index.py index.txt && true"],
        ["./build.sh"],
        ["env", "SCRIPT=index.py", "python3", "-c", "exec(open('index.py').read())", "index.txt"],
    ],
    ids=" ".join,
)
def test_a_script_that_changed_builds_the_index_again(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "build.sh").write_text("#!/bin/sh\npython3 index.py\n")
    (tmp_path / "build.sh").chmod(0o755)
    spec = built_by(tmp_path, [each.format(folder=tmp_path) for each in command])
    assert "not built yet" in prepare(spec)[0]
    assert prepare(spec) == []
    changed = tmp_path / ("build.sh" if "./build.sh" in command else "index.py")
    changed.write_text(changed.read_text().replace("first", "second") + "# another\n")
    [told] = prepare(spec)
    assert f"{changed.name} changed" in told
    assert prepare(spec) == []
    assert times(tmp_path) == 2


def test_a_module_of_a_package_is_watched_with_the_whole_package(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "__init__.py").write_text("")
    (tmp_path / "tools" / "words.py").write_text("WORD = 'one'\n")
    make = "from tools.words import WORD\nopen('index.txt', 'w').write(WORD)\n"
    (tmp_path / "tools" / "make.py").write_text(make)
    spec = built_by(tmp_path, ["python3", "-m", "tools.make"])
    prepare(spec)
    assert (tmp_path / "tools" / "__pycache__").is_dir()
    assert prepare(spec) == []
    (tmp_path / "tools" / "words.py").write_text("WORD = 'three'\n")
    assert "because tools changed" in prepare(spec)[0]
    assert (tmp_path / "index.txt").read_text() == "three"


@pytest.mark.parametrize("declared", ["lib/words.txt", "lib", "lib/*.txt", "**/*.txt", "lib/**"])
def test_declared_inputs_are_files_folders_and_patterns(tmp_path: Path, declared: str) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "words.txt").write_text("one")
    spec = built_by(tmp_path, ["python3", "index.py"], inputs=[declared])
    prepare(spec)
    assert prepare(spec) == []
    (tmp_path / "lib" / "words.txt").write_text("two")
    assert f"because {declared} changed" in prepare(spec)[0]
    assert prepare(spec) == []
    if declared != "lib/words.txt":
        (tmp_path / "lib" / "more.txt").write_text("three")
        assert f"because {declared} changed" in prepare(spec)[0]
        (tmp_path / "lib" / "more.txt").unlink()
        assert f"because {declared} changed" in prepare(spec)[0]


def test_inputs_that_do_not_exist_or_that_nothing_reads_are_refused(tmp_path: Path) -> None:
    spec = built_by(tmp_path, ["python3", "index.py"], inputs=["words/*.txt"])
    with pytest.raises(SystemUnusableError, match=r"inputs has 'words/\*.txt', and no such file"):
        prepare(spec)
    with pytest.raises(SystemUnusableError, match="inputs is what prepare reads"):
        prepare(built_by(tmp_path, [], inputs=["index.py"]))


def test_folders_among_the_arguments_are_watched_but_not_where_the_index_is(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "one.md").write_text("one")
    command = ["python3", "index.py", "out/index.txt", "--from=docs", "--to", "out", "."]
    spec = built_by(tmp_path, command, files=["out/index.txt"])
    prepare(spec)
    assert prepare(spec) == []
    (tmp_path / "docs" / "one.md").write_text("two")
    assert "because docs changed" in prepare(spec)[0]
    assert prepare(spec) == []


def test_an_index_that_is_written_to_is_no_input(tmp_path: Path) -> None:
    spec = built_by(tmp_path, ["python3", "index.py", "index.txt"])
    (tmp_path / "index.txt").write_text("from a checkout")
    assert "may have changed" in prepare(spec)[0]
    (tmp_path / "index.txt").write_text("a log of queries")
    assert prepare(spec) == []


def test_a_build_that_failed_is_not_up_to_date_after_its_change_is_undone(tmp_path: Path) -> None:
    spec = built_by(tmp_path, ["python3", "index.py"])
    prepare(spec)
    good = (tmp_path / "index.py").read_text()
    (tmp_path / "index.py").write_text("open('index.txt', 'w').write('half')\nraise SystemExit(1)")
    with pytest.raises(SystemUnusableError, match="prepare ended with 1"):
        prepare(spec)
    (tmp_path / "index.py").write_text(good)
    assert prepare(spec)
    assert (tmp_path / "index.txt").read_text() == "built by the first"


def test_two_commands_that_write_one_index_build_it_for_each_other(tmp_path: Path) -> None:
    """A system never answers from the index of another: its own is built again."""
    first = built_by(tmp_path, ["python3", "index.py", "index.txt", "1"])
    second = built_by(tmp_path, ["python3", "index.py", "index.txt", "2"])
    for spec in (first, second, first):
        assert prepare(spec)
    assert prepare(first) == []
    apart = built_by(tmp_path, ["python3", "index.py", "b.txt"], files=["b.txt"])
    prepare(apart)
    assert prepare(first) == prepare(apart) == []


def test_a_program_of_the_project_is_not_looked_up_beside_python(tmp_path: Path) -> None:
    program = tmp_path / "python3"
    program.write_text("#!/bin/sh\necho own > index.txt\n")
    program.chmod(0o755)
    prepare(built_by(tmp_path, ["./python3"]))
    assert (tmp_path / "index.txt").read_text() == "own\n"


def test_a_copied_project_is_up_to_date(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    prepare(built_by(tmp_path / "a", ["python3", "index.py"], inputs=["*.py"]))
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    assert prepare(built_by(tmp_path / "b", ["python3", "index.py"], inputs=["*.py"])) == []
