"""A folder of source files becomes one document for each chunk."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from stacks.errors import SourceError
from stacks.model import Document, Page, Symbol
from stacks.sources.code import CodeSource
from stacks.sources.code_chunks import hash_chunk
from stacks.sources.source import SOURCES, PageError

if TYPE_CHECKING:
    from pathlib import Path

STACK = '''\
"""Stacks of things."""

LIMIT = 10


class Stack:
    def push(self, newItem):
        """Put a thing on top.

        It stays there.
        """
        self.all_items.append(newItem)
'''


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def read_all(location: Path) -> tuple[dict[str, Document], list[str]]:
    source = CodeSource(str(location))
    documents: list[Document] = []
    errors: list[str] = []
    for page in source.pages():
        if isinstance(page, PageError):
            errors.append(str(page))
            continue
        try:
            documents += source.read(page)
        except PageError as error:
            errors.append(f"{page.key} {error}")
    by_uri = {document.uri: document for document in documents}
    assert len(by_uri) == len(documents)
    return by_uri, errors


def test_the_kind_goes_to_its_own_database_and_is_asked_for_identifiers() -> None:
    kind = SOURCES.get("code")
    assert (kind.database, kind.prefers_symbols) == ("code", True)


def test_a_chunk_becomes_a_document(tmp_path: Path) -> None:
    documents, errors = read_all(write(tmp_path / "My App", {"src/my stack.py": STACK}))
    assert errors == []
    assert list(documents) == [
        "code://My%20App/src/my%20stack.py",
        "code://My%20App/src/my%20stack.py/Stack",
        "code://My%20App/src/my%20stack.py/Stack/push",
    ]
    text = "\n".join(STACK.split("\n")[6:12])
    assert documents["code://My%20App/src/my%20stack.py/Stack/push"] == Document(
        uri="code://My%20App/src/my%20stack.py/Stack/push",
        title="Stack.push",
        content=text,
        framework="my-app",
        module="My App",
        language="python",
        kind="method",
        summary="Put a thing on top.",
        declaration="def push(self, newItem)",
        names=("push", "my stack.Stack.push"),
        identifiers=("newItem", "all_items"),
        symbols=(
            Symbol("push", "method", "def push(self, newItem)", line=7, column=5, is_public=True),
        ),
        facts={
            "hash": hash_chunk("src/my stack.py", ("my stack", "Stack"), text),
            "file": "src/my stack.py",
            "lines": "7-12",
            "parents": "my stack Stack",
        },
    )


def test_a_module_goes_by_the_name_of_its_file(tmp_path: Path) -> None:
    documents, _ = read_all(write(tmp_path / "app", {"src/stack.py": STACK}))
    module = documents["code://app/src/stack.py"]
    assert (module.title, module.kind, module.summary) == (
        "stack.py",
        "module",
        "Stacks of things.",
    )
    assert module.names == ("stack", "src/stack.py")
    assert (module.declaration, module.symbols, module.facts["parents"]) == ("", (), "")
    assert module.facts["lines"] == "1-12"


def test_chunks_of_one_name_are_numbered_with_what_stands_in_them(tmp_path: Path) -> None:
    code = (
        "class A:\n    def f(self): return 1\n    def f(self, x): return 2\n"
        "class A:\n    def f(self): return 3\n"
    )
    documents, _ = read_all(write(tmp_path / "app", {"a.py": code}))
    assert [uri.removeprefix("code://app/a.py") for uri in documents] == [
        "/A",
        "/A/f",
        "/A/f~2",
        "/A~2",
        "/A~2/f",
    ]


def test_namespaces_and_names_with_signs_have_addresses(tmp_path: Path) -> None:
    code = "namespace N.M {\n  export class C {\n    'a/b?'() {\n      return 1;\n    }\n  }\n}\n"
    documents, _ = read_all(write(tmp_path / "app", {"a.tsx": code}))
    assert [(uri.removeprefix("code://app/a.tsx"), d.title) for uri, d in documents.items()] == [
        ("/N.M", "N.M"),
        ("/N.M/C", "N.M.C"),
        ("/N.M/C/a%2Fb%3F", "N.M.C.a/b?"),
    ]
    assert {document.language for document in documents.values()} == {"typescript"}
    assert documents["code://app/a.tsx/N.M"].symbols == ()


def test_pieces_of_other_languages_go_by_their_lines(tmp_path: Path) -> None:
    code = "select 1;\n\n" * 60
    documents, _ = read_all(write(tmp_path / "app", {"q.sql": code, "m.go": "package m\n"}))
    assert [(uri, d.title, d.kind, d.language) for uri, d in documents.items()] == [
        ("code://app/m.go", "m.go", "module", "go"),
        ("code://app/q.sql/1-79", "q.sql:1-79", "module", "sql"),
        ("code://app/q.sql/81-119", "q.sql:81-119", "module", "sql"),
    ]
    assert documents["code://app/q.sql/1-79"].names == ("q", "q.sql")


def test_what_nobody_wrote_is_left_out(tmp_path: Path) -> None:
    write(
        tmp_path / "app",
        {
            "a.py": "x = 1",
            "package-lock.json": "{}",
            "yarn.lock": "",
            "notes.txt": "x",
            "lib.min.js": "x()",
            ".git/hook.py": "x = 1",
            "node_modules/b/b.js": "x()",
            "venv/c.py": "x = 1",
            "env/lib/site-packages/d.py": "x = 1",
            "build/e.py": "x = 1",
            "__pycache__/f.py": "x = 1",
            "target/g.rs": "fn main() {}",
        },
    )
    documents, errors = read_all(tmp_path / "app")
    assert (list(documents), errors) == (["code://app/a.py"], [])


def test_files_that_are_no_code_of_a_person_are_listed_with_the_reason(tmp_path: Path) -> None:
    write(
        tmp_path / "app",
        {
            "a.py": "x = 1",
            "binary.py": b"\x00\x01\x02\x03" * 100,
            "large.py": "x = 1\n" * 200_000,
            "packed.js": "a();" * 2_000,
        },
    )
    documents, errors = read_all(tmp_path / "app")
    assert list(documents) == ["code://app/a.py"]
    assert errors == [
        "binary.py is not text",
        "large.py has 1,200,000 bytes; the largest that is read has 1,048,576",
        (
            "packed.js has a line of 8,000 characters, so it was generated; "
            "lines of at most 5,000 are read"
        ),
    ]


def test_files_without_anything_to_say_have_no_documents(tmp_path: Path) -> None:
    documents, errors = read_all(
        write(tmp_path / "app", {"a.py": "", "b/__init__.py": "from b.c import d\n"})
    )
    assert (documents, errors) == ({}, [])


def test_a_place_without_source_files_is_an_error_that_names_what_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "x"})
    with pytest.raises(
        SourceError, match=r"has no source files; these have one of the extensions .*\.py"
    ):
        list(CodeSource(str(tmp_path)).pages())
    with pytest.raises(SourceError):
        list(CodeSource(str(tmp_path / "absent")).pages())


def test_an_archive_is_read_as_its_folder(tmp_path: Path) -> None:
    write(tmp_path / "app", {"src/stack.py": STACK})
    with zipfile.ZipFile(tmp_path / "app.zip", "w") as archive:
        archive.writestr("src/stack.py", STACK)
    assert read_all(tmp_path / "app.zip") == read_all(tmp_path / "app")


def test_bytes_of_no_encoding_are_read_as_far_as_they_go() -> None:
    source = CodeSource("app")
    (document,) = source.read(Page("a.py", b"caf\xe9 = 1\n"))
    assert document.content == "caf\ufffd = 1"


def test_identifiers_are_bounded() -> None:
    code = "\n".join(f"first_name{number} = other_name" for number in range(1_000))
    (document,) = CodeSource("app").read(Page("a.py", code.encode()))
    assert len(document.identifiers) == 300
    assert document.identifiers[:3] == ("first_name0", "other_name", "first_name1")
