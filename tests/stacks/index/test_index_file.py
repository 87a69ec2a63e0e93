"""The old index answers whatever happens to a save: kills, a full disk, two saves at once."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, TypeAlias

import pytest

from stacks.errors import SaveError
from stacks.health_check import examine
from stacks.index import save, staging_path
from stacks.query import open_index

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stacks.index import Request
    from stacks.model import Document

Make: TypeAlias = "Callable[..., Document]"
Requests: TypeAlias = "Callable[..., Request]"

# One process loads the engine once and forks a child for each save, which it kills with -9
# after a random moment of its life; then the index must answer as before, or as after.
KILLING = """
import os, random, signal, sys, time
from pathlib import Path
from stacks.index import Request, SaveOptions, save
from stacks.query import open_index
from stacks.sources import SOURCES

corpus, folder, kills = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
request = Request(SOURCES.get("markdown"), str(corpus))
(corpus / "changing.md").write_text("# Changing\\n\\nround marker\\n")
began = time.perf_counter()
save([request], folder)
whole = time.perf_counter() - began
moments = random.Random(4)
finished = cut = 0
for kill in range(kills):
    (corpus / "changing.md").write_text(f"# Changing\\n\\nround{kill} marker\\n")
    child = os.fork()
    if child == 0:
        save([request], folder, SaveOptions(only_changed=kill % 2 == 1))
        os._exit(0)
    time.sleep(moments.uniform(0, whole * 1.2))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    finished += os.WIFEXITED(status)
    cut += (folder / "search.db.in-flight").exists()
    with open_index(folder) as index:
        assert len(index.search("marker")) == 1, "the changing page has one version"
        assert len(index.search("common", limit=200)) == 120, "every other page is there"
        assert index.databases[0].value("PRAGMA integrity_check") == "ok"
save([request], folder)
with open_index(folder) as index:
    assert [hit.title for hit in index.search(f"round{kills - 1}")][0] == "Changing"
names = sorted(file.name for file in folder.iterdir())
assert names == ["search.db"], names
print(finished, cut)
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number in range(120):
        text = " ".join(f"word{number * 7 % 50 + step}" for step in range(60))
        (folder / f"page{number}.md").write_text(f"# Page {number}\n\nA common page. {text}\n")
    return folder


@pytest.mark.corpus
@pytest.mark.process
def test_a_hundred_kills_leave_an_index_that_answers(corpus: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLING, str(corpus), str(tmp_path / "index"), "100"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    finished, cut = map(int, done.stdout.split())
    assert cut > 10, "most kills came while the new file was in flight"
    assert finished < 90


def test_what_a_killed_save_left_is_never_read(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    (saved,) = save([request_of("docs", [page("a/b")])], tmp_path)
    staging_path(saved.path).write_bytes(b"half of something")
    with open_index(tmp_path) as index:
        assert len(index.databases) == 1
    save([request_of("docs", [page("a/b")])], tmp_path)
    assert not staging_path(saved.path).exists()


def test_two_saves_at_once_are_kept_apart(tmp_path: Path, page: Make, request_of: Requests) -> None:
    (saved,) = save([request_of("docs", [page("a/b")])], tmp_path)
    with (tmp_path / ".search.db.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(SaveError, match="being saved by another process"):
            save([request_of("docs", [page("a/c")])], tmp_path)
    with open_index(saved.path) as index:
        assert index.search("b")


def test_a_reader_keeps_its_index_while_a_new_one_takes_its_place(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    save([request_of("docs", [page("a/old")])], tmp_path)
    with open_index(tmp_path) as reader:
        save([request_of("docs", [page("a/new")])], tmp_path)
        assert [hit.title for hit in reader.search("old")] == ["old"]
    with open_index(tmp_path) as reader:
        assert not reader.search("old")


@pytest.mark.corpus
@pytest.mark.process
def test_a_full_disk_leaves_the_old_index_and_says_so(corpus: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk: SQLite meets the same refusal."""
    folder = tmp_path / "index"
    command = [sys.executable, "-m", "stacks", "save", "--from", f"markdown={corpus}"]
    command += ["--to", str(folder), "--quiet"]
    subprocess.run(command, check=True, capture_output=True)
    before = (folder / "search.db").read_bytes()

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))

    done = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        preexec_fn=limit,
    )
    assert done.returncode == 2
    assert "could not be saved" in done.stderr
    assert "make room on the disk" in done.stderr
    assert "the index that was there is untouched" in done.stderr
    assert "Traceback" not in done.stderr
    assert (folder / "search.db").read_bytes() == before
    assert not (folder / "search.db.in-flight").exists()


def test_a_folder_that_cannot_be_written_is_an_error_with_its_name(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SaveError, match="file"):
        save([request_of("docs", [page("a/b")])], tmp_path / "file")


def test_an_interrupted_save_cleans_up_after_itself(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    class Interrupting:
        def start(self, what: str, total: int | None) -> None:
            raise KeyboardInterrupt(what, total)

        def advance(self, steps: int = 1) -> None: ...

    from stacks.index import SaveOptions

    (saved,) = save([request_of("docs", [page("a/b")])], tmp_path)
    with pytest.raises(KeyboardInterrupt):
        save([request_of("docs", [page("a/c")])], tmp_path, SaveOptions(progress=Interrupting()))
    assert not staging_path(saved.path).exists()
    with open_index(tmp_path) as index:
        assert index.search("b")


def test_a_read_only_index_in_a_read_only_folder_can_be_searched(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    (saved,) = save([request_of("docs", [page("a/b")])], tmp_path)
    saved.path.chmod(0o444)
    tmp_path.chmod(0o500)
    try:
        with open_index(saved.path) as index:
            assert index.search("b")
        assert sorted(each.name for each in tmp_path.iterdir()) == ["search.db"]
    finally:
        tmp_path.chmod(0o700)


def test_an_index_is_on_the_disk_before_it_takes_the_place_of_the_old_one(
    tmp_path: Path, page: Make, request_of: Requests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a machine that loses its power has neither the old index nor the new one."""
    path = tmp_path / "search.db"
    synchronised = []
    real = os.fsync

    def note(handle: int) -> None:
        synchronised.append((os.fstat(handle).st_ino, path.exists()))
        real(handle)

    monkeypatch.setattr(os, "fsync", note)
    save([request_of("docs", [page("a/b")])], tmp_path)
    assert synchronised == [(path.stat().st_ino, False), (tmp_path.stat().st_ino, True)]


def test_a_save_of_nothing_leaves_nothing(tmp_path: Path, request_of: Requests) -> None:
    with pytest.raises(SaveError, match="gave no document"):
        save([request_of("docs", [])], tmp_path / "new" / "index")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a%41b", "a?mode=rw", "a#b", "two words", "Prüf", "new\nline"])
def test_an_index_is_where_its_path_says(
    tmp_path: Path, page: Make, request_of: Requests, name: str
) -> None:
    (tmp_path / "aAb").mkdir()
    folder = tmp_path / name
    for _ in range(2):  # the second save reads what the first one wrote
        save([request_of("docs", [page("a/b")])], folder)
    assert [each.name for each in folder.iterdir()] == ["search.db"]
    assert list((tmp_path / "aAb").iterdir()) == []
    with open_index(folder) as index:
        assert index.search("b")
    assert all(finding.is_fine for finding in examine(folder))
