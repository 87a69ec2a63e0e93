"""What an index holds: documents by URI, code examples, frameworks, samples and sources."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote as quote_uri

from stacks.errors import QueryError
from stacks.query.query_parser import parse_query, quote
from stacks.storage import read_all
from stacks.text import fold_name, language_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stacks.storage import Database

__all__ = [
    "DocumentEntry",
    "Example",
    "FrameworkEntry",
    "SampleEntry",
    "SourceEntry",
    "StoredDocument",
    "find_examples",
    "list_documents",
    "list_frameworks",
    "list_samples",
    "list_sources",
    "near_uris",
    "read_document",
    "read_named",
]

_NAMED = """
SELECT n.nearness, m.uri FROM doc_names AS n JOIN docs_metadata AS m ON m.id = n.doc_id
WHERE n.name = ?
"""
_DOCUMENT = """
SELECT m.uri, s.title, m.source, m.framework, s.module, m.kind, m.language, s.abstract,
       s.declaration, s.overview, m.is_deprecated, s.platforms, s.conformances, s.attributes,
       coalesce(m.implementation_swift_version, ''), s.facts
FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id WHERE m.uri = ?
"""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as the index holds it; `content` is its body, `page` the whole of it."""

    uri: str
    title: str
    source: str
    framework: str
    module: str
    kind: str
    language: str
    summary: str
    declaration: str
    content: str
    is_deprecated: bool
    availability: dict[str, str]
    conformances: str
    attributes: str
    swift_version: str
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def page(self) -> str:
        """The whole page as Markdown: title, summary and declaration above the body."""
        if self.kind == "file" or self.content.lstrip().startswith("# "):
            return self.content
        code = f"```{self.language}\n{self.declaration}\n```" if self.declaration else ""
        parts = (f"# {self.title or self.uri}", self.summary, code, self.content)
        return "\n\n".join(part for part in parts if part)


def read_document(databases: Sequence[Database], uri: str) -> StoredDocument | None:
    """Find a document by its URI; None if no file has it.

    A URI whose escapes were decoded on the way, as servers do, is found too.
    """
    found = _read_document(databases, uri)
    return found or _read_document(databases, quote_uri(uri, safe="/:,@~!$&'()*+;=-._%"))


def read_named(databases: Sequence[Database], name: str) -> StoredDocument | None:
    """Find the document of a name, such as `SE-0020`; None if none or several have it.

    A document whose title it is goes before those that have it as another name.
    """
    rows = read_all(databases, _NAMED, (fold_name(name),))
    best = min((nearness for nearness, _ in rows), default=None)
    uris = {uri for nearness, uri in rows if nearness == best}
    return read_document(databases, uris.pop()) if len(uris) == 1 else None


def _read_document(databases: Iterable[Database], uri: str) -> StoredDocument | None:
    names = [each.name for each in fields(StoredDocument)]
    for database in databases:
        for row in database.rows(_DOCUMENT, (uri,)):
            return StoredDocument(
                **dict(zip(names, row, strict=True))
                | {
                    "is_deprecated": bool(row[10]),
                    "availability": json.loads(row[11] or "{}"),
                    "facts": json.loads(row[15] or "{}"),
                }
            )
    return None


def near_uris(databases: Iterable[Database], uri: str, limit: int = 3) -> list[str]:
    """Suggest URIs of pages whose name is the last part of one that does not exist."""
    last = uri.rstrip("/").rsplit("/", 1)[-1].casefold()
    if not last:
        return []
    sql = """
        SELECT n.nearness, -m.prominence, m.uri
        FROM doc_names AS n JOIN docs_metadata AS m ON m.id = n.doc_id
        WHERE n.name = ? ORDER BY 1, 2, 3 LIMIT ?
    """
    found = read_all(databases, sql, (last, limit))
    return [near for _, _, near in sorted(found)[:limit]]


@dataclass(frozen=True, slots=True)
class Example:
    """A code snippet, and the page it is on."""

    uri: str
    title: str
    language: str
    position: int
    code: str


def find_examples(
    databases: Iterable[Database],
    text: str,
    *,
    language: str = "",
    imports: str = "",
    limit: int = 10,
) -> list[Example]:
    """Find snippets that have all words of the text, the best first.

    `imports` restricts them to snippets that import a module.
    """
    if limit < 1:
        raise QueryError(f"a list of examples needs a limit of at least 1, not {limit}")
    query = parse_query(text)
    terms = [quote(term) for term in (*query.phrases, *query.terms)]
    if not terms:
        raise QueryError("name something that the code should use, such as URLSession")
    languages = json.dumps(language_names(language))
    sql = """
        SELECT bm25(doc_code_fts), m.uri, s.title, e.language, e.position, e.code
        FROM doc_code_fts CROSS JOIN code_examples AS e ON e.id = doc_code_fts.rowid
        CROSS JOIN docs_metadata AS m ON m.id = e.doc_id
        CROSS JOIN docs_structured AS s ON s.id = m.id
        WHERE doc_code_fts MATCH ? AND (? = '' OR e.language IN (SELECT value FROM json_each(?)))
        AND (? = '' OR EXISTS (
            SELECT 1 FROM imports AS i
            WHERE i.doc_id = e.doc_id AND i.position = e.position AND i.module = ?
        ))
        ORDER BY 1, m.uri, e.position LIMIT ?
    """
    values = (" AND ".join(terms), language, languages, imports, imports, limit)
    found = read_all(databases, sql, values)
    found.sort(key=lambda row: (row[0], row[1], row[4]))
    return [Example(*row[1:]) for row in found[:limit]]


class FrameworkEntry(NamedTuple):
    """A framework and how many documents it has."""

    slug: str
    import_name: str
    display_name: str
    synonyms: str
    documents: int


class SourceEntry(NamedTuple):
    """A source, its weight, how many documents it has, and what made their vectors."""

    name: str
    weight: float
    documents: int
    embedder: str = ""


class SampleEntry(NamedTuple):
    """A sample project."""

    uri: str
    title: str
    description: str


def list_samples(databases: Iterable[Database], text: str = "") -> list[SampleEntry]:
    """List sample projects by title, or those that match a text, the best first."""
    terms = [quote(term) for term in parse_query(text).terms]
    sql = "SELECT title, url, title, description FROM sample_text"
    values: tuple[str, ...] = ()
    if terms:
        sql = """
            SELECT bm25(sample_code_fts, 1.0, 2.0, 10.0, 3.0), url, title, description
            FROM sample_code_fts WHERE sample_code_fts MATCH ?
        """
        values = (" OR ".join(terms),)
    rows = read_all(databases, sql, values)
    return [SampleEntry(*row[1:]) for row in sorted(rows)]


class DocumentEntry(NamedTuple):
    """A document in a list."""

    uri: str
    title: str
    summary: str


def list_documents(databases: Iterable[Database], after: str, limit: int) -> list[DocumentEntry]:
    """List documents by URI, those after a URI."""
    sql = """
        SELECT m.uri, s.title, s.abstract FROM docs_metadata AS m
        JOIN docs_structured AS s ON s.id = m.id WHERE m.uri > ? ORDER BY m.uri LIMIT ?
    """
    rows = set(read_all(databases, sql, (after, limit)))
    return [DocumentEntry(*row) for row in sorted(rows)[:limit]]


def list_frameworks(databases: Iterable[Database]) -> list[FrameworkEntry]:
    """List the frameworks of an index by name; one that several files have counts once."""
    sql = "SELECT framework, import_name, display_name, synonyms, documents FROM framework_aliases"
    merged: dict[str, FrameworkEntry] = {}
    for database in databases:
        for row in database.rows(sql):
            entry = FrameworkEntry(*row)
            known = merged.get(entry.slug)
            documents = entry.documents + (known.documents if known else 0)
            merged[entry.slug] = (known or entry)._replace(documents=documents)
    return sorted(merged.values())


def list_sources(databases: Sequence[Database]) -> list[SourceEntry]:
    """List the sources of an index, that of the highest weight first."""
    sql = """
        SELECT s.name, s.weight,
               (SELECT count(*) FROM docs_metadata AS m WHERE m.source = s.name) FROM sources AS s
    """
    entries = []
    for database in databases:
        for name, weight, documents in database.rows(sql):
            entries.append(SourceEntry(name, weight, documents, database.embedder))
    return sorted(entries, key=lambda entry: (-entry.weight, entry.name))
