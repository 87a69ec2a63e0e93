"""How documents of a kind of source are ranked: which columns count, what names them, what order.

A source says which of these its documents want (`SourceKind.ranking`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from cranfield_shared.registry import Registry
from stacks.errors import QueryError
from stacks.query.candidates import Factor, RankedCandidate, multiply
from stacks.query.document_names import find_named_documents
from stacks.query.features import (
    TITLE_FACTORS,
    TWIN,
    find_twins,
    level_names,
    list_factors,
    put_current_first,
    weigh,
)
from stacks.query.filters import find_excluded
from stacks.query.fusion import MEANING_SHARE
from stacks.query.query_names import NAME_MATCHES, find_excluded_files, find_file_names, is_pattern
from stacks.query.query_parser import parse_query, quote
from stacks.query.weights import WEIGHTS
from stacks.schema import TEXT_COLUMNS
from stacks.text import detect_language, find_natural_language, list_stored_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from stacks.query.candidates import Candidate
    from stacks.query.lexical import LexicalSearch
    from stacks.query.question import Question
    from stacks.storage import Database

__all__ = ["COLUMN_WEIGHTS", "RANKINGS", "Ranking", "get_ranking", "order_by_words"]

COLUMN_WEIGHTS: Mapping[str, float] = {
    column: WEIGHTS[row].value if (row := f"column.{column}") in WEIGHTS else 1.0
    for column in TEXT_COLUMNS
}
"""The BM25 weight of every column: its row in the table of weights, or else 1."""

_HAS_ALL_WORDS = weigh("has every word", "has_all_words")
_MOVED = Factor("moved: current pages of a title go first", 1.0)
"""For a page that changed its place with another of its title; its score is the same."""
_EQUAL_DIGITS = "%.9g"
"""Scores that agree in nine digits differ only by the order of multiplication."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """One way to rank.

    - `weights` are the BM25 weights of the columns of `docs_fts`.
    - `find_names` finds documents that the query names, with their `Candidate.title_match`.
    - `order` puts candidates in order by words and names.
    - `prepare` adapts a question to what a file holds.
    - `settle` has the last word on the order after words and meaning are blended.
    - `find_excluded` finds documents with something that must not occur.
    - `counts_all_words` says whether it counts to have all words of a query.
    - `fixes_spelling` says whether words that no document has are taken for near ones.
    - `meaning_share` is the share of meaning in the blend, unless the user gives one.
    - `blends_scores` says whether words and meaning are blended by scores instead of ranks, if the
      model is an encoder and the user gives no k.
    - `tries_parts` says whether parts of names are tried if whole words find too little.
    - `uses_declarations` says whether a query can describe declarations.
    - `uses_frameworks` says whether the page of a framework adds to the scores of those below it.
    - `uses_synonyms` says whether a question is run with synonyms of programming as well.
    - `uses_files` says whether the chunks of a file add to each other's scores.
    """

    weights: Mapping[str, float]
    find_names: Callable[[LexicalSearch, Question], dict[int, int]]
    order: Callable[[Sequence[Candidate], Question], list[RankedCandidate]]
    prepare: Callable[[Question, Database], Question] = lambda question, _: question
    settle: Callable[[list[RankedCandidate]], list[RankedCandidate]] = lambda ranked: ranked
    find_excluded: Callable[[LexicalSearch, Question], frozenset[int]] = find_excluded
    counts_all_words: bool = False
    fixes_spelling: bool = False
    meaning_share: float = MEANING_SHARE
    blends_scores: bool = False
    tries_parts: bool = True
    uses_declarations: bool = False
    uses_frameworks: bool = False
    uses_synonyms: bool = False
    uses_files: bool = False

    def reduce(self, without: frozenset[str]) -> Ranking:
        """Return the same ranking without some parts of the engine."""
        reduced = self
        if "names" in without:
            # A title is a name, too: left in the text index, it would still find its page.
            nameless = {**self.weights, "title": 0.0}
            reduced = replace(reduced, weights=nameless, find_names=lambda *_: {})
        if "components" in without:
            whole = {**reduced.weights, "symbol_components": 0.0}
            reduced = replace(reduced, weights=whole, tries_parts=False)
        return reduced


def order_by_words(candidates: Iterable[Candidate]) -> list[RankedCandidate]:
    """Put candidates in order by their BM25 score alone."""
    return sorted((RankedCandidate(each, (), each.bm25) for each in candidates), key=_by_score)


def _by_score(ranked: RankedCandidate) -> tuple[float, str]:
    return -ranked.score, ranked.candidate.uri


# Documentation: names, kinds, age and place of a page.


def _order_documentation(
    candidates: Sequence[Candidate], question: Question
) -> list[RankedCandidate]:
    """Put candidates in order by their words, and all that is known of documentation."""
    typed = question.typed
    twins = find_twins(candidates, typed)
    if twins:
        # The name of a twin is the name of its Swift page.
        candidates = [
            each._replace(title_match=None) if each.id in twins else each for each in candidates
        ]
    levels = level_names(candidates)
    scored = []
    for candidate in candidates:
        factors = list_factors(candidate, typed)
        if candidate.id in twins:
            factors = (*factors, TWIN)
        # In front: it replaces the BM25 of a named page, and an explanation reads in that order.
        if candidate.id in levels:
            factors = (levels[candidate.id], *factors)
        has_title = candidate.has_title
        score = multiply(candidate.bm25, factors)
        ranked = RankedCandidate(candidate, factors, score, int(has_title), has_title)
        # By score; of equal ones first that with the most pages below or beside it, then the
        # shorter title: of two methods it takes fewer arguments.
        rounded = float(_EQUAL_DIGITS % score)
        place = (-rounded, -candidate.prominence, len(candidate.title), candidate.uri)
        scored.append((place, ranked))
    scored.sort()
    return _settle_documentation([each[-1] for each in scored])


def _settle_documentation(ranked: Sequence[RankedCandidate]) -> list[RankedCandidate]:
    """Put no deprecated page above a current page of the same title."""
    candidates = [each.candidate for each in ranked]
    current_first = put_current_first(candidates)
    if current_first == candidates:
        return list(ranked)
    # Places are exchanged, scores are not; the factor of 1 tells in an explanation why a page with
    # the lower score stands above.
    by_number = {each.candidate.id: each for each in ranked}
    settled = []
    for old, candidate in zip(ranked, current_first, strict=True):
        each = by_number[candidate.id]
        if each is not old and _MOVED not in each.factors:
            each = each._replace(factors=(*each.factors, _MOVED))
        settled.append(each)
    return settled


# Files: their names before their content.


def _order_files(candidates: Sequence[Candidate], question: Question) -> list[RankedCandidate]:
    """Names in tiers; within one the better match of words, then the higher and shorter path."""
    wanted = question.typed.casefold()

    def place(ranked: RankedCandidate) -> tuple[object, ...]:
        candidate = ranked.candidate
        # For *report*, `report.pdf` goes before `reporting.pdf`, whatever their words score.
        is_word = wanted in candidate.title.casefold().replace(".", " ").replace("-", " ").split()
        depth, length = candidate.uri.count("/"), len(candidate.title)
        return -ranked.tier, not is_word, -ranked.score, depth, length, candidate.uri

    ranked = []
    for candidate in candidates:
        match = candidate.title_match
        tier = 0 if match is None else len(NAME_MATCHES) - match
        factors = [] if match is None else [Factor(NAME_MATCHES[match], 1.0)]
        factors += [_HAS_ALL_WORDS] if candidate.has_all_words else []
        score = candidate.bm25 * prod(factor.factor for factor in factors)
        ranked.append(RankedCandidate(candidate, tuple(factors), score, tier, candidate.has_title))
    return sorted(ranked, key=place)


def _prepare_pattern(question: Question, _: Database) -> Question:
    """A pattern is compared with names alone first, not with words or meaning."""
    if not is_pattern(question.typed):
        return question
    return replace(question, by_words=False, by_meaning=False, by_names_alone=True)


# Code: names and words, in the language that the query names.


def _order_code(candidates: Sequence[Candidate], question: Question) -> list[RankedCandidate]:
    """By words; a chunk that the query names counts most, and those in its language more."""
    words = {word.casefold() for word in question.query.text.split()}
    # The language is a word like the others, which no text has: as if it were found as well.
    in_language = 1 + 1 / max(1, len(question.query.words))
    ranked = []
    for candidate in candidates:
        factors = []
        if candidate.title_match is not None:
            factors.append(TITLE_FACTORS[candidate.title_match])
        if candidate.file_score and candidate.bm25:
            share = candidate.file_score / candidate.bm25
            factors.append(Factor("other chunks of its file are found too", 1 + share, "around"))
        if not words.isdisjoint(list_stored_names(candidate.language.casefold())):
            factors.append(Factor(f"written in {candidate.language}", in_language))
        has_title = candidate.has_title
        score = multiply(candidate.bm25, factors)
        ranked.append(RankedCandidate(candidate, tuple(factors), score, int(has_title), has_title))
    return sorted(ranked, key=_by_score)


def _drop_languages(question: Question, database: Database) -> Question:
    """Leave out words that name a language of the code: no code says that it is Python."""
    languages = (language.casefold() for language in database.languages)
    names: set[str] = set()
    for language in languages:
        names.update(list_stored_names(language))
    query = question.query
    kept = tuple(term for term in query.terms if " ".join(term).casefold() not in names)
    # *python* alone looks for the word: there is nothing else to look for.
    if not kept or kept == query.terms:
        return question
    wanted = " ".join(word for word in query.wanted.split() if word.casefold() not in names)
    return replace(question, query=replace(query, terms=kept, wanted=wanted))


# Passages of books: words alone, read in the language of the query.


def _prepare_language(question: Question, database: Database) -> Question:
    """Parse a query in its own language: its stop words are left out, its suffixes vary."""
    known = [code for code in database.languages if find_natural_language(code)]
    code = question.language or detect_language(question.query.text, known)
    language = find_natural_language(code or (known[0] if len(known) == 1 else ""))
    if language is None:
        return replace(question, language="")

    def write(word: str) -> str:
        prefix = language.find_prefix(word)
        return f"{quote((prefix,))} *" if prefix else quote((word,))

    query = parse_query(question.query.text, language.stop_words, question.query.demands)
    return replace(question, query=query, language=language.code, write=write)


_TEXT_ALONE = {**COLUMN_WEIGHTS, "framework": 0.0, "uri": 0.0, "source": 0.0, "language": 0.0}
"""Weights of documents whose place in a corpus says nothing about them."""

RANKINGS = Registry("ranking", Ranking, group="stacks.rankings", error=QueryError)
"""Every ranking by name; plug-ins offer theirs as entry points in `stacks.rankings`."""

RANKINGS.register(
    "documentation",
    Ranking(
        COLUMN_WEIGHTS,
        find_named_documents,
        _order_documentation,
        settle=_settle_documentation,
        meaning_share=WEIGHTS["meaning_documentation"].value,
        uses_declarations=True,
        uses_frameworks=True,
        uses_synonyms=True,
    ),
)
RANKINGS.register(
    "files",
    Ranking(
        _TEXT_ALONE,
        find_file_names,
        _order_files,
        prepare=_prepare_pattern,
        find_excluded=find_excluded_files,
        counts_all_words=True,
        fixes_spelling=True,
    ),
)
RANKINGS.register(
    "passages",
    Ranking(
        _TEXT_ALONE,
        lambda *_: {},
        lambda candidates, _: order_by_words(candidates),
        prepare=_prepare_language,
        fixes_spelling=True,
        tries_parts=False,
        blends_scores=True,
    ),
)
RANKINGS.register(
    "code",
    Ranking(
        _TEXT_ALONE,
        find_named_documents,
        _order_code,
        prepare=_drop_languages,
        uses_synonyms=True,
        uses_files=True,
    ),
)


def get_ranking(name: str) -> Ranking:
    """Return a ranking; for one that is not installed here, that of documentation."""
    # `names` loads plug-ins, so it is asked only for names that are not built in.
    is_known = name in RANKINGS or name in RANKINGS.names()
    return RANKINGS.get(name if is_known else "documentation")
