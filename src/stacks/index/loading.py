"""Corpora into a file that is being built: which pages are read, and what becomes of them.

Where a file starts from an older one, a corpus is looked at twice. First its pages are told apart
by their bytes: the documents of pages that changed or went away are taken out. Then the pages that
changed or are new are read, so that a document that moved to another page finds its URI free. A
page about which something was noted is read again at every save: what it has to say may have
found its place since. Only what is known by its name alone is left at that.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import SourceError
from stacks.index.audit import Audit
from stacks.index.door import Door, hash_document
from stacks.index.rows import make_rows
from stacks.index.writer import Place, Writer
from stacks.sources import NameOnly, PageError, RestLostError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from stacks.index.requests import Progress, Request
    from stacks.model import Document, Page
    from stacks.sources import Source, SourceKind

__all__ = ["Loading"]


class _OldPage(NamedTuple):
    """A page that an earlier save read."""

    id: int
    hash: str


class Loading:
    """Loads corpora into one file; `named` are the corpora that this save reads."""

    def __init__(
        self, connection: sqlite3.Connection, named: Iterable[Request], progress: Progress
    ) -> None:
        self.connection = connection
        self.progress = progress
        self.named = {(request.kind.name, request.place) for request in named}
        self.audit = Audit()
        self.door = Door()
        self.writer = Writer(connection)
        self.when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        known = connection.execute(
            "SELECT uri, content_hash, title FROM docs_metadata JOIN docs_structured USING (id)"
        )
        for row in known:
            self.door.remember(*row)

    def load(self, request: Request) -> None:
        """Read the pages of a corpus that are new or changed."""
        place = Place(request.kind.name, self._number_of(request.kind), request.place)
        old = self._old_pages(place)
        changed = self._take_changed_out(request, old) if old else None
        source = request.open()
        self._refuse_namesake(request, source)
        self.progress.start(f"{place.source} {request.location}", source.count())
        unchanged = set()
        for page in source.pages():
            self.progress.advance()
            self.audit.pages[place.source] += 1
            if isinstance(page, PageError):
                self._note_page(request, page)
            elif changed is None or page.key in changed:
                self._read_page(source, place, page, request.digest(page.data))
            else:
                unchanged.add(page.key)
        self.audit.unchanged[place.source] += len(unchanged)
        self.audit.keep(self.connection, place.source, unchanged)
        self.writer.flush()

    def _refuse_namesake(self, request: Request, source: Source) -> None:
        """Refuse a corpus whose URIs would be those of another one that is still there."""
        if not source.corpus:
            return
        key = f"corpus {request.kind.name} {source.corpus}"
        stored = self.connection.execute("SELECT value FROM meta WHERE name = ?", (key,)).fetchone()
        other = stored[0] if stored else request.place
        if other != request.place and Path(other).exists() and self._has_pages(request, other):
            raise SourceError(
                f"{request.kind.name}={request.location} has the same name as {other}, which is in "
                "the index: their documents could not be told apart; rename one of the folders, or "
                "save them into two places with --to"
            )
        row = (key, request.place)
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)

    def _has_pages(self, request: Request, location: str) -> bool:
        sql = "SELECT 1 FROM pages WHERE source = ? AND location = ? LIMIT 1"
        return bool(self.connection.execute(sql, (request.kind.name, location)).fetchone())

    def _note_page(self, request: Request, problem: PageError) -> None:
        if isinstance(problem, RestLostError):
            raise SourceError(f"{request.location}: {problem}")
        self.audit.note(request.kind.name, "unreadable", request.location, str(problem))

    def _number_of(self, kind: SourceKind) -> int:
        self.connection.execute(
            """
            INSERT INTO sources (name, weight, prefers_symbols, ranking, is_archive)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET
                weight = excluded.weight, prefers_symbols = excluded.prefers_symbols,
                ranking = excluded.ranking, is_archive = excluded.is_archive
            """,
            (kind.name, kind.weight, kind.prefers_symbols, kind.ranking, kind.is_archive),
        )
        found = self.connection.execute("SELECT number FROM sources WHERE name = ?", (kind.name,))
        return int(found.fetchone()[0])

    def _old_pages(self, place: Place) -> dict[str, _OldPage]:
        sql = "SELECT key, id, hash FROM pages WHERE source = ? AND location = ?"
        rows = self.connection.execute(sql, (place.source, place.location))
        return {key: _OldPage(number, digest) for key, number, digest in rows}

    def _take_changed_out(self, request: Request, old: dict[str, _OldPage]) -> set[str]:
        """Take out what changed or went away; say which pages are to be read."""
        source = request.open()
        self.progress.start(f"{request.kind.name} {request.location}: changes", source.count())
        changed = set()
        same = set()
        for page in source.pages():
            self.progress.advance()
            if isinstance(page, PageError):
                continue
            if page.key in old and old[page.key].hash == request.digest(page.data):
                same.add(page.key)
            else:
                changed.add(page.key)
        for key, page_row in old.items():
            if key in changed or key not in same:
                self._drop_page(page_row.id)
                self.audit.dropped[request.kind.name] += key not in changed
        return changed

    def _drop_page(self, page: int) -> None:
        """Take the documents of a page out."""
        sql = "SELECT uri FROM docs_metadata WHERE page_id = ?"
        for (uri,) in self.connection.execute(sql, (page,)).fetchall():
            self.writer.remove(uri)
            self.door.forget(uri)
        self.connection.execute("DELETE FROM pages WHERE id = ?", (page,))

    def _read_page(self, source: Source, place: Place, page: Page, digest: str) -> None:
        number = self.connection.execute(
            """
            INSERT INTO pages (source, location, key, hash, last_crawled) VALUES (?, ?, ?, ?, ?)
            """,
            (place.source, place.location, page.key, digest, self.when),
        ).lastrowid
        noted = len(self.audit.events) - self.audit.counts["name-only"]
        try:
            count = self._add_documents(place, page.key, int(number or 0), source.read(page))
            self.audit.counts["without-document"] += count == 0
        except PageError as problem:
            self.audit.note(place.source, "unreadable", page.key, str(problem))
        if len(self.audit.events) - self.audit.counts["name-only"] > noted:
            self.connection.execute("UPDATE pages SET hash = '' WHERE id = ?", (number,))

    def _add_documents(
        self, place: Place, key: str, page: int, documents: Iterable[Document | NameOnly]
    ) -> int:
        count = 0
        for document in documents:
            if isinstance(document, NameOnly):
                self.audit.note(place.source, "name-only", key, str(document))
                continue
            count += 1
            content_hash = hash_document(document)
            refusal = self.door.refuse(document, content_hash)
            if refusal and self._give_way(document.uri, refusal.event):
                refusal = self.door.refuse(document, content_hash)
            if refusal is None:
                self.writer.add(place, page, make_rows(document, content_hash))
                self.audit.documents[place.source] += 1
            else:
                self.audit.note(place.source, refusal.event, key, refusal.message)
        return count

    def _give_way(self, uri: str, event: str) -> bool:
        """Let an older document go whose corpus this save does not read: what is read is newer."""
        if event not in {"duplicate-b", "duplicate-c"}:
            return False
        sql = """
            SELECT p.source, p.location FROM docs_metadata AS m JOIN pages AS p ON p.id = m.page_id
            WHERE m.uri = ?
        """
        owner = self.connection.execute(sql, (uri,)).fetchone()
        if owner is None or owner in self.named:
            return False
        self.writer.remove(uri)
        self.door.forget(uri)
        return True
