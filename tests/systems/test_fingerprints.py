"""Fingerprints: any change of a file is seen, and looking at it is none."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import msgspec
import pytest

from cranfield.errors import SystemUnusableError
from cranfield.systems import FileFingerprint, changed_files, fingerprint_files

if TYPE_CHECKING:
    from pathlib import Path

LARGE = 70 << 20


def take(*paths: Path) -> dict[str, FileFingerprint]:
    return fingerprint_files(paths)


def test_a_small_file_is_its_content(tmp_path: Path) -> None:
    path = tmp_path / "binary"
    path.write_bytes(b"abc")
    os.utime(path, (1, 1))
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert take(path) == {str(path): FileFingerprint(3, abc, "content")}


def test_each_kind_of_change_has_its_sentence(tmp_path: Path) -> None:
    same, grown, other, gone = (tmp_path / name for name in ("same", "grown", "other", "gone"))
    for path in (same, grown, other, gone):
        path.write_text("abc")
    before = take(same, grown, other, gone)
    grown.write_text("abcd")
    other.write_text("xyz")
    (tmp_path / "new").write_text("")
    assert changed_files(before, take(same, grown, other, tmp_path / "new")) == [
        f"{grown} changed: it had 3 bytes and has 4",
        f"{other} changed: it has the same size and another fingerprint",
        f"{gone} is no longer among the files",
        f"{tmp_path / 'new'} was not among the files",
    ]
    assert changed_files(before, before) == []


BETWEEN = (LARGE - (1 << 20)) * 31 // 63  # where the block with the number 31 begins


@pytest.mark.parametrize("place", [0, (1 << 20) - 1, BETWEEN, LARGE - (1 << 20), LARGE - 1])
def test_a_large_file_is_sampled_and_says_so(tmp_path: Path, place: int) -> None:
    path = tmp_path / "index"
    with path.open("wb") as file:
        file.truncate(LARGE)
    os.utime(path, ns=(10**9, 10**9))
    before = take(path)
    assert before[str(path)].method == "size, time of change and 64 blocks of content"
    assert take(path) == before
    with path.open("r+b") as file:
        file.seek(place)
        file.write(b"x")
    os.utime(path, ns=(10**9, 10**9))
    assert take(path) != before


def test_a_large_file_that_is_written_again_is_another(tmp_path: Path) -> None:
    path = tmp_path / "index"
    with path.open("wb") as file:
        file.truncate(LARGE)
    before = take(path)
    os.utime(path, ns=(5, 5))
    [sentence] = changed_files(before, take(path))
    assert sentence.endswith("changed or was only touched: it has the same size and another "
                             "fingerprint")  # fmt: skip


def make_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE documents (text)")
        database.execute("INSERT INTO documents VALUES ('a')")
        database.commit()


def test_reading_a_database_does_not_change_it(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    make_database(path)
    before, folder = take(path), take(tmp_path)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        database.execute("SELECT * FROM documents").fetchall()
        assert (tmp_path / "index.db-shm").exists()
        assert changed_files(before, take(path)) == []
        assert changed_files(folder, take(tmp_path)) == []


def test_what_is_only_in_the_log_is_part_of_a_database(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    make_database(path)
    before = take(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("INSERT INTO documents VALUES ('b')")
        database.commit()
        written = take(path)
        assert changed_files(before, written) == [f"{path} was written to: its -wal file changed"]
        database.execute("INSERT INTO documents VALUES ('c')")
        database.commit()
        assert changed_files(written, take(path)) != []


def test_a_journal_that_is_left_behind_counts(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    make_database(path)
    before = take(path)
    (tmp_path / "index.db-journal").write_bytes(b"")
    assert changed_files(before, take(path)) == []
    (tmp_path / "index.db-journal").write_bytes(b"hot")
    assert changed_files(before, take(path)) == [
        f"{path} was written to: its -journal file changed"
    ]


def test_a_log_beside_what_is_no_database_is_another_file(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("x")
    before = take(tmp_path / "notes")
    (tmp_path / "notes-wal").write_text("y")
    assert changed_files(before, take(tmp_path / "notes")) == []


def test_a_folder_is_all_that_is_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    (folder / "deep").mkdir(parents=True)
    (folder / "a").write_text("a")
    (folder / "deep" / "b").write_text("b")
    (folder / "link").symlink_to("deep")
    before = take(folder)
    assert before[str(folder)].size == 2
    assert take(folder) == before
    (folder / "deep" / "b").write_text("c")
    assert changed_files(before, take(folder)) == [
        f"{folder} changed: it has the same size and another fingerprint"
    ]
    (folder / "deep" / "b").write_text("b")
    assert take(folder) == before
    (folder / "deep" / "b").rename(folder / "deep" / "c")
    assert take(folder) != before


def test_a_folder_that_became_a_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "index"
    path.mkdir()
    before = take(path)
    path.rmdir()
    path.write_text("")
    assert changed_files(before, take(path)) == [f"{path} is no longer a folder"]
    assert changed_files(take(path), before) == [f"{path} has become a folder"]


def test_what_is_missing_or_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemUnusableError, match="gone cannot be read: No such file"):
        take(tmp_path / "gone")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SystemUnusableError, match="pipe is neither a file nor a folder"):
        take(tmp_path / "pipe")
    assert take(tmp_path)[str(tmp_path)].size == 0


def test_a_fingerprint_survives_being_stored(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    make_database(path)
    (tmp_path / "index.db-journal").write_bytes(b"hot")
    taken = take(path)
    stored = msgspec.json.encode(taken)
    assert changed_files(msgspec.json.decode(stored, type=dict[str, FileFingerprint]), taken) == []
