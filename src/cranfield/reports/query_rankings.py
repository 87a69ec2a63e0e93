"""Every query with its answers, hit by hit: what a page opens when a reader picks a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.formats import show_rank
from cranfield.model import Undefined
from cranfield.relevance import read_expectation
from cranfield.reports.comparison_words import describe_move
from cranfield.reports.run_facts import pick, show_expected
from cranfield.runs.grading import grade_response

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cranfield.comparisons import Comparison, QueryChange, SuiteComparison
    from cranfield.gates.gated_runs import GatedRun
    from cranfield.model import Grades, Hit, Query, Response
    from cranfield.relevance import Expectation
    from cranfield.runs.records import Answer
    from cranfield.runs.runner import Run

__all__ = ["answers_to_query", "comparison_rankings", "response_ranking", "run_rankings"]

_MOST_HITS = 20
_MOST_TEXT = 400
_NAMED = ("title", "name")


def comparison_rankings(
    comparison: Comparison, *, with_answers: bool = True
) -> list[dict[str, Any]]:
    """Write both rankings of every query, suite by suite, with what became of the query.

    Without answers, only what is known without reading a hit.
    """
    arms = [comparison.name_a, comparison.name_b]
    return [_suite(suite, arms, with_answers=with_answers) for suite in comparison.suites]


def _suite(suite: SuiteComparison, arms: list[str], *, with_answers: bool) -> dict[str, Any]:
    runs, headline = suite.runs, suite.headline.measure
    first = _all_sides(runs.a) if with_answers else {}
    second = _all_sides(runs.b) if with_answers else {}
    fallen = {change.query.id for change in suite.fallen}
    queries = []
    for change, *places in zip(suite.changes, runs.places_a, runs.places_b, strict=True):
        fell = change.query.id in fallen
        queries.append(
            {
                **_asked(change.query, with_answers=with_answers),
                "change": str(change.bucket),
                "tone": _tone(change),
                "fell": fell,
                "moved": describe_move(change) if fell else "",
                "failed": change.failed,
                "difference": change.difference,
                "ranks": [change.rank_a, change.rank_b],
                "values": [change.values_a.get(headline), change.values_b.get(headline)],
                "sides": [first.get(places[0]), second.get(places[1])],
            }
        )
    named = {"suite": suite.suite_id, "class": suite.query_class, "measure": str(headline)}
    return {**named, "arms": arms, "queries": queries}


def _tone(change: QueryChange) -> str:
    if change.bucket.is_loss:
        return "loss"
    return "gain" if change.bucket.is_change else ""


def run_rankings(gated: Sequence[GatedRun], *, with_answers: bool = True) -> list[dict[str, Any]]:
    """Write the ranking of every query, run by run; what became of it since a baseline if known.

    Without answers, only what is known without reading a hit.
    """
    return [_run(each, with_answers=with_answers) for each in gated]


def _run(gated: GatedRun, *, with_answers: bool) -> dict[str, Any]:
    run, outcomes = gated.run, gated.outcomes
    sides = _all_sides(run) if with_answers else {}
    changes = {change.query.id: change for change in gated.changes}
    queries = []
    for place, query in enumerate(outcomes.queries):
        status = outcomes.statuses[place]
        queries.append(
            {
                **_asked(query, with_answers=with_answers),
                **_since_baseline(changes.get(query.id)),
                "failed": status is not None and status.is_failure,
                "ranks": [outcomes.first_ranks[place]],
                "values": [outcomes.figures(place)[0]],
                "sides": [sides.get(place)],
            }
        )
    suite = run.header.suite
    named = {"suite": suite.id, "class": suite.query_class, "measure": str(run.measures[0])}
    return {**named, "arms": [run.header.name], "queries": queries}


def _since_baseline(change: QueryChange | None) -> dict[str, Any]:
    by = change.deciding if change else None
    if change is None or by is None:
        return {"change": "", "tone": "", "fell": False, "moved": "", "difference": 0.0}
    return {
        "change": str(change.bucket),
        "tone": _tone(change),
        "fell": change.bucket.is_loss,
        "moved": f"rank {show_rank(change.rank_a)} → {show_rank(change.rank_b)}",
        "difference": (by.b or 0.0) - (by.a or 0.0),
    }


def _asked(query: Query, *, with_answers: bool) -> dict[str, Any]:
    expected = show_expected(query) if with_answers else ""
    return {**pick(query, "id", "text", "category", "language"), "expected": expected}


def _all_sides(run: Run) -> dict[int, dict[str, Any]]:
    """Return the answer to each query by its place, of the first repetition."""
    return {
        answer.place: _graded(run, answer)
        for answer in run.store.answers(run.header.id)
        if answer.repeat == 0
    }


def answers_to_query(runs: Sequence[Run], query_id: str) -> dict[str, Any]:
    """Write what one query expects, and what each run answered to it; None if it did not."""
    asked = [query for query in runs[0].header.suite.queries if query.id == query_id]
    return {
        "expected": show_expected(asked[0]) if asked else "",
        "sides": [_answer_to_query(run, query_id) for run in runs],
    }


def _answer_to_query(run: Run, query_id: str) -> dict[str, Any] | None:
    places = (place for place, each in enumerate(run.header.suite.queries) if each.id == query_id)
    if (place := next(places, None)) is None:
        return None
    answers = (each for each in run.store.answers(run.header.id, place) if each.repeat == 0)
    return next((_graded(run, each) for each in answers), None)


def _graded(run: Run, answer: Answer) -> dict[str, Any]:
    expectation = read_expectation(run.header.suite.queries[answer.place])
    grades = grade_response(expectation, answer.response)
    if isinstance(grades, Undefined):
        return response_ranking(answer.response) | {"ungraded": grades.reason}
    return response_ranking(
        answer.response, grades.ranked, tuple(_reasons(expectation, grades, answer.response))
    )


def _reasons(expectation: Expectation, grades: Grades, response: Response) -> Iterator[str]:
    """Say of each hit which target of the suite it meets, and whether a hit above does already."""
    seen: set[int] = set()
    for hit, target in zip(response.hits, grades.targets or (), strict=False):
        if target is None:
            yield ""
            continue
        again = ", as a hit above does" if target in seen else ""
        seen.add(target)
        name = expectation.targets[target].name
        yield f"{'an expected id' if name == hit.id else f'meets {name}'}{again}"


def response_ranking(
    response: Response, grades: Sequence[int | None] = (), reasons: Sequence[str] = ()
) -> dict[str, Any]:
    """Write one answer, hit by hit, with the grades that are known and what they rest on."""
    shown = response.hits[:_MOST_HITS]
    return {
        "status": str(response.status),
        "failed": response.status.is_failure,
        "ungraded": "",
        "flags": list(response.flags),
        **pick(response, "message", "route", "seconds"),
        "more": len(response.hits) - len(shown),
        "count": len(grades),
        "unjudged": sum(grade is None for grade in grades),
        "hits": [
            _hit(hit, _at(grades, place), _at(reasons, place) or "")
            for place, hit in enumerate(shown)
        ],
    }


def _at(values: Sequence[Any], place: int) -> Any:
    return values[place] if place < len(values) else None


def _hit(hit: Hit, grade: int | None, reason: str) -> dict[str, Any]:
    fields = hit.fields
    title = next((name for each in _NAMED if isinstance(name := fields.get(each), str)), "")
    return {
        "id": hit.id,
        "score": hit.score,
        "title": title,
        "grade": grade,
        "reason": reason,
        "text": hit.text[:_MOST_TEXT],
        "facts": _facts(fields),
    }


def _facts(fields: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: str(value)[:_MOST_TEXT]
        for name, value in fields.items()
        if name not in _NAMED and value not in (None, "", [], {})
    }
