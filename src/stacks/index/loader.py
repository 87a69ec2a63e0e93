"""Reads corpora into a file that is being built: which pages are read, and what comes of them.

If the file started from an older one, each corpus is read twice. The first pass compares the bytes
of its pages and removes the documents of those that changed or are gone. The second reads pages
that changed or are new, so a document that moved to another page finds its URI free. A page with
an event in the audit is read again at every save, as the reason may be gone; only pages whose
event depends on their bytes alone (`KEPT_EVENTS`) are not.

One page is read by `page_reading`, which makes an error of whatever its reader raises.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield_shared.secret_kinds import find_secrets
from stacks.errors import SourceError, StacksError
from stacks.index.document_writer import DocumentWriter, StoredSource
from stacks.index.page_reading import Admission, describe_secrets, read_page
from stacks.index.requests import KEPT_EVENTS, Audit
from stacks.sources import PageError, ReaderFailedError, RestLostError, describe_failure

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from stacks.index.document_writer import DocumentRows
    from stacks.index.page_reading import ReadPage
    from stacks.index.requests import Corpus, ProgressReporter
    from stacks.model import Page
    from stacks.sources import Source

__all__ = ["Loader"]


class _StoredPage(NamedTuple):
    """A page that an earlier save read."""

    id: int
    hash: str


class Loader:
    """Loads corpora into one file; `corpora` are all those that this save reads."""

    def __init__(
        self, connection: sqlite3.Connection, corpora: Iterable[Corpus], progress: ProgressReporter
    ) -> None:
        self.audit = Audit()
        self.writer = DocumentWriter(connection)
        self._connection = connection
        self._progress = progress
        self._corpora = {corpus.identity for corpus in corpora}
        self._admission = Admission()
        self._when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        stored = connection.execute(
            "SELECT uri, content_hash, title FROM docs_metadata JOIN docs_structured USING (id)"
        )
        # Documents of earlier saves count as duplicates, too, until their pages are removed.
        for uri, content_hash, title in stored:
            self._admission.admit(uri, content_hash, title)

    def load(self, corpus: Corpus) -> None:
        """Read the pages of a corpus that are new or changed."""
        stored_source = self._store_source(corpus)
        stored = self._read_stored_pages(corpus)
        # All that changed is removed before anything is read: a document may have moved from one
        # page to another, and would be a duplicate of itself.
        changed = self._remove_changed(corpus, stored) if stored else None
        source = corpus.open()
        self._refuse_namesake(corpus, source)
        self._progress.start(f"{corpus.source} {corpus.requested}", source.count())
        unchanged = set()
        duplicates = self._count_duplicates()
        for page in _find_pages(corpus, source):
            self._progress.advance()
            self.audit.pages[corpus.source] += 1
            if isinstance(page, PageError):
                self._note_unreadable(corpus, page)
            elif find_secrets(page.key):
                self._note_secret_name(corpus.source, page.key)
            elif changed is None or page.key in changed:
                page_id = self._store_page(corpus, page)
                self._read_page(source, page, page_id, stored_source)
            else:
                unchanged.add(page.key)
        self.audit.unchanged[corpus.source] += len(unchanged)
        # What an earlier save reported about pages that are not read again is still true.
        self.audit.keep(self._connection, corpus.source, unchanged)
        if self._count_duplicates() > duplicates:
            self.audit.duplicated.add(corpus.identity)
        self.writer.flush()

    def _store_source(self, corpus: Corpus) -> StoredSource:
        """Store what a search needs to know of the source, and return its number."""
        kind = corpus.kind
        self._connection.execute(
            """
            INSERT INTO sources (name, weight, prefers_symbols, ranking, is_archive)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET
                weight = excluded.weight, prefers_symbols = excluded.prefers_symbols,
                ranking = excluded.ranking, is_archive = excluded.is_archive
            """,
            (kind.name, kind.weight, kind.prefers_symbols, kind.ranking, kind.is_archive),
        )
        sql = "SELECT name, number FROM sources WHERE name = ?"
        return StoredSource(*self._connection.execute(sql, (kind.name,)).fetchone())

    def _read_stored_pages(self, corpus: Corpus) -> dict[str, _StoredPage]:
        """Read the pages that the index has of a corpus, by key."""
        sql = "SELECT key, id, hash FROM pages WHERE source = ? AND location = ?"
        rows = self._connection.execute(sql, corpus.identity)
        return {key: _StoredPage(page_id, page_hash) for key, page_id, page_hash in rows}

    def _remove_changed(self, corpus: Corpus, stored: dict[str, _StoredPage]) -> set[str]:
        """Remove pages that changed or are gone; return the keys of the pages to read."""
        source = corpus.open()
        self._progress.start(f"{corpus.source} {corpus.requested}: changes", source.count())
        changed = set()
        unchanged = set()
        for page in _find_pages(corpus, source):
            self._progress.advance()
            if isinstance(page, PageError):
                continue
            if page.key in stored and stored[page.key].hash == corpus.hash_page(page.data):
                unchanged.add(page.key)
            else:
                changed.add(page.key)
        for key, stored_page in stored.items():
            if key in changed or key not in unchanged:
                self._remove_page(stored_page.id)
                self.audit.dropped[corpus.source] += key not in changed
        return changed

    def _remove_page(self, page_id: int) -> None:
        """Remove a page and its documents."""
        sql = "SELECT uri FROM docs_metadata WHERE page_id = ?"
        for (uri,) in self._connection.execute(sql, (page_id,)).fetchall():
            self._remove_document(uri)
        self._connection.execute("DELETE FROM pages WHERE id = ?", (page_id,))

    def _remove_document(self, uri: str) -> None:
        self.writer.remove(uri)
        self._admission.forget(uri)

    def _refuse_namesake(self, corpus: Corpus, source: Source) -> None:
        """Refuse a corpus whose URIs would be those of another one that still exists."""
        if not source.corpus:
            return
        name = f"corpus {corpus.source} {source.corpus}"
        sql = "SELECT value FROM meta WHERE name = ?"
        stored = self._connection.execute(sql, (name,)).fetchone()
        other = stored[0] if stored else corpus.location
        # A folder that is gone was renamed or moved; its name is free.
        if other != corpus.location and Path(other).exists() and self._has_pages(corpus, other):
            raise SourceError(
                f"{corpus} has the same name as {other}, which is in the index: their documents "
                "would have the same URIs; rename one of the folders, or save them into two "
                "folders with --to"
            )
        row = (name, corpus.location)
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)

    def _has_pages(self, corpus: Corpus, location: str) -> bool:
        sql = "SELECT 1 FROM pages WHERE source = ? AND location = ? LIMIT 1"
        return bool(self._connection.execute(sql, (corpus.source, location)).fetchone())

    def _note_unreadable(self, corpus: Corpus, problem: PageError) -> None:
        if isinstance(problem, RestLostError):
            raise SourceError(f"{corpus.requested}: {problem}")
        self.audit.note(corpus.source, _event_of(problem), corpus.requested, str(problem))

    def _note_secret_name(self, source: str, name: str) -> None:
        message = "has a key or token in its name; rename it, as everybody who finds it sees it"
        self.audit.note(source, "secret-in-name", name, message)

    def _store_page(self, corpus: Corpus, page: Page) -> int:
        sql = "INSERT INTO pages (source, location, key, hash, last_crawled) VALUES (?, ?, ?, ?, ?)"
        row = (*corpus.identity, page.key, corpus.hash_page(page.data), self._when)
        return int(self._connection.execute(sql, row).lastrowid or 0)

    def _read_page(self, source: Source, page: Page, page_id: int, stored: StoredSource) -> None:
        """Read the documents of a page; after an event its hash is cleared, so it is read again."""
        before = self._count_events()
        try:
            read = read_page(source, page)
        except PageError as problem:
            self.audit.note(stored.name, _event_of(problem), page.key, str(problem))
        else:
            self._note_all(read, page.key, stored.name)
            for rows in read.rows:
                self._add_document(rows, page.key, page_id, stored)
            self.audit.counts["without-document"] += not read.has_document
        if self._count_events() > before:
            self._connection.execute("UPDATE pages SET hash = '' WHERE id = ?", (page_id,))

    def _count_events(self) -> int:
        kept = sum(self.audit.counts[event] for event in KEPT_EVENTS)
        return len(self.audit.events) - kept

    def _count_duplicates(self) -> int:
        return sum(self.audit.counts[f"duplicate-{tier}"] for tier in "abc")

    def _note_all(self, read: ReadPage, key: str, source: str) -> None:
        """Note what is to be known of a page that was read."""
        for reason in read.name_only:
            self.audit.note(source, "name-only", key, reason)
        for uri in read.secret_names:
            self._note_secret_name(source, uri)
        if read.secrets:
            self.audit.note(source, "masked", key, describe_secrets(read.secrets))
        if read.slow:
            self.audit.note(source, "as-text", key, read.slow)

    def _add_document(
        self, rows: DocumentRows, key: str, page_id: int, stored: StoredSource
    ) -> None:
        """Write a document if it is admitted, else note why it is not."""
        document, content_hash = rows.document, rows.content_hash
        refusal = self._admission.check(document, content_hash)
        if refusal and self._remove_outdated(document.uri, refusal.event):
            refusal = self._admission.check(document, content_hash)
        if refusal is None:
            self._admission.admit(document.uri, content_hash, document.title)
            self.writer.add(stored, page_id, rows)
            self.audit.documents[stored.name] += 1
        else:
            self.audit.note(stored.name, refusal.event, key, refusal.message)

    def _remove_outdated(self, uri: str, event: str) -> bool:
        """Remove an older document whose corpus this save does not read: the new one is newer."""
        if event not in {"duplicate-b", "duplicate-c"}:
            return False
        sql = """
            SELECT p.source, p.location FROM docs_metadata AS m JOIN pages AS p ON p.id = m.page_id
            WHERE m.uri = ?
        """
        owner = self._connection.execute(sql, (uri,)).fetchone()
        if owner is None or owner in self._corpora:
            return False
        self._remove_document(uri)
        return True


def _event_of(problem: PageError) -> str:
    """Name the event of a page that cannot be read."""
    return "reader-failed" if isinstance(problem, ReaderFailedError) else "unreadable"


def _find_pages(corpus: Corpus, source: Source) -> Iterator[Page | PageError]:
    """Yield the pages of a corpus; a reader that fails between two of them has lost the rest."""
    try:
        yield from source.pages()
    except StacksError:
        raise
    # A reader of a plug-in may raise anything; without a page there is nothing to go on with.
    except Exception as problem:
        raise SourceError(
            f"{corpus} {describe_failure(problem)}; nothing of it can be saved"
        ) from problem
