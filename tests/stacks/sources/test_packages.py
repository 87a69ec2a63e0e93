"""Packages are described by what they say of themselves; nothing of them is run."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from stacks.errors import SourceError
from stacks.model import Dependency, Document, Page, Snippet
from stacks.sources.package_folders import find_readme_snippets, get_first_paragraph
from stacks.sources.packages import (
    PackagesSource,
    normalise_name,
    read_requirements,
    read_swift_dependencies,
)
from stacks.sources.source import PageError
from stacks.sources.swift_manifest import read_manifest

if TYPE_CHECKING:
    from pathlib import Path

Files = dict[str, "str | bytes"]

METADATA = """\
Metadata-Version: 2.4
Name: Web.Client
Version: 1.2.0
Summary: A client for the web.
License-Expression: MIT
Project-URL: Changelog, https://example.org/changes
Project-URL: Homepage, https://example.org
Keywords: http,web client
Requires-Python: >=3.9
Requires-Dist: certifi
Requires-Dist: anyio<5,>=4; python_version < "3.13"
Requires-Dist: brotli; extra == "fast"
Description-Content-Type: text/markdown; charset=UTF-8

# Web client

Größe: any.

```python
get("https://example.org")
```
"""

MANIFEST = r"""// swift-tools-version:5.9
// let package = Package(name: "commented-out")
/* Package(name: "in a /* nested */ comment") */
import PackageDescription

let prefix = "swift"
let settings: [SwiftSetting] = [.define("X\(1 + (2))", .when(platforms: [.macOS]))]

let package = Package(
    name: "\(prefix)-nio", // the name
    platforms: [.macOS(.v10_15), .iOS(.v13), .watchOS("7.4"), .custom("x", versionString: "1")],
    products: [
        .library(name: "NIOCore", targets: ["NIOCore"]),
        .executable(name: "Server", targets: ["Server"]),
        Product.library(name: "NIO", type: .static, targets: ["NIO"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-atomics.git", from: "1.1.0"),
        .package(url: "https://example.org/other", .upToNextMajor(from: "2.0.0")),
        .package(path: "../local"),
    ],
    targets: [
        .target(name: "NIOCore", dependencies: [
            .product(name: "Atomics", package: "swift-atomics"), "CNIO"
        ], path: "a)b", swiftSettings: settings),
        .testTarget(name: "NIOTests"),
    ] + more,
    swiftLanguageVersions: [.v5]
)
package.targets.append(.target(name: "later"))
"""


def write(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else textwrap.dedent(text).encode())
    return folder


def read_folder(folder: Path, files: Files) -> dict[str, Document]:
    source = PackagesSource(str(write(folder, files)))
    pages = [page for page in source.pages() if isinstance(page, Page)]
    documents = [document for page in pages for document in source.read(page)]
    assert [document.uri for document in documents] == [f"packages://{page.key}" for page in pages]
    return {document.uri: document for document in documents}


def errors_of(folder: Path) -> list[str]:
    pages = PackagesSource(str(folder)).pages()
    return [str(page) for page in pages if isinstance(page, PageError)]


def test_a_distribution_says_what_it_is_in_its_metadata(tmp_path: Path) -> None:
    record = (
        "web_client/__init__.py,sha256=x,10\nweb_client/sub/a.py,,\nhelper.py,,\n"
        "_speed.cpython-311-x86_64-linux-gnu.so,,\n../../bin/web,,\n"
        "web_client-1.2.0.dist-info/METADATA,,\nweb_client/__pycache__/a.cpython-311.pyc,,\n"
    )
    documents = read_folder(
        tmp_path,
        {"w-1.2.0.dist-info/METADATA": METADATA, "w-1.2.0.dist-info/RECORD": record},
    )
    assert list(documents) == ["packages://python/web-client"]
    document = documents["packages://python/web-client"]
    assert document.title == "Web.Client"
    assert document.kind == "package"
    assert document.framework == "web-client"
    assert document.language == "python"
    assert document.summary == "A client for the web."
    assert document.names == ("web_client", "helper")
    assert document.facts == {
        "version": "1.2.0",
        "license": "MIT",
        "homepage": "https://example.org",
        "requires": "certifi, anyio<5,>=4",
        "requires_python": ">=3.9",
        "keywords": "http, web client",
    }
    assert document.snippets == (Snippet('get("https://example.org")', "python"),)
    assert document.content.startswith("# Web.Client\n\nA client for the web.\n\n- Version: 1.2.0")
    assert "Größe: any." in document.content


def test_what_a_distribution_says_it_is_imported_as_comes_before_its_files(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "a.egg-info/PKG-INFO": "Name: PyYAML\nVersion: 6\n",
            "a.egg-info/top_level.txt": "_yaml\nyaml\n",
            "a.egg-info/RECORD": "other.py,,\n",
        },
    )
    assert documents["packages://python/pyyaml"].names == ("yaml",)


def test_a_description_in_a_folded_field_is_unfolded(tmp_path: Path) -> None:
    metadata = (
        "Name: old\nVersion: 1\nDescription: Title\n        =====\n        \n        Text here.\n"
        "Classifier: License :: OSI Approved :: BSD License\nHome-page: UNKNOWN\n"
    )
    documents = read_folder(tmp_path, {"old-1.dist-info/METADATA": metadata.encode()})
    document = documents["packages://python/old"]
    assert document.content.endswith("Title\n=====\n\nText here.")
    assert document.facts == {"version": "1", "license": "BSD License"}
    assert document.summary == "Text here."


def test_a_source_tree_is_described_by_its_pyproject_and_readme(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "tree/pyproject.toml": """
                [project]
                name = "tree_thing"
                version = "0.3"
                license = {text = "Apache-2.0"}
                requires-python = ">=3.11"
                dependencies = ["httpx>=0.28", "x; extra == 'y'"]
                readme = "docs/INTRO.md"
                [project.urls]
                "Source Code" = "https://example.org/tree"
            """,
            "tree/docs/INTRO.md": "# Tree\n\n[![badge](x)](y)\n\nGrows things.\n",
            "tree/README.md": "Another.\n",
            "tree/src/tree_thing/__init__.py": "raise SystemExit\n",
            "tree/tests/__init__.py": "",
        },
    )
    document = documents["packages://python/tree-thing"]
    assert document.summary == "Grows things."
    assert document.names == ()
    assert document.module == "tree_thing"
    assert document.facts == {
        "version": "0.3",
        "license": "Apache-2.0",
        "homepage": "https://example.org/tree",
        "requires": "httpx>=0.28",
        "requires_python": ">=3.11",
    }


def test_poetry_projects_are_read_and_mere_settings_are_not(tmp_path: Path) -> None:
    poetry = """
        [tool.poetry]
        name = "verse"
        version = "2.0"
        description = "Writes verse."
        [tool.poetry.dependencies]
        python = "^3.11"
        rhyme = "*"
    """
    files: Files = {"a/pyproject.toml": poetry, "b/pyproject.toml": "[tool.ruff]\nx = 1\n"}
    documents = read_folder(tmp_path, files)
    assert list(documents) == ["packages://python/verse"]
    assert documents["packages://python/verse"].facts == {"version": "2.0", "requires": "rhyme"}
    assert errors_of(tmp_path) == []


def test_a_readme_outside_the_tree_is_not_read(tmp_path: Path) -> None:
    project = '[project]\nname = "sly"\nreadme = "../secret.md"\n'
    files: Files = {"secret.md": "secret", "sly/pyproject.toml": project, "sly/README": "Open.\n"}
    document = read_folder(tmp_path, files)["packages://python/sly"]
    assert "secret" not in document.content
    assert document.summary == "Open."


def test_a_swift_manifest_is_read_through_comments_and_interpolation(tmp_path: Path) -> None:
    readme = "# SwiftNIO\n\nEvent-driven network framework.\n\n```swift\nimport NIOCore\n```\n"
    documents = read_folder(tmp_path, {"nio/Package.swift": MANIFEST, "nio/README.md": readme})
    document = documents["packages://swift/swift-nio"]
    assert document.title == "swift-nio"
    assert document.language == "swift"
    assert document.summary == "Event-driven network framework."
    assert document.names == ("NIOCore", "Server", "NIO")
    assert document.availability == {"ios": "13.0", "macos": "10.15", "watchos": "7.4"}
    assert document.swift_version == "5.9"
    assert document.snippets == (Snippet("import NIOCore", "swift"),)
    assert document.facts == {
        "swift_tools_version": "5.9",
        "platforms": "macOS 10.15, iOS 13.0, watchOS 7.4",
        "products": "NIOCore, Server, NIO",
        "requires": "https://github.com/apple/swift-atomics.git 1.1.0, "
        "https://example.org/other, ../local",
    }


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('let package = Package(name: "a")', "a"),
        ('let n = "b"\nlet package = Package(name: n)', "b"),
        ('Package(name: #"raw"#)', "raw"),
        ('Package(\n  name: """\nmany\n"""\n)', "\nmany\n"),
        ('Package(name: "\\(computed())-x")', ""),
        ('Package(name: "\\(computed("x", of: [")"]))")', ""),
        ('Package(name: "say \\"hi\\"")', 'say "hi"'),
        ("Package(", ""),
        ("Package()", ""),
        ('Package(name: "open', "open"),
        ('Package(name: ["a": (("]"))], products: [', ""),
    ],
)
def test_names_of_manifests_are_literals_and_constants(text: str, name: str) -> None:
    manifest = read_manifest(text)
    assert manifest is not None
    assert manifest.name == name


@pytest.mark.parametrize(
    "text", ["", "// Package(name: 1)", '"Package(name:)"', "x.Package()", "Package { }", "🎉"]
)
def test_what_makes_no_package_is_no_manifest(text: str) -> None:
    assert read_manifest(text) is None


def test_a_manifest_without_a_name_of_its_own_has_that_of_its_folder(tmp_path: Path) -> None:
    documents = read_folder(tmp_path, {"My Kit/Package.swift": "let p = Package(name: make())"})
    assert documents["packages://swift/my-kit"].title == "My Kit"


def test_garbage_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    files: Files = {
        "good-1.dist-info/METADATA": "Name: good\nVersion: 1\n",
        "noname-1.dist-info/METADATA": "Version: 1\n\nName: in the body\n",
        "empty-1.dist-info/METADATA": "",
        "binary-1.dist-info/METADATA": bytes(range(256)) * 4,
        "slash-1.dist-info/METADATA": "Name: ../../etc/passwd\nVersion: 1\n",
        "a/pyproject.toml": "[project\n",
        "b/pyproject.toml": b"\xff\xfe",
        "c/pyproject.toml": "project = 3\n",
        "d/pyproject.toml": "[project]\nversion = '1'\n",
        "e/Package.swift": "import PackageDescription\n",
        "f/Package.swift": "let p = Package(name: " + "[" * 100_000,
        "not_a_dist/METADATA": "Name: no\n",
    }
    documents = read_folder(tmp_path, files)
    assert set(documents) == {"packages://python/good", "packages://swift/f"}
    places = [error.split(" ", 1)[0] for error in errors_of(tmp_path)]
    assert sorted(places) == [
        "a/pyproject.toml",
        "b/pyproject.toml",
        "binary-1.dist-info/METADATA",
        "c/pyproject.toml",
        "d/pyproject.toml",
        "e/Package.swift",
        "empty-1.dist-info/METADATA",
        "noname-1.dist-info/METADATA",
        "slash-1.dist-info/METADATA",
    ]


def test_bytes_that_are_not_text_are_replaced(tmp_path: Path) -> None:
    data = b"Name: latin\nVersion: 1\nSummary: caf\xe9\n\nR\xe9sum\xe9 \x00 here\n"
    document = read_folder(tmp_path, {"l-1.dist-info/METADATA": data})["packages://python/latin"]
    assert document.summary == "caf\ufffd"
    assert "\0" not in document.content
    document.content.encode("utf-8")


@pytest.mark.parametrize(
    ("versions", "kept"),
    [
        (["1.9", "1.10"], "1.10"),
        (["2.0", "2.0rc1"], "2.0"),
        (["2.0", "2.0.post1"], "2.0.post1"),
        (["1.0", "1.0"], "1.0"),
        (["", "0.1"], "0.1"),
        (["2.0.dev3", "2.0a1", "1.99"], "2.0.dev3"),
    ],
)
def test_of_a_distribution_that_is_there_twice_the_highest_version_is_kept(
    tmp_path: Path, versions: list[str], kept: str
) -> None:
    files: Files = {
        f"{number}-x.dist-info/METADATA": f"Name: tw_ice\nVersion: {version}\n"
        for number, version in enumerate(versions)
    }
    documents = read_folder(tmp_path, files)
    assert documents["packages://python/tw-ice"].facts["version"] == kept
    errors = errors_of(tmp_path)
    assert len(errors) == len(versions) - 1
    assert all("again" in error and "is kept" in error for error in errors)


def test_files_in_one_folder_describe_one_package(tmp_path: Path) -> None:
    project = '[project]\nname = "both"\nversion = "1"\n'
    files: Files = {
        "both/PKG-INFO": "Name: both\nVersion: 1\n",
        "both/pyproject.toml": project,
        "both/Package.swift": 'Package(name: "both")',
    }
    documents = read_folder(tmp_path, files)
    assert set(documents) == {"packages://python/both", "packages://swift/both"}
    assert errors_of(tmp_path) == []


def test_copies_and_hidden_folders_are_not_entered_and_links_not_followed(tmp_path: Path) -> None:
    files: Files = {
        "real-1.dist-info/METADATA": "Name: real\nVersion: 1\n",
        "pip/_vendor/x-1.dist-info/METADATA": "Name: x\nVersion: 1\n",
        ".build/y/Package.swift": 'Package(name: "y")',
        "node_modules/z/pyproject.toml": '[project]\nname = "z"\n',
    }
    write(tmp_path, files)
    (tmp_path / "round").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "Package.swift").symlink_to(tmp_path / ".build/y/Package.swift")
    assert set(read_folder(tmp_path, {})) == {"packages://python/real"}
    assert errors_of(tmp_path) == ["linked/Package.swift is a symbolic link; it is not followed"]


def test_a_place_without_packages_is_an_error_that_says_what_one_is(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"Package\.swift"):
        list(PackagesSource(str(tmp_path)).pages())
    with pytest.raises(SourceError, match="is not a folder"):
        list(PackagesSource(str(tmp_path / "gone")).pages())


def test_the_running_environment_knows_the_tests_own_library() -> None:
    source = PackagesSource("installed")
    pages = {page.key: page for page in source.pages() if isinstance(page, Page)}
    (document,) = source.read(pages["python/pytest"])
    assert document.title == "pytest"
    assert document.facts["version"] == pytest.__version__


def test_pages_come_in_an_order_that_does_not_change(tmp_path: Path) -> None:
    names = ["b", "a", "C", "d-1"]
    files: Files = {f"{name}-1.dist-info/METADATA": f"Name: {name}\nVersion: 1\n" for name in names}
    write(tmp_path, files)
    pages = list(PackagesSource(str(tmp_path)).pages())
    assert pages == list(PackagesSource(str(tmp_path)).pages())
    keys = [page.key for page in pages if isinstance(page, Page)]
    assert keys == ["python/a", "python/b", "python/c", "python/d-1"]


@pytest.mark.parametrize(
    ("name", "normal"),
    [("Foo.Bar__baz", "foo-bar-baz"), ("a", "a"), ("zope.interface", "zope-interface")],
)
def test_names_are_folded_as_the_index_does(name: str, normal: str) -> None:
    assert normalise_name(name) == normal
    assert normalise_name(normal) == normal


@pytest.mark.parametrize(
    ("readme", "paragraph"),
    [
        ("# T\n\nText\nof two lines.\n\nMore.", "Text of two lines."),
        ("Title\n=====\n\nText.", "Text."),
        ("![x](y)\n<p>\n\n- list\n\n> quote\n\nText.", "Text."),
        ("```\ncode\n```\n\nText.", "Text."),
        (".. image:: x\n   :alt: y\n\nText.", "Text."),
        ("", ""),
        ("# Only a title", ""),
    ],
)
def test_the_first_paragraph_of_a_readme_is_prose(readme: str, paragraph: str) -> None:
    assert get_first_paragraph(readme) == paragraph


def test_fences_end_where_they_are_closed_by_as_many_marks() -> None:
    readme = "````md\n```py\nx\n```\n````\n~~~ Sh\nls\n~~~\n```\n```\n```swift\nopen"
    assert find_readme_snippets(readme) == [
        Snippet("```py\nx\n```", "markdown"),
        Snippet("ls", "shell"),
        Snippet("open", "swift"),
    ]
    assert find_readme_snippets("Text::\n\n   x = 1\n", is_markdown=False) == [
        Snippet("x = 1", "python")
    ]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("requests", Dependency("requests")),
        ("Typing_Extensions>=4.0", Dependency("typing-extensions", ">=4.0")),
        ("requests[socks,use] (>=2.0,<3)", Dependency("requests", ">=2.0,<3")),
        ("tool @ https://example.com/t.zip", Dependency("tool", "", "https://example.com/t.zip")),
    ],
)
def test_a_python_requirement_is_a_name_and_versions(written: str, expected: Dependency) -> None:
    assert list(read_requirements([written])) == [expected]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            "https://github.com/apple/Swift-NIO.git 2.0.0",
            Dependency("swift-nio", "2.0.0", "https://github.com/apple/Swift-NIO.git"),
        ),
        ("../Local", Dependency("local", "", "../Local")),
        ("mona.LinkedList 1.0.0", Dependency("mona.linkedlist", "1.0.0")),
    ],
)
def test_a_swift_dependency_is_named_by_its_address(written: str, expected: Dependency) -> None:
    assert list(read_swift_dependencies([written])) == [expected]


def test_what_names_nothing_is_no_dependency() -> None:
    assert not list(read_requirements(["", "  ", ">=2"]))
    assert not list(read_swift_dependencies(["", "/"]))
