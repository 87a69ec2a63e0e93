"""Turns a document into the rows that an index stores of it; pure, without a database."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from stacks.model import PLATFORMS, SYMBOL_KINDS
from stacks.text import parse_code, parse_declaration, rank_names, split_identifier, version_number

if TYPE_CHECKING:
    from stacks.model import Document, Symbol

__all__ = ["DocumentRows", "make_rows"]


class SymbolOccurrence(NamedTuple):
    """A symbol and its origin: `declaration`, `source`, or `snippet` with its position."""

    origin: str
    position: int
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class DocumentRows:
    """All that is stored of a document except its id."""

    document: Document
    content_hash: str
    symbols: tuple[SymbolOccurrence, ...]
    imports: tuple[tuple[str, int], ...]
    symbol_names: str
    symbol_components: str
    names: dict[str, int]
    platforms: tuple[int | None, ...]
    word_count: int

    def structured(self) -> tuple[str, ...]:
        """The columns of `docs_structured` after the id."""
        document = self.document
        text = (document.title, document.summary, document.declaration, document.content)
        lists = (", ".join(document.conformances), ", ".join(document.attributes))
        family = ("\n".join(document.parents), "\n".join(document.children))
        place = (document.module, _json(dict(document.availability)))
        symbols = (self.symbol_names, self.symbol_components)
        return (*text, *place, *lists, *symbols, *family, _json(dict(document.facts)))


def _json(value: dict[str, str]) -> str:
    """Write JSON; an empty mapping becomes an empty text, not braces in every row."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""


def make_rows(document: Document, content_hash: str) -> DocumentRows:
    """Parse the document's code and derive all that is stored of it."""
    symbols, imports = _parse(document)
    names = dict.fromkeys(each.symbol.name for each in symbols)
    return DocumentRows(
        document=document,
        content_hash=content_hash,
        symbols=tuple(symbols),
        imports=tuple(dict.fromkeys(imports)),
        symbol_names=" ".join(names),
        symbol_components=" ".join(
            _split_names([*names, *document.title.split(), *document.identifiers])
        ),
        names=rank_names(document.title, document.names),
        platforms=tuple(
            version_number(document.availability.get(platform, "")) for platform in PLATFORMS
        ),
        word_count=len(document.content.split()),
    )


def _parse(document: Document) -> tuple[list[SymbolOccurrence], list[tuple[str, int]]]:
    """Find symbols and imports; symbols that the source gave win over parsing the declaration."""
    occurrences = [SymbolOccurrence("source", 0, symbol) for symbol in document.symbols]
    if not occurrences and document.declaration:
        declared = parse_declaration(document.declaration, document.language)
        occurrences = [
            SymbolOccurrence("declaration", 0, _complete(symbol, document)) for symbol in declared
        ]
    imports: list[tuple[str, int]] = []
    for position, snippet in enumerate(document.snippets, 1):
        parsed = parse_code(snippet.code, snippet.language or document.language)
        occurrences.extend(
            SymbolOccurrence("snippet", position, symbol) for symbol in parsed.symbols
        )
        imports.extend((module, position) for module in parsed.imports)
    return occurrences, imports


def _complete(symbol: Symbol, document: Document) -> Symbol:
    """Add what only the page knows: that `func` is a method, or conformances from elsewhere."""
    kind = document.kind if document.kind in SYMBOL_KINDS else symbol.kind
    conformances = tuple(dict.fromkeys((*symbol.conformances, *document.conformances)))
    return replace(symbol, kind=kind, conformances=conformances)


def _split_names(names: list[str]) -> dict[str, None]:
    """Split names into their parts; a plain word is found by itself and left out."""
    found: dict[str, None] = {}
    for name in names:
        parts = split_identifier(name)
        if len(parts) > 1 or (parts and parts[0] != name):
            found.update(dict.fromkeys(parts))
    return found
