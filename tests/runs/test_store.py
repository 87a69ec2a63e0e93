"""The store: one file, many writers, refused when it is not ours."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.runs.samples import right_first, small_suite

from cranfield.errors import StoreError
from cranfield.runs.runner import run_suite
from cranfield.runs.store import open_store


def test_a_store_is_opened_again_with_all_it_held(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "store.db"
    store = open_store(path)
    run = run_suite(small_suite(3), right_first, store=store)
    store.close()
    again = open_store(path)
    assert again.header(run.header.id) == run.header
    assert (again.outcomes(run.header).values == run.outcomes().values).all()


def test_two_runs_of_one_suite_share_it_and_deleting_one_leaves_the_other(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = open_store(path)
    first = run_suite(small_suite(3), right_first, store=store)
    second = run_suite(small_suite(3), right_first, store=store)
    store.delete(first.header.id)
    assert [header.id for header in store.headers()] == [second.header.id]
    assert list(store.answers(first.header.id)) == []
    assert second.outcomes().first_ranks == (1, 1, 1)
    with sqlite3.connect(path) as database:
        assert database.execute("SELECT count(*) FROM suites").fetchone() == (1,)
    database.close()


def test_a_newer_store_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    open_store(path).close()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE store_version SET version = 99")
    database.close()
    with pytest.raises(StoreError, match=r"store version 99.*upgrade cranfield"):
        open_store(path)


@pytest.mark.parametrize(
    "content", [b"this is a letter to my aunt, not a database at all", b"\x00" * 4096]
)
def test_a_file_that_is_no_store_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"store\.db"):
        open_store(path)
    assert path.read_bytes() == content


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be made"):
        open_store(tmp_path / "file" / "store.db")


def test_an_unknown_run_is_told_with_where_to_look() -> None:
    with pytest.raises(StoreError, match="runs list"):
        open_store().header("260101-000000-aaaa")


WRITER = """
import sys
from cranfield import open_store, run_suite
from tests.runs.samples import right_first, small_suite
for _ in range(5):
    run_suite(small_suite(20), right_first, store=open_store(sys.argv[1]))
"""


@pytest.mark.corpus
@pytest.mark.process
def test_several_processes_write_to_one_store_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    root = Path(__file__).parents[2]
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path)], cwd=root) for _ in range(3)
    ]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    store = open_store(path)
    assert len(store.headers()) == 15
    assert all(store.outcomes(header).missing == 0 for header in store.headers())
