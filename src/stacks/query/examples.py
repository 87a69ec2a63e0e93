"""Code on pages: snippets that use something, wherever they stand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.errors import QueryError
from stacks.query.parsing import parse_query, quote
from stacks.text import language_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stacks.query.database import Database

__all__ = ["Example", "find_examples"]


@dataclass(frozen=True, slots=True)
class Example:
    """A snippet, and the page it stands on."""

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
    """Find snippets that hold all words of the text, the most telling first.

    `imports` confines them to snippets that import a module.
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
    found = [row for database in databases for row in database.rows(sql, values)]
    found.sort(key=lambda row: (row[0], row[1], row[4]))
    return [Example(*row[1:]) for row in found[:limit]]
