"""The documents of one database that may answer a query, in a ranked list for each source."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from stacks.query.blending import Ranked, blend
from stacks.query.choosing import choose_best
from stacks.query.corrections import Candidate
from stacks.query.cutting import Cut, match_best
from stacks.query.declarations import find_declaring, lift
from stacks.query.demands import Demands, find_demanded
from stacks.query.frameworks import find_roots, lean_on_roots
from stacks.query.lexical import Expression, LexicalSearch
from stacks.query.misspellings import find_meant
from stacks.query.ordering import order_plainly
from stacks.query.parsing import quote
from stacks.query.questions import make_expression, quote_phrase
from stacks.query.rankings import RANKINGS, Ranking, get_ranking
from stacks.schema import SOURCE_SHIFT
from stacks.text import split_identifier

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from stacks.query.database import Database
    from stacks.query.meaning import Meanings
    from stacks.query.questions import Question

__all__ = ["prepare", "rank_plainly", "rank_sources"]

MOST_TOGETHER = 8
"""Words of a query that can be expected together."""
PART = 0.5
"""What a match of a name's parts or beginning counts for, where whole words found too little."""

_DETAILS = """
SELECT m.id, m.uri, s.title, m.kind, m.language, m.is_deprecated, m.prominence,
       coalesce(f.documents, 0)
FROM json_each(?) AS wanted
JOIN docs_metadata AS m ON m.id = wanted.value JOIN docs_structured AS s ON s.id = m.id
LEFT JOIN framework_aliases AS f ON f.framework = m.framework
"""


def rank_plainly(database: Database, numbers: Sequence[int], question: Question) -> list[Ranked]:
    """Rank by BM25F alone, all sources in one list."""
    weights = RANKINGS["documentation"].weights
    lexical = LexicalSearch(database, question.condition, numbers, weights)
    scores = {} if question.query.is_empty else lexical.match_all(make_expression(question))
    best = choose_best(database, scores, question.depth)
    return order_plainly(_look_up(database, best, scores, {}, {}), question)


def rank_sources(
    database: Database, numbers: Sequence[int], question: Question, meanings: Meanings
) -> dict[int, list[Ranked]]:
    """Rank each source's documents the way it wants them ranked."""
    groups: dict[str, list[int]] = {}
    for number in numbers:
        groups.setdefault(database.sources[number].ranking, []).append(number)
    lists: dict[int, list[Ranked]] = {}
    for name, own in groups.items():
        ranking = get_ranking(name).reduce(question.without)
        lists |= _rank_group(database, own, question, ranking, meanings)
    return lists


def _rank_group(
    database: Database,
    numbers: Sequence[int],
    question: Question,
    ranking: Ranking,
    meanings: Meanings,
) -> dict[int, list[Ranked]]:
    """Rank the documents of sources that want the same."""
    question = prepare(question, database, numbers, ranking)
    lexical = LexicalSearch(database, question.condition, numbers, ranking.weights)
    demands = Demands(find_demanded(lexical, question), ranking.find_excluded(lexical, question))
    similarities = None
    declaring = _find_declaring(lexical, question, ranking, demands)
    if question.by_meaning and not declaring:
        similarities = meanings.find(database, numbers, question, demands)
    if similarities is None and not question.by_words and not question.by_names_alone:
        # Where meaning is out of reach, words are better than nothing.
        question = replace(question, by_words=True)
    nearness = demands.keep(ranking.find_names(lexical, question))
    cut = Cut(question.depth, {*nearness, *declaring, *(similarities or ())})
    scores = _find_by_words(lexical, question, ranking, demands, cut)
    _add_named(scores, nearness)
    _add_named(scores, declaring)
    wholeness = _find_wholes(lexical, question) if ranking.weighs_wholes else {}
    found = _Found(
        *(_divide(scores, numbers), nearness, declaring, wholeness),
        _divide(similarities, numbers) if similarities else None,
    )
    ranked = {each: _rank_source(database, each, question, ranking, found) for each in numbers}
    return {source: listed for source, listed in ranked.items() if listed}


class _Found(NamedTuple):
    """What was found by the numbers of documents; by words and by meaning of each source.

    Where nothing was looked for by meaning, there is no list to blend with.
    """

    by_words: Mapping[int, Mapping[int, float]]
    nearness: Mapping[int, int]
    declaring: Mapping[int, bool]
    wholeness: Mapping[int, int]
    by_meaning: Mapping[int, Mapping[int, float]] | None


def _rank_source(
    database: Database, source: int, question: Question, ranking: Ranking, found: _Found
) -> list[Ranked]:
    """Rank what was found of one source: by words and names, then blended with meaning."""
    own = found.by_words[source]
    alike = found.by_meaning[source] if found.by_meaning else {}
    if not own and not alike:
        return []
    best = choose_best(database, own, question.depth)
    named = own.keys() & (found.nearness.keys() | found.declaring.keys())
    wanted = dict.fromkeys([*best, *named])
    candidates = _look_up(database, wanted, own, found.nearness, found.wholeness)
    if "age" in question.without:
        candidates = [_forget_age(each) for each in candidates]
    roots: dict[int, int] = {}
    if question.is_prose:
        roots = find_roots(database, {*wanted, *alike}) if ranking.knows_frameworks else {}
        # Only of the best is it sure that their scores are known.
        given = lean_on_roots({each.id: each.bm25 for each in candidates}, roots)
        candidates = [_weigh_for_words(each, given.get(each.id, 0.0)) for each in candidates]
    listed = lift(ranking.order(candidates, question), found.declaring)
    if found.by_meaning is None:
        return listed
    others = _look_up(database, alike.keys() - wanted.keys(), own, {}, {})
    unranked = [Ranked(each, (), 0.0) for each in others]
    given = lean_on_roots(alike, roots)
    return ranking.settle(blend(listed, unranked, alike, question.blend, ranking.share, given))


def prepare(
    question: Question, database: Database, numbers: Sequence[int], ranking: Ranking
) -> Question:
    """Fit a question to the documents it is asked of."""
    question = ranking.prepare(question, database)
    if not ranking.mends_spelling or not question.by_words:
        return question
    lexical = LexicalSearch(database, question.condition, numbers, ranking.weights)
    meant = find_meant(lexical, question)
    return replace(question, bridged=(*question.bridged, *meant)) if meant else question


def _find_declaring(
    lexical: LexicalSearch, question: Question, ranking: Ranking, demands: Demands
) -> dict[int, bool]:
    """Find documents with a declaration that is as the query says, where symbols are known."""
    if question.declarations is None or not ranking.knows_declarations:
        return {}
    found = find_declaring(lexical, question.declarations)
    return {number: found[number] for number in demands.keep(dict.fromkeys(found, 0))}


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
    lexical: LexicalSearch, question: Question, ranking: Ranking, demands: Demands, cut: Cut
) -> dict[int, float]:
    """Score documents by the words of a query, and of the corpus's for them.

    Where that makes one list, what the cut does not want may be left out.
    """
    if not question.by_words or question.query.is_empty:
        return {}
    # What must not occur is looked for by the ranking, which may know better where.
    expression = replace(make_expression(question), excluded=())
    if len(lexical.sources) == 1 and not question.bridged and not demands:
        scores = match_best(lexical, expression, question.enough, cut)
    else:
        scores = lexical.match(expression, question.enough + len(demands.refused))
    for expansion in question.bridged:
        found = lexical.match(Expression((quote_phrase(expansion.phrase),)), 1)
        for number, score in found.items():
            scores[number] = scores.get(number, 0.0) + expansion.weight * score
    if len(scores) < question.enough and ranking.tries_parts:
        scores = {**_match_parts(lexical, question), **scores}
    return demands.keep(scores)


def _add_named(scores: dict[int, float], nearness: Collection[int]) -> None:
    """Give documents that the query names, and its words do not find, the least of the others."""
    least = min((scores[each] for each in nearness if each in scores), default=1.0)
    scores.update({each: least for each in nearness if each not in scores})


def _find_wholes(lexical: LexicalSearch, question: Question) -> dict[int, int]:
    """Find documents that have every word of a query, and those that have them in a row."""
    words = question.query.words
    if not question.by_words or not 1 < len(words) <= MOST_TOGETHER:
        return {}
    every = Expression((), tuple(question.write(word) for word in words))
    found = dict.fromkeys(lexical.match(every, 1), 1)
    if found:
        found |= dict.fromkeys(lexical.match(Expression((), (quote(words),)), 1), 2)
    return found


def _look_up(
    database: Database,
    numbers: Iterable[int],
    scores: Mapping[int, float],
    nearness: Mapping[int, int],
    wholeness: Mapping[int, int],
) -> list[Candidate]:
    rows = database.rows(_DETAILS, (json.dumps(list(numbers)),))
    return [
        Candidate(
            *(number, uri, title, kind, language),
            is_deprecated=bool(old),
            prominence=prominence,
            framework_size=size,
            bm25=scores.get(number, 0.0),
            nearness=nearness.get(number),
            wholeness=wholeness.get(number, 0),
        )
        for number, uri, title, kind, language, old, prominence, size in rows
    ]


def _weigh_for_words(candidate: Candidate, given: float) -> Candidate:
    """Forget that a page is a type and has many below it; know what its framework gives it.

    Who types a name means the page that is prominent by it, so what the query names stays as it is.
    Who asks a question in words wants the page that says most of it, be it a guide or a method.
    """
    if candidate.nearness is not None:
        return candidate
    return candidate._replace(kind="", prominence=0, framework_size=0, given=given)


def _forget_age(candidate: Candidate) -> Candidate:
    language = "" if candidate.language == "objc" else candidate.language
    return candidate._replace(is_deprecated=False, language=language)


def _match_parts(lexical: LexicalSearch, question: Question) -> dict[int, float]:
    """Where whole words find too little: parts of identifiers, and beginnings of names."""
    query = question.query
    found: dict[int, float] = {}
    if query.phrases or query.excluded or len(query.terms) > 4:
        return found
    last = query.terms[-1][-1] if query.terms else ""
    if len(last) > 2:
        found.update(lexical.match_prefix(quote((last,))))
    for word in query.words:
        parts = split_identifier(word)
        if len(parts) > 1:
            required = tuple(quote((part,)) for part in parts)
            found.update(lexical.match(Expression((), required), question.enough))
    return {number: score * PART for number, score in found.items()}
