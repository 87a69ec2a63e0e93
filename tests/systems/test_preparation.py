"""Systems that are made before they are asked: where a file is missing, or the corpus changed."""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING

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
    prepare_system(spec, {}, told.append)
    return told


def times(folder: Path) -> int:
    return len((folder / "times").read_text())


def test_a_system_is_made_once_and_again_where_its_corpus_changed(tmp_path: Path) -> None:
    spec = make_spec(tmp_path)
    assert "because it is not built yet" in prepare(spec)[0]
    assert prepare(spec) == []
    assert times(tmp_path) == 1
    (tmp_path / "corpus.txt").write_text("two")
    assert "may have changed" in prepare(spec)[0]
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
    assert "may have changed" in prepare(spec)[0]
    with stacks.open(path) as opened:
        assert [hit.title for hit in opened.search("page").hits] == ["One"]


@pytest.mark.parametrize("record", ["", "[]", "{"])
def test_a_record_that_cannot_be_read_makes_everything_anew(tmp_path: Path, record: str) -> None:
    spec = make_spec(tmp_path)
    prepare(spec)
    (tmp_path / ".cranfield" / "prepared.json").write_text(record)
    assert prepare(spec)
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
