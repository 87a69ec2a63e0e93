"""Golden sets: a JSON array of queries with the passages that a good search finds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from cranfield.model import Query, Suite, Threshold
from cranfield.suites import SuiteSource, is_language
from cranfield.suites.formats import (
    INFORMATIVE_KEYS,
    Part,
    QueriesFile,
    decode,
    decode_queries,
    locate,
    read_bytes,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["read_golden_set"]

_EXPECTED = (
    "a golden set is an array of objects with id, query and expected_passages or expected_routing"
)
_HIT, _ROUTED, _FLAGGED = "Success(rel=2)@3", "Route", "Flags"
_GATE = (
    Threshold(_HIT, 0.80),
    Threshold(_ROUTED, 1.0, "technique_boundary"),
    Threshold(_ROUTED, 1.0, "adversarial"),
    Threshold(_HIT, 0.95, "direct", diagnostic=True),
    Threshold(_HIT, 0.85, "conceptual", diagnostic=True),
    Threshold(_HIT, 0.70, "emotional", diagnostic=True),
    Threshold(_HIT, 0.65, "metaphorical", diagnostic=True),
    Threshold(_HIT, 0.60, "dark_night", diagnostic=True),
    Threshold(_FLAGGED, 0.60, "dark_night", diagnostic=True),
)
"""The overall figure and the two boundary categories decide; the rest is diagnostic."""
_INTENTS = ("meet_first", "console")
"""What a passage should do for the seeker. Any other flag, such as `safety`, must be raised."""
_PLAIN_NAME = re.compile(r"\w[\w-]*")

_CATEGORIES = (
    "direct", "conceptual", "emotional", "metaphorical", "technique_boundary", "dark_night",
    "adversarial",
)  # fmt: skip
_INFORMATIVE = INFORMATIVE_KEYS | {"page", "page_number", "passage_id"}

_GROUNDS = {_HIT: "passages", _ROUTED: "route", _FLAGGED: "flags"}


class _Passage(msgspec.Struct):
    passage_substring: str
    book_slug: str = ""
    chapter_number: int | str | None = None
    relevance: Literal["high", "partial"] = "high"


class _Query(msgspec.Struct):
    id: str
    query: str
    language: str = ""
    category: str = ""
    expected_passages: list[_Passage] = msgspec.field(default_factory=list)
    expected_routing: str = ""
    retrieval_intent: str | list[str] = ""
    notes: str = ""
    tags: list[str] = msgspec.field(default_factory=list)
    deprecated: bool = False


def read_golden_set(path: Path) -> SuiteSource:
    """Read a golden set.

    Passages, the route and the retrieval intent become separate rules, so each can be measured
    alone. For a system without routes, results count as the route `search` and an empty answer as
    `no_results`: a query that expects `no_results` is met by that route or by an empty answer. The
    format has no score below which results count as none; to set one, write
    `nothing = { below_score = … }` in a suite of our own format.
    """
    content = read_bytes(path)
    items = decode(Part(content, 1), list[msgspec.Raw], path, _EXPECTED)
    file = QueriesFile(path, _EXPECTED, _INFORMATIVE)
    decoded = decode_queries(locate(items, content), _Query, file)
    language = _language_of(path.stem)
    queries = tuple(_query(each, language) for each in decoded.queries)
    suite = Suite(path.stem, "passages", queries, gate=_gate(queries))
    return SuiteSource(suite, path, decoded.lines, decoded.findings, _CATEGORIES)


def _query(written: _Query, language: str) -> Query:
    intent = written.retrieval_intent
    expect = {
        "passages": [_passage(each) for each in written.expected_passages],
        "route": written.expected_routing,
        "flags": [intent] if intent and isinstance(intent, str) else intent,
    }
    return Query(
        id=written.id,
        text=written.query,
        expect={rule: value for rule, value in expect.items() if value},
        category=written.category,
        language=written.language or language,
        tags=tuple(written.tags),
        notes=written.notes,
        deprecated=written.deprecated,
    )


def _passage(written: _Passage) -> dict[str, Any]:
    passage: dict[str, Any] = {"text": written.passage_substring, "relevance": written.relevance}
    if written.book_slug:
        passage["book"] = written.book_slug
    if written.chapter_number is not None:
        passage["chapter"] = written.chapter_number
    return passage


def _language_of(stem: str) -> str:
    """Take the language from a name such as golden-set-hi."""
    _, dash, last = stem.rpartition("-")
    return last if dash and is_language(last) else ""


def _gate(queries: Sequence[Query]) -> tuple[Threshold, ...]:
    """Keep the thresholds that these queries can be measured against.

    Each flag that must be raised has a threshold of its own.
    """
    asked = [query for query in queries if not query.deprecated]
    kept = tuple(
        threshold
        for threshold in _GATE
        if any(
            _GROUNDS[threshold.measure] in query.expect
            and threshold.category in ("", query.category)
            for query in asked
        )
    )
    flags = dict.fromkeys(flag for query in asked for flag in query.expect.get("flags", ()))
    musts = dict.fromkeys(_flag_measure(flag) for flag in flags if flag not in _INTENTS)
    return (*kept, *(Threshold(measure, 1.0) for measure in musts))


def _flag_measure(flag: str) -> str:
    """Name the measure of one flag; one that a measure cannot name is held to with all others."""
    return f"{_FLAGGED}(of={flag})" if _PLAIN_NAME.fullmatch(flag) else _FLAGGED
