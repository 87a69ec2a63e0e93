"""Corpora that lie, loop, overflow or lead astray: reported or refused, and the rest is saved."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from stacks.errors import SourceError
from stacks.index import Request, Saved, SaveOptions, save
from stacks.query import open_index

if TYPE_CHECKING:
    from pathlib import Path


def page(name: str) -> bytes:
    """A sound page of DocC."""
    return json.dumps(
        {
            "identifier": {"url": f"doc://x/documentation/Kit/{name}"},
            "metadata": {"title": name, "symbolKind": "struct"},
            "abstract": [{"type": "text", "text": "A sound page."}],
        }
    ).encode()


def save_docs(location: Path, folder: Path) -> Saved:
    (saved,) = save([Request.parse(f"apple-docs={location}")], folder)
    return saved


def messages(saved: Saved) -> str:
    return "\n".join(f"{event.page} {event.message}" for event in saved.audit.events)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "data" / "documentation"
    folder.mkdir(parents=True)
    (folder / "good.json").write_bytes(page("Good"))
    return folder


def check_rest_is_saved(saved: Saved) -> None:
    with open_index(saved.path) as index:
        assert [hit.title for hit in index.search("Good")] == ["Good"]


def test_corrupt_json_is_reported(corpus: Path, tmp_path: Path) -> None:
    (corpus / "cut.json").write_bytes(page("Cut")[:-30])
    saved = save_docs(tmp_path / "corpus", tmp_path / "index")
    assert "cut.json is not JSON" in messages(saved)
    check_rest_is_saved(saved)


def test_a_page_without_identifier_is_reported(corpus: Path, tmp_path: Path) -> None:
    (corpus / "nobody.json").write_bytes(b'{"metadata": {"title": "Nobody"}}')
    saved = save_docs(tmp_path / "corpus", tmp_path / "index")
    assert "nobody.json has no identifier" in messages(saved)
    check_rest_is_saved(saved)


def test_a_page_of_fifty_megabytes_is_refused(corpus: Path, tmp_path: Path) -> None:
    with (corpus / "huge.json").open("wb") as huge:
        huge.truncate(50 * 2**20)
    saved = save_docs(tmp_path / "corpus", tmp_path / "index")
    assert "huge.json" in messages(saved)
    assert saved.audit.counts["unreadable"] == 1
    check_rest_is_saved(saved)


def test_a_loop_of_links_is_not_followed(corpus: Path, tmp_path: Path) -> None:
    (corpus / "loop").symlink_to(corpus, target_is_directory=True)
    (corpus / "outside.json").symlink_to("/etc/hostname")
    saved = save_docs(tmp_path / "corpus", tmp_path / "index")
    assert messages(saved).count("symbolic link") == 2
    assert saved.documents == 1
    check_rest_is_saved(saved)


def test_members_that_lead_out_of_an_archive_are_refused(tmp_path: Path) -> None:
    archive = tmp_path / "docs.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        for name, data in (
            ("data/documentation/good.json", page("Good")),
            ("../evil.json", page("Evil")),
            ("/etc/evil.json", page("Evil")),
            ("data/../../evil.json", page("Evil")),
        ):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
        link = tarfile.TarInfo("data/documentation/link.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    saved = save_docs(archive, tmp_path / "index")
    assert saved.audit.counts["unreadable"] == 4
    assert saved.documents == 1
    check_rest_is_saved(saved)


def test_an_archive_that_is_cut_off_changes_nothing(corpus: Path, tmp_path: Path) -> None:
    save_docs(tmp_path / "corpus", tmp_path / "index")
    archive = tmp_path / "docs.tar"
    with tarfile.open(archive, "w") as tar:
        for name in ("Good", "Late"):
            data = page(name)
            member = tarfile.TarInfo(f"data/documentation/{name}.json")
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    archive.write_bytes(archive.read_bytes()[:1100])
    with pytest.raises(SourceError, match=r"docs\.tar: .* the rest of it is lost"):
        save(
            [Request.parse(f"apple-docs={archive}")],
            tmp_path / "index",
            SaveOptions(replace=True),
        )
    with open_index(tmp_path / "index") as index:
        assert [hit.title for hit in index.search("Good")] == ["Good"]
    assert not (tmp_path / "index" / "search.db.in-flight").exists()


@pytest.mark.corpus
def test_an_archive_that_unpacks_to_a_hundred_times_its_size_is_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(12):
            archive.writestr(f"data/{number}.json", b" " * (30 * 2**20))
    with pytest.raises(SourceError, match="unpacks to more than 100 times its size"):
        save_docs(bomb, tmp_path / "index")


def test_half_a_character_is_written_as_what_it_is_not(corpus: Path, tmp_path: Path) -> None:
    """JSON may hold half of a surrogate pair, which no database can."""
    (corpus / "half.json").write_bytes(page("Half").replace(b"A sound page.", b"A \\ud800 page."))
    saved = save_docs(tmp_path / "corpus", tmp_path / "index")
    check_rest_is_saved(saved)


def test_a_nul_in_a_title_is_no_end(corpus: Path, tmp_path: Path) -> None:
    (corpus / "nul.json").write_bytes(page("Nul").replace(b'"Nul"', b'"Nul\\u0000Tail"'))
    saved = save_docs(tmp_path / "corpus", tmp_path / "index")
    with open_index(saved.path) as index:
        assert index.search("tail")
    check_rest_is_saved(saved)
