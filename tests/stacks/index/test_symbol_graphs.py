"""Edges of inheritance: one language, one edge, by URI or by name."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from stacks.index import save

if TYPE_CHECKING:
    from pathlib import Path

    from stacks.model import Document


def edges_of(tmp_path: Path, request_of: Any, *documents: Document) -> list[tuple[str, str]]:
    (saved,) = save([request_of("docs", documents)], tmp_path)
    with closing(sqlite3.connect(saved.path)) as connection:
        return connection.execute("SELECT parent_uri, child_uri FROM inheritance").fetchall()


def twin(make: Any, path: str, **fields: Any) -> tuple[Document, Document]:
    """A page in Swift, and the same page in Objective-C, with the same relatives."""
    swift = make(path, kind="class", language="swift", **fields)
    objc = make(f"{path}?language=objc", kind="class", language="objc", **fields)
    return swift, objc


def test_edges_join_pages_of_one_language(tmp_path: Path, page: Any, request_of: Any) -> None:
    base = twin(page, "ui/base", children=("docs://ui/leaf",))
    leaf = twin(page, "ui/leaf", parents=("docs://ui/base",))
    assert edges_of(tmp_path, request_of, *base, *leaf) == [
        ("docs://ui/base", "docs://ui/leaf"),
        ("docs://ui/base?language=objc", "docs://ui/leaf?language=objc"),
    ]


def test_a_parent_of_another_language_only_is_no_parent(
    tmp_path: Path, page: Any, request_of: Any
) -> None:
    base = page("ui/base", kind="class", language="swift")
    leaf = page("ui/leaf", kind="class", language="objc", parents=(base.uri,))
    assert edges_of(tmp_path, request_of, base, leaf) == []


def test_a_parent_that_the_index_lacks_stays_as_stated(
    tmp_path: Path, page: Any, request_of: Any
) -> None:
    leaf = page("ui/leaf", kind="class", language="swift", parents=("docs://other/base",))
    assert edges_of(tmp_path, request_of, leaf) == [("docs://other/base", leaf.uri)]


def test_a_parent_is_found_by_name_in_the_framework_before_others(
    tmp_path: Path, page: Any, request_of: Any
) -> None:
    near = page("ui/view", "View", kind="class", language="swift")
    far = page("web/view", "View", kind="class", language="swift")
    other = page("core/root", "Root", kind="class", language="swift")
    leaf = page("ui/leaf", kind="class", language="swift", parents=("View", "Root", "Nobody"))
    assert edges_of(tmp_path, request_of, near, far, other, leaf) == [
        (other.uri, leaf.uri),
        (near.uri, leaf.uri),
    ]


def test_an_ambiguous_name_gives_no_edge(tmp_path: Path, page: Any, request_of: Any) -> None:
    types = [page(f"{name}/view", "View", kind="class") for name in ("web", "map")]
    leaf = page("ui/leaf", kind="class", parents=("View",))
    assert edges_of(tmp_path, request_of, *types, leaf) == []
