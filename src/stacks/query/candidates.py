"""The documents of one database that may answer a query, in a ranked list for each source."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from stacks.query.lexical import Expression, LexicalSearch
from stacks.query.parsing import quote
from stacks.query.ranking import (
    PART_OF_TITLE,
    REPEATED,
    Candidate,
    Factor,
    correct,
    is_named,
    level,
    put_current_first,
)
from stacks.schema import SOURCE_SHIFT
from stacks.text import split_identifier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from stacks.query.aliases import Framework
    from stacks.query.database import Database
    from stacks.query.filters import Condition
    from stacks.query.parsing import UserQuery

__all__ = ["Question", "Ranked", "make_terms", "rank_plainly", "rank_sources"]

MOST_NAMESAKES = 500
MOST_HOLDERS = 2_000
PART = 0.5
"""What a match of a name's parts or beginning counts for, where whole words found too little."""

_IN_ORDER = """
SELECT m.id FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.id = wanted.value
ORDER BY m.uri LIMIT ?
"""
_TITLES = """
SELECT s.id, s.title FROM json_each(?) AS wanted JOIN docs_structured AS s ON s.id = wanted.value
"""
_DETAILS = """
SELECT m.id, m.uri, s.title, m.kind, m.language, m.is_deprecated, m.prominence,
       coalesce(f.documents, 0)
FROM json_each(?) AS wanted
JOIN docs_metadata AS m ON m.id = wanted.value JOIN docs_structured AS s ON s.id = m.id
LEFT JOIN framework_aliases AS f ON f.framework = m.framework
"""


@dataclass(frozen=True, slots=True)
class Question:
    """A query with everything that was found out about it before any document is looked at.

    `depth` is how many documents of each source are ranked; `enough` how many must be found
    before parts of names are not tried.
    """

    query: UserQuery
    expansions: Mapping[str, Framework]
    condition: Condition
    depth: int
    enough: int


class Ranked(NamedTuple):
    """A candidate in its source's list, with its corrected score and how it came to it."""

    candidate: Candidate
    factors: tuple[Factor, ...]
    score: float


def make_terms(query: UserQuery, slugs: Iterable[str]) -> tuple[str, ...]:
    """Write what counts in a query as FTS5 strings, what must occur first.

    A compound term counts as a whole and by its words; the slug of a framework counts where
    frameworks are named.
    """
    terms = dict.fromkeys(quote(phrase) for phrase in query.phrases)
    for term in query.terms:
        terms[quote(term)] = None
        terms.update({quote((word,)): None for word in term if len(word) > 1})
    for slug in slugs:
        terms[f"({{uri framework title}} : {quote((slug,))})"] = None
    return tuple(terms)


def make_expression(question: Question) -> Expression:
    """Write a query as what must occur, what must not, and what counts."""
    query = question.query
    slugs = [framework.slug for framework in question.expansions.values()]
    required = tuple(dict.fromkeys(quote(phrase) for phrase in query.phrases))
    excluded = tuple(quote(phrase) for phrase in query.excluded)
    return Expression(make_terms(query, slugs)[len(required) :], required, excluded)


def rank_plainly(database: Database, numbers: Sequence[int], question: Question) -> list[Ranked]:
    """Rank by BM25F alone, all sources in one list."""
    lexical = LexicalSearch(database, question.condition, numbers)
    scores = {} if question.query.is_empty else lexical.match_all(make_expression(question))
    best = _best(database, scores, question.depth)
    candidates = _look_up(database, best, scores, {})
    return sorted((Ranked(each, (), each.bm25) for each in candidates), key=_place)


def rank_sources(
    database: Database, numbers: Sequence[int], question: Question
) -> dict[int, list[Ranked]]:
    """Rank each source's documents by BM25F with all corrections."""
    lexical = LexicalSearch(database, question.condition, numbers)
    scores = (
        {} if question.query.is_empty else lexical.match(make_expression(question), question.enough)
    )
    nearness = _namesakes(lexical, question)
    if len(scores) < question.enough:
        scores = {**_match_parts(lexical, question), **scores}
    least = min((scores[each] for each in nearness if each in scores), default=1.0)
    scores.update({each: least for each in nearness if each not in scores})
    by_source: dict[int, dict[int, float]] = {}
    for number, score in scores.items():
        by_source.setdefault(number >> SOURCE_SHIFT, {})[number] = score
    lists = {}
    for source, own in by_source.items():
        wanted = dict.fromkeys(
            [*_best(database, own, question.depth), *(own.keys() & nearness.keys())]
        )
        lists[source] = _rank(
            _look_up(database, wanted, own, nearness), question.query.text.strip()
        )
    return lists


def _best(database: Database, scores: Mapping[int, float], count: int) -> list[int]:
    """The highest scores; of those that are equal at the end, the ones whose URIs come first."""
    if len(scores) <= count:
        return list(scores)
    last = nlargest(count, scores.values())[-1]
    above = [number for number, score in scores.items() if score > last]
    equal = [number for number, score in scores.items() if score == last]
    if len(above) + len(equal) > count:
        rows = database.rows(_IN_ORDER, (json.dumps(equal), count - len(above)))
        equal = [number for (number,) in rows]
    return above + equal


def _look_up(
    database: Database,
    numbers: Iterable[int],
    scores: Mapping[int, float],
    nearness: Mapping[int, int],
) -> list[Candidate]:
    rows = database.rows(_DETAILS, (json.dumps(list(numbers)),))
    return [
        Candidate(
            *(number, uri, title, kind, language),
            is_deprecated=bool(old),
            prominence=prominence,
            framework_size=size,
            bm25=scores[number],
            nearness=nearness.get(number),
        )
        for number, uri, title, kind, language, old, prominence, size in rows
    ]


def _rank(candidates: Sequence[Candidate], typed: str) -> list[Ranked]:
    levels = level(candidates)
    corrected = []
    for candidate in candidates:
        factors = correct(candidate, typed)
        if candidate.id in levels:
            factors.insert(0, levels[candidate.id])
        corrected.append(_apply(Ranked(candidate, (), candidate.bm25), factors))
    spread = sorted(_spread(sorted(corrected, key=_place)), key=_place)
    ranked = {each.candidate.id: each for each in spread}
    current_first = put_current_first([each.candidate for each in spread])
    return [ranked[candidate.id] for candidate in current_first]


def _apply(ranked: Ranked, factors: Iterable[Factor]) -> Ranked:
    score = ranked.score
    for factor in factors:
        score *= factor.factor
    return Ranked(ranked.candidate, (*ranked.factors, *factors), score)


def _spread(ranked: Iterable[Ranked]) -> Iterator[Ranked]:
    """Lower what repeats a title that stands above, unless the query names it."""
    seen: Counter[str] = Counter()
    for each in ranked:
        title = each.candidate.title
        if seen[title] and not is_named(each.candidate):
            yield _apply(
                each, [Factor(f"title repeated {seen[title]} times", REPEATED ** seen[title])]
            )
        else:
            yield each
        seen[title] += 1


def _place(ranked: Ranked) -> tuple[float, str]:
    return -ranked.score, ranked.candidate.uri


def _namesakes(lexical: LexicalSearch, question: Question) -> dict[int, int]:
    """Documents that the query names: as it stands, run together, or by a short form."""
    query = question.query
    if query.excluded or query.phrases:
        return {}
    found = _named(lexical, [query.name])
    others = []
    words = [word.casefold() for word in query.words]
    if 1 < len(words) <= 4:
        others.append("".join(words))
    for number, nearness in _named(lexical, others).items():
        found.setdefault(number, max(nearness, 1))
    framework = question.expansions.get(query.name)
    # A page that is called so means more than a framework that is nicknamed so.
    if framework and 0 not in found.values():
        found.update(dict.fromkeys(_roots(lexical, framework.slug), 0))
    if len(words) == 1 and len(query.terms) == 1:
        found = dict.fromkeys(_holders(lexical, words[0]), PART_OF_TITLE) | found
    return found


def _holders(lexical: LexicalSearch, word: str) -> list[int]:
    """Documents with the word, as typed, among the parts of their title.

    The text index knows only stems, which are the same for *floating* and *float*.
    """
    scores = lexical.match_telling(quote((word,)))
    numbers = _best(lexical.database, scores, MOST_HOLDERS)
    rows = lexical.database.rows(_TITLES, (json.dumps(numbers),))
    return [
        number
        for number, title in rows
        if word in (part.casefold() for part in (*split_identifier(title), *title.split()))
    ]


def _roots(lexical: LexicalSearch, slug: str) -> list[int]:
    """The page of a framework itself, which a short form of its name means."""
    condition = lexical.condition.sql or "1"
    sql = f"""
        SELECT m.id, m.uri FROM docs_metadata AS m
        WHERE m.framework = ? AND m.kind = 'module' AND {condition}
    """  # noqa: S608 - fixed conditions; what a person typed is bound
    rows = lexical.database.rows(sql, (slug, *lexical.condition.values))
    return [
        number
        for number, uri in rows
        if number >> SOURCE_SHIFT in lexical.sources and uri.endswith(f"://{slug}")
    ]


def _named(lexical: LexicalSearch, names: list[str]) -> dict[int, int]:
    if not names:
        return {}
    condition = lexical.condition.sql or "1"
    sources = ", ".join(map(str, lexical.sources))
    sql = f"""
        SELECT n.doc_id, min(n.nearness) FROM doc_names AS n
        CROSS JOIN docs_metadata AS m ON m.id = n.doc_id
        WHERE n.name IN (SELECT value FROM json_each(?)) AND {condition}
        AND n.doc_id >> {SOURCE_SHIFT} IN ({sources})
        GROUP BY n.doc_id ORDER BY 2, m.prominence DESC, m.uri LIMIT {MOST_NAMESAKES}
    """  # noqa: S608 - numbers and fixed conditions; what a person typed is bound
    values = (json.dumps(names), *lexical.condition.values)
    return dict(lexical.database.rows(sql, values))


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
