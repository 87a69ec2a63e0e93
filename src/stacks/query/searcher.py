"""From a query to ranked hits.

text ─► route ─► words, phrases ─► aliases, vocabulary ─► which sources ─► candidates by words,
names and meaning ─► factors ─► blend ─► fusion ─► floor ─► rerank ─► hits
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import EmbeddingError, QueryError
from stacks.guidance import SEARCH, Decision
from stacks.query.candidates import FusedRank
from stacks.query.declaration_queries import read_declarations
from stacks.query.expansions import suggest_names
from stacks.query.fusion import compare_lists, put_archives_back
from stacks.query.index_guidance import FoundDocument, IndexGuidance
from stacks.query.query_parser import Demands, parse_query, quote, relax_demands
from stacks.query.question import PARTS, Question
from stacks.query.results import HIT_COLUMNS, Hit, Results, make_hit
from stacks.query.retrieval import prepare_scoring, rank_by_words, rank_sources
from stacks.schema import SOURCE_SHIFT

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from stacks.guidance import Expansion
    from stacks.query.candidates import RankedCandidate
    from stacks.query.filters import Filters
    from stacks.query.fusion import Fusion
    from stacks.query.query_parser import ParsedQuery
    from stacks.query.question import Aliases, SearchOptions
    from stacks.query.retrieval import Scoring
    from stacks.query.semantic import Rerankers, SemanticSearch
    from stacks.storage import Database

__all__ = ["SearchContext", "search"]

_RERANKED = 30
"""How many of the first hits a reranker scores, at least."""
_DEPTH = 100
"""How many documents of each source are ranked and fused, at least."""
_MEANS = {
    (True, True): "by words and meaning",
    (True, False): "by words",
    (False, True): "by meaning",
}

_HITS = f"""
SELECT m.id, {HIT_COLUMNS} FROM json_each(?) AS wanted
JOIN docs_metadata AS m ON m.id = wanted.value JOIN docs_structured AS s ON s.id = m.id
LEFT JOIN pages AS p ON p.id = m.page_id
"""  # noqa: S608 - fixed columns
_HAS_TERM = """
SELECT 1 FROM docs_fts WHERE docs_fts MATCH ?
AND +docs_fts.rowid IN (SELECT value FROM json_each(?)) LIMIT 1
"""
_TEXT = """
SELECT title || char(10) || declaration || char(10) || abstract || char(10) || overview
FROM docs_structured WHERE id = ?
"""


@dataclass(frozen=True, slots=True)
class SearchContext:
    """What an index brings to every search of it."""

    databases: Sequence[Database]
    aliases: Aliases
    semantic: SemanticSearch
    rerankers: Rerankers

    def find_guidance(self, filters: Filters) -> IndexGuidance:
        """Return the guidance of the files that are searched; the first that has one decides."""
        return IndexGuidance(each for each in self.databases if _choose_sources(each, filters))


def search(context: SearchContext, text: str, options: SearchOptions) -> Results:
    """Search every database and fuse the lists of their sources."""
    guidance = context.find_guidance(options.filters)
    decision = Decision() if "routing" in options.without else guidance.routing.decide(text)
    bridged = guidance.expand(text, decision)
    question = _make_question(context, parse_query(text), options, bridged)
    query = question.query
    if query.is_empty and not (query.name or query.demanded):
        return Results(question, (), "nothing: there is nothing to look for")
    # After the question is made: a result says what the query was taken for, wherever it went.
    if decision.route != SEARCH:
        return Results(question, (), "nothing: the query was sent elsewhere", decision)
    question, asked, places = _run_relaxed(context, question, options, bridged)
    # A flagged query is never sent away, as little as it may find.
    has_floor = not decision.flags and "routing" not in options.without
    found = (_get_found(each, question, options.mode) for each in places)
    if has_floor and guidance.is_below_floor(question, found):
        floor = guidance.routing.floor
        sent = decision._replace(route=floor.route, reason=floor.reason)
        return Results(question, (), asked, sent)
    if options.reranker:
        count = max(_RERANKED, options.limit)
        asked = f"{asked}, the first {count} scored again by {options.reranker}"
        places = _rerank(context, options.reranker, question, places[:count])
    hits = _make_hits(places[: options.limit])
    is_unknown = query.identifier and hits and not _are_about(places, query.name)
    near = suggest_names(context.databases, text) if is_unknown else ()
    relaxed = _list_relaxed(text, question.query)
    return Results(question, hits, asked, decision, relaxed, tuple(near))


def _run_relaxed(
    context: SearchContext,
    question: Question,
    options: SearchOptions,
    bridged: tuple[Expansion, ...],
) -> tuple[Question, str, list[_FusedDocument]]:
    """Search; if the demands of the query leave nothing, again with fewer of them."""
    asked, places = _run_mode(context, question, options)
    if question.query.is_pasted:
        asked += ", quotes and minus signs are read as words: the text is long"
    if places or not question.query.demanded:
        return question, asked, places
    # What must not occur is given up last: a person who excludes something has seen it before.
    for query in relax_demands(question.query):
        relaxed = _make_question(context, query, options, bridged)
        how, found = _run_mode(context, relaxed, options)
        if found:
            given_up = ", ".join(_list_relaxed(query.text, query))
            return relaxed, f"{how}, without demanding {given_up}: that leaves nothing", found
    return question, asked, places


def _list_relaxed(text: str, query: ParsedQuery) -> tuple[str, ...]:
    """List what a query demands as typed, and not as it was run."""
    if query.is_pasted or query.demands is Demands.ALL:
        return ()
    demanded = parse_query(text).demanded
    return tuple(each for each in demanded if each not in query.demanded)


def _make_question(
    context: SearchContext,
    query: ParsedQuery,
    options: SearchOptions,
    bridged: tuple[Expansion, ...],
) -> Question:
    """Put together all that is known of a query before any document is looked at."""
    unused = set(PARTS) if options.mode == "plain" else options.without
    has_vectors = any(database.embedder for database in context.databases)
    if options.mode in ("semantic", "both") and not has_vectors:
        raise QueryError(
            f"the index has no vectors for --mode {options.mode}; save it again with "
            "--embedder wordllama, or search with --mode fts5"
        )
    by_meaning = has_vectors and "meaning" not in unused and options.mode != "fts5"
    if options.fusion.meaning is not None and not by_meaning:
        why = (
            f"--mode {options.mode} does without it" if has_vectors else "the index has no vectors"
        )
        raise QueryError(
            f"a share of meaning of {options.fusion.meaning:g} has nothing to weigh: {why}; leave "
            "it out"
        )
    aliases = context.aliases
    find_framework = aliases.find_full_name if "aliases" in unused else aliases.find_slug
    return Question(
        query=query,
        condition=options.filters.condition(aliases.resolve(options.filters.framework)),
        expansions={} if "aliases" in unused else aliases.expand(query.words),
        bridged=() if "vocabulary" in unused else bridged,
        depth=max(_DEPTH, options.limit),
        enough=options.limit,
        by_words=options.mode != "semantic",
        by_meaning=by_meaning,
        language=options.filters.language.lower(),
        blend=options.fusion.blend,
        find_framework=find_framework,
        declarations=(
            None if "declarations" in unused else read_declarations(query.wanted, find_framework)
        ),
        without=options.without,
    )


class _FusedDocument(NamedTuple):
    """A ranked document, the file it is in, and its rank in its source's list."""

    database: Database
    ranked: RankedCandidate
    fused: FusedRank
    scoring: Scoring
    reranked: float | None = None


def _run_mode(
    context: SearchContext, question: Question, options: SearchOptions
) -> tuple[str, list[_FusedDocument]]:
    """Search by what the mode says; in mode `smart`, without a model that is out of reach."""
    if options.mode == "plain":
        return _search_by_words(context, question, options)
    try:
        return _search_fused(context, question, options)
    except EmbeddingError as problem:
        # A mode that names meaning promises it; `smart` promises the best that can be had.
        if options.mode != "smart":
            raise
        by_words = replace(question, by_meaning=False)
        asked, places = _search_fused(context, by_words, options)
        return f"{asked}, not by meaning: {problem}", places


def _search_by_words(
    context: SearchContext, question: Question, options: SearchOptions
) -> tuple[str, list[_FusedDocument]]:
    """Make one list by BM25F score alone."""
    found = []
    for database in context.databases:
        listed = rank_by_words(database, _choose_sources(database, options.filters), question)
        found += [(database, ranked, listed.scoring) for ranked in listed.ranked]
    found.sort(key=lambda each: (-each[1].score, each[1].candidate.uri))
    places = []
    for rank, (database, ranked, scoring) in enumerate(found, 1):
        source = database.sources[ranked.candidate.id >> SOURCE_SHIFT].name
        fused = FusedRank(source, rank, weight=1.0, relevance=1.0, earned=ranked.score)
        places.append(_FusedDocument(database, ranked, fused, scoring))
    return "every source, by words alone", places


def _search_fused(
    context: SearchContext, question: Question, options: SearchOptions
) -> tuple[str, list[_FusedDocument]]:
    """Fuse the lists of sources; an identifier that sources of code know is asked of them alone."""
    chosen = [_choose_sources(database, options.filters) for database in context.databases]
    how = _MEANS[question.by_words, question.by_meaning]
    is_named = question.query.identifier and "routing" not in question.without
    if is_named and not options.filters.sources:
        # Prose that mentions an identifier would crowd out the page about it. Files stay: they are
        # found by their names.
        preferred = []
        for database, numbers in zip(context.databases, chosen, strict=True):
            sources = [(number, database.sources[number]) for number in numbers]
            preferred.append(
                [
                    number
                    for number, source in sources
                    if source.prefers_symbols or source.ranking == "files"
                ]
            )
        places = _fuse(context, preferred, question, options.fusion)
        if _are_about(places, question.query.name):
            return f"identifier: sources that know code, {how}", places
    asked = "the sources named" if options.filters.sources else "every source"
    return f"{asked}, {how}", _fuse(context, chosen, question, options.fusion)


def _are_about(places: Sequence[_FusedDocument], identifier: str) -> bool:
    """Return whether a document is called like an identifier, or contains it as it was typed."""
    found: dict[Database, list[int]] = {}
    for place in places:
        if place.ranked.candidate.title_match is not None:
            return True
        found.setdefault(place.database, []).append(place.ranked.candidate.id)
    match = quote((identifier,))
    return any(
        database.value(_HAS_TERM, (match, json.dumps(numbers)))
        for database, numbers in found.items()
    )


def _choose_sources(database: Database, filters: Filters) -> list[int]:
    """Return the numbers of the sources of a file that are searched."""
    return [
        number
        for number, source in database.sources.items()
        if not filters.sources or source.name in filters.sources
    ]


def _fuse(
    context: SearchContext, chosen: Sequence[Sequence[int]], question: Question, fusion: Fusion
) -> list[_FusedDocument]:
    lists = []
    for database, numbers in zip(context.databases, chosen, strict=True):
        if numbers:
            ranked = rank_sources(database, numbers, question, context.semantic)
            for number, listed in ranked.items():
                lists.append((database, database.sources[number], listed))
    places: list[_FusedDocument] = []
    # Fusion keeps the order of each list, so more of one can never be among the first.
    most = max(_RERANKED, question.enough)
    relevances = compare_lists([listed.ranked for _, _, listed in lists])
    for (database, source, listed), own in zip(lists, relevances, strict=True):
        weight = 1.0 if "authority" in question.without else source.weight
        ranks = fusion.score_ranks(source.name, weight, own[:most], is_prose=question.is_prose)
        pairs = zip(listed.ranked[:most], ranks, strict=True)
        places += [_FusedDocument(database, each, fused, listed.scoring) for each, fused in pairs]
    # Documents of a source of weight 0 are not hits.
    places = [each for each in places if each.fused.weight]
    # What the query names goes before the best of another source.
    places.sort(
        key=lambda each: (-each.fused.earned, not each.ranked.is_named, each.ranked.candidate.uri)
    )
    archives = {source.name for _, source, _ in lists if source.is_archive}
    if not archives or not question.is_prose or "authority" in question.without:
        return places
    return _put_archives_back(places, archives)


def _put_archives_back(
    places: list[_FusedDocument], archives: Collection[str]
) -> list[_FusedDocument]:
    """Let current pages pass those of archives, and mark the pages that were passed."""
    order = put_archives_back([each.fused for each in places], archives)
    return [
        places[old]._replace(fused=places[old].fused._replace(is_passed=True))
        if old < new
        else places[old]
        for new, old in enumerate(order)
    ]


def _get_found(place: _FusedDocument, question: Question, mode: str) -> FoundDocument:
    """Return what the floor is measured by: in any mode the words that the ranking looks for."""
    blended = place.ranked.blended
    similarity = blended.similarity if blended else None
    number = place.ranked.candidate.id
    scoring = place.scoring
    if mode == "plain":
        # The floor of an index was set by its rankings, which mode `plain` does without.
        scoring = prepare_scoring(place.database, number >> SOURCE_SHIFT, question)
    return FoundDocument(place.database, number, similarity or 0.0, scoring)


def _rerank(
    context: SearchContext, spec: str, question: Question, places: list[_FusedDocument]
) -> list[_FusedDocument]:
    """Put places in the order of the scores that a model gives them."""
    texts = [each.database.value(_TEXT, (each.ranked.candidate.id,)) for each in places]
    scores = context.rerankers.score(spec, question.query.wanted, texts)
    pairs = zip(places, scores, strict=True)
    rescored = [place._replace(reranked=score) for place, score in pairs]
    # The sort is stable: what the model cannot tell apart keeps the order of the fusion.
    return sorted(rescored, key=lambda each: -(each.reranked or 0.0))


def _make_hits(places: Sequence[_FusedDocument]) -> tuple[Hit, ...]:
    """Read the fields of hits, all of a file at once."""
    wanted: dict[Database, list[int]] = {}
    for place in places:
        wanted.setdefault(place.database, []).append(place.ranked.candidate.id)
    rows = {
        database: {row[0]: row[1:] for row in database.rows(_HITS, (json.dumps(numbers),))}
        for database, numbers in wanted.items()
    }
    hits = []
    for rank, place in enumerate(places, 1):
        number = place.ranked.candidate.id
        ranking = place.database.sources[number >> SOURCE_SHIFT].ranking
        hit = make_hit(
            rank, rows[place.database][number], ranking, place.ranked, place.fused, place.scoring
        )
        hits.append(hit if place.reranked is None else hit.with_reranked(place.reranked))
    return tuple(hits)
