"""An index of stacks as a system: asked like any other, and named when it cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cranfield.errors import SystemUnusableError
from cranfield.model import Query, Status
from cranfield.systems import System, SystemSpec, open_system
from stacks.index import Request, save

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = {"deploy": "Ship a release.", "undo": "Undo a release that went wrong."}
    (tmp_path / "book").mkdir()
    for name, text in pages.items():
        (tmp_path / "book" / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n")
    save([Request.parse(f"markdown={tmp_path / 'book'}")], tmp_path / "index")
    return tmp_path


def opened(folder: Path, **settings: Any) -> System:
    return open_system(SystemSpec("mine", "stacks", settings, folder), {})


def ask(system: System, text: str, limit: int = 10) -> list[str]:
    return [hit.id for hit in system.search(Query("q", text, {}), limit).hits]


def test_hits_come_with_score_text_and_fields(folder: Path) -> None:
    system = opened(folder, index="index")
    response = system.search(Query("q", "undo", {}), 10)
    assert response.status is Status.OK
    assert response.route == "search"
    (hit,) = response.hits
    assert hit.id == "markdown://book/undo"
    assert hit.score is not None
    assert hit.fields["title"] == "Undo"
    assert "went wrong" in hit.text
    system.close()


def test_a_limit_holds_and_nothing_found_is_empty(folder: Path) -> None:
    system = opened(folder, index="index/search.db")
    assert len(ask(system, "release", 1)) == 1
    assert system.search(Query("q", "zebra", {}), 5).status is Status.EMPTY


def test_a_prefix_is_taken_off(folder: Path) -> None:
    system = opened(folder, index="index", prefix="markdown://book/", mode="plain")
    assert ask(system, "undo") == ["undo"]


def test_what_is_left_behind_a_prefix_is_a_name_without_escapes(tmp_path: Path) -> None:
    """With the whole URI an id stays what `stacks read` takes."""
    (tmp_path / "home" / "My Docs").mkdir(parents=True)
    (tmp_path / "home" / "My Docs" / "zebra #1, 100%.txt").write_text("stripes\n")
    save([Request.parse(f"files={tmp_path / 'home'}")], tmp_path / "index")
    short = opened(tmp_path, index="index", prefix="files://home/", mode="plain")
    assert ask(short, "zebra") == ["My Docs/zebra #1, 100%.txt"]
    whole = opened(tmp_path, index="index", prefix="files://other/", mode="plain")
    assert ask(whole, "zebra") == ["files://home/My%20Docs/zebra%20%231,%20100%25.txt"]


def test_the_files_of_an_index_are_what_the_system_is_made_of(folder: Path) -> None:
    spec = SystemSpec("mine", "stacks", {"index": "index"}, folder)
    assert spec.paths() == [folder / "index" / "search.db"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"index": "nowhere"}, "there is no index at"),
        ({"index": "book"}, "holds no index"),
        ({"index": "index", "mode": "clever"}, "modes are smart, fts5, semantic, both, plain"),
    ],
)
def test_a_system_that_cannot_be_opened_says_why(
    folder: Path, settings: dict[str, str], message: str
) -> None:
    with pytest.raises(SystemUnusableError, match=message):
        opened(folder, **settings)


def test_the_files_of_an_index_can_be_checked_and_other_kinds_have_none(folder: Path) -> None:
    by_folder = SystemSpec("mine", "stacks", {"index": "index"}, folder)
    assert by_folder.find_indexes() == [folder / "index" / "search.db"]
    assert SystemSpec("mine", "stacks", {"index": "gone.db"}, folder).find_indexes() == []
    # Settings of a kind without indexes are not even read.
    assert SystemSpec("mine", "command", {"run": 3}, folder).find_indexes() == []
