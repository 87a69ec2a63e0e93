"""Saving: from corpora to an index that answers.

Source.pages ─► Source.read ─► Door ─► rows ─► Writer ─► enrichment ─► optimize ─► vectors ─► rename
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import IndexUnusableError, SaveError
from stacks.guidance import read_routing, read_vocabulary
from stacks.index.aliases import write_aliases
from stacks.index.embedding import choose_embedder, left_behind_path, write_vectors
from stacks.index.enrichment import enrich
from stacks.index.in_flight import building, locked
from stacks.index.loading import Loading
from stacks.index.requests import Request, SaveOptions
from stacks.index.symbol_graphs import find_symbol_graphs
from stacks.schema import APPLICATION_ID, DATABASES, create, migrate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stacks.index.audit import Audit

__all__ = ["Saved", "save"]


_GUIDANCE = ("routing", "vocabulary")
NONE = Path("none")
"""What takes guidance out of an index again."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A file that was saved, and what happened on the way."""

    path: Path
    audit: Audit
    documents: int


class _Old(NamedTuple):
    """What the index that is there holds: documents of each source, and where they came from.

    `facts` are what it says about itself.
    """

    documents: dict[str, int]
    corpora: set[tuple[str, str]]
    facts: dict[str, str]


def save(requests: Sequence[Request], to: Path, options: SaveOptions | None = None) -> list[Saved]:
    """Save each corpus into the file of its kind in the folder `to`."""
    options = options or SaveOptions()
    if not requests:
        raise SaveError("there is nothing to save; name a corpus with --from SOURCE=PATH")
    if options.symbol_graphs is not None:
        find_symbol_graphs(options.symbol_graphs)
    guidance = _read_guidance(options)
    saved = []
    for database in DATABASES:
        own = [request for request in requests if request.kind.database == database]
        if own:
            saved.append(_save_file(own, to / f"{database}.db", options, guidance))
    return saved


def _read_guidance(options: SaveOptions) -> dict[str, str]:
    """Read the files about queries that an index takes in, before anything else is done."""
    guidance = {}
    if options.routing is not None:
        guidance["routing"] = "" if options.routing == NONE else read_routing(options.routing)
    if options.vocabulary is not None:
        is_none = options.vocabulary == NONE
        guidance["vocabulary"] = "" if is_none else read_vocabulary(options.vocabulary)
    return guidance


def _save_file(
    requests: list[Request], path: Path, options: SaveOptions, guidance: dict[str, str]
) -> Saved:
    """Build one file from its corpora."""
    with locked(path):
        old = _look_at(path)
        requests = [request.keep(old.facts) if old else request for request in requests]
        start_from_old = options.only_changed and old is not None
        if old and not (options.only_changed or options.replace):
            _refuse_to_drop(path, old, requests)
        with building(path, start_from_old=start_from_old) as connection:
            migrate(connection) if start_from_old else create(connection)
            connection.execute("BEGIN")
            _write_guidance(connection, guidance, old)
            saved = _fill(connection, requests, path, old, options)
        # What was kept for a save that might not finish is in the index now.
        left_behind_path(path).unlink(missing_ok=True)
        return saved


def _write_guidance(
    connection: sqlite3.Connection, guidance: dict[str, str], old: _Old | None
) -> None:
    """Write what the index says about queries: as it is given now, else as it was."""
    kept = {name: old.facts[name] for name in _GUIDANCE if old and name in old.facts}
    rows = (kept | guidance).items()
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)


def _fill(
    connection: sqlite3.Connection,
    requests: list[Request],
    path: Path,
    old: _Old | None,
    options: SaveOptions,
) -> Saved:
    """Load, enrich, and merge the text indexes."""
    loading = Loading(connection, requests, options.progress)
    loading.writer.defer_merges()
    for request in requests:
        loading.load(request)
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", request.remember())
    _note_empty_sources(connection, requests, loading.audit, None if options.replace else old)
    options.progress.start("finishing", None)
    loading.writer.flush()
    enrich(connection, options.symbol_graphs, loading.audit)
    write_aliases(connection)
    loading.audit.write(connection)
    loading.writer.optimize()
    embeds = any(request.kind.embeds for request in requests)
    spec = choose_embedder(
        options.embedder, old.facts.get("embedder", "") if old else "", embeds=embeds
    )
    loading.audit.counts["embedded"] = write_vectors(connection, spec, path, options.progress)
    (documents,) = connection.execute("SELECT count(*) FROM docs_metadata").fetchone()
    return Saved(path, loading.audit, documents)


def _note_empty_sources(
    connection: sqlite3.Connection, requests: list[Request], audit: Audit, old: _Old | None
) -> None:
    """Note a source without documents; one that had some, or a file without any, is an error."""
    sql = "SELECT source, count(*) FROM docs_metadata GROUP BY source"
    counts = dict(connection.execute(sql).fetchall())
    for name in dict.fromkeys(request.kind.name for request in requests):
        if not counts.get(name):
            places = ", ".join(each.location for each in requests if each.kind.name == name)
            audit.note(name, "empty-source", places, "gave no document")
            if not counts or (old and old.documents.get(name)):
                reasons = [f"{each.page}: {each.message}" for each in audit.events[:3]]
                raise SaveError(f"{name}={places} gave no document ({'; '.join(reasons)})")


def _look_at(path: Path) -> _Old | None:
    """Look at the index that is there; None where there is none."""
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as old:
            (application,) = old.execute("PRAGMA application_id").fetchone()
            if application == APPLICATION_ID:
                counted = "SELECT source, count(*) FROM docs_metadata GROUP BY source"
                return _Old(
                    dict(old.execute(counted).fetchall()),
                    set(old.execute("SELECT DISTINCT source, location FROM pages")),
                    dict(old.execute("SELECT name, value FROM meta").fetchall()),
                )
    except sqlite3.Error as problem:
        message = f"{path} is there and is no index ({problem}); move it away, or use --to"
        raise IndexUnusableError(message) from problem
    raise IndexUnusableError(
        f"{path} is there and is another program's database; move it away, or use --to"
    )


def _refuse_to_drop(path: Path, old: _Old, requests: list[Request]) -> None:
    """Refuse a save that would lose what is there without a word."""
    named = {(request.kind.name, request.place) for request in requests}
    dropped = sorted(f"{source}={location}" for source, location in old.corpora - named)
    if dropped:
        # A misspelt path names another corpus too, and then that is what is wrong.
        for request in requests:
            next(request.open().pages(), None)
        raise SaveError(
            f"{path} holds {', '.join(dropped)}, which this save does not name; "
            "add --only-changed to keep what is there, or --replace to leave it out"
        )
