"""Judgments of any kind, for files that must lose none of what they can hold."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - read at run time by dataclasses
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from cranfield.judgments import (
    Judgment,
    JudgmentSource,
    JudgmentState,
    JudgmentStore,
    query_key,
)
from cranfield.model import Query
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from cranfield.runs.store import Store

__all__ = ["NAMES", "Given", "given_judgments", "plain", "store_of"]

NAMES = st.one_of(
    st.text(min_size=1, max_size=8),
    st.sampled_from(
        ["a b", "tab\there", "line\nbreak", "\r", 'quo"te', '"', "#1", "ümläut 漢字", " x ", "=1+1",
         "a,b;c", "id:x", "'", "\ufeff", "query-id", "\x85", "\u2028", "0", "-1", "\\", "%20"]
    ),
)  # fmt: skip
_TIMES = st.integers(0, 59).map(lambda second: f"2026-11-16T10:00:{second:02}.000+00:00")
_CONTENTS = st.sampled_from(["", "a" * 32, "b" * 32, "c" * 32])


@dataclass(frozen=True)
class Given:
    """Judgments with all that belongs to them."""

    queries: tuple[Query, ...]
    judgments: tuple[Judgment, ...]
    texts: Mapping[str, str] = field(default_factory=dict)


@st.composite
def given_judgments(draw: st.DrawFn, names: st.SearchStrategy[str] = NAMES) -> Given:
    """Draw queries with ids and judgments of their documents, in any state, by any rater."""
    ids = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    asked = draw(st.lists(NAMES, min_size=len(ids), max_size=len(ids), unique=True))
    filters = st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3), max_size=1)
    queries = tuple(
        Query(name, text, language=draw(st.sampled_from(["", "de"])), filters=draw(filters))
        for name, text in zip(ids, asked, strict=True)
    )
    judgments = draw(st.lists(_judgments(queries, names), min_size=1, max_size=8))
    known = {each.content for each in judgments if each.content}
    texts = {each: draw(st.text(min_size=1, max_size=20)) for each in sorted(known)}
    return Given(queries, tuple(judgments), texts)


@st.composite
def _judgments(
    draw: st.DrawFn, queries: tuple[Query, ...], names: st.SearchStrategy[str]
) -> Judgment:
    query = draw(st.sampled_from(queries))
    state = draw(st.sampled_from(list(JudgmentState)))
    graded = state in (JudgmentState.GRADED, JudgmentState.ADJUDICATED)
    return Judgment(
        query=query_key(query),
        document=draw(names),
        rater=draw(st.sampled_from(["ann", "bob", "cé\nline"])),
        grade=draw(st.integers(0, 3)) if graded else None,
        content=draw(_CONTENTS),
        source=draw(st.sampled_from(list(JudgmentSource))),
        state=state,
        given=draw(_TIMES),
        note=draw(st.text(max_size=10)),
        guideline=draw(st.sampled_from(["", "v1"])),
        suite=draw(st.sampled_from(["", "open"])),
        query_id=query.id,
        batch=draw(st.sampled_from(["", "b1"])),
    )


def store_of(given: Given) -> Store:
    """Return a store that holds them."""
    store = open_store()
    JudgmentStore(store).add(given.judgments, given.queries, given.texts)
    return store


def plain(store: Store) -> list[Judgment]:
    """Return the judgments of a store without their places in it."""
    return [replace(each, number=None) for each in JudgmentStore(store).judgments()]
