"""Corpora of one kind in one index, and what is kept of how they were saved."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from stacks.errors import SaveError, SourceError
from stacks.index import Request, SaveOptions, requests, save
from stacks.index.requests import complete_request
from stacks.query import open_index
from stacks.schema import READING_VERSION

if TYPE_CHECKING:
    from pathlib import Path

WORDS = SaveOptions(embedder="none")
CHANGED = SaveOptions(only_changed=True)


def make_folder(path: Path, **files: str) -> Path:
    path.mkdir(parents=True)
    for name, text in files.items():
        (path / f"{name}.txt").write_text(text)
    return path


@pytest.mark.parametrize("kind", ["files", "books"])
def test_two_folders_of_one_name_are_told_apart_or_refused(kind: str, tmp_path: Path) -> None:
    first = make_folder(tmp_path / "a" / "docs", notes="one")
    second = make_folder(tmp_path / "b" / "docs", notes="two")
    requests = [Request.parse(f"{kind}={place}") for place in (first, second)]
    if kind == "books":
        (saved,) = save(requests, tmp_path / "index", WORDS)
        assert saved.audit.counts["duplicate-c"] + saved.documents == 2
        return
    with pytest.raises(SourceError, match="has the same name as"):
        save(requests, tmp_path / "index", WORDS)
    save(requests[:1], tmp_path / "index", WORDS)
    with pytest.raises(SourceError, match="has the same name as"):
        save(requests[1:], tmp_path / "index", CHANGED)
    with open_index(tmp_path / "index") as index:
        assert index.read("files://docs/notes.txt").content == "one"


def test_a_folder_that_moved_takes_its_place_again(tmp_path: Path) -> None:
    first = make_folder(tmp_path / "a" / "docs", notes="one")
    save([Request.parse(f"files={first}")], tmp_path / "index", WORDS)
    (tmp_path / "b").mkdir()
    moved = first.rename(tmp_path / "b" / "docs")
    (moved / "notes.txt").write_text("two")
    save([Request.parse(f"files={moved}")], tmp_path / "index", CHANGED)
    with open_index(tmp_path / "index") as index:
        assert index.read("files://docs/notes.txt").content == "two"


def test_settings_stay_until_others_are_given(tmp_path: Path) -> None:
    book = make_folder(tmp_path / "library", tale=" ".join(f"Word{n}." for n in range(400)))
    counts = []
    for settings, options in (
        (["books.size=100", "books.overlap=10"], WORDS),
        ([], CHANGED),
        ([], WORDS),
        (["books.size=200"], CHANGED),
    ):
        (saved,) = save([Request.parse(f"books={book}", settings)], tmp_path / "index", options)
        counts.append(saved.documents)
    assert counts[0] == counts[1] == counts[2] > counts[3]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("books.nope=1", "books has no setting 'nope'"),
        ("books.siz=1", "did you mean 'size'"),
        ("books.size=x", "--set takes SOURCE.SETTING=NUMBER"),
        ("books.size=-1", "--set takes"),
        ("size=1", "--set takes"),
    ],
)
def test_a_setting_that_is_none_is_refused(setting: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SaveError, match=message):
        Request.parse(f"books={tmp_path}", [setting])


def test_what_is_known_by_name_alone_stays_on_record(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "home", notes="text")
    (folder / "photo.jpg").write_bytes(b"\xff\xd8")
    request = Request.parse(f"files={folder}")
    for options in (WORDS, CHANGED, CHANGED):
        (saved,) = save([request], tmp_path / "index", options)
        assert saved.audit.counts["name-only"] == 1
        with closing(sqlite3.connect(tmp_path / "index" / "files.db")) as connection:
            rows = connection.execute("SELECT page, message FROM audit").fetchall()
        assert rows == [("photo.jpg", "is an image")]


def test_what_was_known_by_name_alone_leaves_the_record_when_it_goes(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "home", notes="text")
    (folder / "photo.jpg").write_bytes(b"\xff\xd8")
    request = Request.parse(f"files={folder}")
    save([request], tmp_path / "index", WORDS)
    (folder / "photo.jpg").unlink()
    (saved,) = save([request], tmp_path / "index", CHANGED)
    assert saved.audit.counts["name-only"] == 0


def test_settings_of_another_source_are_left_to_it() -> None:
    request = Request.parse("books=library", ["books.size=200"])
    assert request.settings == {"size": 200}
    assert Request.parse("files=home", ["books.size=200"]).settings == {}


def test_routing_can_be_taken_out_again(tmp_path: Path) -> None:
    from pathlib import Path as AnyPath

    book = make_folder(tmp_path / "library", tale="A tale of breath.")
    (tmp_path / "r.toml").write_text('[[rule]]\nroute = "x"\nany = ["breath"]\n')
    request = Request.parse(f"books={book}")
    save([request], tmp_path / "i", SaveOptions(embedder="none", routing=(tmp_path / "r.toml",)))
    with open_index(tmp_path / "i") as index:
        assert index.search("breath").route == "x"
    save([request], tmp_path / "i", SaveOptions(only_changed=True, routing=(AnyPath("none"),)))
    with open_index(tmp_path / "i") as index:
        assert index.search("breath").route == "search"


def test_a_damaged_left_behind_file_is_made_anew(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "home", notes="text")
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "files.db.embedding").write_bytes(b"garbage" * 1000)
    (saved,) = save([Request.parse(f"files={folder}")], tmp_path / "index")
    assert saved.audit.counts["embedded"] == 2


def test_a_stored_setting_that_the_source_no_longer_has_is_dropped() -> None:
    request = Request.parse("books=library", ["books.size=200"])
    facts = {"settings books": '{"gone": 1, "overlap": 7, "size": 5}'}
    corpus = complete_request(request, facts)
    assert corpus.settings == {"overlap": 7, "size": 200}


def test_a_page_is_read_again_after_the_readers_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = complete_request(Request.parse("books=library"), {})
    before = corpus.hash_page(b"text")
    assert corpus.hash_page(b"text") == before
    monkeypatch.setattr(requests, "READING_VERSION", READING_VERSION + 1)
    assert corpus.hash_page(b"text") != before


def test_a_file_that_goes_is_no_longer_found_by_its_name(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "docs", kept="one", gone="two")
    save([Request.parse(f"files={folder}")], tmp_path / "index", WORDS)
    (folder / "gone.txt").unlink()
    (saved,) = save([Request.parse(f"files={folder}")], tmp_path / "index", CHANGED)
    with closing(sqlite3.connect(saved.path)) as connection:
        sql = "SELECT count(*) FROM names_fts WHERE names_fts MATCH 'gone'"
        assert connection.execute(sql).fetchone() == (0,)
