"""How documents of a kind of source are ranked: which columns count, what names them, what order.

A source says which of these its documents want (`SourceKind.ranking`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from stacks.query.blending import SHARE, Ranked
from stacks.query.corrections import OF_NAME, Factor
from stacks.query.demands import find_excluded
from stacks.query.file_names import (
    NAME_MATCHES,
    WHOLE_NAME,
    find_excluded_files,
    find_file_names,
    is_pattern,
)
from stacks.query.namesakes import find_namesakes
from stacks.query.ordering import NEAREST, order_documentation, settle_documentation
from stacks.query.parsing import parse_query, quote
from stacks.text import list_stored_names
from stacks.text.natural import detect_language, find_natural_language

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from stacks.query.corrections import Candidate
    from stacks.query.database import Database
    from stacks.query.lexical import LexicalSearch
    from stacks.query.questions import Question

__all__ = ["RANKINGS", "Ranking", "get_ranking"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """One way to rank.

    - `weights` say how much an occurrence in each column of `docs_fts` counts.
    - `find_names` finds documents that the query names, with how near their names are to it.
    - `prepare` fits a question to what a file holds.
    - `order` puts candidates in order by words and names.
    - `settle` has the last word on the order when words and meaning are blended.
    - `find_excluded` finds documents with something that must not occur.
    - `weighs_wholes` says whether it counts to have all words of a query.
    - `mends_spelling` says whether words that no document has are taken for near ones.
    - `share` is the share of meaning in the blend where nobody says otherwise.
    - `tries_parts` says whether parts of names are tried where whole words find too little.
    - `knows_frameworks` says whether the page of a framework speaks for those below it.
    - `knows_declarations` says whether a query can ask what declarations are like.
    """

    weights: dict[str, float]
    find_names: Callable[[LexicalSearch, Question], dict[int, int]]
    order: Callable[[Sequence[Candidate], Question], list[Ranked]]
    prepare: Callable[[Question, Database], Question] = lambda question, _: question
    settle: Callable[[list[Ranked]], list[Ranked]] = lambda ranked: ranked
    find_excluded: Callable[[LexicalSearch, Question], frozenset[int]] = find_excluded
    weighs_wholes: bool = False
    mends_spelling: bool = False
    share: float = SHARE
    tries_parts: bool = True
    knows_declarations: bool = False
    knows_frameworks: bool = False

    def reduce(self, without: frozenset[str]) -> Ranking:
        """The same without some of its parts."""
        reduced = self
        if "names" in without:
            nameless = self.weights | {"title": 0.0}
            reduced = replace(reduced, weights=nameless, find_names=lambda *_: {})
        if "components" in without:
            whole = reduced.weights | {"symbol_components": 0.0}
            reduced = replace(reduced, weights=whole, tries_parts=False)
        return reduced


def _order_files(candidates: Sequence[Candidate], question: Question) -> list[Ranked]:
    """Names in tiers; within one the better match of words, then the higher and shorter path."""
    wanted = question.typed.casefold()

    def place(ranked: Ranked) -> tuple[object, ...]:
        candidate = ranked.candidate
        is_word = wanted in candidate.title.casefold().replace(".", " ").replace("-", " ").split()
        depth, length = candidate.uri.count("/"), len(candidate.title)
        return -ranked.tier, not is_word, -ranked.score, depth, length, candidate.uri

    ranked = []
    for candidate in candidates:
        match = candidate.nearness
        tier = 0 if match is None else len(NAME_MATCHES) - match
        factors = [] if match is None else [Factor(NAME_MATCHES[match], 1.0)]
        factors += [TOGETHER[candidate.wholeness]] if candidate.wholeness else []
        score = candidate.bm25 * prod(factor.factor for factor in factors)
        is_named = match is not None and match <= WHOLE_NAME
        ranked.append(Ranked(candidate, tuple(factors), score, tier, is_named))
    return sorted(ranked, key=place)


def _read_pattern(question: Question, _: Database) -> Question:
    """A pattern asks for names, not for words, and means nothing else."""
    if not is_pattern(question.typed):
        return question
    return replace(question, by_words=False, by_meaning=False, by_names_alone=True)


def _order_code(candidates: Sequence[Candidate], question: Question) -> list[Ranked]:
    """By words; a chunk that the query names counts most, and those in its language more."""
    words = {word.casefold() for word in question.query.text.split()}
    ranked = []
    for candidate in candidates:
        factors = []
        if candidate.nearness is not None:
            factors.append(OF_NAME[candidate.nearness])
        if not words.isdisjoint(list_stored_names(candidate.language.casefold())):
            factors.append(Factor(f"written in {candidate.language}", IN_LANGUAGE))
        score = candidate.bm25
        for each in factors:
            score *= each.factor
        is_named = candidate.nearness is not None and candidate.nearness <= NEAREST
        ranked.append(Ranked(candidate, tuple(factors), score, int(is_named), is_named))
    return sorted(ranked, key=lambda each: (-each.score, each.candidate.uri))


def _forget_languages(question: Question, database: Database) -> Question:
    """Leave out words that name a language of the code: no code says that it is Python."""
    languages = (language.casefold() for language in database.languages)
    names = {name for language in languages for name in list_stored_names(language)}
    query = question.query
    kept = tuple(term for term in query.terms if " ".join(term).casefold() not in names)
    if not kept or kept == query.terms:
        return question
    wanted = " ".join(word for word in query.wanted.split() if word.casefold() not in names)
    return replace(question, query=replace(query, terms=kept, wanted=wanted))


def _read_language(question: Question, database: Database) -> Question:
    """Read a query as the language it is in: its small words do not count, its endings vary."""
    known = [code for code in database.languages if find_natural_language(code)]
    code = question.language or detect_language(question.query.text, known)
    language = find_natural_language(code or (known[0] if len(known) == 1 else ""))
    if language is None:
        return replace(question, language="")

    def write(word: str) -> str:
        prefix = language.find_prefix(word)
        return f"{quote((prefix,))} *" if prefix else quote((word,))

    query = parse_query(question.query.text, language.stop_words)
    return replace(question, query=query, language=language.code, write=write)


def _order_passages(candidates: Sequence[Candidate], question: Question) -> list[Ranked]:
    """By words; passages in the language of the query count more."""
    ranked = []
    for each in candidates:
        is_own = each.language == question.language
        factors = (Factor("in the language of the query", IN_LANGUAGE),) if is_own else ()
        ranked.append(Ranked(each, factors, each.bm25 * (IN_LANGUAGE if is_own else 1.0)))
    return sorted(ranked, key=lambda each: (-each.score, each.candidate.uri))


TOGETHER = (Factor("", 1.0), Factor("has every word", 2.5), Factor("has the words in a row", 4.0))
"""For having all that was typed: in a launcher every word narrows the choice."""
IN_LANGUAGE = 1.3
"""For code in the language that a query names, and for passages in the one it is written in."""

_COLUMNS = {
    "content": 1.0,
    "title": 10.0,
    "summary": 3.0,
    "symbols": 5.0,
    "symbol_components": 1.5,
    "framework": 2.0,
    "uri": 1.0,
    "source": 1.0,
    "language": 1.0,
}
_NO_FRAME = {"framework": 0.0, "uri": 0.0, "source": 0.0, "language": 0.0}

RANKINGS: Mapping[str, Ranking] = {
    "documentation": Ranking(
        _COLUMNS,
        find_namesakes,
        order_documentation,
        settle=settle_documentation,
        share=0.25,
        knows_declarations=True,
        knows_frameworks=True,
    ),
    "files": Ranking(
        _COLUMNS | _NO_FRAME | {"title": 8.0, "summary": 2.0},
        find_file_names,
        _order_files,
        prepare=_read_pattern,
        find_excluded=find_excluded_files,
        weighs_wholes=True,
        mends_spelling=True,
        share=0.5,
    ),
    "passages": Ranking(
        _COLUMNS | _NO_FRAME | {"title": 5.0},
        lambda *_: {},
        _order_passages,
        prepare=_read_language,
        mends_spelling=True,
        tries_parts=False,
    ),
    "code": Ranking(
        _COLUMNS
        | _NO_FRAME
        | {"content": 1.0, "title": 4.0, "summary": 3.0, "symbols": 2.0, "symbol_components": 1.0},
        find_namesakes,
        _order_code,
        prepare=_forget_languages,
    ),
}
"""Every way to rank, by name."""


def get_ranking(name: str) -> Ranking:
    """Return a way to rank; one that this version does not know is that of documentation."""
    return RANKINGS.get(name, RANKINGS["documentation"])
