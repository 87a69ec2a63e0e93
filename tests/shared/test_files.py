"""Files are replaced whole, named safely, and opened by SQLite whatever they are called."""

from __future__ import annotations

import fcntl
import os
import signal
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield_shared.files import file_name, held_file, replace_file, sqlite_uri

ODD_NAMES = [
    "a%41b",
    "a?mode=rw",
    "a#b",
    "two words",
    "Prüfstand",
    "new\nline",
    "a&b=c",
    "a;b",
    "日本",
]


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "report.json"
    replace_file(path, "first, long enough to show")
    replace_file(path, "second\udc80")
    assert path.read_bytes() == b"second\\udc80"
    assert names_in(path.parent) == ["report.json"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("old")
    (tmp_path / "here").symlink_to("there")
    replace_file(tmp_path / "here", "new")
    assert (tmp_path / "here").is_symlink()
    assert (tmp_path / "there").read_text() == "new"


def test_a_link_in_the_place_of_the_partial_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    (tmp_path / ".report.partial").symlink_to("precious")
    with pytest.raises(OSError, match="symbolic links"):
        replace_file(tmp_path / "report", "new")
    assert (tmp_path / "precious").read_text() == "kept"


@pytest.mark.process
def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    replace_file(pipe, "through")
    reader.join()
    assert read == ["through"]
    assert pipe.is_fifo()


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "report"
    replace_file(path, "old")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse) if call == "fsync" else patch.setattr(
            Path, "replace", refuse
        )
        with pytest.raises(OSError, match="No space left"):
            replace_file(path, "new")
    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["report"]


@pytest.mark.process
def test_what_a_killed_writer_leaves_is_taken_over_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "report"
    replace_file(path, "old")
    child = os.fork()
    if child == 0:
        Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign,assignment]
        replace_file(path, "a longer text of a writer that is killed at the rename")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert path.read_text() == "old"
    replace_file(path, "new")
    assert path.read_text() == "new"
    assert names_in(tmp_path) == ["report"]


@pytest.mark.process
def test_writers_at_the_same_time_leave_the_whole_text_of_one(tmp_path: Path) -> None:
    path = tmp_path / "report"
    texts = [letter * 100_000 for letter in "abcd"]
    children = []
    for text in texts:
        child = os.fork()
        if child == 0:
            for _ in range(25):
                replace_file(path, text)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * len(texts)
    assert path.read_text() in texts
    assert names_in(tmp_path) == ["report"]


def test_a_file_that_is_held_can_be_asked_for_without_waiting(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(BlockingIOError), held_file(tmp_path / "lock", wait=False):
            pass
    with held_file(tmp_path / "lock", wait=False):
        pass


@given(st.text())
def test_a_name_is_one_part_of_a_path(text: str) -> None:
    name = file_name(text)
    assert Path(name).name == name
    assert name not in ("", ".", "..")
    assert name[0] not in ".-"
    assert name.isprintable() or any(not each.isprintable() for each in text)
    assert "/" not in name
    assert "\0" not in name


@given(st.text(), st.text())
def test_different_texts_have_different_names(one: str, other: str) -> None:
    assert (file_name(one) == file_name(other)) == (one == other)


@pytest.mark.parametrize("text", ["canonical", "home_v1.2", "Suche-ä", "日本"])
def test_plain_names_stay_as_they_are(text: str) -> None:
    assert file_name(text) == text


@pytest.mark.parametrize("letter", ["x", "ä", "日", "/", "\U0001f600", "\ud800"])
def test_long_texts_have_names_that_a_file_can_have(letter: str, tmp_path: Path) -> None:
    texts = [letter * 1_000_000, letter * 1_000_000 + "y", letter * 300, letter * 301]
    names = [file_name(text) for text in texts]
    assert len(set(names)) == 4
    for name in names:
        (tmp_path / f"{name}.html").write_text("")
        assert file_name(name) != name or "%" not in name


@pytest.mark.parametrize("name", ODD_NAMES)
def test_sqlite_opens_a_file_whatever_its_path(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    path = folder / f"{name}.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (a)")
    for immutable in (False, True):
        uri = sqlite_uri(path, immutable=immutable)
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("t",)]
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                connection.execute("INSERT INTO t VALUES (1)")
    assert names_in(folder) == [path.name]
