"""Guides of an archive: a `book.json` and its chapters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from stacks.model import Document, Page
from stacks.sources import SOURCES

if TYPE_CHECKING:
    from pathlib import Path

BOOK = {
    "title": "Rope Programming Guide",
    "type": "Topic Book",
    "uid": "1001",
    "sections": [
        {"title": "Introduction", "href": "Articles/intro.html"},
        {
            "title": "Knots",
            "href": "Articles/knots.html",
            "sections": [{"title": "Tying a Bowline", "sections": []}],
        },
    ],
}


def read_all(folder: Path) -> dict[str, Document]:
    opened = SOURCES.get("apple-archive").open(str(folder))
    pages = [page for page in opened.pages() if isinstance(page, Page)]
    made = [document for page in pages for document in opened.read(page)]
    return {each.uri: each for each in made if isinstance(each, Document)}


def make_guide(folder: Path, chapter: str) -> None:
    (folder / "1001" / "Articles").mkdir(parents=True)
    (folder / "1001" / "book.json").write_text(json.dumps(BOOK))
    (folder / "1001" / "Articles" / "knots.md").write_text(chapter)


def test_a_guide_is_its_table_of_contents_and_its_chapters(tmp_path: Path) -> None:
    make_guide(tmp_path, "# Knots\n\nEvery knot has a name.")
    documents = read_all(tmp_path)
    contents = documents["apple-archive://1001"]
    assert (contents.title, contents.kind) == ("Rope Programming Guide", "collection")
    assert "- Knots\n  - Tying a Bowline" in contents.content
    chapter = documents["apple-archive://1001/Articles/knots"]
    assert (chapter.title, chapter.module) == ("Knots", "Rope Programming Guide")


def test_what_a_chapter_says_of_itself_stays(tmp_path: Path) -> None:
    make_guide(
        tmp_path,
        '---\ntitle: "Knots: all"\nbook: "Another Guide"\ndate: "2012-07-17"\n---\n\n'
        "[Next](a.html)[Previous](b.html)\n\nText.\n\n"
        "Copyright &#x00a9; 2012 Rope Inc. All Rights Reserved. [Terms](x)",
    )
    chapter = read_all(tmp_path)["apple-archive://1001/Articles/knots"]
    assert (chapter.title, chapter.module) == ("Knots: all", "Another Guide")
    assert chapter.facts["date"] == "2012-07-17"
    assert "Previous" not in chapter.content
    assert "Copyright" not in chapter.content


def test_a_chapter_is_another_page_if_the_title_of_its_guide_changes(tmp_path: Path) -> None:
    make_guide(tmp_path, "---\ntitle: Knots\n---\n\nText.")
    opened = SOURCES.get("apple-archive").open(str(tmp_path))
    before = {page.key: page.data for page in opened.pages() if isinstance(page, Page)}
    (tmp_path / "1001" / "book.json").write_text(json.dumps({**BOOK, "title": "Knots"}))
    after = {page.key: page.data for page in opened.pages() if isinstance(page, Page)}
    assert before["1001/Articles/knots.md"] != after["1001/Articles/knots.md"]


def test_a_broken_book_is_reported_and_its_chapters_are_read(tmp_path: Path) -> None:
    make_guide(tmp_path, "# Knots\n\nText.")
    (tmp_path / "1001" / "book.json").write_text("{")
    pages = list(SOURCES.get("apple-archive").open(str(tmp_path)).pages())
    assert [str(each).partition(":")[0] for each in pages if not isinstance(each, Page)] == [
        "1001/book.json is not JSON"
    ]
    assert len(pages) == 2
