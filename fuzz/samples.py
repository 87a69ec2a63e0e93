"""Small real pages of every source; the first of each stays sound, the others are spoilt."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

__all__ = ["PAGES", "SamplePage"]


class SamplePage(NamedTuple):
    """A file of a corpus."""

    path: str
    data: bytes


def _docc(name: str, **fields: Any) -> bytes:
    page = {
        "identifier": {"url": f"doc://x/documentation/Kit/{name}", "interfaceLanguage": "swift"},
        "metadata": {
            "title": name,
            "role": "symbol",
            "symbolKind": "struct",
            "modules": [{"name": "Kit"}],
            "platforms": [{"name": "iOS", "introducedAt": "17.0", "deprecated": False}],
        },
        "abstract": [{"type": "text", "text": "A page."}, {"type": "codeVoice", "code": "f()"}],
        "primaryContentSections": [
            {"kind": "declarations", "declarations": [{"tokens": [{"text": "struct A<T>"}]}]},
            {"kind": "parameters", "parameters": [{"name": "x", "content": [_TEXT]}]},
            {"kind": "content", "content": _BLOCKS},
        ],
        "relationshipsSections": [{"type": "conformsTo", "identifiers": ["doc://x/E"]}],
        "topicSections": [{"title": "Topics", "identifiers": ["doc://x/E"]}],
        "references": {"doc://x/E": {"title": "E", "url": "/documentation/kit/e"}},
        "variantOverrides": [
            {
                "traits": [{"interfaceLanguage": "occ"}],
                "patch": [{"op": "replace", "path": "/metadata/title", "value": "B"}],
            }
        ],
    }
    return json.dumps({**page, **fields}).encode()


_TEXT = {"type": "paragraph", "inlineContent": [{"type": "text", "text": "Words."}]}
_BLOCKS = [
    {"type": "heading", "level": 2, "text": "Overview"},
    _TEXT,
    {"type": "aside", "style": "note", "content": [_TEXT]},
    {"type": "codeListing", "syntax": "swift", "code": ["let a = 1", "struct P {}"]},
    {"type": "orderedList", "start": 2, "items": [{"content": [_TEXT]}]},
    {"type": "termList", "items": [{"term": {"inlineContent": []}, "definition": {}}]},
    {"type": "table", "header": "row", "rows": [[[_TEXT], [_TEXT]], [[_TEXT], [_TEXT]]]},
]
_MARKDOWN = b"""---
title: A page
aliases: [one, two]
tags: "a, b"
---
# A page

Words of a *page* with `code`, [a link](https://example.org) and ![an image](x.png).

> A quotation.

| a | b |
|---|---|
| 1 | 2 |

```swift
public struct P<T: Hashable> { func f(x: T) -> Int { 1 } }
```

```python
class A(B):
    def f(self, x: int = 1) -> str: ...
```

```ts
export class A<T> extends B { f(x: T): number { return 1; } }
```
"""
_PROPOSAL = b"""# Async let

* Proposal: [SE-0317](0317-async-let.md)
* Authors: [A](https://example.org), [B](https://example.org)
* Status: **Implemented (Swift 5.5)**

## Introduction

Words of a proposal.
"""
_PYTHON = b'''"""A module of small things."""

from __future__ import annotations

import os
from typing import Generic, TypeVar

__all__ = ["Thing", "make"]
T = TypeVar("T")


class Thing(Generic[T]):
    """A thing.

    >>> Thing().name
    'x'
    """

    name: str = "x"

    @property
    def size(self) -> int:
        """Its size."""
        return 1


def make(name: str, *, size: int = 1) -> Thing[int]:
    """Make a thing: `make("x")`."""
    return Thing()
'''
_TYPESCRIPT = b"""import { A } from "./a";
/** A service. */
export abstract class Service<T extends A> implements B {
  private readonly items: Map<string, T> = new Map();
  async find(id: string): Promise<T | undefined> { return this.items.get(id); }
}
export const make = (x: number) => <div>{x}</div>;
"""
_SWIFT = b"""import Foundation
/// A shape.
@available(iOS 17, *)
public struct Shape<T>: Hashable where T: Equatable {
    var area: Double { width * 2 }
    func scaled(by factor: Double) async throws -> Shape { self }
    enum Kind { case round, square(Int) }
}
"""
_MANIFEST = b"""// swift-tools-version: 5.9
import PackageDescription
let package = Package(
    name: "Shapes",
    platforms: [.iOS(.v17), .macOS("14.1")],
    products: [.library(name: "Shapes", targets: ["Shapes"])],
    dependencies: [.package(url: "https://example.org/x", from: "1.0.0")],
    targets: [.target(name: "Shapes")]
)
"""
_PYPROJECT = b"""[project]
name = "things"
version = "1.2"
description = "Small things"
readme = {file = "README.md"}
dependencies = ["x>=1", "y; extra == 'z'"]
[project.urls]
Homepage = "https://example.org"
"""
_METADATA = b"""Metadata-Version: 2.1
Name: other-things
Version: 1.0rc1
Summary: Other things
Requires-Dist: x (>=1)
Project-URL: Homepage, https://example.org

# Other things

Words.
"""
_BOOK = b"""---
title: The Walk
author: A. Writer
language: en
---
# The Walk

## Chapter 1. Home

He walked home. It was late, and the road was long.

## Chapter 2. Away

She walked away. "So early?" they asked.
"""
_PASSAGES = b"\n".join(
    json.dumps({"_id": f"p{n}", "title": "T", "text": "words", "metadata": {"a": n}}).encode()
    for n in range(6)
)
_SOUND = b"# Sound\n\nA sound page with words in it, enough of them to be one.\n"

PAGES: dict[str, list[SamplePage]] = {
    "docc": [
        SamplePage("data/documentation/good.json", _docc("Good", variantOverrides=[])),
        SamplePage("data/documentation/a.json", _docc("A")),
        SamplePage("data/documentation/b.json", _docc("Beta")),
    ],
    "markdown": [SamplePage("good.md", _SOUND), SamplePage("a.md", _MARKDOWN)],
    "hig": [SamplePage("good.md", _SOUND), SamplePage("a.md", _MARKDOWN)],
    "swift-evolution": [SamplePage("good.md", _SOUND), SamplePage("0317-x.md", _PROPOSAL)],
    "swift-org": [
        SamplePage("good.md", _SOUND),
        SamplePage("_includes/part.md", b"Words {% include part.md %} of a part.\n"),
        SamplePage("a.md", _MARKDOWN + b"\n{% include part.md %}\n{% if x %}y{% endif %}\n"),
    ],
    "books": [
        SamplePage("good.md", _SOUND),
        SamplePage("walk.md", _BOOK),
        SamplePage("folder/book.toml", b'title = "T"\nauthor = "A"\nlanguage = "es"\n'),
        SamplePage("folder/01-one.txt", b"Uno. Palabras de un libro.\n"),
        SamplePage("folder/02-two.txt", b"Dos. Otras palabras.\n"),
    ],
    "jsonl": [SamplePage("other/x.txt", b""), SamplePage("corpus.jsonl", _PASSAGES)],
    "code": [
        SamplePage("good.py", b"def good():\n    return 1\n"),
        SamplePage("a.py", _PYTHON),
        SamplePage("b.ts", _TYPESCRIPT),
        SamplePage("c.tsx", _TYPESCRIPT),
        SamplePage("d.swift", _SWIFT),
        SamplePage("e.js", _TYPESCRIPT),
    ],
    "samples": [
        SamplePage("good/good.py", b"def good():\n    return 1\n"),
        SamplePage("one/README.md", _MARKDOWN),
        SamplePage("one/a.swift", _SWIFT),
    ],
    "packages": [
        SamplePage("good/pyproject.toml", b'[project]\nname = "good"\nversion = "1"\n'),
        SamplePage("one/pyproject.toml", _PYPROJECT),
        SamplePage("one/README.md", _MARKDOWN),
        SamplePage("two/Package.swift", _MANIFEST),
        SamplePage("three.dist-info/METADATA", _METADATA),
        SamplePage("three.dist-info/RECORD", b"three/__init__.py,sha256=x,1\n"),
    ],
    "pydoc": [
        SamplePage("good.py", b'"""Good."""\ndef good():\n    """Do good."""\n'),
        SamplePage("things/__init__.py", _PYTHON + b"from things.inner import *\n"),
        SamplePage("things/inner.py", _PYTHON),
        SamplePage("things/stub.pyi", b"def f(x: int) -> str: ...\n"),
    ],
    "files": [
        SamplePage("good.txt", b"A sound file with words.\n"),
        SamplePage("a.md", _MARKDOWN),
        SamplePage("b.csv", b"a,b\n1,2\n"),
        SamplePage("c.json", _docc("C")),
        SamplePage(".gitignore", b"*.log\n!x/**/y\n[a-z]?\n"),
        SamplePage(".env", b"A=1\nexport B='x'\n"),
        SamplePage("d.py", _PYTHON),
    ],
}
"""A corpus of each source that reads files."""
