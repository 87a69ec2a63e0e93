"""Runs whose answers are known, and judgments of their hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.judgments import Judgment, query_key
from cranfield.model import Hit, JudgingSettings, Query, Response, Suite
from cranfield.runs.runner import Run, run_suite
from cranfield.runs.store import open_store
from cranfield.systems import System

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.runs.store import Store

__all__ = ["Listed", "judge", "listed_run", "questions", "unjudged_suite"]


class Listed(System):
    """Answers each query with the hits that are listed for its text."""

    def __init__(self, hits: Mapping[str, Sequence[Hit | str]]) -> None:
        self._hits = hits

    def search(self, query: Query, limit: int) -> Response:
        listed = self._hits.get(query.text, ())
        hits = tuple(Hit(each, text=each) if isinstance(each, str) else each for each in listed)
        return Response.of(hits[:limit])


def questions(count: int) -> tuple[Query, ...]:
    return tuple(
        Query(f"q{number}", f"question {number}", {"anything": True}) for number in range(count)
    )


def unjudged_suite(count: int, *, highest: int = 1) -> Suite:
    settings = JudgingSettings(highest=highest)
    return Suite("open", "unjudged", questions(count), judging=settings)


def listed_run(
    suite: Suite, hits: Mapping[str, Sequence[Hit | str]], store: Store | None = None
) -> Run:
    return run_suite(suite, Listed(hits), store=store or open_store())


def judge(query: Query, document: str, grade: int | None, **more: object) -> Judgment:
    """A judgment of a document without text."""
    fields = {"rater": "ann", **more}
    return Judgment(query_key(query), document, grade=grade, **fields)  # type: ignore[arg-type]
