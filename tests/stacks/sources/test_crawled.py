"""Pages of a documentation crawler: every field is read, and a broken one costs only itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from stacks.index import Request, SaveOptions, save
from stacks.model import Document, Page, Snippet
from stacks.query import SearchOptions, open_index
from stacks.sources import SOURCES, PageError

if TYPE_CHECKING:
    from pathlib import Path


def make_page(**changes: Any) -> dict[str, Any]:
    """A page about a class, with every field that a crawler writes."""
    page: dict[str, Any] = {
        "title": "HarborView",
        "url": "https://docs.example.com/documentation/Harbor/HarborView",
        "kind": "class",
        "language": "swift",
        "module": "Harbor",
        "abstract": "A view that shows the ships in a harbor.",
        "declaration": {"code": "@MainActor class HarborView", "language": "swift"},
        "platforms": ["iOS 15.0+", "macOS 12.0+", "Mac Catalyst"],
        "conformsTo": ["Hashable", "Sendable"],
        "inheritsFrom": ["MapView"],
        "codeExamples": [{"code": "let view = HarborView()", "language": "swift"}],
        "overview": "## Overview\n\nShips are drawn in the order of arrival.",
        "sections": [
            {
                "title": "Instance Methods",
                "content": "",
                "items": [{"name": "moor(_:)", "description": "Moors a ship.", "url": "x"}],
            }
        ],
        "rawMarkdown": (
            "---\nsource: https://docs.example.com/documentation/Harbor/HarborView\n---\n\n"
            "# HarborView\n\n**Class**\n\nA view that shows the ships in a harbor.\n\n"
            "## Declaration\n\n```swift\n@MainActor class HarborView\n```\n\n"
            "## Overview\n\nShips are drawn by [doc://com.x.harbor/documentation/Harbor/Ship/"
            "draw(in:)-4don7] in the order of arrival; see [doc://com.x.harbor/documentation/"
            "Harbor/drawing-ships].\n\n## Instance Methods\n\n- **moor(_:)**: Moors a ship.\n"
        ),
        "contentHash": "84209812676cca11",
        "crawledAt": "2026-01-03T08:28:56Z",
        "source": "appleJSON",
    }
    return {**page, **changes}


def read(page: dict[str, Any], source: str = "apple-docs") -> Document:
    opened = SOURCES.get(source).open("nowhere")
    (document,) = opened.read(Page("docs/harbor/view.json", json.dumps(page).encode()))
    assert isinstance(document, Document)
    return document


def test_every_field_of_a_page_is_read() -> None:
    document = read(make_page())
    assert document.uri == "apple-docs://harbor/harborview"
    assert (document.title, document.kind, document.language) == ("HarborView", "class", "swift")
    assert (document.framework, document.module) == ("harbor", "Harbor")
    assert document.summary == "A view that shows the ships in a harbor."
    assert document.declaration == "@MainActor class HarborView"
    assert document.attributes == ("@MainActor",)
    assert document.availability == {"ios": "15.0", "macos": "12.0"}
    assert document.conformances == ("Hashable", "Sendable")
    assert document.parents == ("MapView",)
    assert document.snippets == (Snippet("let view = HarborView()", "swift"),)
    assert document.facts == {
        "url": "https://docs.example.com/documentation/Harbor/HarborView",
        "crawled_at": "2026-01-03T08:28:56Z",
        "hash": "84209812676cca11",
        "crawler": "appleJSON",
    }


def test_the_body_repeats_neither_title_nor_summary_nor_declaration_and_names_links() -> None:
    assert read(make_page()).content == (
        "## Overview\n\nShips are drawn by `draw(in:)` in the order of arrival; see drawing ships."
        "\n\n## Instance Methods\n\n- **moor(_:)**: Moors a ship."
    )


def test_a_page_without_markdown_has_its_overview_and_sections() -> None:
    content = read(make_page(rawMarkdown="")).content
    assert "Ships are drawn in the order of arrival." in content
    assert "## Instance Methods\n\n- **moor(_:)**: Moors a ship." in content


def test_a_page_taken_from_the_screen_gives_its_kind_platforms_and_declaration() -> None:
    document = read(
        {
            "title": "HarborView.Order.byName | Harbor Developer Documentation",
            "url": "https://docs.example.com/documentation/harbor/harborview/order/byname",
            "kind": "unknown",
            "codeExamples": [],
            "sections": [],
            "rawMarkdown": (
                "---\nsource: x\n---\n\n# HarborView.Order.byName | Harbor Developer Documentation"
                "\n\n- [ Harbor ](/documentation/harbor)\n\n-  HarborView.Order.byName \n\n"
                "Case# HarborView.Order.byName\n\n"
                "iOS 18.0+iPadOS 18.0+Mac CatalystmacOS 15.0+visionOSwatchOS 11.0+\n\n"
                "```\ncase byName\n```\n\nShips in the order of their names.\n"
            ),
        }
    )
    assert (document.title, document.kind) == ("HarborView.Order.byName", "case")
    assert document.declaration == "case byName"
    assert document.availability == {"ios": "18.0", "macos": "15.0", "watchos": "11.0"}
    assert document.content == "Ships in the order of their names."
    assert "byName" in document.names


@pytest.mark.parametrize(
    ("kind", "role", "expected"),
    [
        ("framework", "", "module"),
        ("unknown", "Sample Code", "sample"),
        ("unknown", "Instance Method", "method"),
        ("typeAlias", "", "typealias"),
        ("unknown", "", "class"),
        ("article", "", "article"),
    ],
)
def test_the_kind_comes_from_the_field_the_page_or_the_declaration(
    kind: str, role: str, expected: str
) -> None:
    markdown = f"# HarborView\n\n**{role}**\n\nText." if role else "# HarborView\n\nText."
    assert read(make_page(kind=kind, rawMarkdown=markdown)).kind == expected


@pytest.mark.parametrize(
    "broken",
    [
        {"declaration": "class X"},
        {"declaration": None, "platforms": "iOS"},
        {"platforms": [{"name": "iOS", "introducedAt": "16.0"}, 3, None]},
        {"codeExamples": [{"code": 3}, "x"], "sections": {"title": 1}},
        {"abstract": ["x"], "conformsTo": "Hashable", "rawMarkdown": 7},
    ],
)
def test_a_field_of_another_shape_costs_only_that_field(broken: dict[str, Any]) -> None:
    assert read(make_page(**broken)).title == "HarborView"


def test_a_page_without_an_address_on_the_web_is_refused() -> None:
    with pytest.raises(PageError, match="http or https"):
        read(make_page(url="javascript:alert(1)"))


def test_a_folder_of_pages_is_saved_and_found_and_its_classes_inherit(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "harbor"
    folder.mkdir(parents=True)
    pages = {
        "documentation_harbor": make_page(
            title="Harbor",
            url="https://docs.example.com/documentation/harbor",
            kind="framework",
            declaration=None,
            inheritsFrom=None,
            rawMarkdown="# Harbor\n\nAll about ports.",
        ),
        "documentation_harbor_harborview": make_page(),
        "documentation_harbor_mapview": make_page(
            title="MapView",
            url="https://docs.example.com/documentation/harbor/mapview",
            declaration={"code": "class MapView", "language": "swift"},
            inheritsFrom=None,
            inheritedBy=["HarborView"],
            rawMarkdown="# MapView\n\nDraws maps.",
        ),
    }
    for name, page in pages.items():
        (folder / f"{name}.json").write_text(json.dumps(page))
    (tmp_path / "docs" / "metadata.json").write_text('{"pages": {}, "lastCrawl": "x"}')
    request = Request.parse(f"apple-docs={tmp_path / 'docs'}")
    (saved,) = save([request], tmp_path / "index", SaveOptions())
    assert saved.documents == 3
    with open_index(tmp_path / "index") as index:
        assert index.search("HarborView", SearchOptions(1)).hits[0].title == "HarborView"
        family = index.inheritance("HarborView", "up", 3)
        assert [each.uri for each in family.relatives] == ["apple-docs://harbor/mapview"]


def test_crawled_pages_of_a_publisher_have_the_address_of_their_site(tmp_path: Path) -> None:
    crawled = {
        "about": "https://www.swift.org/about/",
        "start": "https://www.swift.org/documentation/articles/start.html",
    }
    for name, url in crawled.items():
        page = {"title": f"{name} | Swift.org", "url": url, "rawMarkdown": f"# {name}\n\nWords."}
        (tmp_path / f"{name}.json").write_text(json.dumps(page))
    (tmp_path / "package.json").write_text('{"name": "site"}')
    opened = SOURCES.get("swift-org").open(str(tmp_path))
    pages = list(opened.pages())
    documents = [next(iter(opened.read(each))) for each in pages if isinstance(each, Page)]
    found = {each.uri: each.title for each in documents if isinstance(each, Document)}
    assert found == {
        "swift-org://about": "about",
        "swift-org://documentation/articles/start": "start",
    }
