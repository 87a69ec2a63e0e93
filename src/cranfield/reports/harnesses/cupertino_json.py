"""A comparison in the shape of the documentation search's own harness.

One record a query, with the first ten ids and four figures of each arm. Its `ndcg10` counts every
match with an ideal of 1, which is our DCG@10; arm A is called `brew`, arm B `new`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError
from cranfield.formats import as_json
from cranfield.measures import parse_measure
from cranfield.runs import regrade_by, remeasure

if TYPE_CHECKING:
    from cranfield.comparisons import SuiteComparison
    from cranfield.formats import Report
    from cranfield.model import Query
    from cranfield.runs import Answer, Run

__all__ = ["render"]

_FIGURES = {"mrr": "RR@10", "p1": "P@1", "p5": "P@5", "ndcg10": "DCG@10"}
_MEASURES = tuple(parse_measure(text) for text in _FIGURES.values())
_TOP = 10


def render(report: Report) -> str:
    """Write `n_queries` and `per_query`, over all suites together."""
    per_query = [record for suite in report.subject.suites for record in _records(suite)]
    written = {"n_queries": len(per_query), "per_query": per_query}
    return as_json(written)


def _records(suite: SuiteComparison) -> list[dict[str, Any]]:
    first, second = _measured(suite.runs.a), _measured(suite.runs.b)
    records = []
    for place_a, place_b in zip(suite.runs.places_a, suite.runs.places_b, strict=True):
        query, answer = first[place_a]
        records.append(
            {
                "query": query.text,
                "pattern": _pattern(query),
                "brew": _arm(answer),
                "new": _arm(second[place_b][1]),
            }
        )
    return records


def _measured(run: Run) -> dict[int, tuple[Query, Answer]]:
    """Return every query with its first answer, and its means over repetitions."""
    outcomes = regrade_by(run, _MEASURES).outcomes()
    return {
        answer.place: (query, replace(answer, values=tuple(outcomes.figures(answer.place))))
        for query, answer in remeasure(run, _MEASURES)
    }


def _pattern(query: Query) -> str:
    given = query.expect.get("matches", "")
    listed = given if isinstance(given, list) else [given]
    return "|".join(each if isinstance(each, str) else each["pattern"] for each in listed)


def _arm(answer: Answer) -> dict[str, Any]:
    if None in answer.values:
        reason = next(iter(answer.reasons.values()))
        raise CranfieldError(f"cupertino-json needs {', '.join(_FIGURES.values())}: {reason}")
    return {
        "top10": [hit.id for hit in answer.response.hits[:_TOP]],
        "first_rank": answer.first_rank,
        **dict(zip(_FIGURES, answer.values, strict=True)),
    }
