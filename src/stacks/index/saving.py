"""Saving: from corpora to an index that answers.

Source.pages ─► Source.read ─► Door ─► rows ─► Writer ─► enrichment ─► optimize ─► rename
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, Protocol

from stacks.errors import IndexUnusableError, SaveError
from stacks.index.aliases import write_aliases
from stacks.index.audit import Audit
from stacks.index.door import Door, hash_document
from stacks.index.enrichment import enrich
from stacks.index.in_flight import building
from stacks.index.rows import make_rows
from stacks.index.writer import Place, Writer
from stacks.schema import APPLICATION_ID, create, migrate
from stacks.sources import PageError, SourceKind, get_source_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from stacks.model import Document, Page
    from stacks.sources import Source

__all__ = ["DATABASES", "NoProgress", "Progress", "Request", "SaveOptions", "Saved", "save"]

DATABASES = ("search", "packages", "samples")
"""The files of a folder, each of which can be built and shipped alone."""


class Progress(Protocol):
    """Someone who wants to know how far a save is."""

    def start(self, what: str, total: int | None) -> None:
        """A stretch of work begins; `total` is its number of steps, where that is known."""

    def advance(self, steps: int = 1) -> None:
        """Some steps are done."""


class NoProgress:
    """Nobody wants to know."""

    def start(self, what: str, total: int | None) -> None:
        """Say nothing."""

    def advance(self, steps: int = 1) -> None:
        """Say nothing."""


@dataclass(frozen=True, slots=True)
class Request:
    """A corpus to be saved: its kind and where it lies."""

    kind: SourceKind
    location: str

    @classmethod
    def parse(cls, text: str) -> Request:
        """Read `source=location`, as it stands after `--from`."""
        name, equals, location = text.partition("=")
        if not equals or not location:
            raise SaveError(f"--from takes SOURCE=PATH, such as pydoc=stdlib; got {text!r}")
        return cls(get_source_kind(name), location)


@dataclass(frozen=True, slots=True)
class SaveOptions:
    """How to save.

    - `only_changed` starts from the index that is there, reads again only pages whose bytes
      changed, and keeps the sources that are not named.
    - `replace` allows a save to leave out sources that the present index has.
    - `symbol_graphs` is a folder of `*.symbols.json` with authoritative constraints.
    """

    only_changed: bool = False
    replace: bool = False
    symbol_graphs: Path | None = None
    progress: Progress = field(default_factory=NoProgress)


@dataclass(frozen=True, slots=True)
class Saved:
    """A file that was saved, and what happened on the way."""

    path: Path
    audit: Audit
    documents: int


def save(requests: Sequence[Request], to: Path, options: SaveOptions | None = None) -> list[Saved]:
    """Save each corpus into the file of its kind in the folder `to`."""
    options = options or SaveOptions()
    if not requests:
        raise SaveError("there is nothing to save; name a corpus with --from SOURCE=PATH")
    saved = []
    for database in DATABASES:
        own = [request for request in requests if request.kind.database == database]
        if own:
            saved.append(_save_file(own, to / f"{database}.db", options))
    return saved


def _save_file(requests: list[Request], path: Path, options: SaveOptions) -> Saved:
    """Build one file from its corpora."""
    old = _sources_of(path)
    start_from_old = options.only_changed and old is not None
    if old and not (options.only_changed or options.replace):
        _refuse_to_drop(path, old, requests)
    with building(path, start_from_old=start_from_old) as connection:
        migrate(connection) if start_from_old else create(connection)
        connection.execute("BEGIN")
        saving = _Saving(connection, options)
        for source in dict.fromkeys(request.kind for request in requests):
            saving.save_source(source, [each for each in requests if each.kind is source])
        saving.finish()
        (documents,) = connection.execute("SELECT count(*) FROM docs_metadata").fetchone()
    return Saved(path, saving.audit, documents)


def _sources_of(path: Path) -> set[str] | None:
    """Name the sources of the index that is there; None where there is none of ours."""
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as old:
            (application,) = old.execute("PRAGMA application_id").fetchone()
            if application == APPLICATION_ID:
                return {name for (name,) in old.execute("SELECT name FROM sources")}
    except sqlite3.Error as problem:
        message = f"{path} is there and is no index ({problem}); move it away, or use --to"
        raise IndexUnusableError(message) from problem
    raise IndexUnusableError(
        f"{path} is there and is another program's database; move it away, or use --to"
    )


def _refuse_to_drop(path: Path, old: set[str], requests: list[Request]) -> None:
    dropped = sorted(old - {request.kind.name for request in requests})
    if dropped:
        raise SaveError(
            f"{path} holds {', '.join(dropped)}, which this save does not name; "
            "add --only-changed to keep what is there, or --replace to leave it out"
        )


class _OldPage(NamedTuple):
    """A page that an earlier save read."""

    id: int
    hash: str


class _Saving:
    """One file being built."""

    def __init__(self, connection: sqlite3.Connection, options: SaveOptions) -> None:
        self.connection = connection
        self.options = options
        self.audit = Audit()
        self.door = Door()
        self.writer = Writer(connection)
        self.when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.writer.defer_merges()
        known = connection.execute(
            "SELECT uri, content_hash, title FROM docs_metadata JOIN docs_structured USING (id)"
        )
        for row in known:
            self.door.remember(*row)

    def save_source(self, kind: SourceKind, requests: list[Request]) -> None:
        """Read every page of a source's corpora, and drop documents whose page has gone."""
        number = self._number_of(kind)
        before = self.audit.documents[kind.name]
        for request in requests:
            place = Place(kind.name, number, request.location)
            self._save_corpus(request, place)
        self._drop_other_locations(kind, requests)
        if self.audit.documents[kind.name] == before and not self._has_documents(kind):
            places = ", ".join(request.location for request in requests)
            self.audit.note(kind.name, "empty-source", places, "gave no document")

    def _number_of(self, kind: SourceKind) -> int:
        self.connection.execute(
            """
            INSERT INTO sources (name, weight, prefers_symbols) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET
                weight = excluded.weight, prefers_symbols = excluded.prefers_symbols
            """,
            (kind.name, kind.weight, kind.prefers_symbols),
        )
        found = self.connection.execute("SELECT number FROM sources WHERE name = ?", (kind.name,))
        return int(found.fetchone()[0])

    def _has_documents(self, kind: SourceKind) -> bool:
        sql = "SELECT 1 FROM docs_metadata WHERE source = ? LIMIT 1"
        return self.connection.execute(sql, (kind.name,)).fetchone() is not None

    def _save_corpus(self, request: Request, place: Place) -> None:
        source = request.kind.open(request.location)
        self.options.progress.start(f"{place.source} {request.location}", source.count())
        old = self._old_pages(place)
        for page in source.pages():
            self.options.progress.advance()
            self.audit.pages[place.source] += 1
            if isinstance(page, PageError):
                self.audit.note(place.source, "unreadable", request.location, str(page))
            else:
                self._save_page(source, place, page, old.pop(page.key, None))
        for gone in old.values():
            self._drop_page(gone.id)
        self.writer.flush()

    def _save_page(self, source: Source, place: Place, page: Page, old: _OldPage | None) -> None:
        """Read a page, unless it was read before and is the same."""
        digest = blake2b(page.data, digest_size=16).hexdigest()
        if old is not None and old.hash == digest:
            return
        if old is not None:
            self._drop_page(old.id)
        number = self.connection.execute(
            """
            INSERT INTO pages (source, location, key, hash, last_crawled) VALUES (?, ?, ?, ?, ?)
            """,
            (*(place.source, place.location, page.key), digest, self.when),
        ).lastrowid
        try:
            self._add_documents(place, page.key, int(number or 0), source.read(page))
        except PageError as problem:
            self.audit.note(place.source, "unreadable", page.key, str(problem))

    def _old_pages(self, place: Place) -> dict[str, _OldPage]:
        sql = "SELECT key, id, hash FROM pages WHERE source = ? AND location = ?"
        rows = self.connection.execute(sql, (place.source, place.location))
        return {key: _OldPage(number, digest) for key, number, digest in rows}

    def _add_documents(
        self, place: Place, key: str, page: int, documents: Iterable[Document]
    ) -> None:
        for document in documents:
            content_hash = hash_document(document)
            refusal = self.door.refuse(document, content_hash)
            if refusal is None:
                self.writer.add(place, page, make_rows(document, content_hash))
                self.audit.documents[place.source] += 1
            else:
                self.audit.note(place.source, refusal.event, key, refusal.message)

    def _drop_page(self, page: int) -> None:
        """Take out the documents of a page that changed or went away."""
        self.writer.flush()
        sql = "SELECT uri FROM docs_metadata WHERE page_id = ?"
        for (uri,) in self.connection.execute(sql, (page,)).fetchall():
            self.writer.remove(uri)
            self.door.forget(uri)
        self.connection.execute("DELETE FROM pages WHERE id = ?", (page,))

    def _drop_other_locations(self, kind: SourceKind, requests: list[Request]) -> None:
        """A source that is named is saved from the places named, and from no others."""
        named = {request.location for request in requests}
        sql = "SELECT id, location FROM pages WHERE source = ?"
        for page, location in self.connection.execute(sql, (kind.name,)).fetchall():
            if location not in named:
                self._drop_page(page)

    def finish(self) -> None:
        """Enrich, write what was noted, and merge the text indexes."""
        self.writer.flush()
        self.options.progress.start("finishing", None)
        enrich(self.connection, self.options.symbol_graphs, self.audit)
        write_aliases(self.connection)
        self.audit.write(self.connection)
        self.writer.optimize()
