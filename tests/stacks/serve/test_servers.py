"""Holding an index open: a new save is seen, and nobody who reads is disturbed."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.stacks.serve.corpus import DOCUMENTS, save_documents

from stacks.errors import IndexUnusableError
from stacks.serve import ServedIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stacks.query import Index

NEWER = (*DOCUMENTS, replace(DOCUMENTS[0], uri="docs://shapes/new", title="Newcomer"))


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[ServedIndex]:
    held = ServedIndex(save_documents(tmp_path))
    yield held
    held.close()


def find(index: Index, text: str) -> list[str]:
    return [hit.title for hit in index.search(text)]


def test_the_index_stays_open_between_requests(holder: ServedIndex) -> None:
    with holder.acquire() as first, holder.acquire() as second:
        assert first is second
    with holder.acquire() as third:
        assert third is first


def test_a_new_save_is_seen_by_the_next_request(holder: ServedIndex, tmp_path: Path) -> None:
    with holder.acquire() as index:
        assert find(index, "Newcomer") == []
    save_documents(tmp_path, NEWER)
    with holder.acquire() as index:
        assert find(index, "Newcomer") == ["Newcomer"]


def test_a_request_keeps_the_index_it_began_with(holder: ServedIndex, tmp_path: Path) -> None:
    with holder.acquire() as old:
        save_documents(tmp_path, NEWER)
        with holder.acquire() as new:
            assert new is not old
            assert find(new, "Newcomer") == ["Newcomer"]
        assert find(old, "Circle")[0] == "Circle"
        assert find(old, "Newcomer") == []
    with pytest.raises(Exception, match="closed"):
        find(old, "Circle")


def test_a_file_given_by_name_is_watched_too(tmp_path: Path) -> None:
    holder = ServedIndex(save_documents(tmp_path) / "search.db")
    save_documents(tmp_path, NEWER)
    with holder.acquire() as index:
        assert find(index, "Newcomer") == ["Newcomer"]
    holder.close()


def test_a_file_that_joins_the_folder_is_seen(holder: ServedIndex, tmp_path: Path) -> None:
    other = save_documents(tmp_path / "other", NEWER[-1:])
    (other / "search.db").rename(tmp_path / "packages.db")
    with holder.acquire() as index:
        assert len(index.databases) == 2
        assert find(index, "Newcomer") == ["Newcomer"]


def test_what_a_save_leaves_behind_is_no_new_index(holder: ServedIndex, tmp_path: Path) -> None:
    with holder.acquire() as before:
        (tmp_path / "search.db.in-flight").write_bytes(b"half of an index")
    with holder.acquire() as after:
        assert after is before


@pytest.mark.parametrize("content", [b"", b"garbage", b"SQLite format 3\0" + b"\xff" * 4000])
def test_the_old_index_answers_where_the_new_one_is_broken(
    holder: ServedIndex, tmp_path: Path, content: bytes
) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(content)
    broken.replace(tmp_path / "search.db")
    for _ in range(2):
        with holder.acquire() as index:
            assert find(index, "Circle")[0] == "Circle"
        assert "search.db" in holder.problem
    save_documents(tmp_path / "mended", NEWER)
    (tmp_path / "mended" / "search.db").replace(tmp_path / "search.db")
    with holder.acquire() as index:
        assert find(index, "Newcomer") == ["Newcomer"]
    assert holder.problem == ""


def test_the_old_index_answers_where_the_file_is_gone(holder: ServedIndex, tmp_path: Path) -> None:
    (tmp_path / "search.db").unlink()
    with holder.acquire() as index:
        assert find(index, "Circle")[0] == "Circle"
    assert "holds no index" in holder.problem


def test_a_missing_index_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(IndexUnusableError, match="holds no index; make one with stacks save"):
        ServedIndex(tmp_path)
    with pytest.raises(IndexUnusableError, match="there is no index at"):
        ServedIndex(tmp_path / "nowhere.db")


def test_readers_in_many_threads_survive_save_after_save(
    holder: ServedIndex, tmp_path: Path
) -> None:
    done = threading.Event()
    problems: list[BaseException] = []
    answers: list[int] = []

    def read() -> None:
        try:
            while not done.is_set():
                with holder.acquire() as index:
                    found = find(index, "Circle")
                answers.append(found.index("Circle"))
        except BaseException as problem:  # noqa: BLE001 - whatever it is, the test must know
            problems.append(problem)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for documents in (NEWER, DOCUMENTS) * 4:
        save_documents(tmp_path, documents)
    done.set()
    for thread in threads:
        thread.join()
    assert problems == []
    assert set(answers) == {0}


def test_old_files_are_let_go(holder: ServedIndex, tmp_path: Path) -> None:
    for documents in (NEWER, DOCUMENTS, NEWER):
        save_documents(tmp_path, documents)
        with holder.acquire() as index:
            assert find(index, "Circle")
    opened = [os.fspath(file.resolve()) for file in Path("/proc/self/fd").iterdir()]
    assert [each for each in opened if str(tmp_path) in each and "deleted" in each] == []


def test_a_file_of_the_same_size_written_in_place_is_seen(
    holder: ServedIndex, tmp_path: Path
) -> None:
    path = tmp_path / "search.db"
    before = path.stat()
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    with holder.acquire() as again:
        assert find(again, "Circle")[0] == "Circle"
    assert path.stat().st_ino == before.st_ino
    assert holder._current.states[0].changed == before.st_mtime_ns + 1


def test_a_broken_index_is_opened_once_not_at_every_request(
    holder: ServedIndex, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "search.db").unlink()
    (tmp_path / "search.db").write_bytes(b"not an index")
    for _ in range(3):
        with holder.acquire() as index:
            assert find(index, "Circle")[0] == "Circle"
    assert len([each for each in caplog.messages if "the old one stays in use" in each]) == 1
