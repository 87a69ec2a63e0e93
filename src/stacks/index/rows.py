"""A document as the rows that an index keeps of it: pure, so that it can be done anywhere."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from stacks.model import PLATFORMS, SYMBOL_KINDS
from stacks.text import (
    names_by_nearness,
    parse_code,
    parse_declaration,
    split_identifier,
    version_number,
)

if TYPE_CHECKING:
    from stacks.model import Document, Symbol

__all__ = ["DocumentRows", "Placed", "make_rows"]


class Placed(NamedTuple):
    """A symbol, where it comes from (`declaration`, `source`, `snippet`) and which snippet."""

    origin: str
    position: int
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class DocumentRows:
    """What is written of a document, but for its id."""

    document: Document
    content_hash: str
    symbols: tuple[Placed, ...]
    imports: tuple[tuple[str, int], ...]
    symbol_names: str
    symbol_components: str
    names: dict[str, int]
    platforms: tuple[int | None, ...]
    word_count: int

    def structured(self) -> tuple[str, ...]:
        """The columns of `docs_structured` after the id."""
        document = self.document
        return (
            document.title,
            document.summary,
            document.declaration,
            document.content,
            document.module,
            _json(dict(document.availability)),
            ", ".join(document.conformances),
            ", ".join(document.attributes),
            self.symbol_names,
            self.symbol_components,
            "\n".join(document.parents),
            "\n".join(document.children),
            _json(dict(document.facts)),
        )


def _json(value: dict[str, str]) -> str:
    """Write JSON; nothing is nothing, not an empty pair of braces in every row."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""


def make_rows(document: Document, content_hash: str) -> DocumentRows:
    """Parse the document's code and work out everything that is written of it."""
    symbols, imports = _parse(document)
    names = dict.fromkeys(placed.symbol.name for placed in symbols)
    return DocumentRows(
        document=document,
        content_hash=content_hash,
        symbols=tuple(symbols),
        imports=tuple(dict.fromkeys(imports)),
        symbol_names=" ".join(names),
        symbol_components=" ".join(
            _components([*names, *document.title.split(), *document.identifiers])
        ),
        names=names_by_nearness(document.title, document.names),
        platforms=tuple(
            version_number(document.availability.get(platform, "")) for platform in PLATFORMS
        ),
        word_count=len(document.content.split()),
    )


def _parse(document: Document) -> tuple[list[Placed], list[tuple[str, int]]]:
    """Symbols known to the source win over parsing its declaration again."""
    placed = [Placed("source", 0, symbol) for symbol in document.symbols]
    if not placed and document.declaration:
        declared = parse_declaration(document.declaration, document.language)
        placed = [Placed("declaration", 0, _completed(symbol, document)) for symbol in declared]
    imports: list[tuple[str, int]] = []
    for position, snippet in enumerate(document.snippets, 1):
        parsed = parse_code(snippet.code, snippet.language or document.language)
        placed.extend(Placed("snippet", position, symbol) for symbol in parsed.symbols)
        imports.extend((module, position) for module in parsed.imports)
    return placed, imports


def _completed(symbol: Symbol, document: Document) -> Symbol:
    """A page knows whether its `func` is a method, and of conformances declared elsewhere."""
    kind = document.kind if document.kind in SYMBOL_KINDS else symbol.kind
    conformances = tuple(dict.fromkeys((*symbol.conformances, *document.conformances)))
    return replace(symbol, kind=kind, conformances=conformances)


def _components(names: list[str]) -> dict[str, None]:
    """The parts of all names that have parts; a plain word is found by itself."""
    found: dict[str, None] = {}
    for name in names:
        parts = split_identifier(name)
        if len(parts) > 1 or (parts and parts[0] != name):
            found.update(dict.fromkeys(parts))
    return found
