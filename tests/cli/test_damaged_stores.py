"""A store that is damaged, empty, read-only, misspelt or misdated: told in one message."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import tempfile
from contextlib import chdir, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.cli.projects import cranfield, make_python_project
from tests.runs.samples import right_first, small_suite

from cranfield.errors import StoreError
from cranfield.runs.lookup import find_run
from cranfield.runs.regrading import audit_store
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.store import open_store
from cranfield.runs.transfer import import_runs, open_copy

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACES = 300
SEED = 16
COMMANDS = (
    ("runs", "list"),
    ("runs", "list", "-f", "json"),
    ("runs", "show", "latest"),
    ("runs", "show", "latest", "q3"),
    ("runs", "show", "before", "after", "q3"),
    ("runs", "export", "before"),
    ("runs", "export", "before", "-f", "trec"),
    ("runs", "audit"),
    ("runs", "delete", "--keep", "1"),
    ("compare", "before", "after"),
    ("gate", "--run", "latest"),
    ("baseline", "accept", "latest", "--reason", "good"),
    ("power",),
    ("check",),
)
HELP = ("runs audit", "--store", "can be read", "restore it")


class Stored(NamedTuple):
    """A project, and the content of its store: three runs in one file, without a log beside it."""

    project: Path
    content: bytes


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    project = make_python_project(tmp_path_factory.mktemp("stored"), queries=8)
    for system, label in (("old", "before"), ("new", "after"), ("partly", "odd")):
        cranfield(project, "run", "-s", system, "--label", label, "--repeat", "2", "--quiet")
    path = project / ".cranfield" / "cranfield.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Stored(project, path.read_bytes())


def damage(content: bytes, number: int) -> bytes:
    """Damage a file at a seeded place: some random bytes, some zeros, or an end that is missing."""
    chance = random.Random(f"{SEED}/{number}")  # noqa: S311 - no secret
    place = chance.randrange(len(content))
    size = chance.choice((1, 4, 64, 1024, 4096))
    if number % 3 == 0:
        return content[:place] + chance.randbytes(size) + content[place + size :]
    if number % 3 == 1:
        return content[:place] + bytes(size) + content[place + size :]
    return content[:place]


def run_on(project: Path, content: bytes, command: tuple[str, ...]) -> str:
    """Run a command on a store of this content; return its messages and check that it told all."""
    path = project / ".cranfield" / "cranfield.db"
    for each in path.parent.iterdir():
        each.unlink()
    shutil.rmtree(project / "baselines", ignore_errors=True)
    path.write_bytes(content)
    done = cranfield(project, *command)
    assert done.returncode in (0, 1, 2, 4), f"{command}: {done.stderr}"
    assert "Traceback" not in done.stderr, f"{command}: {done.stderr}"
    if "damaged" in done.stderr:
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert any(each in done.stderr for each in HELP), done.stderr
    assert path.read_bytes() == content, f"{command} changed the store"
    return done.stderr


@pytest.mark.corpus
@pytest.mark.process
def test_no_command_that_reads_fails_on_a_damaged_store(stored: Stored) -> None:
    """Each place is read by two commands in turn, so each meets all kinds of damage."""
    project, whole = stored
    told = 0
    for number in range(PLACES):
        content = damage(whole, number)
        for step in range(2):
            told += "damaged" in run_on(
                project, content, COMMANDS[(2 * number + step) % len(COMMANDS)]
            )
    assert told > PLACES / 4


@pytest.mark.corpus
@pytest.mark.process
def test_a_store_that_ends_at_any_page_is_told(stored: Stored) -> None:
    project, whole = stored
    pages = range(0, len(whole), 4096)
    assert len(pages) > 10
    for number, size in enumerate(pages):
        for step in range(2):
            command = COMMANDS[(2 * number + step) % len(COMMANDS)]
            told = run_on(project, whole[:size], command)
            assert told or command == ("check",), command


def break_answer(path: Path, run: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE answers SET figures = '[0.5, ' WHERE run = ? AND place = 1", [run])


def test_what_is_whole_in_a_damaged_store_is_named_and_copied(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with closing(open_store(path)) as store:
        first, second = (run_suite(small_suite(3), right_first, store=store) for _ in range(2))
    break_answer(path, first.header.id)
    with closing(open_store(path)) as damaged:
        with pytest.raises(StoreError, match=rf"{first.header.id} cannot be read.*runs audit"):
            damaged.outcomes(first.header)
        audited = audit_store(damaged)
        assert (audited.runs, list(audited.damaged), audited.passed) == (
            2,
            [first.header.id],
            False,
        )
    new = open_store(tmp_path / "new.db")
    with open_copy(str(path)) as copy:
        done = import_runs(new, copy)
    assert [each.id for each in done.copied] == [second.header.id]
    assert list(done.damaged) == [first.header.id]
    assert audit_store(new).passed
    shown = cranfield(tmp_path, "runs", "audit", "--store", "store.db")
    assert shown.returncode == 1
    assert "store.db is damaged: 1 of 2 runs can be read" in shown.stdout
    shown = cranfield(tmp_path, "runs", "import", "store.db", "--store", "other.db")
    assert "1 run imported, 0 known or unfinished left out, 1 damaged" in shown.stdout


def test_a_store_whose_pages_are_mixed_up_is_audited(stored: Stored, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    whole = stored.content
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'answers'")
        (root,) = found.fetchone()
    page = slice((root - 1) * 4096, root * 4096)
    path.write_bytes(whole[: page.start] + bytes(4096) + whole[page.stop :])
    shown = cranfield(tmp_path, "runs", "audit", "--store", "store.db")
    assert shown.returncode == 1
    assert "0 of 3 runs can be read" in shown.stdout
    assert "structure:" in shown.stdout


def test_another_programs_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE orders (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="no table store_version"):
        open_store(path)
    assert path.read_bytes() == before


def test_an_empty_file_is_no_store_to_read_and_one_to_begin(tmp_path: Path) -> None:
    project = make_python_project(tmp_path)
    (project / "mine.db").touch()
    shown = cranfield(project, "runs", "list", "--store", "mine.db")
    assert (shown.returncode, "mine.db is empty" in shown.stderr) == (2, True)
    assert (project / "mine.db").read_bytes() == b""
    assert cranfield(project, "run", "-s", "new", "--store", "mine.db").returncode == 0


@pytest.mark.parametrize(
    "url",
    [
        "://",
        "postgresql://host:port/name",
        "postgresql://me:secret@[::1/name",
        "nonsense://host/name",
        "mysql://host/name",
        "sqlite://host/path.db",
        "sqlite:///x.db?mode=ro",
        "sqlite://",
        "http://localhost:9200",
        "postgresql+nodriver://me:secret@host/name",
        "postgresql://me:secret@localhost:1/name?no_such_option=1",
    ],
)
def test_a_url_that_names_no_store_is_told(tmp_path: Path, url: str) -> None:
    for command in (["runs", "list"], ["run", "-s", "new"], ["runs", "import", url]):
        make_python_project(tmp_path)
        done = cranfield(tmp_path, *command, "--store", url)
        assert done.returncode == 2, done.stderr
        assert "Traceback" not in done.stderr
        assert "secret" not in done.stderr
    assert not list(tmp_path.glob("*.db*"))


def test_a_url_of_a_file_is_the_file(tmp_path: Path) -> None:
    project = make_python_project(tmp_path)
    assert "no store at" in cranfield(project, "runs", "list", "--store", "sqlite:///x.db").stderr
    assert cranfield(project, "run", "-s", "new", "--store", "sqlite:///x.db").returncode == 0
    assert "new" in cranfield(project, "runs", "list", "--store", "x.db").stdout


@pytest.mark.parametrize(
    "name", ["a%41b", "a?b", "a#b", "two words", "Prüfstand", "new\nline", "file:x", ":memory:"]
)
def test_a_project_writes_into_its_own_folder_whatever_that_is_called(
    tmp_path: Path, name: str
) -> None:
    other = tmp_path / "aAb"
    other.mkdir()
    folder = tmp_path / name
    folder.mkdir()
    make_python_project(folder, queries=2)
    assert cranfield(folder, "run", "-s", "new", "--quiet").returncode == 0
    assert (folder / ".cranfield" / "cranfield.db").stat().st_size > 0
    assert list(other.iterdir()) == []
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(["aAb", name])
    with chdir(folder):
        opened = open_store(name)
        run_suite(small_suite(1), right_first, store=opened)
        opened.close()
    assert (folder / name).is_file()


@contextmanager
def nobody() -> Iterator[None]:
    """Be a user to whom permissions apply: to root they do not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize(("of_file", "of_folder"), [(0o444, 0o777), (0o444, 0o555), (0o666, 0o555)])
@pytest.mark.parametrize("logged", [False, True])
def test_a_read_only_store_is_listed_shown_and_audited_but_not_written(
    stored: Stored, tmp_path: Path, of_file: int, of_folder: int, *, logged: bool
) -> None:
    if logged and of_file == 0o666:
        pytest.skip("files that are all there and can be written are not a read-only store")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "closed"
        _copy_store(stored.content, tmp_path / "cranfield.db", folder, logged=logged)
        before = {each.name: each.read_bytes() for each in folder.iterdir()}
        assert len(before) == (3 if logged else 1)
        for each in folder.iterdir():
            each.chmod(of_file)
        folder.chmod(of_folder)
        Path(place).chmod(0o755)
        with nobody():
            store = open_store(folder / "cranfield.db")
            headers = store.headers()
            labels = ["before", "after", "odd", *(["logged"] if logged else [])]
            assert [each.label for each in headers] == labels
            assert audit_store(store).passed
            with pytest.raises(StoreError, match=r"read-only.*--store"):
                store.update(headers[0])
            store.close()
        assert before.items() <= {each.name: each.read_bytes() for each in folder.iterdir()}.items()


def _copy_store(content: bytes, path: Path, folder: Path, *, logged: bool) -> None:
    """Copy a store as it is after a kill, if `logged`: with a run that is only in its log."""
    path.write_bytes(content)
    store = open_store(path)
    if logged:
        run_suite(small_suite(1), right_first, RunOptions(label="logged"), store=store)
        shutil.copytree(path.parent, folder)
    store.close()
    if not logged:
        folder.mkdir()
        shutil.copyfile(path, folder / path.name)


def test_the_latest_run_is_the_last_one_whatever_the_clock_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path / "store.db")
    times = iter(["2031-01-01T00:00:00.000+00:00", *["2026-01-01T00:00:00.000+00:00"] * 20])
    monkeypatch.setattr("cranfield.runs.runner._now", lambda: next(times))
    runs = []
    for label in ("early", "set back", "again"):
        runs.append(run_suite(small_suite(1), right_first, RunOptions(label=label), store=store))
        assert find_run(store, "latest").header.id == runs[-1].header.id
    assert [each.started[:4] for each in store.headers()] == ["2031", "2026", "2026"]
    assert [each.id for each in store.headers()] == [run.header.id for run in runs]


def test_an_older_run_that_is_imported_is_not_the_latest(tmp_path: Path) -> None:
    here, there = open_store(tmp_path / "here.db"), open_store(tmp_path / "there.db")
    old = run_suite(small_suite(1), right_first, store=there)
    there.update(replace(old.header, started="2020-01-01T00:00:00.000+00:00"))
    mine = run_suite(small_suite(1), right_first, store=here)
    assert len(import_runs(here, there).copied) == 1
    assert find_run(here, "latest").header.id == mine.header.id


def test_a_store_shrinks_when_runs_are_deleted(tmp_path: Path) -> None:
    project = make_python_project(tmp_path)
    for _ in range(3):
        cranfield(project, "run", "-s", "new", "--repeat", "20", "--quiet")
    done = cranfield(project, "runs", "delete", "--keep", "1", "--yes")
    assert "deleted 2 runs" in done.stderr
    with closing(sqlite3.connect(project / ".cranfield" / "cranfield.db")) as database:
        assert database.execute("PRAGMA freelist_count").fetchone() == (0,)
    assert "1 run audited" in cranfield(project, "runs", "audit").stdout
