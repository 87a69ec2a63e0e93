"""Turns documents into rows, writes them and removes them: the only module that does."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from stacks.model import PLATFORMS, SYMBOL_KINDS
from stacks.schema import FTS_TABLES, SOURCE_SHIFT
from stacks.text import parse_code, parse_declaration, rank_names, split_identifier, version_number

if TYPE_CHECKING:
    import sqlite3

    from stacks.model import Document, Symbol

__all__ = [
    "DocumentRows",
    "DocumentWriter",
    "StoredSource",
    "make_rows",
]

_DOCUMENT = """
INSERT INTO docs_metadata (
    id, uri, source, framework, language, kind, is_deprecated, content_hash,
    word_count, min_ios, min_macos, min_tvos, min_watchos, min_visionos,
    implementation_swift_version, page_id
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_STRUCTURED = "INSERT INTO docs_structured VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_DOCS_FTS = """
INSERT INTO docs_fts (
    rowid, content, title, summary, symbols, symbol_components, framework, uri, source, language
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_NAME = "INSERT INTO doc_names VALUES (?, ?, ?)"
_CODE = "INSERT INTO code_examples VALUES (?, ?, ?, ?, ?)"
_CODE_FTS = "INSERT INTO doc_code_fts (rowid, code) VALUES (?, ?)"
_SYMBOL = "INSERT INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SYMBOL_FTS = """
INSERT INTO doc_symbols_fts (rowid, name, signature, attributes, conformances)
VALUES (?, ?, ?, ?, ?)
"""
_IMPORT = "INSERT INTO imports VALUES (?, ?, ?)"
_DEPENDENCY = "INSERT OR IGNORE INTO dependencies VALUES (?, ?, ?, ?)"
_SAMPLE_FTS = (
    "INSERT INTO sample_code_fts (rowid, url, framework, title, description) VALUES (?, ?, ?, ?, ?)"
)
_FILE_NAME_FTS = "INSERT INTO names_fts (rowid, name) VALUES (?, ?)"
_FTS_OF_KIND = {"sample": "sample_code_fts", "file": "names_fts"}
"""The full-text index of one kind of document alone."""

# Merge nothing automatically, and write a segment only after 64 MiB of postings.
_FTS_SETTINGS = {"automerge": 0, "crisismerge": 1999, "hashsize": 64 * 2**20}

Row = tuple[object, ...]


class StoredSource(NamedTuple):
    """A source in an index: its name, and the number that the ids of its documents begin with."""

    name: str
    number: int


class DocumentWriter:
    """Collects rows and writes them in batches; `has_changed` says if there was any document."""

    def __init__(self, connection: sqlite3.Connection, *, batch: int = 500) -> None:
        self._connection = connection
        self._batch = batch
        self._waiting: dict[str, list[Row]] = {}
        self._documents = 0
        # Counted from the file as it was found: the id of a removed document is not given to
        # another in the same save.
        highest = f"SELECT id >> {SOURCE_SHIFT}, max(id) + 1 FROM docs_metadata GROUP BY 1"  # noqa: S608
        self._next_ids: dict[int, int] = dict(connection.execute(highest).fetchall())
        self._removed: list[int] = []
        self.has_changed = False
        self._next_code = self._highest("code_examples") + 1
        self._next_symbol = self._highest("symbols") + 1

    def _highest(self, table: str) -> int:
        sql = f"SELECT coalesce(max(id), 0) FROM {table}"  # noqa: S608 - our names
        return int(self._connection.execute(sql).fetchone()[0])

    def add(self, source: StoredSource, page_id: int, rows: DocumentRows) -> None:
        """Add a document; it is in the file after `flush` at the latest."""
        self.has_changed = True
        number = self._new_id(source.number)
        self._add_document(number, source, page_id, rows)
        self._add_code(number, rows)
        self._add_symbols(number, rows)
        self._put(_NAME, *((name, number, near) for name, near in rows.names.items()))
        needed = rows.document.dependencies
        self._put(
            _DEPENDENCY, *((number, each.name, each.requirement, each.address) for each in needed)
        )
        self._documents += 1
        if self._documents % self._batch == 0:
            self.flush()

    def _new_id(self, source: int) -> int:
        number = self._next_ids.get(source, (source << SOURCE_SHIFT) + 1)
        self._next_ids[source] = number + 1
        return number

    def _put(self, statement: str, *rows: Row) -> None:
        self._waiting.setdefault(statement, []).extend(rows)

    def _add_document(
        self, number: int, source: StoredSource, page_id: int, rows: DocumentRows
    ) -> None:
        document = rows.document
        head = (number, document.uri, source.name, document.framework, document.language)
        state = (document.kind, document.is_deprecated, rows.content_hash, rows.word_count)
        tail = (document.swift_version or None, page_id)
        self._put(_DOCUMENT, (*head, *state, *rows.platforms, *tail))
        self._put(_STRUCTURED, (number, *rows.structured()))
        text = (document.content, document.title, document.summary)
        names = (rows.symbol_names, rows.symbol_components, document.framework)
        about = (document.uri, source.name, document.language)
        self._put(_DOCS_FTS, (number, *text, *names, *about))
        if document.kind == "sample":
            sample = (number, document.uri, document.framework, document.title, document.summary)
            self._put(_SAMPLE_FTS, sample)
        if document.kind == "file":
            self._put(_FILE_NAME_FTS, (number, document.title))

    def _add_code(self, document: int, rows: DocumentRows) -> None:
        for position, snippet in enumerate(rows.document.snippets, 1):
            number = self._next_code
            self._next_code += 1
            language = snippet.language or rows.document.language
            self._put(_CODE, (number, document, position, language, snippet.code))
            self._put(_CODE_FTS, (number, snippet.code))
        self._put(_IMPORT, *((document, module, position) for module, position in rows.imports))

    def _add_symbols(self, document: int, rows: DocumentRows) -> None:
        for origin, position, symbol in rows.symbols:
            number = self._next_symbol
            self._next_symbol += 1
            attributes, conformances = " ".join(symbol.attributes), ", ".join(symbol.conformances)
            place = (symbol.name, symbol.kind, origin, position, symbol.line, symbol.column)
            flags = (symbol.is_async, symbol.is_throws, symbol.is_public, symbol.is_static)
            parameters = ", ".join(symbol.generic_parameters)
            constraints = ", ".join(symbol.generic_constraints)
            lists = (attributes, conformances, parameters, constraints, constraints)
            self._put(_SYMBOL, (number, document, *place, symbol.signature, *flags, *lists))
            text = (symbol.name, symbol.signature, attributes, conformances)
            self._put(_SYMBOL_FTS, (number, *text))

    def flush(self) -> None:
        """Write the rows collected so far."""
        for statement, rows in self._waiting.items():
            self._connection.executemany(statement, rows)
        self._waiting.clear()

    def remove(self, uri: str) -> None:
        """Remove a document from every table; text indexes first, because they read the others."""
        # The document may be waiting to be written, and would be written after its removal.
        self.flush()
        execute = self._connection.execute
        found = execute("SELECT id, kind FROM docs_metadata WHERE uri = ?", (uri,)).fetchone()
        if found is None:
            return
        self.has_changed = True
        number, kind = found
        execute("DELETE FROM docs_fts WHERE rowid = ?", (number,))
        if kind in _FTS_OF_KIND:
            execute(f"DELETE FROM {_FTS_OF_KIND[kind]} WHERE rowid = ?", (number,))  # noqa: S608 - our names
        for text, table in (("doc_code_fts", "code_examples"), ("doc_symbols_fts", "symbols")):
            ids = execute(f"SELECT id FROM {table} WHERE doc_id = ?", (number,)).fetchall()  # noqa: S608 - our names
            self._connection.executemany(f"DELETE FROM {text} WHERE rowid = ?", ids)  # noqa: S608 - our names
        for table in ("code_examples", "symbols", "imports", "dependencies", "vectors"):
            execute(f"DELETE FROM {table} WHERE doc_id = ?", (number,))  # noqa: S608 - our names
        self._removed.append(number)
        execute("DELETE FROM docs_structured WHERE id = ?", (number,))
        execute("DELETE FROM docs_metadata WHERE id = ?", (number,))

    def defer_merges(self) -> None:
        """Do not merge full-text segments while loading; `optimize` merges them once."""
        for table in FTS_TABLES:
            for setting, value in _FTS_SETTINGS.items():
                sql = f"INSERT INTO {table} ({table}, rank) VALUES (?, ?)"  # noqa: S608 - our names
                self._connection.execute(sql, (setting, value))

    def optimize(self) -> None:
        """Merge each full-text index into one segment, and collect statistics for the planner."""
        self.flush()
        if self._removed:
            # Names are stored by name: one pass finds those of all removed documents.
            sql = "DELETE FROM doc_names WHERE doc_id IN (SELECT value FROM json_each(?))"
            self._connection.execute(sql, (json.dumps(self._removed),))
            self._removed.clear()
        for table in FTS_TABLES:
            self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608
        self._connection.execute("ANALYZE")


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
