"""Indexes in which every option of every command has something to do, and a case for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.stacks.cli.commands import stacks
from tests.stacks.conftest import Given

from stacks.index import Request, SaveOptions, save
from stacks.model import PLATFORMS, Document, Snippet, Symbol
from stacks.sources import PageError, SourceKind

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CASES", "make_folder"]

EARLY = dict.fromkeys(PLATFORMS, "13.0")
LATE = dict.fromkeys(PLATFORMS, "99.0")
DOCS = (
    Document(
        "docs://shapes/drawable",
        "Drawable",
        "Draws a shape.",
        framework="shapes",
        language="swift",
        kind="protocol",
        availability=EARLY,
    ),
    Document(
        "docs://shapes/shape",
        "Shape",
        "The root of all figures.",
        framework="shapes",
        language="swift",
        kind="class",
        availability=EARLY,
        summary="A figure in the plane.",
        symbols=(Symbol("Shape", "class", "class Shape", conformances=("Drawable",)),),
        snippets=(Snippet("import Shapes\nlet shape = Shape()", "swift"),),
    ),
    Document(
        "docs://shapes/circle",
        "Circle",
        "A shape with a radius.",
        framework="shapes",
        language="swift",
        kind="class",
        availability=LATE,
        attributes=("@MainActor",),
        parents=("docs://shapes/shape",),
        symbols=(
            Symbol(
                "Circle",
                "class",
                "@MainActor class Circle : Shape",
                attributes=("@MainActor",),
                conformances=("Shape", "Drawable"),
            ),
        ),
    ),
    Document(
        "docs://shapes/redcircle",
        "RedCircle",
        "A shape that is red.",
        framework="shapes",
        language="swift",
        kind="class",
        swift_version="6.0",
        parents=("docs://shapes/circle",),
    ),
    Document(
        "docs://drawing/load",
        "load(shape:)",
        "Loads a shape from a file.",
        framework="drawing",
        language="python",
        kind="method",
        symbols=(
            Symbol(
                "load",
                "method",
                "func load<S: Shape>(shape: S)",
                is_async=True,
                generic_constraints=("S: Shape",),
            ),
            Symbol("load", "method", "static func load(all: Shape) throws", is_throws=True),
            Symbol("load", "function", "func load()", is_static=True, attributes=("@MainActor",)),
        ),
        snippets=(Snippet("import drawing\nshape = drawing.load()", "python"),),
    ),
)
GUIDES = (
    Document("guides://shapes/start", "Start drawing", "How to draw a shape with few lines."),
    Document("guides://shapes/more", "More", "A shape can be turned, and a shape can be moved."),
)
GRAPH = (
    '{"module": {"name": "UI"}, "symbols": [{"identifier": {"precise": "s:x"}, '
    '"pathComponents": ["Link"], "swiftGenerics": {"constraints": ['
    '{"kind": "conformance", "lhs": "D", "rhs": "V"}]}}]}'
)
FILES = {
    "handbook/deploy.md": "# Deploying\n\nHow to ship a release.\n",
    "handbook/rollback.md": "# Rolling back\n\nUndo a release that went wrong.\n",
    "notes/one.md": "# A note\n\nAbout releases.\n",
    "samples/Drag/README.md": "# Drag and drop\n\nDrags a shape.\n",
    "samples/Drag/Drag.swift": "import SwiftUI\nstruct Drag {}\n",
    "samples/Sort/README.md": "# Sorting\n\nSorts numbers.\n",
    "samples/Sort/Sort.swift": "import Foundation\nstruct Sort {}\n",
    "graphs/UI.symbols.json": GRAPH,
    "routing.toml": '[[rule]]\nroute = "elsewhere"\nany = ["weather in"]\n',
    "vocabulary.toml": '[[bridge]]\nlanguage = "en"\nwords = ["undo"]\nbecomes.revert = 0.5\n',
}


def make_folder(folder: Path) -> Path:
    """Make corpora, an index with vectors in `home`, another in `other`, and `made` by commands."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    broken = [PageError(f"page {number} is torn") for number in range(25)]
    docs = SourceKind("docs", "given", "docs=x", lambda _: Given([*DOCS, *broken]), weight=2.0)
    guides = SourceKind("guides", "given", "guides=x", lambda _: Given(GUIDES))
    requests = [Request(docs, "given"), Request(guides, "given")]
    save(requests, folder / "home", SaveOptions(embedder="wordllama"))
    stacks(folder, "save", "--from", "samples=samples", "--quiet")
    stacks(folder, "save", "--from", "markdown=handbook", "--to", "other", "--quiet")
    both = ("--from", "markdown=handbook", "--from", "markdown=notes")
    stacks(folder, "save", *both, "--to", "made", "--quiet")
    stacks(folder, "bundle", "make", "made.zip", "--version", "1", "--db", "made")
    return folder


_WHERE = {"--db": "--db other", "--format": "--format markdown"}
_FILTERED = {
    "--source": "--source guides",
    "--framework": "--framework drawing",
    "--language": "--language python",
    "--kind": "--kind class",
    "--attribute": "--attribute @MainActor",
    **{f"--min-{platform}": f"--min-{platform} 14.0" for platform in PLATFORMS},
    "--min-swift": "--min-swift 5.9",
    "--strict-availability": "--strict-availability",
    "--limit": "--limit 1",
}
_SEARCHED = {
    **_WHERE,
    **_FILTERED,
    "--explain": "--explain",
    "--mode": "--mode semantic",
    "--meaning": "--meaning 0.9",
    "--weight": "--weight guides=5",
    "--rerank": "--rerank onnx=nowhere",
    "--rrf-k": "--rrf-k 3",
}
_SAVED = {
    "--from": "--from samples=samples",
    "--to": "--to elsewhere",
    "--packages": "--packages",
    "--samples": "--samples",
    "--files": "--files",
    "--books": "--books",
    "--code": "--code",
    "--symbol-graphs": "--symbol-graphs graphs",
    "--set": "--set markdown.size=3",
    "--embedder": "--embedder wordllama",
    "--routing": "--routing routing.toml",
    "--vocabulary": "--vocabulary vocabulary.toml",
    "--quiet": "--quiet",
}

CASES: dict[str, list[tuple[str, dict[str, str]]]] = {
    "save": [
        ("save --from markdown=handbook --to index", _SAVED),
        ("save --from markdown=handbook --from samples=samples --to index", {
            "--docs": "--docs", "--samples": "--samples"}),
        ("save --from markdown=handbook --from files=notes --to index --embedder none", {
            "--files": "--files", "--set": "--set files.megabytes=3"}),
        ("save --from markdown=handbook --from apple-docs=graphs --to index", {
            "--allow-empty": "--allow-empty"}),
        ("save --from markdown=handbook --to made", {
            "--only-changed": "--only-changed", "--replace": "--replace"}),
    ],
    "search": [
        ("search shape --format json", {**_SEARCHED, "--without": "--without meaning"}),
        ("search shape --explain", {**_SEARCHED, "--explain": ""}),
        ("search shape --format markdown", {"--explain": "--explain"}),
        ("search shape --format json --mode both", {**_SEARCHED, "--without": "--without names"}),
        ("search shape --format json --mode semantic", {**_SEARCHED, "--mode": "--mode both"}),
        ("search shape --format json --mode fts5", {**_SEARCHED, "--without": "--without meaning"}),
        ("search shape --format json --mode plain", {**_SEARCHED, "--without": "--without names"}),
    ],
    "read": [("read docs://shapes/circle", _WHERE)],
    "symbols": [
        ("symbols load --format json", {
            **_WHERE, "--kind": "--kind function", "--attribute": "--attribute @MainActor",
            "--constraint": "--constraint Shape", "--async": "--async", "--throws": "--throws",
            "--static": "--static", "--limit": "--limit 1"}),
    ],
    "conformances": [("conformances Drawable", {**_WHERE, "--limit": "--limit 1"})],
    "inheritance": [
        ("inheritance Shape", {**_WHERE, "--direction": "--direction up", "--depth": "--depth 1"}),
    ],
    "examples": [
        ("examples shape", {**_WHERE, "--language": "--language python",
                            "--imports": "--imports Shapes", "--limit": "--limit 1"}),
    ],
    "serve": [
        ("serve", {"--mcp": "--mcp --db nowhere", "--http": "--http --db nowhere"}),
        ("serve --mcp --db nowhere", {
            "--http": "--http", "--host": "--host 127.0.0.2", "--port": "--port 1",
            "--workers": "--workers 2", "--queue": "--queue 3", "--db": "--db none"}),
        # How many are answered and wait is seen in a server that listens: see test_serve.py.
        ("serve --http --host 300.1.2.3", {
            "--mcp": "--mcp", "--host": "--host 300.1.2.4", "--port": "--port 1",
            "--workers": "", "--queue": "", "--db": "--db nowhere"}),
    ],
    "list": [
        ("list", {**_WHERE, "--frameworks": "--frameworks", "--samples": "--samples",
                  "--matching": "--matching drag", "--kinds": "--kinds"}),
        ("list --frameworks", {**_WHERE, "--samples": "--samples", "--matching": "--matching drag",
                               "--kinds": "--kinds"}),
        ("list --samples", {**_WHERE, "--matching": "--matching drag", "--kinds": "--kinds"}),
        ("list --kinds", {**_WHERE, "--frameworks": "--frameworks", "--samples": "--samples",
                          "--matching": "--matching drag"}),
    ],
    "doctor": [("doctor", {"--db": "--db other", "--all": "--all"})],
    "bundle make": [
        ("bundle make new.zip --version 1 --db made", {
            "--version": "--version 2", "--db": "--db nowhere"}),
    ],
    "bundle install": [
        ("bundle install made.zip --to new", {"--to": "--to another"}),
        ("bundle install made.zip --to made", {"--replace": "--replace"}),
    ],
    "export": [
        ("export --to typesense --out new --db made", {
            "--to": "--to postgres", "--out": "--out another", "--name": "--name pages",
            "--db": "--db nowhere"}),
    ],
    "completion": [],
}  # fmt: skip
