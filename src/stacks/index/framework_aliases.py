"""The names of frameworks: import name, display name and synonyms.

Synonyms are common knowledge, kept as a table in `framework_synonyms.toml`; an index gets those of
the frameworks it holds.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cranfield_shared.settings_files import parse_toml

if TYPE_CHECKING:
    import sqlite3

__all__ = ["write_aliases"]

_SYNONYMS = Path(__file__).with_name("framework_synonyms.toml")


def write_aliases(connection: sqlite3.Connection) -> None:
    """Write the names of every framework that the index holds."""
    rows = connection.execute(
        """
        SELECT m.framework,
               coalesce(max(CASE WHEN m.uri LIKE '%://' || m.framework THEN s.module END),
                        min(nullif(s.module, ''))),
               coalesce(max(CASE WHEN m.uri LIKE '%://' || m.framework THEN s.title END),
                        min(nullif(s.module, ''))),
               count(*)
        FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
        WHERE m.framework <> '' GROUP BY m.framework
        """
    ).fetchall()
    synonyms = parse_toml(_SYNONYMS.read_text(encoding="utf-8"))
    connection.execute("DELETE FROM framework_aliases")
    connection.executemany(
        "INSERT INTO framework_aliases VALUES (?, ?, ?, ?, ?)",
        [
            (slug, module or slug, display or slug, ", ".join(synonyms.get(slug, ())), documents)
            for slug, module, display, documents in rows
        ],
    )
