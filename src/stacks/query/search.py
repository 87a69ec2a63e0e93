"""From a query to ranked hits.

text ─► words, phrases ─► aliases ─► which sources ─► matches ─► corrections ─► fusion ─► hits
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from stacks.errors import QueryError
from stacks.query.candidates import Question, Ranked, rank_plainly, rank_sources
from stacks.query.filters import Filters
from stacks.query.fusion import Fusion, Standing
from stacks.query.parsing import UserQuery, parse_query
from stacks.schema import SOURCE_SHIFT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stacks.query.aliases import Aliases
    from stacks.query.database import Database
    from stacks.query.ranking import Factor

__all__ = ["MODES", "Hit", "Results", "SearchOptions", "search"]

MODES = ("smart", "plain")
"""`smart` is everything this package knows; `plain` is BM25F over the words and nothing else."""

DEPTH = 100
"""How many documents of each source are corrected and fused, at least."""

_HIT = """
SELECT m.uri, s.title, m.source, m.framework, m.kind, m.language, s.abstract, s.declaration,
       m.is_deprecated, s.platforms
FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id WHERE m.id = ?
"""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search."""

    limit: int = 10
    filters: Filters = field(default_factory=Filters)
    fusion: Fusion = field(default_factory=Fusion)
    mode: str = "smart"

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise QueryError(f"a search needs a limit of at least 1, not {self.limit}")
        if self.mode not in MODES:
            raise QueryError(f"there is no mode {self.mode!r}; modes are {', '.join(MODES)}")

    def with_limit(self, limit: int) -> SearchOptions:
        """The same search for another number of hits."""
        return replace(self, limit=limit)


@dataclass(frozen=True, slots=True)
class Hit:
    """A document found, and how it got its place."""

    rank: int
    uri: str
    title: str
    score: float
    source: str
    framework: str
    kind: str
    language: str
    summary: str
    declaration: str
    is_deprecated: bool
    availability: dict[str, str]
    id: int = field(repr=False)
    bm25: float = field(repr=False)
    factors: tuple[Factor, ...] = field(repr=False)
    standing: Standing = field(repr=False)

    def as_dict(self) -> dict[str, Any]:
        """What a program wants to know of a hit."""
        names = "rank uri title score source framework kind language summary declaration"
        told = {name: getattr(self, name) for name in names.split()}
        return told | {"deprecated": self.is_deprecated, "availability": self.availability}


@dataclass(frozen=True, slots=True)
class Results:
    """The hits of a query, and what the query was taken for."""

    query: UserQuery
    route: str
    expansions: dict[str, str]
    hits: tuple[Hit, ...]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


def search(
    databases: Sequence[Database], aliases: Aliases, text: str, options: SearchOptions
) -> Results:
    """Search every database and fuse what their sources give."""
    query = parse_query(text)
    if query.is_empty and not query.name:
        return Results(query, "nothing to look for", {}, ())
    smart = options.mode == "smart"
    question = Question(
        query=query,
        expansions=aliases.expand(query.words) if smart else {},
        condition=options.filters.condition(aliases.resolve(options.filters.framework)),
        depth=max(DEPTH, options.limit),
        enough=options.limit,
    )
    search_in = _search_fused if smart else _search_plainly
    route, places = search_in(databases, question, options)
    hits = [_make_hit(rank, place) for rank, place in enumerate(places[: options.limit], 1)]
    expansions = {name: framework.slug for name, framework in question.expansions.items()}
    return Results(query, route, expansions, tuple(hits))


class _Place(NamedTuple):
    """A ranked document, the file it is in, and where it stands in its source's list."""

    database: Database
    ranked: Ranked
    standing: Standing


def _search_plainly(
    databases: Sequence[Database], question: Question, options: SearchOptions
) -> tuple[str, list[_Place]]:
    """One list by score: what the words alone say."""
    found = [
        (database, ranked)
        for database in databases
        for ranked in rank_plainly(database, _numbers(database, options.filters), question)
    ]
    found.sort(key=lambda each: (-each[1].score, each[1].candidate.uri))
    places = []
    for rank, (database, ranked) in enumerate(found, 1):
        source = database.sources[ranked.candidate.id >> SOURCE_SHIFT].name
        standing = Standing(source, rank, weight=1.0, relevance=1.0, earned=ranked.score)
        places.append(_Place(database, ranked, standing))
    return "every source, by words alone", places


def _search_fused(
    databases: Sequence[Database], question: Question, options: SearchOptions
) -> tuple[str, list[_Place]]:
    """A list for each source, fused by rank; an identifier is asked of sources that know code."""
    chosen = [_numbers(database, options.filters) for database in databases]
    if question.query.identifier and not options.filters.sources:
        preferred = [
            [number for number in numbers if database.sources[number].prefers_symbols]
            for database, numbers in zip(databases, chosen, strict=True)
        ]
        places = _fuse(databases, preferred, question, options.fusion)
        if places:
            return "identifier: sources that know code", places
    route = "the sources named" if options.filters.sources else "every source"
    return route, _fuse(databases, chosen, question, options.fusion)


def _fuse(
    databases: Sequence[Database],
    chosen: Sequence[Sequence[int]],
    question: Question,
    fusion: Fusion,
) -> list[_Place]:
    lists = [
        (database, database.sources[number], ranked)
        for database, numbers in zip(databases, chosen, strict=True)
        if numbers
        for number, ranked in rank_sources(database, numbers, question).items()
    ]
    best = max((each.score for _, _, ranked in lists for each in ranked), default=0.0)
    places = []
    for database, source, ranked in lists:
        scores = [each.score for each in ranked]
        standings = fusion.stand(source.name, source.weight, scores, best)
        pairs = zip(ranked, standings, strict=True)
        places += [_Place(database, each, standing) for each, standing in pairs]
    return sorted(places, key=lambda each: (-each.standing.earned, each.ranked.candidate.uri))


def _numbers(database: Database, filters: Filters) -> list[int]:
    """The sources of a file that a search is asked of."""
    return [
        number
        for number, source in database.sources.items()
        if not filters.sources or source.name in filters.sources
    ]


def _make_hit(rank: int, place: _Place) -> Hit:
    ranked = place.ranked
    (row,) = place.database.rows(_HIT, (ranked.candidate.id,))
    uri, title, source, framework, kind, language, summary, declaration, old, platforms = row
    return Hit(
        rank=rank,
        uri=uri,
        title=title,
        score=place.standing.earned,
        source=source,
        framework=framework,
        kind=kind,
        language=language,
        summary=summary,
        declaration=declaration,
        is_deprecated=bool(old),
        availability=json.loads(platforms or "{}"),
        id=ranked.candidate.id,
        bm25=ranked.candidate.bm25,
        factors=ranked.factors,
        standing=place.standing,
    )
