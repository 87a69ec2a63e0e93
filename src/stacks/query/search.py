"""From a query to ranked hits.

text ─► route ─► words, phrases ─► aliases, vocabulary ─► which sources ─► matches by words, names
and meaning ─► corrections ─► blend ─► fusion ─► floor ─► hits
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from stacks.errors import EmbeddingError, QueryError
from stacks.guidance import SEARCH, Decision
from stacks.query.candidates import rank_plainly, rank_sources
from stacks.query.declarations import read_declarations
from stacks.query.filters import Filters
from stacks.query.fusion import Fusion, Standing, compare_lists, let_pass
from stacks.query.guiding import Guidance, Seen
from stacks.query.locating import Origin, locate
from stacks.query.parsing import parse_query
from stacks.query.parts import PARTS, check_parts
from stacks.query.questions import Question
from stacks.query.results import Hit, Results
from stacks.schema import SOURCE_SHIFT

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from stacks.guidance import Expansion
    from stacks.query.aliases import Aliases
    from stacks.query.blending import Ranked
    from stacks.query.database import Database, SourceInfo
    from stacks.query.meaning import Meanings, Rerankers

__all__ = ["MODES", "SearchOptions", "Surroundings", "search"]

MODES = ("smart", "fts5", "semantic", "both", "plain")
"""What a query is looked for by.

- `fts5` is words and names, `semantic` meaning and names, `both` all three;
- `smart` is `both` where an index has vectors, else `fts5`;
- `plain` is BM25F over the words and nothing else.
"""

RERANKED = 30
"""How many of the first hits a model scores anew."""

DEPTH = 100
"""How many documents of each source are corrected and fused, at least."""

_HITS = """
SELECT m.id, m.uri, s.title, m.source, m.framework, m.kind, m.language,
       coalesce(nullif(s.abstract, ''), nullif(s.declaration, ''), substr(s.overview, 1, 300)),
       s.declaration, m.is_deprecated, s.platforms, s.facts, s.module, p.location, p.key
FROM json_each(?) AS wanted
JOIN docs_metadata AS m ON m.id = wanted.value JOIN docs_structured AS s ON s.id = m.id
LEFT JOIN pages AS p ON p.id = m.page_id
"""
_TEXT = """
SELECT title || char(10) || declaration || char(10) || abstract || char(10) || overview
FROM docs_structured WHERE id = ?
"""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search.

    `reranker` is a model that scores the first hits anew, by reading them; `without` are parts of
    the engine to be done without (`PARTS`).
    """

    limit: int = 10
    filters: Filters = field(default_factory=Filters)
    fusion: Fusion = field(default_factory=Fusion)
    mode: str = "smart"
    reranker: str = ""
    without: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise QueryError(f"a search needs a limit of at least 1, not {self.limit}")
        if self.mode not in MODES:
            raise QueryError(f"there is no mode {self.mode!r}; modes are {', '.join(MODES)}")
        check_parts(self.without)

    def with_limit(self, limit: int) -> SearchOptions:
        """The same search for another number of hits."""
        return replace(self, limit=limit)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an index brings to every search of it."""

    databases: Sequence[Database]
    aliases: Aliases
    meanings: Meanings
    rerankers: Rerankers

    def guide(self, filters: Filters) -> Guidance:
        """Return the guidance of the files that a search is asked of; the first decides."""
        return Guidance(each for each in self.databases if _numbers(each, filters))


def search(index: Surroundings, text: str, options: SearchOptions) -> Results:
    """Search every database and fuse what their sources give."""
    guidance = index.guide(options.filters)
    decision = Decision() if "routing" in options.without else guidance.routing.decide(text)
    question = _make_question(index, text, options, guidance.expand(text, decision))
    if question.query.is_empty and not question.query.name:
        return Results(question, (), "nothing: there is nothing to look for")
    if decision.route != SEARCH:
        return Results(question, (), "nothing: the query was sent elsewhere", decision)
    asked, places = _ask(index, question, options)
    is_guarded = not decision.flags and "routing" not in options.without
    if is_guarded and guidance.is_below_floor(question, map(_seen, places)):
        floor = guidance.routing.floor
        sent = decision._replace(route=floor.route, reason=floor.reason)
        return Results(question, (), asked, sent)
    if options.reranker:
        count = max(RERANKED, options.limit)
        asked = f"{asked}, the first {count} scored anew by {options.reranker}"
        places = _rerank(index, options.reranker, question, places[:count])
    return Results(question, _make_hits(places[: options.limit]), asked, decision)


def _ask(
    index: Surroundings, question: Question, options: SearchOptions
) -> tuple[str, list[_Place]]:
    """Ask as the mode says; where it leaves that open, a model out of reach is done without."""
    if options.mode == "plain":
        return _search_plainly(index, question, options)
    try:
        return _search_fused(index, question, options)
    except EmbeddingError as problem:
        if options.mode != "smart":
            raise
        by_words = replace(question, by_meaning=False)
        asked, places = _search_fused(index, by_words, options)
        return f"{asked}, not by meaning: {problem}", places


def _rerank(
    index: Surroundings, spec: str, question: Question, places: list[_Place]
) -> list[_Place]:
    """Have a model score places, and put them in the order of its scores."""
    texts = [each.database.value(_TEXT, (each.ranked.candidate.id,)) for each in places]
    scores = index.rerankers.score(spec, question.query.wanted, texts)
    pairs = zip(places, scores, strict=True)
    rescored = [place._replace(reranked=score) for place, score in pairs]
    return sorted(rescored, key=lambda each: -(each.reranked or 0.0))


def _make_question(
    index: Surroundings, text: str, options: SearchOptions, bridged: tuple[Expansion, ...]
) -> Question:
    """Find out what can be known of a query before any document is looked at."""
    query = parse_query(text)
    unused = set(PARTS) if options.mode == "plain" else options.without
    has_vectors = any(database.embedder for database in index.databases)
    if options.mode in ("semantic", "both") and not has_vectors:
        raise QueryError(
            f"the index has no vectors for --mode {options.mode}; save it again with "
            "--embedder wordllama, or search with --mode fts5"
        )
    return Question(
        query=query,
        condition=options.filters.condition(index.aliases.resolve(options.filters.framework)),
        expansions={} if "aliases" in unused else index.aliases.expand(query.words),
        bridged=() if "vocabulary" in unused else bridged,
        depth=max(DEPTH, options.limit),
        enough=options.limit,
        by_words=options.mode != "semantic",
        by_meaning=has_vectors and "meaning" not in unused and options.mode != "fts5",
        language=options.filters.language.lower(),
        blend=options.fusion.blend,
        declarations=(
            None
            if "declarations" in unused
            else read_declarations(query.wanted, index.aliases.find_slug)
        ),
        without=options.without,
    )


class _Place(NamedTuple):
    """A ranked document, the file it is in, and where it stands in its source's list."""

    database: Database
    ranked: Ranked
    standing: Standing
    reranked: float | None = None


def _search_plainly(
    index: Surroundings, question: Question, options: SearchOptions
) -> tuple[str, list[_Place]]:
    """One list by score: what the words alone say."""
    found = [
        (database, ranked)
        for database in index.databases
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
    index: Surroundings, question: Question, options: SearchOptions
) -> tuple[str, list[_Place]]:
    """A list for each source, fused by rank; an identifier is asked of sources that know code."""
    chosen = [_numbers(database, options.filters) for database in index.databases]
    how = _MEANS[question.by_words, question.by_meaning]
    is_named = question.query.identifier and "routing" not in question.without
    if is_named and not options.filters.sources:
        preferred = [
            [number for number in numbers if _takes_identifiers(database.sources[number])]
            for database, numbers in zip(index.databases, chosen, strict=True)
        ]
        places = _fuse(index, preferred, question, options.fusion)
        if places:
            return f"identifier: sources that know code, {how}", places
    asked = "the sources named" if options.filters.sources else "every source"
    return f"{asked}, {how}", _fuse(index, chosen, question, options.fusion)


def _takes_identifiers(source: SourceInfo) -> bool:
    """Tell whether a source is asked for the name of a declaration; files have such names too."""
    return source.prefers_symbols or source.ranking == "files"


_MEANS = {
    (True, True): "by words and meaning",
    (True, False): "by words",
    (False, True): "by meaning",
}


def _fuse(
    index: Surroundings, chosen: Sequence[Sequence[int]], question: Question, fusion: Fusion
) -> list[_Place]:
    lists = [
        (database, database.sources[number], ranked)
        for database, numbers in zip(index.databases, chosen, strict=True)
        if numbers
        for number, ranked in rank_sources(database, numbers, question, index.meanings).items()
    ]
    places = []
    relevances = compare_lists([ranked for _, _, ranked in lists])
    for (database, source, ranked), own in zip(lists, relevances, strict=True):
        weight = 1.0 if "authority" in question.without else source.weight
        standings = fusion.stand(source.name, weight, own, is_prose=question.is_prose)
        pairs = zip(ranked, standings, strict=True)
        places += [_Place(database, each, standing) for each, standing in pairs]
    # A source whose weight is 0 has no say.
    places = [each for each in places if each.standing.weight]
    places.sort(key=lambda each: (-each.standing.earned, each.ranked.candidate.uri))
    archived = {source.name for _, source, _ in lists if source.is_archive}
    if not archived or not question.is_prose or "authority" in question.without:
        return places
    return _let_pass(places, archived)


def _let_pass(places: list[_Place], archived: Collection[str]) -> list[_Place]:
    """Let living pages go before those of archives, and mark those that they pass."""
    order = let_pass([each.standing for each in places], archived)
    return [
        places[old]._replace(standing=places[old].standing._replace(is_passed=True))
        if old < new
        else places[old]
        for new, old in enumerate(order)
    ]


def _seen(place: _Place) -> Seen:
    """Tell what the floor is measured by."""
    blended = place.ranked.blended
    similarity = blended.similarity if blended else None
    return Seen(place.database, place.ranked.candidate.id, similarity or 0.0)


def _numbers(database: Database, filters: Filters) -> list[int]:
    """The sources of a file that a search is asked of."""
    return [
        number
        for number, source in database.sources.items()
        if not filters.sources or source.name in filters.sources
    ]


def _make_hits(places: Sequence[_Place]) -> tuple[Hit, ...]:
    """Read what is told of the documents, all of a file at once."""
    wanted: dict[Database, list[int]] = {}
    for place in places:
        wanted.setdefault(place.database, []).append(place.ranked.candidate.id)
    told = {
        database: {row[0]: row[1:] for row in database.rows(_HITS, (json.dumps(numbers),))}
        for database, numbers in wanted.items()
    }
    return tuple(
        _make_hit(rank, place, told[place.database][place.ranked.candidate.id])
        for rank, place in enumerate(places, 1)
    )


def _make_hit(rank: int, place: _Place, row: Sequence[Any]) -> Hit:
    ranked = place.ranked
    uri, title, source, framework, kind, language, summary, declaration, old, platforms = row[:10]
    info = place.database.sources[ranked.candidate.id >> SOURCE_SHIFT]
    return Hit(
        rank=rank,
        uri=uri,
        title=title,
        score=place.standing.earned if place.reranked is None else place.reranked,
        source=source,
        framework=framework,
        kind=kind,
        language=language,
        summary=summary,
        declaration=declaration,
        is_deprecated=bool(old),
        availability=json.loads(platforms or "{}"),
        where=locate(info.ranking, Origin(*row[10:])),
        facts=json.loads(row[10] or "{}"),
        id=ranked.candidate.id,
        bm25=ranked.candidate.bm25,
        factors=ranked.factors,
        blended=ranked.blended,
        standing=place.standing,
        reranked=place.reranked,
    )
