"""Systems that are indexes of stacks, the bundled search engine, searched in-process."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

import msgspec

from cranfield.errors import SystemUnusableError, UnknownNameError
from cranfield.model import Hit, Response, Status
from cranfield.systems.system import Settings, System, SystemContext, SystemKind
from cranfield.systems.tool_server import ToolReading, ToolServer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import stacks
    from cranfield.model import Query

__all__ = ["STACKS_SYSTEM", "open_query_embedder"]


class StacksSettings(Settings, kw_only=True):
    """`index` is a file written by `stacks save`, or the folder of such files.

    `mode`, `sources`, `framework`, `language`, `weights`, `rrf_k`, `meaning` and `without` are
    those of `stacks search`. With `text`, the whole text of a hit is graded, not its summary.
    `prefix` is removed from the front of each URI, for suites with shorter document ids; what
    remains is unquoted.
    """

    index: str
    mode: str = "smart"
    sources: list[str] = msgspec.field(default_factory=list)
    framework: str = ""
    weights: dict[str, float] = msgspec.field(default_factory=dict)
    rrf_k: float | None = None
    meaning: float | None = None
    without: list[str] = msgspec.field(default_factory=list)
    language: str = ""
    text: bool = False
    prefix: str = ""

    def builder(self) -> str:
        """Name the index version, and that of Python, whose documentation may be the corpus."""
        import stacks

        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        return f"an index of version {stacks.INDEX_VERSION}, Python {python}"

    def implied_files(self, folder: Path) -> list[Path]:
        """Return the index's files."""
        path = (folder / self.index).expanduser()
        return sorted(path.glob("*.db")) if path.is_dir() else [path]

    def find_database(self, folder: Path) -> Path | None:
        """Return the named database, or else the index if it is a single file."""
        files = self.implied_files(folder)
        return super().find_database(folder) or (files[0] if len(files) == 1 else None)


class StacksSystem(System):
    """An open index."""

    def __init__(self, settings: StacksSettings, context: SystemContext) -> None:
        import stacks

        try:
            self._fixed = stacks.Filters(
                sources=tuple(settings.sources),
                framework=settings.framework,
                language=settings.language,
            )
            self._options = stacks.SearchOptions(
                fusion=stacks.Fusion(settings.rrf_k, settings.weights, settings.meaning),
                mode=settings.mode,
                without=frozenset(settings.without),
            )
            self._index = stacks.open(context.folder / settings.index)
        except stacks.StacksError as problem:
            raise SystemUnusableError(str(problem)) from None
        self._prefix = settings.prefix
        self._whole = settings.text
        self._weights = settings.weights

    def check(self) -> None:
        """Refuse sources that the index does not have."""
        known = [entry.name for entry in self._index.sources()]
        for setting, names in (("sources", self._fixed.sources), ("weights", self._weights)):
            for name in names:
                if name not in known:
                    problem = UnknownNameError("source of the index", name, known)
                    raise SystemUnusableError(f"{setting}: {problem}")

    def check_queries(self, queries: Sequence[Query]) -> list[str]:
        """Refuse filters that the engine does not know, or that the settings contradict."""
        import stacks

        for query in queries:
            try:
                self._filters(query).condition("")
            except (stacks.StacksError, SystemUnusableError) as problem:
                raise SystemUnusableError(
                    f"query {query.id!r}: {problem}; or list it in ignored_filters to search "
                    "without it"
                ) from None
        return []

    def _filters(self, query: Query) -> stacks.Filters:
        """Return the filters of a query with those of the settings."""
        import stacks

        if not query.filters:
            return self._fixed
        own = stacks.Filters.read(query.filters)
        for name in ("sources", "framework", "language"):
            fixed, given = getattr(self._fixed, name), getattr(own, name)
            if fixed and given and fixed != given:
                raise SystemUnusableError(
                    f"its filter is {name} = {given!r}, and the system's settings have {fixed!r}"
                )
        return replace(
            own,
            sources=own.sources or self._fixed.sources,
            framework=own.framework or self._fixed.framework,
            language=own.language or self._fixed.language,
        )

    def search(self, query: Query, limit: int) -> Response:
        """Search the index with the filters of the query."""
        import stacks

        try:
            options = replace(self._options, limit=limit, filters=self._filters(query))
            results = self._index.search(query.text, options)
        except stacks.StacksError as problem:
            return Response.failed(Status.ERROR, str(problem))
        flags = (*results.decision.flags, *filter(None, [results.decision.intent]))
        hits = tuple(self._make_hit(hit) for hit in results)
        return Response.of(hits, route=results.route, flags=flags)

    def _make_hit(self, hit: stacks.Hit) -> Hit:
        fields = {
            **hit.as_dict(),
            "fts5_score": hit.bm25,
            "semantic_score": (hit.blended.similarity or 0.0) if hit.blended else 0.0,
        }
        text = self._index.read(hit.uri).content if self._whole else hit.summary
        return Hit(self._name(hit.uri), hit.score, text, fields)

    def _name(self, uri: str) -> str:
        if not self._prefix or not uri.startswith(self._prefix):
            return uri
        return unquote(uri.removeprefix(self._prefix))

    def close(self) -> None:
        """Close the index."""
        self._index.close()


def open_query_embedder(spec: str, folder: Path) -> Callable[[str], str | None]:
    """Open a model of stacks that makes vectors of queries, as texts such as `[0.5, 0.25]`.

    A model's folder is relative to `folder`. A query without meaning has no vector.
    """
    import stacks

    kind, sign, location = spec.partition("=")
    inside = (folder / location.partition(",")[0]).is_dir()
    try:
        embedder = stacks.open_embedder(f"{kind}={folder / location}" if sign and inside else spec)
    except stacks.StacksError as problem:
        raise SystemUnusableError(f"embedder: {problem}") from None

    def embed(text: str) -> str | None:
        vector = embedder.embed_query(text)
        return str([round(float(value), 6) for value in vector]) if vector.any() else None

    return embed


_READING = ToolReading(
    {
        "search": "query",
        "search_symbols": "text",
        "search_conformances": "name",
        "get_inheritance": "symbol",
    },
    {"read_document": "uri"},
    pattern=r"(?m)`(?P<id>[a-z][\w+.-]*://[^`\s]+)`$",
)
_NOT_SERVED = (
    "mode", "sources", "framework", "weights", "rrf_k", "meaning", "without", "language"
)  # fmt: skip
"""Settings that `stacks serve` does not have: its agents choose, or it takes the usual ones."""


def _serve(settings: StacksSettings, context: SystemContext) -> ToolServer | None:
    usual = StacksSettings(index=settings.index)
    if any(getattr(settings, name) != getattr(usual, name) for name in _NOT_SERVED):
        return None
    index = str((context.folder / settings.index).expanduser().resolve())
    command = (sys.executable, "-m", "stacks", "serve", "--mcp", "--db", index)
    return ToolServer(command, context.folder, _READING, context.environment)


STACKS_SYSTEM = SystemKind(
    name="stacks",
    summary="an index of stacks, the bundled search engine",
    example='kind = "stacks"\nindex = "index/search.db"',
    settings=StacksSettings,
    open=StacksSystem,
    refuses={"timeout": "a search in process cannot be stopped; run `stacks search` as a command"},
    find_indexes=StacksSettings.implied_files,
    serve=_serve,
)
