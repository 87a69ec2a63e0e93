"""A run in the shape of the golden-set evaluation's report.

Its recall at 3 is whether a passage of high relevance is among the first three hits, our
Success(rel=2)@3. A category in which no query expects a passage has a routing accuracy instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError
from cranfield.formats import as_json
from cranfield.measures import parse_measure
from cranfield.runs import remeasure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.formats import Report
    from cranfield.gates import GatedRun
    from cranfield.model import Query
    from cranfield.runs import Answer

    Answered = Sequence[tuple[Query, Answer]]

__all__ = ["render"]

_MEASURES = tuple(parse_measure(text) for text in ("Success(rel=2)@3", "RR@10", "Route", "Pass"))
_RECALL, _RANK, _ROUTE, _PASS = range(4)


def render(report: Report) -> str:
    """Write one report; it is of one run."""
    if len(report.subject) != 1:
        raise CranfieldError("golden-set-json reports one run; name one suite and one system")
    [each] = report.subject
    if (query_class := each.run.header.suite.query_class) != "passages":
        raise CranfieldError(
            f"golden-set-json reports suites of the class passages, and this one is {query_class}"
        )
    return as_json(_report(each))


def _report(each: GatedRun) -> dict[str, Any]:
    answered = list(remeasure(each.run, _MEASURES))
    categories = dict.fromkeys(query.category for query, _ in answered)
    languages = dict.fromkeys(query.language for query, _ in answered)
    return {
        "timestamp": each.run.header.started,
        "language": ",".join(languages),
        "total_queries": len(answered),
        "overall_recall_at_3": _mean(answered, _RECALL),
        "overall_mrr_at_10": _mean(answered, _RANK),
        "categories": {
            name: _category([pair for pair in answered if pair[0].category == name])
            for name in categories
        },
        "failures": [_failure(query, answer) for query, answer in answered if _failed(answer)],
        "gate_passed": each.passed,
    }


def _category(answered: Answered) -> dict[str, Any]:
    if all(answer.values[_RECALL] is None for _, answer in answered):
        return {"count": len(answered), "routing_accuracy": _mean(answered, _ROUTE)}
    return {
        "count": len(answered),
        "recall_at_3": _mean(answered, _RECALL),
        "mrr_at_10": _mean(answered, _RANK),
    }


def _mean(answered: Answered, column: int) -> float | None:
    values = [value for _, answer in answered if (value := answer.values[column]) is not None]
    return sum(values) / len(values) if values else None


def _failed(answer: Answer) -> bool:
    """Return whether the passage is missing from the first three, or the route is wrong."""
    return 0.0 in (answer.values[_RECALL], answer.values[_ROUTE])


def _failure(query: Query, answer: Answer) -> dict[str, Any]:
    passages = query.expect.get("passages", [])
    passages = [passages] if isinstance(passages, str) else passages
    texts = [each if isinstance(each, str) else each["text"] for each in passages]
    return {
        "id": query.id,
        "query": query.text,
        "expected_passage": texts[0] if texts else None,
        "expected_routing": query.expect.get("route"),
        "routing": answer.response.route or None,
        "best_match_rank": answer.first_rank if texts else None,
        "top_3_results": [hit.text or hit.id for hit in answer.response.hits[:3]],
    }
