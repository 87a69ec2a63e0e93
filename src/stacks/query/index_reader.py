"""An open index: everything that can be read from it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from stacks.errors import QueryError
from stacks.query.expansions import suggest_names
from stacks.query.question import Aliases, SearchOptions
from stacks.query.results import Explanation, explain
from stacks.query.searcher import SearchContext, search
from stacks.query.semantic import Rerankers, SemanticSearch
from stacks.query.stored_documents import (
    DocumentEntry,
    Example,
    FrameworkEntry,
    SampleEntry,
    SourceEntry,
    StoredDocument,
    find_examples,
    list_documents,
    list_frameworks,
    list_samples,
    list_sources,
    near_uris,
    read_document,
    read_named,
)
from stacks.query.symbol_search import (
    SymbolFilters,
    SymbolHit,
    TypeFamily,
    find_conformances,
    find_family,
    find_symbols,
)
from stacks.schema import SOURCE_SHIFT
from stacks.storage import explaining_damage, open_databases, reports_damage

if TYPE_CHECKING:
    from stacks.query.results import Hit, Results
    from stacks.storage import Database

__all__ = ["Index", "open_index"]


class Index:
    """One or more files of one index, read-only; use it in a `with` block, or close it."""

    def __init__(self, path: Path, connections: int = 1) -> None:
        self.path = path
        self.databases = open_databases(path, connections)
        with explaining_damage(self.databases):
            self.aliases = Aliases(self.databases)
        self._context = SearchContext(self.databases, self.aliases, SemanticSearch(), Rerankers())

    def search(self, text: str, options: SearchOptions | None = None, **settings: Any) -> Results:
        """Search; settings are those of `SearchOptions`: `search("view", limit=5)`."""
        with explaining_damage(self.databases):
            return search(self._context, text, options or SearchOptions(**settings))

    @reports_damage
    def suggest(self, text: str) -> list[str]:
        """Return up to three names that are spelled nearly as the words of a text."""
        return suggest_names(self.databases, text)

    @reports_damage
    def explain(self, hit: Hit) -> Explanation:
        """Explain the score of a hit."""
        return explain(self._find_database(hit), hit)

    def _find_database(self, hit: Hit) -> Database:
        for database in self.databases:
            source = database.sources.get(hit.id >> SOURCE_SHIFT)
            if source and source.name == hit.source:
                return database
        raise QueryError(f"{hit.uri} is not a hit of this index")

    @reports_damage
    def read(self, uri: str) -> StoredDocument:
        """Return a document by its URI, or by a name that no other document has.

        An unknown URI is an error that suggests near ones.
        """
        document = read_document(self.databases, uri) or read_named(self.databases, uri)
        if document is None:
            near = near_uris(self.databases, uri)
            hint = f"did you mean {' or '.join(near)}?" if near else "find one with stacks search"
            raise QueryError(f"there is no document {uri}; {hint}")
        return document

    @reports_damage
    def symbols(
        self, text: str = "", filters: SymbolFilters | None = None, limit: int = 20
    ) -> list[SymbolHit]:
        """Find declarations by name and by filters."""
        return find_symbols(self.databases, text, filters or SymbolFilters(), limit)

    @reports_damage
    def conformances(self, name: str, limit: int = 20) -> list[SymbolHit]:
        """Find declarations that conform to a protocol or inherit from a class."""
        return find_conformances(self.databases, name, limit)

    @reports_damage
    def examples(
        self, text: str, *, language: str = "", imports: str = "", limit: int = 10
    ) -> list[Example]:
        """Find code snippets that have the words of a text."""
        return find_examples(self.databases, text, language=language, imports=imports, limit=limit)

    @reports_damage
    def inheritance(self, symbol: str, direction: str = "both", depth: int = 3) -> TypeFamily:
        """Walk up and down from a type, given by its URI, or by a name that no other type has."""
        return find_family(self.databases, symbol, direction, depth)

    @reports_damage
    def documents(self, after: str = "", limit: int = 100) -> list[DocumentEntry]:
        """List documents in the order of their URIs, those after a URI."""
        return list_documents(self.databases, after, limit)

    @reports_damage
    def frameworks(self) -> list[FrameworkEntry]:
        """List the frameworks that the index holds."""
        return list_frameworks(self.databases)

    @reports_damage
    def samples(self, text: str = "") -> list[SampleEntry]:
        """List the sample projects that the index holds, or those that match a text."""
        return list_samples(self.databases, text)

    @reports_damage
    def sources(self) -> list[SourceEntry]:
        """List the sources that the index holds."""
        return list_sources(self.databases)

    def close(self) -> None:
        """Close the files and models."""
        self._context.semantic.close()
        self._context.rerankers.close()
        for database in self.databases:
            database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_index(path: str | Path, connections: int = 1) -> Index:
    """Open an index: a file, or the folder that holds its files.

    Any thread may read it; as many at a time read a file as it has connections.
    """
    return Index(Path(path).expanduser(), connections)
