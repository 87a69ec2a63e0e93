"""The documents of one database that may answer a query, in a ranked list for each source.

Sources of the same ranking are searched together: prepare the question ─► documents by declaration,
meaning, name and words ─► candidates of each source ─► order by words and names ─► blend with
meaning.
"""

from __future__ import annotations

import json
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from stacks.query.candidates import Candidate, RankedCandidate
from stacks.query.declaration_queries import find_declaring, lift_declaring
from stacks.query.expansions import correct_spelling, find_synonyms
from stacks.query.features import add_framework_scores, find_file_scores, find_roots
from stacks.query.filters import DocumentFilter, find_required
from stacks.query.fusion import blend
from stacks.query.lexical import (
    Cutoff,
    Expression,
    LexicalSearch,
    WeightedExpression,
    choose_best,
    match_all,
    match_best,
)
from stacks.query.query_names import read_as_words
from stacks.query.query_parser import quote
from stacks.query.question import make_expression, quote_phrase
from stacks.query.rankings import COLUMN_WEIGHTS, Ranking, get_ranking, order_by_words
from stacks.schema import SOURCE_SHIFT
from stacks.text import split_identifier

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from stacks.guidance import Expansion
    from stacks.query.question import Question
    from stacks.query.semantic import SemanticSearch
    from stacks.storage import Database

__all__ = ["Scoring", "SourceList", "prepare_scoring", "rank_by_words", "rank_sources"]

_MOST_WORDS_COUNTED = 8
"""Queries of more words than this are not looked for as a whole."""

_DETAILS = """
SELECT m.id, m.uri, s.title, m.kind, m.language, m.is_deprecated, m.prominence, m.framework
FROM json_each(?) AS wanted
JOIN docs_metadata AS m ON m.id = wanted.value JOIN docs_structured AS s ON s.id = m.id
"""


class Scoring(NamedTuple):
    """What a list was scored by: the question as its documents were searched for, and weights."""

    question: Question
    weights: Mapping[str, float]


class SourceList(NamedTuple):
    """The ranked candidates of a source, and what they were scored by."""

    ranked: list[RankedCandidate]
    scoring: Scoring


def rank_by_words(database: Database, numbers: Sequence[int], question: Question) -> SourceList:
    """Rank by BM25F alone, all sources in one list."""
    lexical = LexicalSearch(database, question.condition, numbers, COLUMN_WEIGHTS)
    scores = {}
    if not question.query.is_empty:
        scores = match_best(lexical, make_expression(question), (), Cutoff(question.depth))
    best = choose_best(database, scores, question.depth)
    rows = _read_details(database, best)
    ranked = order_by_words(_make_candidates(rows, _Evidence(scores)))
    return SourceList(ranked, Scoring(question, COLUMN_WEIGHTS))


def rank_sources(
    database: Database, numbers: Sequence[int], question: Question, semantic: SemanticSearch
) -> dict[int, SourceList]:
    """Rank the documents of each source by its own ranking; sources without any are left out."""
    groups: dict[str, list[int]] = {}
    for number in numbers:
        groups.setdefault(database.sources[number].ranking, []).append(number)
    lists: dict[int, SourceList] = {}
    for name, own in groups.items():
        ranking = get_ranking(name).reduce(question.without)
        lists |= _rank_group(database, own, question, ranking, semantic)
    return lists


def _rank_group(
    database: Database,
    numbers: Sequence[int],
    question: Question,
    ranking: Ranking,
    semantic: SemanticSearch,
) -> dict[int, SourceList]:
    """Rank the documents of sources of the same ranking."""
    question = _prepare(question, database, numbers, ranking)
    lexical = LexicalSearch(database, question.condition, numbers, ranking.weights)
    passing = DocumentFilter(
        find_required(lexical, question), ranking.find_excluded(lexical, question)
    )
    # What a query describes as a declaration (*async functions that throw*) is a fact of the code:
    # similar texts would only be in its way, so meaning is not asked.
    similarities = None
    declaring = _find_declaring(lexical, question, ranking, passing)
    if question.by_meaning and not declaring:
        similarities = semantic.find(database, numbers, question, passing)
    if similarities is not None:
        share = semantic.weigh(database, ranking.meaning_share)
        by_scores = ranking.blends_scores and semantic.has_degrees(database)
        ranking = replace(ranking, meaning_share=share, blends_scores=by_scores)
    if similarities is None and not question.by_words and not question.by_names_alone:
        # If meaning is out of reach, words are better than nothing.
        question = replace(question, by_words=True)
    title_matches = passing.keep(ranking.find_names(lexical, question))
    if question.by_names_alone and not title_matches:
        # A pattern that no file is called by may still be words of a text.
        question = read_as_words(question)
        title_matches = passing.keep(ranking.find_names(lexical, question))
    # Named documents keep their scores however low: they are ranked by their names.
    cutoff = Cutoff(question.depth, {*title_matches, *declaring})
    scores = _find_by_words(lexical, question, ranking, passing, cutoff)
    _add_named(scores, title_matches)
    _add_named(scores, declaring)
    with_all_words = (
        _find_with_all_words(lexical, question) if ranking.counts_all_words else frozenset()
    )
    found = _Matches(
        _divide(scores, numbers),
        title_matches,
        declaring,
        with_all_words,
        _divide(similarities, numbers) if similarities else None,
    )
    ranked = {each: _rank_source(database, each, question, ranking, found) for each in numbers}
    scoring = Scoring(question, ranking.weights)
    return {source: SourceList(listed, scoring) for source, listed in ranked.items() if listed}


class _Matches(NamedTuple):
    """What was found, by document; words and meaning by source.

    `by_meaning` is None if nothing was looked for by meaning: there is no list to blend with.
    """

    by_words: Mapping[int, Mapping[int, float]]
    title_matches: Mapping[int, int]
    declaring: Mapping[int, bool]
    with_all_words: Collection[int]
    by_meaning: Mapping[int, Mapping[int, float]] | None


class _Evidence(NamedTuple):
    """What speaks for documents: their words, names, and the documents around them."""

    scores: Mapping[int, float]
    title_matches: Mapping[int, int] = MappingProxyType({})
    with_all_words: Collection[int] = frozenset()
    framework_scores: Mapping[int, float] = MappingProxyType({})
    file_scores: Mapping[int, float] = MappingProxyType({})


def _rank_source(
    database: Database, source: int, question: Question, ranking: Ranking, found: _Matches
) -> list[RankedCandidate]:
    """Rank what was found of one source: by words and names, then blended with meaning."""
    own = found.by_words[source]
    similar = found.by_meaning[source] if found.by_meaning else {}
    if not own and not similar:
        return []
    best = choose_best(database, own, question.depth)
    named = own.keys() & (found.title_matches.keys() | found.declaring.keys())
    wanted = {*best, *named}
    # Read once for words and meaning, though only those found by words are ordered next.
    rows = _read_details(database, [*(wanted | similar.keys())])
    roots = {}
    if question.is_prose and ranking.uses_frameworks:
        places = [(row[0], row[1], row[7]) for row in rows]
        roots = find_roots(database.sources[source].name, places)
    # Only the best are sure to have their scores read.
    scores = {number: own[number] for number in wanted}
    evidence = _Evidence(
        scores,
        found.title_matches,
        found.with_all_words,
        add_framework_scores(scores, roots),
        find_file_scores(database, scores, question) if ranking.uses_files else {},
    )
    by_words = (row for row in rows if row[0] in wanted)
    candidates = _make_candidates(by_words, evidence, is_prose=question.is_prose)
    if "age" in question.without:
        candidates = [_forget_age(each) for each in candidates]
    listed = lift_declaring(ranking.order(candidates, question), found.declaring)
    if found.by_meaning is None:
        return listed
    # Found by meaning alone: not ordered by words, and without a score of them.
    others = _make_candidates((row for row in rows if row[0] not in wanted), _Evidence({}))
    unranked = [RankedCandidate(each, (), 0.0) for each in others]
    added = add_framework_scores(similar, roots)
    by_scores = question.blend.by_scores and ranking.blends_scores
    settings = replace(question.blend, by_scores=by_scores)
    blended = blend(listed, unranked, similar, settings, ranking.meaning_share, added)
    return ranking.settle(blended)


def prepare_scoring(database: Database, source: int, question: Question) -> Scoring:
    """Return what documents of a source are scored by, if it is searched by its own ranking."""
    ranking = get_ranking(database.sources[source].ranking).reduce(question.without)
    return Scoring(_prepare(question, database, [source], ranking), ranking.weights)


def _prepare(
    question: Question, database: Database, numbers: Sequence[int], ranking: Ranking
) -> Question:
    """Adapt a question to the documents it is run against."""
    question = ranking.prepare(question, database)
    if not question.by_words:
        return question
    lexical = LexicalSearch(database, question.condition, numbers, ranking.weights)
    meant = correct_spelling(lexical, question) if ranking.fixes_spelling else ()
    if ranking.uses_synonyms and "vocabulary" not in question.without:
        meant += find_synonyms(lexical, question)
    return replace(question, bridged=(*question.bridged, *meant)) if meant else question


def _find_declaring(
    lexical: LexicalSearch, question: Question, ranking: Ranking, passing: DocumentFilter
) -> dict[int, bool]:
    """Find documents with a declaration as the query describes it, if the ranking uses these."""
    if question.declarations is None or not ranking.uses_declarations:
        return {}
    return passing.keep(find_declaring(lexical, question.declarations))


def _divide(
    scores: Mapping[int, float], sources: Sequence[int]
) -> Mapping[int, Mapping[int, float]]:
    """Divide documents by the source they belong to."""
    if len(sources) == 1:
        return {sources[0]: scores}
    divided: dict[int, dict[int, float]] = {source: {} for source in sources}
    for number, score in scores.items():
        divided[number >> SOURCE_SHIFT][number] = score
    return divided


def _find_by_words(
    lexical: LexicalSearch,
    question: Question,
    ranking: Ranking,
    passing: DocumentFilter,
    cutoff: Cutoff,
) -> dict[int, float]:
    """Score documents by the words of a query, and the words of the corpus that stand for them.

    If that makes one list, documents beyond the cutoff may be left out.
    """
    if not question.by_words or question.query.is_empty:
        return {}
    # The ranking has found what must not occur: it may know better where to look.
    expression = replace(make_expression(question), excluded=())
    added = [_weigh(expansion) for expansion in question.bridged]
    if passing:
        # What is left after the filter is not known before, so there is no cutoff to search by.
        scores = match_all(lexical, expression, added)
    else:
        scores = match_best(lexical, expression, added, cutoff)
    if len(scores) < question.enough and ranking.tries_parts:
        # Whole words overwrite parts: a document found by both keeps its score by words.
        scores = {**_match_parts(lexical, question), **scores}
    return passing.keep(scores)


def _weigh(expansion: Expansion) -> WeightedExpression:
    """Return what finds words of the corpus that stand for those of the query."""
    # With `instead`, documents that have the word itself must not be scored for both.
    without = (quote_phrase(expansion.because),) if expansion.instead else ()
    found = Expression((quote_phrase(expansion.phrase),), excluded=without)
    return WeightedExpression(found, expansion.weight)


def _match_parts(lexical: LexicalSearch, question: Question) -> dict[int, float]:
    """If whole words find too little: parts of identifiers, and prefixes of names."""
    query = question.query
    found: dict[int, float] = {}
    # Demands are meant to the letter, and a long query that finds little is not half a name.
    if query.phrases or query.excluded or len(query.terms) > 4:
        return found
    last = query.terms[-1][-1] if query.terms else ""
    if len(last) > 2:
        found.update(lexical.match_prefix(quote((last,))))
    for word in query.words:
        parts = split_identifier(word)
        if len(parts) > 1:
            required = tuple(quote((part,)) for part in parts)
            found.update(lexical.match(Expression((), required)))
    return found


def _add_named(scores: dict[int, float], named: Collection[int]) -> None:
    """Give documents that are named, but not found by words, the least score of those that are."""
    least = min((scores[each] for each in named if each in scores), default=1.0)
    scores.update({each: least for each in named if each not in scores})


def _find_with_all_words(lexical: LexicalSearch, question: Question) -> frozenset[int]:
    """Find documents that have every word of a query of several."""
    words = question.query.words
    if not question.by_words or not 1 < len(words) <= _MOST_WORDS_COUNTED:
        return frozenset()
    every = Expression((), tuple(question.write(word) for word in words))
    return frozenset(lexical.match(every))


def _read_details(database: Database, numbers: Sequence[int]) -> list[tuple[Any, ...]]:
    """Read what is known of documents: a row of `_DETAILS` for each."""
    return database.rows(_DETAILS, (json.dumps(numbers),))


def _make_candidates(
    rows: Iterable[tuple[Any, ...]], evidence: _Evidence, *, is_prose: bool = False
) -> list[Candidate]:
    """Put together what is known of documents before they are ordered.

    A person who types a name means the page that is prominent by it. A person who asks in words
    (`is_prose`) wants the page that says most about it, be it a guide or a method: unless it is
    named, it counts neither that a page is a type nor how many are below it.
    """
    scores, title_matches, with_all_words, framework_scores, file_scores = evidence
    candidates = []
    for number, uri, title, kind, language, old, prominence, _ in rows:
        match = title_matches.get(number)
        is_plain = is_prose and match is None
        candidates.append(
            Candidate(
                number,
                uri,
                title,
                "" if is_plain else kind,
                language,
                bool(old),
                0 if is_plain else prominence,
                scores.get(number, 0.0),
                match,
                number in with_all_words,
                framework_scores.get(number, 0.0) if is_plain else 0.0,
                file_scores.get(number, 0.0),
            )
        )
    return candidates


def _forget_age(candidate: Candidate) -> Candidate:
    language = "" if candidate.language == "objc" else candidate.language
    return candidate._replace(is_deprecated=False, language=language)
