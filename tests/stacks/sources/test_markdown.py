"""Corpora of Markdown become documents with lasting addresses, whatever their files hold."""

from __future__ import annotations

import random
import tarfile
from typing import TYPE_CHECKING

import pytest

from real_data import COLLECTIONS, reason_to_skip
from stacks.errors import SourceError
from stacks.model import Document, Page, Snippet
from stacks.sources import markdown as _registered  # noqa: F401 # the kinds under test
from stacks.sources.source import SOURCES, PageError

if TYPE_CHECKING:
    from pathlib import Path

SWIFT = COLLECTIONS / "swift"


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def read_all(name: str, location: Path) -> tuple[list[Document], list[str]]:
    source = SOURCES.get(name).open(str(location))
    documents: list[Document] = []
    errors: list[str] = []
    for page in source.pages():
        if isinstance(page, PageError):
            errors.append(str(page))
            continue
        try:
            documents += [each for each in source.read(page) if isinstance(each, Document)]
        except PageError as error:
            errors.append(f"{page.key} {error}")
    return documents, errors


def uris_of(name: str, location: Path) -> list[str]:
    return [document.uri for document in read_all(name, location)[0]]


def read_one(name: str, folder: Path, text: str | bytes, key: str = "page.md") -> Document:
    documents, errors = read_all(name, write(folder, {key: text}))
    assert errors == []
    (document,) = documents
    return document


PROPOSAL = """# Function `Back` Deployment

* Proposal: [SE-0376](0376-back.md)
* Author: [Ann](https://a)
* Review Manager: [Bob](https://b)
* Status: **{status}**
* Upcoming Feature Flag: `BackDeploy`

## Introduction

This proposal introduces an attribute.

```swift
@backDeployed(before: iOS 17)
func f()
```
"""


class TestKinds:
    @pytest.mark.parametrize(
        ("name", "weight", "prefers_symbols"),
        [
            ("swift-evolution", 1.5, True),
            ("swift-book", 1.0, False),
            ("swift-org", 1.0, False),
            ("hig", 0.5, False),
            ("apple-archive", 0.5, False),
            ("markdown", 1.0, False),
        ],
    )
    def test_every_corpus_has_its_standing(
        self, name: str, weight: float, prefers_symbols: bool
    ) -> None:
        kind = SOURCES.get(name)
        assert (kind.database, kind.weight, kind.prefers_symbols) == (
            "search",
            weight,
            prefers_symbols,
        )


class TestProposals:
    def test_a_proposal_has_a_number_a_version_and_facts(self, tmp_path: Path) -> None:
        page = PROPOSAL.format(status="Implemented (Swift 5.8)")
        document = read_one("swift-evolution", tmp_path, page, "proposals/0376-back.md")
        assert document == Document(
            uri="swift-evolution://se-0376",
            title="SE-0376: Function Back Deployment",
            content=(
                "# SE-0376: Function Back Deployment\n\n* Proposal: SE-0376\n* Authors: Ann\n"
                "* Review Manager: Bob\n* Status: Implemented (Swift 5.8)\n"
                "* Feature Flag: BackDeploy\n\n## Introduction\n\n"
                "This proposal introduces an attribute.\n\n"
                "```swift\n@backDeployed(before: iOS 17)\nfunc f()\n```"
            ),
            framework="swift-evolution",
            module="Swift Evolution",
            language="swift",
            kind="proposal",
            summary="This proposal introduces an attribute.",
            names=("SE-0376", "Function Back Deployment", "BackDeploy"),
            swift_version="5.8",
            snippets=(Snippet("@backDeployed(before: iOS 17)\nfunc f()", "swift"),),
            facts={
                "status": "Implemented (Swift 5.8)",
                "authors": "Ann",
                "review_manager": "Bob",
                "feature_flag": "BackDeploy",
            },
        )

    def test_a_withdrawn_proposal_is_deprecated_and_a_rejected_one_is_not(
        self, tmp_path: Path
    ) -> None:
        for status, is_deprecated in (("Withdrawn", True), ("Rejected", False)):
            page = PROPOSAL.format(status=status)
            document = read_one("swift-evolution", tmp_path, page, "proposals/0376-back.md")
            assert document.is_deprecated is is_deprecated
            assert document.facts["status"] == status
            assert document.swift_version == ""

    def test_what_is_about_the_repository_or_points_elsewhere_is_no_document(
        self, tmp_path: Path
    ) -> None:
        page = PROPOSAL.format(status="Accepted")
        write(
            tmp_path,
            {
                "proposals/0376-aback.md": "This document was renamed. Please see [SE-0376](x).",
                "proposals/0376-back.md": page,
                "visions/macros.md": "# A Vision\n\nText of the vision.",
                "proposal-templates/0000-template.md": page,
                "policies/templates/x.md": page,
                "README.md": "# Readme",
                "CONTRIBUTING.md": "# Contributing",
                ".github/PULL_REQUEST_TEMPLATE.md": "# No",
            },
        )
        documents, errors = read_all("swift-evolution", tmp_path)
        assert errors == []
        assert [(document.uri, document.kind) for document in documents] == [
            ("swift-evolution://se-0376", "proposal"),
            ("swift-evolution://visions/macros", "article"),
        ]

    def test_two_proposals_with_one_number_are_one_document_and_one_error(
        self, tmp_path: Path
    ) -> None:
        page = PROPOSAL.format(status="Accepted")
        write(tmp_path, {"0376-a.md": page, "0376-b.md": page})
        documents, errors = read_all("swift-evolution", tmp_path)
        assert [document.uri for document in documents] == ["swift-evolution://se-0376"]
        assert errors == [
            "0376-b.md has the same address as 0376-a.md (se-0376); rename one of them"
        ]


class TestAddresses:
    def test_chapters_have_the_addresses_of_docc(self, tmp_path: Path) -> None:
        write(
            tmp_path,
            {
                "TSPL.docc/LanguageGuide/Closures.md": "# Closures\n\nText of it.",
                "TSPL.docc/ReferenceManual/Types.md": "# Types\n\nText of it.",
                "TSPL.docc/The-Swift-Programming-Language.md": "# Book\n\nText of it.",
                "Style.md": "# Style",
                "bin/beta_banner.md": "> Beta",
            },
        )
        assert uris_of("swift-book", tmp_path) == [
            "swift-book://closures",
            "swift-book://types",
            "swift-book://the-swift-programming-language",
        ]

    def test_pages_of_the_site_have_the_addresses_of_the_site(self, tmp_path: Path) -> None:
        text = "---\ntitle: T\n---\nSome words that are text here."
        write(
            tmp_path,
            {
                "_posts/2015-12-03-welcome.md": text,
                "_posts/2016-1-05-later.md": text,
                "about/index.md": text,
                "documentation/articles/wasm.md": text,
                "index.md": text,
                "404.md": text,
            },
        )
        assert uris_of("swift-org", tmp_path) == [
            "swift-org://blog/welcome",
            "swift-org://blog/later",
            "swift-org://about",
            "swift-org://documentation/articles/wasm",
            "swift-org://index",
        ]

    def test_guidelines_have_slugs_and_the_archive_has_paths(self, tmp_path: Path) -> None:
        write(
            tmp_path, {"Menus & Actions/Edit Menus.md": "# E\n\nText.", "buttons.md": "# B\n\nT."}
        )
        assert uris_of("hig", tmp_path) == ["hig://menus-actions/edit-menus", "hig://buttons"]
        assert uris_of("apple-archive", tmp_path) == [
            "apple-archive://Menus%20&%20Actions/Edit%20Menus",
            "apple-archive://buttons",
        ]

    def test_no_two_paths_of_a_folder_give_one_address(self, tmp_path: Path) -> None:
        names = [
            "a.md", "A.md", "a.markdown", "a.markdown.md", "a.md.md", "a/index.md", "a/readme.md",
            "a b.md", "a%20b.md", "a?.md", "a#b.md", "ü.md", "u\u0308.md",
        ]  # fmt: skip
        folder = write(tmp_path / "My Notes", dict.fromkeys(names, "# Title\n\nText."))
        uris = uris_of("markdown", folder)
        assert len(set(uris)) == len(uris) == len(names)
        assert "markdown://My%20Notes/a" in uris
        assert "markdown://My%20Notes/a%2520b" in uris
        assert "markdown://My%20Notes/a/readme" in uris

    def test_an_archive_and_a_single_file_have_the_addresses_of_the_folder(
        self, tmp_path: Path
    ) -> None:
        folder = write(tmp_path / "notes", {"sub/a.md": "# A\n\nText.", "b.md": "# B\n\nText."})
        with tarfile.open(tmp_path / "notes.tar.gz", "w:gz") as archive:
            archive.add(folder / "sub" / "a.md", "./sub/a.md")
            archive.add(folder / "b.md", "b.md")
        expected = ["markdown://notes/b", "markdown://notes/sub/a"]
        assert sorted(uris_of("markdown", folder)) == expected
        assert sorted(uris_of("markdown", tmp_path / "notes.tar.gz")) == expected
        assert uris_of("markdown", folder / "b.md") == ["markdown://notes/b"]


class TestSite:
    def test_parts_are_put_into_the_pages_that_include_them(self, tmp_path: Path) -> None:
        write(
            tmp_path,
            {
                "guide/index.md": "---\ntitle: Guide\n---\n{% include_relative _part.md a=b %}\n",
                "guide/_part.md": "## Part\n\nThe text of the part. {% include x/_deep.md %}",
                "_includes/x/_deep.md": "And of the part within it.",
                "guide/_unused.md": "## Unused\n\nA part that no page includes.",
            },
        )
        documents, errors = read_all("swift-org", tmp_path)
        assert errors == []
        assert [(document.uri, document.content) for document in documents] == [
            (
                "swift-org://guide",
                "# Guide\n\n## Part\n\nThe text of the part. And of the part within it.",
            ),
            ("swift-org://guide/_unused", "# Unused\n\nA part that no page includes."),
        ]

    def test_parts_that_include_each_other_come_to_an_end(self, tmp_path: Path) -> None:
        part = "words of a part {% include_relative _a.md %}{% include_relative _a.md %}"
        write(tmp_path, {"index.md": "{% include_relative _a.md %}", "_a.md": part})
        documents, _ = read_all("swift-org", tmp_path)
        assert len(documents) == 1

    def test_redirections_drafts_and_bare_templates_are_no_documents(self, tmp_path: Path) -> None:
        write(
            tmp_path,
            {
                "a.md": "---\nredirect_to: /b/\n---\n",
                "b.md": "---\npublished: false\n---\nA draft of some length.",
                "c.md": "---\ntitle: C\n---\n{% for x in y %}{{ x }}{% endfor %}",
                "d.md": "---\ntitle: D\nauthor: [ann, bob]\ndate: 2020-01-02\n---\n"
                "Text that the page has.",
            },
        )
        documents, errors = read_all("swift-org", tmp_path)
        assert errors == ["c.md has no text except its template"]
        (document,) = documents
        assert (document.title, dict(document.facts)) == (
            "D",
            {"authors": "ann, bob", "date": "2020-01-02"},
        )


class TestPages:
    def test_front_matter_decides_where_it_says_something(self, tmp_path: Path) -> None:
        page = (
            "---\ntitle: Stated\nframework: SwiftUI\nmodule: SwiftUI\nlanguage: Swift\n"
            "kind: Tutorial\ndescription: In a word.\ndeprecated: true\naliases: [one, two]\n---\n"
            "# Another heading\n\nText of the page.\n"
        )
        document = read_one("markdown", tmp_path, page)
        assert document.title == "Stated"
        assert document.content.startswith("# Stated\n\n# Another heading\n\nText")
        assert (document.framework, document.module) == ("swiftui", "SwiftUI")
        assert (document.language, document.kind) == ("swift", "tutorial")
        assert document.summary == "In a word."
        assert document.is_deprecated
        assert document.names == ("one", "two")

    @pytest.mark.parametrize(
        ("key", "text", "title"),
        [
            ("a-page_name.md", "no heading", "A page name"),
            ("ErrorHandling.md", "no heading", "Error Handling"),
            ("guide/index.md", "no heading", "Guide"),
            ("x.md", "Title\n=====\n\ntext", "Title"),
            ("x.md", "## Second level first\n\ntext", "Second level first"),
        ],
    )
    def test_a_page_without_a_stated_title_has_one(
        self, tmp_path: Path, key: str, text: str, title: str
    ) -> None:
        document = read_one("markdown", tmp_path, text, key)
        assert document.title == title
        assert document.content.count(title) == 1

    @pytest.mark.parametrize(
        "data",
        [
            "# Straße\n\ntext".encode("utf-8-sig"),
            "# Straße\n\ntext".encode("utf-16"),
            "# Straße\n\ntext".encode("utf-16-be"),
            "# Straße\n\ntext".encode("utf-16-le"),
            "# Straße\n\ntext".encode("utf-32"),
            "# Straße\r\n\r\ntext".encode(),
            "# Straße\r\rtext".encode(),
        ],
    )
    def test_encodings_and_line_ends_of_other_systems_are_read(
        self, tmp_path: Path, data: bytes
    ) -> None:
        document = read_one("markdown", tmp_path, data)
        assert (document.title, document.content) == ("Straße", "# Straße\n\ntext")

    def test_bytes_that_are_no_text_are_replaced_and_the_page_is_kept(self, tmp_path: Path) -> None:
        document = read_one("markdown", tmp_path, b"# Caf\xe9\n\nbe\xff\xfeauty")
        assert document.title == "Caf\ufffd"
        document.content.encode()

    @pytest.mark.parametrize(
        ("data", "error"),
        [
            (b"", "is empty"),
            (b" \r\n\t\n", "is empty"),
            (b"\xef\xbb\xbf", "is empty"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\x01" * 20, "is not text: it holds NUL bytes"),
            (b"<!-- only a comment -->", "has no text except its template"),
        ],
    )
    def test_a_page_without_text_is_an_error_that_says_so(
        self, tmp_path: Path, data: bytes, error: str
    ) -> None:
        write(tmp_path, {"bad.md": data, "good.md": "# Good\n\nText."})
        documents, errors = read_all("markdown", tmp_path)
        assert [document.title for document in documents] == ["Good"]
        assert errors == [f"bad.md {error}"]

    def test_a_stray_nul_does_not_make_a_page_binary(self, tmp_path: Path) -> None:
        document = read_one("markdown", tmp_path, "# Title\n\n" + "words " * 50 + "\0 more")
        assert "\0" not in document.content
        assert document.content.endswith("\ufffd more")

    def test_a_page_with_a_layout_is_a_template_in_any_folder(self, tmp_path: Path) -> None:
        page = "---\nlayout: post\ntitle: T\n---\nText {{ site.url }}of it.{: .note}\n"
        assert read_one("markdown", tmp_path, page).content == "# T\n\nText of it."

    @pytest.mark.corpus
    def test_a_line_of_ten_megabytes_is_a_page_like_another(self, tmp_path: Path) -> None:
        document = read_one("markdown", tmp_path, "# T\n\n" + "word `code` " * 850_000)
        assert len(document.content) > 10**7
        assert len(document.summary) < 1100

    def test_random_bytes_become_documents_or_page_errors(self, tmp_path: Path) -> None:
        chance = random.Random(2)  # noqa: S311 # noise
        source = SOURCES.get("swift-org").open(str(write(tmp_path, {"a.md": "x"})))
        alphabet = b"#`<>{}%[]()*_-:\n abc\xc3\xa9\xff"
        for length in range(300):
            data = bytes(chance.choices(alphabet, k=length))
            try:
                list(source.read(Page("a.md", data)))
            except PageError:
                continue

    def test_a_page_is_a_function_of_itself(self, tmp_path: Path) -> None:
        write(tmp_path, {f"{n}.md": f"# Page {n}\n\nText." for n in range(20)})
        source = SOURCES.get("markdown").open(str(tmp_path))
        pages = [page for page in source.pages() if isinstance(page, Page)]
        expected = {page.key: list(source.read(page)) for page in pages}
        random.Random(1).shuffle(pages)  # noqa: S311 # an order
        assert {page.key: list(source.read(page)) for page in pages} == expected

    def test_a_location_without_markdown_is_an_error_of_the_source(self, tmp_path: Path) -> None:
        source = SOURCES.get("markdown").open(str(tmp_path))
        with pytest.raises(SourceError, match=r"holds no Markdown: no file ends in \.md"):
            list(source.pages())
        with pytest.raises(SourceError, match="No such file"):
            list(SOURCES.get("markdown").open(str(tmp_path / "absent")).pages())

    def test_links_in_a_folder_are_reported_beside_the_pages(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.md": "# A\n\nText."})
        (tmp_path / "loop").symlink_to(tmp_path)
        documents, errors = read_all("markdown", tmp_path)
        assert (len(documents), errors) == (1, ["loop is a symbolic link; it is not followed"])


@pytest.mark.skipif(not SWIFT.is_dir(), reason=reason_to_skip("swift"))
class TestRealCorpora:
    @pytest.mark.corpus
    def test_every_proposal_is_a_document_with_its_fields(self) -> None:
        documents, errors = read_all("swift-evolution", SWIFT / "evolution")
        proposals = [document for document in documents if document.kind == "proposal"]
        assert errors == []
        assert len(proposals) == 575
        assert len({document.uri for document in documents}) == len(documents) == 590
        assert all(document.summary and document.facts["authors"] for document in proposals)
        (back,) = (document for document in documents if document.uri.endswith("se-0376"))
        assert (back.title, back.swift_version) == ("SE-0376: Function Back Deployment", "5.8")

    @pytest.mark.corpus
    def test_every_chapter_is_a_document_without_the_tests_in_its_comments(self) -> None:
        documents, errors = read_all("swift-book", SWIFT / "book")
        assert (len(documents), errors) == (43, [])
        assert not any("swifttest" in document.content for document in documents)
        assert all(document.summary for document in documents)

    @pytest.mark.corpus
    def test_the_site_has_no_template_left_in_its_pages(self) -> None:
        documents, errors = read_all("swift-org", SWIFT / "org")
        assert len(documents) == 303
        assert {error.partition(" ")[2] for error in errors} == {"has no text except its template"}
        assert not any("{% include" in document.content for document in documents)
