"""The edges of inheritance: who inherits from whom, in one language.

A page states its parents and children by URI, or by name if its corpus has only names. A page that
exists in two languages (`…` and `…?language=objc`) states the same URIs in both; an edge joins the
pages of one language, so that neither is among the parents or subclasses of the other.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

__all__ = ["write_inheritance"]

_FAMILIES = """
SELECT m.uri, m.source, m.language, m.framework, s.parents, s.children
FROM docs_structured AS s JOIN docs_metadata AS m ON m.id = s.id
WHERE s.parents <> '' OR s.children <> ''
"""
_LANGUAGES = """
SELECT m.uri, m.language FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.uri = wanted.value
"""
_NAMED = """
SELECT n.name, n.nearness, m.uri, m.source, m.language, m.framework
FROM json_each(?) AS wanted
JOIN doc_names AS n ON n.name = wanted.value
JOIN docs_metadata AS m ON m.id = n.doc_id
WHERE m.kind IN ('class', 'protocol', 'actor', 'struct', 'enum')
"""


class _Type(NamedTuple):
    """A page that has relatives, or is one."""

    uri: str
    source: str
    language: str
    framework: str


def write_inheritance(connection: sqlite3.Connection) -> None:
    """Write each inheritance as one edge, whichever of its two pages states it."""
    rows = connection.execute(_FAMILIES).fetchall()
    stated = {name for row in rows for text in row[4:] for name in text.splitlines()}
    relatives = _Relatives(connection, stated, {row[2] for row in rows})
    edges = set()
    for *place, parents, children in rows:
        page = _Type(*place)
        edges |= {(parent, page.uri) for parent in relatives.find(page, parents.splitlines())}
        edges |= {(page.uri, child) for child in relatives.find(page, children.splitlines())}
    connection.execute("DELETE FROM inheritance")
    connection.executemany("INSERT INTO inheritance VALUES (?, ?)", sorted(edges))


class _Relatives:
    """Finds the page that a stated relative is, in the language of the page that states it."""

    def __init__(
        self, connection: sqlite3.Connection, stated: Iterable[str], languages: Iterable[str]
    ) -> None:
        uris = [name for name in stated if "://" in name]
        twins = [_twin(uri, language) for uri in uris for language in languages]
        wanted = json.dumps([*uris, *twins])
        self._languages = dict(connection.execute(_LANGUAGES, (wanted,)).fetchall())
        self._named: dict[str, list[tuple[int, _Type]]] = defaultdict(list)
        names = [name.casefold() for name in stated if "://" not in name]
        for name, nearness, *place in connection.execute(_NAMED, (json.dumps(names),)):
            self._named[name].append((nearness, _Type(*place)))

    def find(self, page: _Type, stated: Iterable[str]) -> Iterator[str]:
        """Yield the URIs of the relatives that a page states, without the page itself."""
        for name in stated:
            found = self._find_uri(page, name) if "://" in name else self._find_named(page, name)
            if found and found != page.uri:
                yield found

    def _find_uri(self, page: _Type, uri: str) -> str:
        """Return the page of that URI in the language; one that the index lacks as stated."""
        twin = _twin(uri, page.language)
        if twin in self._languages:
            return twin
        language = self._languages.get(uri)
        return uri if language in (None, page.language) else ""

    def _find_named(self, page: _Type, name: str) -> str:
        """Return the type of that name, of the same framework if there is one; else if only one."""
        found = [
            (each.framework != page.framework, nearness, each.uri)
            for nearness, each in self._named.get(name.casefold(), ())
            if (each.source, each.language) == (page.source, page.language)
        ]
        best = min(found, default=None)
        if best is None or sum(each[:2] == best[:2] for each in found) > 1:
            return ""
        return best[2]


def _twin(uri: str, language: str) -> str:
    return f"{uri}?language={language}"
