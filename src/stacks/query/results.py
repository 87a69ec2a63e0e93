"""What a search returns: hits, what the query was taken for, and how each hit got its score.

A term's part of BM25 is what FTS5 gives for that term alone; it is shared among the columns by
weight times occurrences, so the parts of a hit add up to its score. A hit that was found by less
than its words has one part that says so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from stacks.guidance import Decision
from stacks.query.candidates import multiply
from stacks.query.question import make_terms, write_expansion
from stacks.schema import TEXT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from stacks.guidance import Expansion
    from stacks.query.candidates import BlendedRank, Factor, FusedRank, RankedCandidate
    from stacks.query.query_parser import ParsedQuery
    from stacks.query.question import Question
    from stacks.query.retrieval import Scoring
    from stacks.storage import Database

__all__ = [
    "HIT_COLUMNS",
    "Explanation",
    "Hit",
    "Results",
    "TermPart",
    "explain",
    "make_hit",
]

HIT_COLUMNS = """
m.uri, s.title, m.source, m.framework, m.kind, m.language,
coalesce(nullif(s.abstract, ''), nullif(s.declaration, ''), substr(s.overview, 1, 300)),
s.declaration, m.is_deprecated, s.platforms, s.attributes, s.conformances, s.facts, s.module,
p.location, p.key
"""
"""What `make_hit` reads of `docs_metadata AS m`, `docs_structured AS s` and `pages AS p`."""


_MARK = "\x01"
_OCCURRENCES = f"""
SELECT -bm25(docs_fts, {{weights}}),
       {", ".join(f"highlight(docs_fts, {n}, '{_MARK}', '')" for n in range(len(TEXT_COLUMNS)))}
FROM docs_fts WHERE docs_fts MATCH ? AND rowid = ?
"""  # noqa: S608 - fixed columns


@dataclass(frozen=True, slots=True)
class Hit:
    """A document found, and how it got its place.

    `where` says where a file, a chunk or a passage is: a path, with lines, or a place in a book.
    `facts` are what its source says about it in addition, such as the hash of a chunk.
    """

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
    attributes: str
    conformances: str
    where: str
    facts: dict[str, str] = field(repr=False)
    id: int = field(repr=False)
    bm25: float = field(repr=False)
    factors: tuple[Factor, ...] = field(repr=False)
    blended: BlendedRank | None = field(repr=False)
    fused: FusedRank = field(repr=False)
    scoring: Scoring = field(repr=False, compare=False)
    reranked: float | None = field(default=None, repr=False)

    @property
    def heading(self) -> str:
        """The title on one line; without one the id, which is the last part of the URI."""
        return " ".join(self.title.split()) or unquote(self.uri.rstrip("/").rpartition("/")[2])

    def as_dict(self) -> dict[str, Any]:
        """Return the fields that the JSON output has, its facts among them."""
        names = (
            "rank uri title score source framework kind language summary declaration attributes "
            "conformances where"
        )
        fields = {**self.facts, **{name: getattr(self, name) for name in names.split()}}
        return fields | {"deprecated": self.is_deprecated, "availability": self.availability}

    def with_reranked(self, score: float) -> Hit:
        """Return the hit with the score that a reranker gave it."""
        return replace(self, score=score, reranked=score)


@dataclass(frozen=True, slots=True)
class Results:
    """The hits of a query, what the query was taken for, and where it was sent.

    `route` is `search` if it was run; a query that the index's own rules send elsewhere has no
    hits. `decision` says why it was sent there, or why it is flagged; `asked` says which sources
    were searched, and by what. `relaxed` are the demands of the query that no document meets: their
    words were looked for instead. `near_names` are spelled nearly as an identifier that no hit has.
    """

    question: Question
    hits: tuple[Hit, ...]
    asked: str
    decision: Decision = field(default_factory=Decision)
    relaxed: tuple[str, ...] = ()
    near_names: tuple[str, ...] = ()

    @property
    def query(self) -> ParsedQuery:
        """The parsed query."""
        return self.question.query

    @property
    def route(self) -> str:
        """Where the query was sent."""
        return self.decision.route

    @property
    def expansions(self) -> dict[str, str]:
        """The frameworks that words of the query were taken for as well."""
        return {name: each.slug for name, each in self.question.expansions.items()}

    def decided(self) -> dict[str, Any]:
        """Return the fields about the query's route that the JSON output has."""
        return {
            "route": self.decision.route,
            "reason": self.decision.reason,
            "flags": list(self.decision.flags),
            "retrieval_intent": self.decision.intent,
        }

    def remarks(self) -> Iterator[str]:
        """Yield what a reader must know before any hit."""
        if self.decision.flags:
            intent = f" ({self.decision.intent})" if self.decision.intent else ""
            yield f"flagged {', '.join(self.decision.flags)}{intent}: {self.decision.reason}"
        if self.relaxed:
            yield f"asked: {self.asked}"
        if self.near_names:
            meant = " or ".join(self.near_names)
            yield f"nothing is called {self.query.text.strip()} or has it; did you mean {meant}?"

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


def _read_object(text: str) -> dict[str, str]:
    """Read a JSON object; most are empty, and need no parser."""
    return {} if text in ("", "{}") else json.loads(text)


class _StoredOrigin(NamedTuple):
    """What an index knows about where a document came from."""

    facts: str
    module: str
    location: str | None
    key: str | None

    def fact(self, name: str) -> str:
        """Return a fact that the source kept; empty if it did not."""
        return str(_read_object(self.facts).get(name, ""))

    @property
    def path(self) -> str:
        """The file, below the folder that was saved."""
        place = Path(self.location or "")
        return str(place / (self.key or "")) if place.is_dir() else self.key or ""


def _locate_passage(origin: _StoredOrigin) -> str:
    """Name the book, the chapter and the passage."""
    chapter = origin.fact("chapter")
    return (
        f"{origin.module}, chapter {chapter}, passage {origin.fact('passage')}" if chapter else ""
    )


_LOCATIONS: Mapping[str, Callable[[_StoredOrigin], str]] = {
    "files": lambda origin: origin.path,
    "code": lambda origin: f"{origin.path}:{origin.fact('lines')}",
    "passages": _locate_passage,
}
"""How `Hit.where` is written, by ranking; pages of documentation have their URI alone."""


def make_hit(
    rank: int,
    row: Sequence[Any],
    ranking: str,
    ranked: RankedCandidate,
    fused: FusedRank,
    scoring: Scoring,
) -> Hit:
    """Make a hit of a row of `HIT_COLUMNS`; one whose text is none is damaged."""
    if not all(isinstance(value, str) for value in row[:8]):
        raise TypeError(f"document {ranked.candidate.id} has something other than text as text")
    uri, title, source, framework, kind, language, summary, declaration, old, platforms = row[:10]
    attributes, conformances, *origin = row[10:]
    locate = _LOCATIONS.get(ranking)
    return Hit(
        rank=rank,
        uri=uri,
        title=title,
        score=fused.earned,
        source=source,
        framework=framework,
        kind=kind,
        language=language,
        summary=summary,
        declaration=declaration,
        is_deprecated=bool(old),
        availability=_read_object(platforms),
        attributes=attributes,
        conformances=conformances,
        where=locate(_StoredOrigin(*origin)) if locate else "",
        facts=_read_object(origin[0]),
        id=ranked.candidate.id,
        bm25=ranked.candidate.bm25,
        factors=ranked.factors,
        blended=ranked.blended,
        fused=fused,
        scoring=scoring,
    )


@dataclass(frozen=True, slots=True)
class TermPart:
    """What one term adds to the score, by column, and how often it occurs in each."""

    term: str
    score: float
    columns: dict[str, float]
    occurrences: dict[str, int]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A hit's score: its terms, factors, blend with meaning, and rank in its source's list.

    `bridged` are the terms that are words of the corpus and stand for words of the query.
    """

    terms: tuple[TermPart, ...]
    bm25: float
    factors: tuple[Factor, ...]
    corrected: float
    blended: BlendedRank | None
    fused: FusedRank
    bridged: tuple[Expansion, ...] = ()
    reranked: float | None = None


def explain(database: Database, hit: Hit) -> Explanation:
    """Take a hit's score apart by the terms of its query."""
    question, weights = hit.scoring
    terms = [(term, 1.0) for term in make_terms(question)]
    terms += [(write_expansion(each), each.weight) for each in question.bridged]
    parts = [
        part
        for term, share in terms
        if (part := _explain_term(database, hit.id, term, weights, share))
    ]
    found = sum(part.score for part in parts)
    # A hit by meaning alone was not among the best by words: its words count for nothing.
    bm25 = found if hit.blended and hit.blended.words is None else hit.bm25
    if not isclose(found, bm25, rel_tol=1e-9, abs_tol=1e-12):
        # Found by a part of a name, by a prefix, or in the telling columns alone.
        parts = [TermPart("part of a name", bm25, {}, {})]
    corrected = multiply(bm25, hit.factors)
    bridged = tuple(question.bridged)
    ranks = (hit.blended, hit.fused, bridged, hit.reranked)
    return Explanation(tuple(parts), bm25, hit.factors, corrected, *ranks)


def _explain_term(
    database: Database, number: int, term: str, weights: Mapping[str, float], share: float
) -> TermPart | None:
    sql = _OCCURRENCES.format(weights=", ".join(str(weights[column]) for column in TEXT_COLUMNS))
    rows = database.rows(sql, (term, number))
    if not rows:
        return None
    whole, *texts = rows[0]
    score = share * whole
    counts = {
        column: text.count(_MARK) for column, text in zip(TEXT_COLUMNS, texts, strict=True) if text
    }
    weighted = {column: weights[column] * count for column, count in counts.items() if count}
    total = sum(weighted.values()) or 1.0
    return TermPart(
        term,
        score,
        {column: score * part / total for column, part in weighted.items()},
        {column: count for column, count in counts.items() if count},
    )
