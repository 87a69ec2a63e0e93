"""Sample projects become one document each, and one for each source file."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING

import pytest

from stacks.errors import SourceError
from stacks.model import Document, Page, Snippet
from stacks.sources.samples import SamplesSource
from stacks.sources.source import SOURCES, PageError

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def read_all(location: Path) -> tuple[dict[str, Document], list[str]]:
    source = SamplesSource(str(location))
    documents: list[Document] = []
    errors: list[str] = []
    for page in source.pages():
        if isinstance(page, Page):
            documents += source.read(page)
        else:
            errors.append(str(page))
    by_uri = {document.uri: document for document in documents}
    assert len(by_uri) == len(documents)
    return by_uri, errors


README = "# Food Truck\n\nManage a business of food trucks.\n\n```swift\nlet a = 1\n```\n"


def test_the_kind_goes_to_its_own_database() -> None:
    assert SOURCES.get("samples").database == "samples"


def test_a_project_is_its_readme_and_a_file_is_its_code(tmp_path: Path) -> None:
    code = "import SwiftUI\n\nstruct AppView: View {}\n"
    write(tmp_path, {"FoodTruck App/README.md": README, "FoodTruck App/App/View.swift": code})
    documents, errors = read_all(tmp_path)
    assert errors == []
    assert documents == {
        "samples://foodtruck-app": Document(
            uri="samples://foodtruck-app",
            title="Food Truck",
            content=README.strip("\n"),
            framework="foodtruck-app",
            module="FoodTruck App",
            kind="sample",
            summary="Manage a business of food trucks.",
            names=("FoodTruck App",),
            snippets=(Snippet("let a = 1", "swift"),),
        ),
        "samples://foodtruck-app/App/View.swift": Document(
            uri="samples://foodtruck-app/App/View.swift",
            title="View.swift",
            content=code,
            framework="foodtruck-app",
            module="FoodTruck App",
            language="swift",
            kind="file",
            names=("App/View.swift",),
            snippets=(Snippet(code, "swift"),),
        ),
    }


def test_a_project_without_a_readme_lists_its_files(tmp_path: Path) -> None:
    write(tmp_path, {"my-sample/b/x.py": "x = 1", "my-sample/a.py": "a = 1"})
    documents, _ = read_all(tmp_path)
    project = documents["samples://my-sample"]
    assert (project.title, project.kind) == ("My sample", "sample")
    assert project.content == "# My sample\n\n- a.py\n- b/x.py"
    assert documents["samples://my-sample/b/x.py"].language == "python"


def test_a_location_with_sources_of_its_own_is_one_project(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "One App",
        {"Package.swift": "// swift", "Sources/One/main.swift": "print()", "readme.MD": README},
    )
    documents, _ = read_all(folder)
    assert sorted(documents) == [
        "samples://one-app",
        "samples://one-app/Package.swift",
        "samples://one-app/Sources/One/main.swift",
    ]
    assert documents["samples://one-app"].title == "Food Truck"


def test_an_archive_gives_what_its_folder_gives(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "s", {"A/x.swift": "let x", "A/README": "Words of it.", "B/y.ts": "y"}
    )
    with tarfile.open(tmp_path / "s.tgz", "w:gz") as archive:
        archive.add(folder / "B", "B")
        archive.add(folder / "A", "A")
    from_folder, _ = read_all(folder)
    from_archive, _ = read_all(tmp_path / "s.tgz")
    assert from_archive == from_folder
    assert sorted(from_folder) == [
        "samples://a", "samples://a/x.swift", "samples://b", "samples://b/y.ts",
    ]  # fmt: skip


def test_what_nobody_wrote_is_passed_over(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "A/main.swift": "let a",
            "A/.build/x.swift": "no",
            "A/node_modules/x.js": "no",
            "A/DerivedData/x.swift": "no",
            "A/__pycache__/x.py": "no",
            "A/package-lock.json": "{}",
            "A/app.min.js": "no",
            "A/image.png": b"\x89PNG\0",
            "A/binary.swift": b"\x7fELF\0\0\0\0",
            "A/__init__.py": "",
            "A/docs/README.md": "# Not of the project",
            "Empty/README.md": "# A folder without code",
            "notes.md": "# Notes",
        },
    )
    documents, errors = read_all(tmp_path)
    assert sorted(documents) == ["samples://a", "samples://a/main.swift"]
    assert errors == []


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.swift", "swift"),
        ("a.m", "objc"),
        ("a.MM", "objc"),
        ("a.h", "c"),
        ("a.cpp", "cpp"),
        ("a.py", "python"),
        ("a.tsx", "typescript"),
        ("a.mjs", "javascript"),
        ("a.metal", "metal"),
    ],
)
def test_the_ending_of_a_name_states_the_language(tmp_path: Path, name: str, language: str) -> None:
    documents, _ = read_all(write(tmp_path, {f"P/{name}": "code"}))
    document = documents[f"samples://p/{name}"]
    assert (document.language, document.snippets) == (language, (Snippet("code", language),))


def test_the_best_readme_introduces_a_project(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "P/README.txt": "# Text",
            "P/Readme.md": "# Best",
            "P/README.ja.md": "# 日本",
            "P/a.c": "c",
        },
    )
    documents, _ = read_all(tmp_path)
    assert documents["samples://p"].title == "Best"
    assert sorted(documents) == ["samples://p", "samples://p/a.c"]


def test_paths_keep_their_case_and_are_quoted(tmp_path: Path) -> None:
    documents, _ = read_all(write(tmp_path, {"P/My File#1.swift": "a", "P/my file#1.swift": "b"}))
    assert sorted(documents)[1:] == [
        "samples://p/My%20File%231.swift",
        "samples://p/my%20file%231.swift",
    ]


def test_projects_with_one_address_are_one_project_and_one_error(tmp_path: Path) -> None:
    write(tmp_path, {"My App/a.c": "1", "my-app/b.c": "2"})
    documents, errors = read_all(tmp_path)
    assert sorted(documents) == ["samples://my-app", "samples://my-app/a.c"]
    assert errors == ["my-app has the same address as My App (my-app); rename one of them"]


def test_a_file_too_large_for_a_person_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, {"P/big.c": b"x" * (2 * 2**20 + 1), "P/a.c": "1"})
    _, errors = read_all(tmp_path)
    assert errors == ["P/big.c has 2,097,153 bytes; the largest that is read has 2,097,152"]


def test_a_location_without_sources_is_an_error_of_the_source(tmp_path: Path) -> None:
    write(tmp_path, {"README.md": "# No code", "A/data.csv": "1,2"})
    with pytest.raises(
        SourceError, match=r"has no source files; these have one of the extensions .*\.swift"
    ):
        list(SamplesSource(str(tmp_path)).pages())


def test_links_are_reported_and_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"P/a.c": "1"})
    (tmp_path / "P" / "loop").symlink_to(tmp_path)
    found = list(SamplesSource(str(tmp_path)).pages())
    assert [str(error) for error in found if isinstance(error, PageError)] == [
        "P/loop is a symbolic link; it is not followed"
    ]
