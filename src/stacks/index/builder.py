"""Builds an index file from corpora. `save` is the entry, `_fill` the whole way of one file.

Source.pages ─► Source.read ─► Admission ─► rows ─► DocumentWriter ─► enrichment ─► optimize
             ─► posting lists ─► vectors ─► rename

Corpora of an index that was moved or copied together with the folders it was made from.

An index remembers the folder that it was saved in, and its corpora by their absolute paths. If it
now lies elsewhere, a corpus that this save names counts as one that the index holds if it lies in
the same direction from the index as the stored one did.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stacks.errors import SaveError
from stacks.guidance import read_routing, read_vocabulary
from stacks.index.enrichment import enrich, write_aliases
from stacks.index.index_file import locked, read_previous_index, staged
from stacks.index.loader import Loader
from stacks.index.requests import Request, SaveOptions, complete_request, remember_settings
from stacks.index.symbol_graphs import check_symbol_graphs, keep_constraints
from stacks.index.vector_writer import choose_embedder, vector_cache_path, write_vectors
from stacks.postings import has_postings, write_postings
from stacks.schema import DATABASES, create, migrate

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from stacks.index.index_file import PreviousIndex
    from stacks.index.requests import Audit, Corpus

__all__ = [
    "Saved",
    "find_moved",
    "move_pages",
    "remember_folder",
    "save",
]

_GUIDANCE = ("routing", "vocabulary")
_NO_GUIDANCE = Path("none")
"""Given as a file, removes guidance from an index."""
_FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Saved:
    """A file that was saved, with the audit of the save."""

    path: Path
    audit: Audit
    documents: int


def save(requests: Sequence[Request], to: Path, options: SaveOptions | None = None) -> list[Saved]:
    """Save each corpus into the file of its kind in the folder `to`."""
    options = options or SaveOptions()
    if not requests:
        raise SaveError("there is nothing to save; name a corpus with --from SOURCE=PATH")
    if options.symbol_graphs is not None:
        check_symbol_graphs(options.symbol_graphs)
    guidance = _read_guidance(options)
    for kind in (request.kind for request in requests):
        if kind.database not in DATABASES:
            raise SaveError(
                f"the source {kind.name} is stored in {kind.database!r}, which is not a database; "
                f"there are {', '.join(DATABASES)}: correct its SourceKind"
            )
    saved = []
    # In the order of the files, not of the requests: the same corpora give the same output.
    for database in DATABASES:
        own = [request for request in requests if request.kind.database == database]
        if own:
            saved.append(_save_file(own, to / f"{database}.db", options, guidance))
    return saved


def _read_guidance(options: SaveOptions) -> dict[str, str]:
    """Read the guidance files first: a mistake in them must not cost a whole save."""
    guidance = {}
    if options.routing:
        is_removed = options.routing == (_NO_GUIDANCE,)
        guidance["routing"] = "" if is_removed else read_routing(options.routing)
    if options.vocabulary is not None:
        is_removed = options.vocabulary == _NO_GUIDANCE
        guidance["vocabulary"] = "" if is_removed else read_vocabulary(options.vocabulary)
    return guidance


def _save_file(
    requests: list[Request], path: Path, options: SaveOptions, guidance: Mapping[str, str]
) -> Saved:
    """Build one file from its corpora, and put it in the place of the previous one."""
    with locked(path):
        previous = read_previous_index(path)
        facts = previous.facts if previous else {}
        corpora = [complete_request(request, facts) for request in requests]
        moved = find_moved(previous, corpora) if previous else {}
        start_from_previous = options.only_changed and previous is not None
        if previous and not (options.only_changed or options.replace):
            _refuse_to_drop(previous, corpora, moved)
        with staged(path, copy=start_from_previous) as connection:
            migrate(connection) if start_from_previous else create(connection)
            connection.execute("BEGIN")
            if previous and not start_from_previous:
                # Symbol graphs are rarely given twice; a copy of the file has their constraints.
                keep_constraints(connection, previous)
            remember_folder(connection, path)
            move_pages(connection, moved)
            _write_guidance(connection, guidance, facts)
            saved = _fill(connection, corpora, path, previous, options)
        # The index now has every vector that was kept in case the save did not finish.
        vector_cache_path(path).unlink(missing_ok=True)
        return saved


def _write_guidance(
    connection: sqlite3.Connection, guidance: Mapping[str, str], facts: Mapping[str, str]
) -> None:
    """Write the guidance given now, else the guidance of the previous index."""
    kept = {name: facts[name] for name in _GUIDANCE if name in facts}
    rows = {**kept, **guidance}.items()
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)


def _fill(
    connection: sqlite3.Connection,
    corpora: list[Corpus],
    path: Path,
    previous: PreviousIndex | None,
    options: SaveOptions,
) -> Saved:
    """Load the corpora, enrich, merge the text indexes, list common words, embed."""
    loader = Loader(connection, corpora, options.progress)
    loader.writer.defer_merges()
    for corpus in corpora:
        loader.load(corpus)
        remember_settings(connection, corpus)
    _check_empty(connection, corpora, loader.audit, is_allowed=options.allow_empty)
    options.progress.start("finishing", None)
    # Enrichment reads all documents back, those of earlier saves too.
    loader.writer.flush()
    enrich(connection, options.symbol_graphs, loader.audit)
    write_aliases(connection)
    loader.audit.write(connection)
    loader.writer.optimize()
    # The lists are read from the merged text index; if no document changed, neither did they.
    if loader.writer.has_changed or not has_postings(connection):
        write_postings(connection)
    stored = previous.facts.get("embedder", "") if previous else ""
    embeds = any(corpus.kind.embeds for corpus in corpora)
    spec = choose_embedder(options.embedder, stored, embeds=embeds)
    # Last, as it takes the longest: whatever else is wrong with a save has shown by now.
    embedded = write_vectors(connection, spec, path, previous, options.progress)
    loader.audit.counts["embedded"] = embedded
    (documents,) = connection.execute("SELECT count(*) FROM docs_metadata").fetchone()
    return Saved(path, loader.audit, documents)


def _check_empty(
    connection: sqlite3.Connection, corpora: list[Corpus], audit: Audit, *, is_allowed: bool
) -> None:
    """Refuse a corpus that gave no document, or note it if that is allowed.

    A corpus whose documents all came before, from another one, was read.
    """
    sql = """
        SELECT p.source, p.location, count(*) FROM docs_metadata AS m
        JOIN pages AS p ON p.id = m.page_id GROUP BY 1, 2
    """
    filled = {(source, location) for source, location, _ in connection.execute(sql)}
    for corpus in corpora:
        if corpus.identity in filled or corpus.identity in audit.duplicated:
            continue
        if not is_allowed:
            own = [each for each in audit.events if each.source == corpus.source]
            reasons = [f"{each.page}: {each.message}" for each in own[:3]]
            reason = "; ".join(reasons) or _describe_pages(audit, corpus)
            raise SaveError(
                f"{corpus} gave no document ({reason}); correct the path or the source "
                "(stacks list --kinds), or add --allow-empty"
            )
        audit.note(corpus.source, "empty-source", corpus.requested, "gave no document")


def _describe_pages(audit: Audit, corpus: Corpus) -> str:
    pages = audit.pages[corpus.source]
    return f"nothing to search for in {pages:,} pages" if pages else "it has no page"


def _refuse_to_drop(
    previous: PreviousIndex, corpora: list[Corpus], moved: Collection[tuple[str, str]]
) -> None:
    """Refuse a save that would silently drop corpora of the previous index."""
    named = {*(corpus.identity for corpus in corpora), *moved}
    dropped = sorted(f"{source}={location}" for source, location in previous.corpora - named)
    if dropped:
        # A misspelt path is another corpus too: reading it reports that mistake first.
        for corpus in corpora:
            next(corpus.open().pages(), None)
        raise SaveError(
            f"{previous.path} holds {', '.join(dropped)}, which this save does not name; "
            "add --only-changed to keep what is there, or --replace to leave it out"
        )


def remember_folder(connection: sqlite3.Connection, path: Path) -> None:
    """Store the folder that an index is saved in."""
    row = (_FOLDER, str(path.parent.resolve()))
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)


def find_moved(
    previous: PreviousIndex, corpora: Iterable[Corpus]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the stored corpora that lie elsewhere now, each with its present source and place."""
    before, now = previous.facts.get(_FOLDER, ""), str(previous.path.parent.resolve())
    if before in ("", now):
        return {}
    named = {corpus.identity for corpus in corpora}
    moved = {}
    for source, location in previous.corpora - named:
        if os.path.isabs(location):  # noqa: PTH117 - a text; it may be no path at all
            place = os.path.normpath(os.path.join(now, os.path.relpath(location, before)))  # noqa: PTH118 - pathlib cannot shorten a/..
            if (source, place) in named:
                moved[source, location] = (source, place)
    return moved


def move_pages(
    connection: sqlite3.Connection, moved: dict[tuple[str, str], tuple[str, str]]
) -> None:
    """Store the present places of corpora that were moved."""
    sql = "UPDATE pages SET location = ? WHERE source = ? AND location = ?"
    rows = [(place, source, before) for (source, before), (_, place) in moved.items()]
    connection.executemany(sql, rows)
