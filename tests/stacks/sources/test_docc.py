"""DocC render JSON: what a page says, and what a broken one does."""

from __future__ import annotations

import io
import json
import tarfile
from typing import TYPE_CHECKING, Any

import pytest

from real_data import COLLECTIONS, reason_to_skip
from stacks.model import Document, Page
from stacks.sources.docc import DocCSource, make_docc_uri
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from pathlib import Path

SWIFT = COLLECTIONS / "swift"


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


def code(words: str) -> dict[str, str]:
    return {"type": "codeVoice", "code": words}


def make_page(**changes: Any) -> dict[str, Any]:
    """A page about a protocol, as DocC writes it."""
    page: dict[str, Any] = {
        "identifier": {
            "url": "doc://com.apple.Swift/documentation/Swift/Hashable",
            "interfaceLanguage": "swift",
        },
        "kind": "symbol",
        "metadata": {
            "title": "Hashable",
            "role": "symbol",
            "symbolKind": "protocol",
            "externalID": "s:SH",
            "modules": [{"name": "Swift"}],
            "platforms": [
                {"name": "iOS", "introducedAt": "8.0"},
                {"name": "macOS", "introducedAt": "10.10"},
                {"name": "Linux", "introducedAt": "1.0"},
            ],
        },
        "abstract": [text("A type that can be hashed into a "), code("Hasher"), text(".")],
        "primaryContentSections": [
            {
                "kind": "declarations",
                "declarations": [
                    {
                        "tokens": [
                            {"kind": "attribute", "text": "@available"},
                            {"kind": "text", "text": " "},
                            {"kind": "keyword", "text": "protocol"},
                            {"kind": "text", "text": " Hashable : Equatable"},
                        ]
                    }
                ],
            },
            {
                "kind": "content",
                "content": [
                    {"type": "heading", "level": 2, "text": "Overview"},
                    {"type": "paragraph", "inlineContent": [text("Use it as a key.")]},
                    {
                        "type": "aside",
                        "style": "note",
                        "content": [
                            {"type": "codeListing", "syntax": "swift", "code": ["struct P {}", ""]}
                        ],
                    },
                ],
            },
        ],
        "relationshipsSections": [
            {
                "type": "inheritsFrom",
                "title": "Inherits From",
                "identifiers": ["doc://com.apple.Swift/documentation/Swift/Equatable"],
            },
            {"type": "inheritedBy", "identifiers": ["doc://x/documentation/Swift/SetAlgebra"]},
            {"type": "conformsTo", "identifiers": ["doc://x/documentation/Swift/Copyable"]},
        ],
        "references": {
            "doc://com.apple.Swift/documentation/Swift/Equatable": {
                "title": "Equatable",
                "url": "/documentation/swift/equatable",
            }
        },
    }
    return {**page, **changes}


def read(page: Any) -> list[Document]:
    data = page if isinstance(page, bytes) else json.dumps(page).encode()
    return list(DocCSource("unused", "apple-docs").read(Page("data/documentation/x.json", data)))


def test_a_page_becomes_a_document() -> None:
    (document,) = read(make_page())
    assert document.uri == "apple-docs://swift/hashable"
    assert document.title == "Hashable"
    assert document.kind == "protocol"
    assert document.framework == "swift"
    assert document.module == "Swift"
    assert document.language == "swift"
    assert document.summary == "A type that can be hashed into a `Hasher`."
    assert document.declaration == "@available protocol Hashable : Equatable"
    assert document.attributes == ("@available",)
    assert document.availability == {"ios": "8.0", "macos": "10.10"}
    assert document.parents == ("apple-docs://swift/equatable",)
    assert document.children == ("apple-docs://swift/setalgebra",)
    assert document.conformances == ("Copyable",)
    assert [snippet.code for snippet in document.snippets] == ["struct P {}\n"]
    assert document.facts["external_id"] == "s:SH"
    assert not document.is_deprecated


def test_the_body_is_markdown_without_what_is_kept_apart() -> None:
    (document,) = read(make_page())
    assert document.content.startswith("## Overview\n\nUse it as a key.")
    assert "> **Note:** ```swift\n> struct P {}" in document.content
    assert "## Inherits From\n\n- Equatable" in document.content


@pytest.mark.parametrize(
    ("header", "lines"),
    [
        ("row", ["| a | b |", "|---|---|", "| 1 | 2 |"]),
        ("both", ["| a | b |", "|---|---|", "| 1 | 2 |"]),
        ("none", ["| a | b |", "| 1 | 2 |"]),
    ],
)
def test_the_first_row_of_a_table_is_its_header_if_it_says_so(
    header: str, lines: list[str]
) -> None:
    rows = [
        [[{"type": "paragraph", "inlineContent": [text(cell)]}] for cell in row]
        for row in ("ab", "12")
    ]
    table = {"type": "table", "header": header, "rows": rows}
    sections = [{"kind": "content", "content": [table]}]
    (document,) = read(make_page(primaryContentSections=sections, relationshipsSections=[]))
    assert document.content == "\n".join(lines)


def test_a_page_for_two_languages_gives_two_documents() -> None:
    override = {
        "traits": [{"interfaceLanguage": "occ"}],
        "patch": [
            {"op": "replace", "path": "/metadata/title", "value": "NSHashable"},
            {"op": "replace", "path": "/metadata/symbolKind", "value": "cl"},
            {"op": "remove", "path": "/abstract/0"},
            {"op": "add", "path": "/abstract/-", "value": text(" In C.")},
            {"op": "replace", "path": "/nowhere/at/all", "value": 1},
        ],
    }
    swift, objc = read(make_page(variantOverrides=[override]))
    assert (swift.language, swift.title) == ("swift", "Hashable")
    assert objc.uri == "apple-docs://swift/hashable?language=objc"
    assert (objc.language, objc.title, objc.kind) == ("objc", "NSHashable", "class")
    assert objc.summary == "`Hasher`. In C."


@pytest.mark.parametrize(
    "change",
    [
        {"deprecationSummary": [{"type": "paragraph", "inlineContent": [text("Use other.")]}]},
        {"metadata": {"title": "X", "platforms": [{"name": "iOS", "deprecatedAt": "9.0"}]}},
        {"metadata": {"title": "X", "platforms": [{"name": "iOS", "deprecated": True}]}},
    ],
)
def test_deprecation_is_seen_in_each_of_its_forms(change: dict[str, Any]) -> None:
    (document,) = read(make_page(**change))
    assert document.is_deprecated


@pytest.mark.parametrize(
    ("symbol_kind", "kind"),
    [
        ("op", "operator"),
        ("instm", "method"),
        ("init", "initializer"),
        ("var", "property"),
        ("cl", "class"),
    ],
)
def test_kinds_have_one_name_each(symbol_kind: str, kind: str) -> None:
    (document,) = read(make_page(metadata={"title": "X", "symbolKind": symbol_kind}))
    assert document.kind == kind


def test_a_page_that_is_no_symbol_is_called_what_it_is() -> None:
    (document,) = read(make_page(metadata={"title": "X", "role": "collectionGroup"}))
    assert document.kind == "collection"


def test_a_member_can_be_looked_up_by_its_path() -> None:
    identifier = {"url": "doc://s/documentation/Swift/Hashable/hash(into:)-3axv1"}
    metadata = {"title": "hash(into:)", "symbolKind": "method"}
    (document,) = read(make_page(identifier=identifier, metadata=metadata))
    assert document.uri == "apple-docs://swift/hashable/hash(into:)-3axv1"
    assert document.names == ("Hashable.hash(into:)",)


@pytest.mark.parametrize(
    ("identifier", "uri"),
    [
        ("doc://com.apple.Swift/documentation/SwiftUI/View", "apple-docs://swiftui/view"),
        ("/documentation/swift/array", "apple-docs://swift/array"),
        ("doc://x/tutorials/App-Dev", "apple-docs://tutorials/app-dev"),
        ("doc://x/documentation/Swift/Int/%25(_:_:)", "apple-docs://swift/int/%25(_:_:)"),
        ("https://developer.apple.com/documentation/UIKit/UIView", "apple-docs://uikit/uiview"),
        ("doc://x/documentation/Kit/My Base", "apple-docs://kit/my%20base"),
    ],
)
def test_uris_follow_the_path(identifier: str, uri: str) -> None:
    assert make_docc_uri(identifier, "apple-docs") == uri


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"{}", "has no identifier"),
        (b"[]", "has no identifier"),
        (b'{"identifier": 5}', r"has no identifier\.url"),
        (b'{"identifier": {"url": []}}', r"has no identifier\.url"),
    ],
)
def test_a_broken_page_is_reported(data: bytes, message: str) -> None:
    with pytest.raises(PageError, match=message):
        read(data)


WRONG_SHAPES = (None, 7, "x", ["x"], [[7]], [None], {"x": 7}, {"content": [7]}, True, "²")
BLOCKS = (
    *("heading", "paragraph", "codeListing", "aside", "unorderedList", "orderedList"),
    *("termList", "table", "of-a-newer-docc"),
)
BLOCK_FIELDS = (
    *("content", "items", "inlineContent", "code", "syntax", "level", "start", "rows"),
    *("header", "term", "name", "text"),
)
FIELDS = (
    ("metadata",),
    ("metadata", "title"),
    ("metadata", "modules"),
    ("metadata", "platforms"),
    ("references",),
    ("references", "doc://com.apple.Swift/documentation/Swift/Equatable"),
    ("abstract",),
    ("primaryContentSections",),
    ("relationshipsSections",),
    ("topicSections",),
    ("deprecationSummary",),
    ("variantOverrides",),
)


@pytest.mark.parametrize("field", FIELDS, ids="/".join)
@pytest.mark.parametrize("shape", WRONG_SHAPES, ids=repr)
def test_a_field_of_another_shape_costs_that_field_alone(
    field: tuple[str, ...], shape: object
) -> None:
    page = make_page()
    holder = page
    for name in field[:-1]:
        holder = holder[name]
    holder[field[-1]] = shape
    (document,) = read(page)
    assert document.uri == "apple-docs://swift/hashable"
    if field not in {("metadata",), ("metadata", "title")}:
        assert document.title == "Hashable"


@pytest.mark.parametrize("shape", WRONG_SHAPES, ids=repr)
@pytest.mark.parametrize("kind", BLOCKS)
def test_a_block_of_another_shape_costs_that_block_alone(kind: str, shape: object) -> None:
    block = {"type": kind, **dict.fromkeys(BLOCK_FIELDS, shape)}
    sound = {"type": "paragraph", "inlineContent": [text("The rest.")]}
    (document,) = read(make_page(primaryContentSections=[{"content": [block, sound]}]))
    assert "The rest." in document.content


@pytest.mark.parametrize("pointer", ["", "/", "x", "/a/b/c", "/metadata/title/²", "/abstract/²", 7])
def test_a_patch_that_points_nowhere_is_skipped(pointer: object) -> None:
    patch = [{"op": "replace", "path": pointer, "value": 7}, 7, {"op": []}]
    override = {"traits": [{"interfaceLanguage": "occ"}], "patch": patch}
    documents = read(make_page(variantOverrides=[override, "x", {"traits": "x"}]))
    assert [each.title for each in documents] == ["Hashable", "Hashable"]


def test_no_depth_of_nesting_loses_words() -> None:
    nested: dict[str, Any] = {"type": "paragraph", "inlineContent": [text("The innermost words.")]}
    for _ in range(450):
        nested = {"type": "aside", "style": "note", "content": [nested]}
    override = {"traits": [{"interfaceLanguage": "occ"}], "patch": []}
    page = make_page(
        primaryContentSections=[{"kind": "content", "content": [nested]}],
        variantOverrides=[override],
    )
    documents = read(page)
    assert len(documents) == 2
    assert all("The innermost words." in each.content for each in documents)


def test_navigation_files_of_an_archive_are_passed_over() -> None:
    source = DocCSource("unused", "docc")
    assert list(source.read(Page("index/index.json", b"{}"))) == []
    assert list(source.read(Page("metadata.json", b"{}"))) == []


def test_a_folder_and_a_tar_of_it_give_the_same_documents(tmp_path: Path) -> None:
    pages = {
        f"data/documentation/swift/p{n}.json": json.dumps(
            make_page(identifier={"url": f"doc://x/documentation/Swift/P{n}"})
        )
        for n in range(3)
    }
    with tarfile.open(tmp_path / "docs.tar.gz", "w:gz") as tar:
        for name, page in pages.items():
            (tmp_path / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "docs" / name).write_text(page)
            member = tarfile.TarInfo(name)
            member.size = len(page)
            tar.addfile(member, io.BytesIO(page.encode()))
    found = []
    for location in ("docs", "docs.tar.gz"):
        source = DocCSource(str(tmp_path / location), "apple-docs")
        pages_read = [page for page in source.pages() if isinstance(page, Page)]
        found.append(sorted(each.uri for page in pages_read for each in source.read(page)))
    assert found[0] == found[1] == [f"apple-docs://swift/p{n}" for n in range(3)]


@pytest.mark.corpus
@pytest.mark.skipif(not SWIFT.exists(), reason=reason_to_skip("swift"))
def test_real_pages_are_read_without_loss() -> None:
    source = DocCSource(str(SWIFT / "stdlib_docc.tar.gz"), "apple-docs")
    pages = source.pages()
    uris: set[str] = set()
    for number, page in enumerate(pages):
        if number >= 3000:
            break
        assert isinstance(page, Page)
        for document in source.read(page):
            assert document.title
            assert document.uri not in uris
            uris.add(document.uri)
    assert len(uris) >= 2990
