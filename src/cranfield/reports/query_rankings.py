"""Every query with its answers, hit by hit: what a page opens when a reader picks a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.relevance import read_expectation
from cranfield.reports.run_facts import pick, show_expected

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.comparisons import Comparison, SuiteComparison
    from cranfield.gates import GatedRun
    from cranfield.model import Hit, Query, Response
    from cranfield.runs import Run

__all__ = ["comparison_rankings", "response_ranking", "run_rankings"]

_MOST_HITS = 20
_MOST_TEXT = 400
_NAMED = ("title", "name")


def comparison_rankings(comparison: Comparison) -> list[dict[str, Any]]:
    """Write both rankings of every query, suite by suite, with what became of the query."""
    arms = [comparison.name_a, comparison.name_b]
    return [_suite(suite, arms) for suite in comparison.suites]


def _suite(suite: SuiteComparison, arms: list[str]) -> dict[str, Any]:
    runs, headline = suite.runs, suite.headline.measure
    first = dict(_sides(runs.a))
    second = dict(_sides(runs.b))
    fallen = {change.query.id for change in suite.fallen}
    queries = []
    for change, *places in zip(suite.changes, runs.places_a, runs.places_b, strict=True):
        queries.append(
            {
                **_asked(change.query),
                "change": str(change.bucket),
                "is_loss": change.bucket.is_loss,
                "is_gain": change.bucket.is_change and not change.bucket.is_loss,
                "fell": change.query.id in fallen,
                "difference": change.difference,
                "ranks": [change.rank_a, change.rank_b],
                "values": [change.values_a.get(headline), change.values_b.get(headline)],
                "sides": [first.get(places[0]), second.get(places[1])],
            }
        )
    named = {"suite": suite.suite_id, "class": suite.query_class, "measure": str(headline)}
    return {**named, "arms": arms, "queries": queries}


def run_rankings(gated: Sequence[GatedRun]) -> list[dict[str, Any]]:
    """Write the ranking of every query, run by run; what became of it since a baseline if known."""
    return [_run(each) for each in gated]


def _run(gated: GatedRun) -> dict[str, Any]:
    run, outcomes = gated.run, gated.outcomes
    sides = dict(_sides(run))
    known = gated.regressions.changes if gated.regressions else ()
    changes = {change.query.id: str(change.kind) for change in known}
    queries = [
        {
            **_asked(query),
            "change": changes.get(query.id, ""),
            "is_loss": changes.get(query.id) == "regressed",
            "is_gain": changes.get(query.id) == "improved",
            "fell": changes.get(query.id) == "regressed",
            "difference": 0.0,
            "ranks": [outcomes.first_ranks[place]],
            "values": [outcomes.figures(place)[0]],
            "sides": [sides.get(place)],
        }
        for place, query in enumerate(outcomes.queries)
    ]
    suite = run.header.suite
    named = {"suite": suite.id, "class": suite.query_class, "measure": str(run.measures[0])}
    return {**named, "arms": [run.header.name], "queries": queries}


def _asked(query: Query) -> dict[str, Any]:
    expected = show_expected(query)
    return {**pick(query, "id", "text", "category", "language"), "expected": expected}


def _sides(run: Run) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the place of each query in the run with its answer, of the first repetition."""
    queries = run.header.suite.queries
    for answer in run.store.answers(run.header.id):
        if answer.repeat == 0:
            expectation = read_expectation(queries[answer.place])
            yield (
                answer.place,
                response_ranking(answer.response, expectation.grade(answer.response).ranked),
            )


def response_ranking(response: Response, grades: Sequence[int | None] = ()) -> dict[str, Any]:
    """Write one answer, hit by hit, with the grades that are known."""
    return {
        "status": str(response.status),
        "failed": response.status.is_failure,
        "flags": list(response.flags),
        **pick(response, "message", "route", "seconds"),
        "more": max(0, len(response.hits) - _MOST_HITS),
        "hits": [
            _hit(hit, grades[place] if place < len(grades) else None)
            for place, hit in enumerate(response.hits[:_MOST_HITS])
        ],
    }


def _hit(hit: Hit, grade: int | None) -> dict[str, Any]:
    title = next((name for each in _NAMED if isinstance(name := hit.fields.get(each), str)), "")
    facts = {
        name: str(value)[:_MOST_TEXT]
        for name, value in hit.fields.items()
        if name not in _NAMED and value not in (None, "", [], {})
    }
    return {
        **pick(hit, "id", "score"),
        "title": title,
        "grade": grade,
        "text": hit.text[:_MOST_TEXT],
        "facts": facts,
    }
