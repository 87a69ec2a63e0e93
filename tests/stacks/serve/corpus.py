"""A small corpus whose every answer is known, and servers over it."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from stacks.index import Request, SaveOptions, save
from stacks.model import Document, Page, Symbol
from stacks.sources import PageError, Source, SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

GUIDE = "".join(f"Line {number:04} of the guide to drawing.\n" for number in range(2000))
assert len(GUIDE) == 70_000

DOCUMENTS = (
    Document(
        "docs://shapes/drawable",
        "Drawable",
        "Draws itself.",
        framework="shapes",
        module="Shapes",
        language="swift",
        kind="protocol",
        summary="Something that can be drawn.",
    ),
    Document(
        "docs://shapes/shape",
        "Shape",
        "The root of all figures.",
        framework="shapes",
        module="Shapes",
        language="swift",
        kind="class",
        summary="A figure in the plane.",
        declaration="class Shape : Drawable",
        availability={"ios": "17.0", "macos": "14.0"},
        symbols=(Symbol("Shape", "class", "class Shape", conformances=("Drawable",)),),
        children=("docs://shapes/circle",),
    ),
    Document(
        "docs://shapes/circle",
        "Circle",
        "It has a radius.",
        framework="shapes",
        language="swift",
        kind="class",
        summary="A round figure.",
        symbols=(Symbol("Circle", "class", "class Circle : Shape", conformances=("Shape",)),),
        parents=("docs://shapes/shape",),
        children=("docs://shapes/redcircle",),
    ),
    Document(
        "docs://shapes/redcircle",
        "RedCircle",
        "It is red.",
        framework="shapes",
        language="swift",
        kind="class",
        is_deprecated=True,
    ),
    Document(
        "docs://shapes/point",
        "Point",
        "Two numbers.",
        framework="shapes",
        language="swift",
        kind="struct",
        conformances=("Hashable", "Sendable"),
        symbols=(Symbol("Point", "struct", "struct Point", conformances=("Hashable",)),),
    ),
    Document(
        "docs://shapes/shape/load(from:)",
        "load(from:)",
        "Waits for the file.",
        framework="shapes",
        language="swift",
        kind="method",
        symbols=(
            Symbol(
                "load",
                "method",
                "func load(from: URL) async throws",
                is_async=True,
                is_throws=True,
                attributes=("@MainActor",),
            ),
        ),
    ),
    Document("docs://shapes/guide", "Drawing Guide", GUIDE, framework="shapes"),
)
"""Seven pages: a protocol, three classes in a row, a struct, a method, and a long article."""


class _Given(Source):
    """Documents in memory, one a page."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = {document.uri: document for document in documents}

    def pages(self) -> Iterator[Page | PageError]:
        for uri, document in self.documents.items():
            yield Page(uri, repr(document).encode())

    def read(self, page: Page) -> Iterable[Document]:
        return [self.documents[page.key]]


def save_documents(folder: Path, documents: Iterable[Document] = DOCUMENTS) -> Path:
    """Save documents as the source `docs`, and return the folder."""
    kind = SourceKind("docs", "given", "docs=x", lambda _: _Given(documents), prefers_symbols=True)
    save([Request(kind, "given")], folder, SaveOptions(replace=True))
    return folder


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "stacks", "serve", *arguments]


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start the real command with pipes, and see that it is gone in the end."""
    process = subprocess.Popen(
        command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ),
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def read_url(process: subprocess.Popen[bytes]) -> str:
    """Wait for the line that says where an HTTP server listens."""
    assert process.stderr is not None
    line = process.stderr.readline().decode()
    assert line.startswith("stacks: listening on http://127.0.0.1:"), line
    return line.split()[-1]
