"""A run in the shape of the golden-set evaluation's report.

Its recall at 3 is whether a passage of high relevance is among the first three hits, our
Success(rel=2)@3. Every figure of a category is there if any of its queries expects what it is
about: passages, a route, flags; it is over those queries, the means over repetitions as in every
other report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError
from cranfield.formats import as_json
from cranfield.measures import parse_measure
from cranfield.runs import regrade_by, remeasure, summarise

if TYPE_CHECKING:
    from cranfield.formats import Report
    from cranfield.gates import GatedRun
    from cranfield.model import Query
    from cranfield.runs import Answer, Group

__all__ = ["render"]

_FIGURES = {
    "recall_at_3": "Success(rel=2)@3",
    "mrr_at_10": "RR@10",
    "routing_accuracy": "Route",
    "flag_accuracy": "Flags",
}
_MEASURES = tuple(parse_measure(text) for text in (*_FIGURES.values(), "Pass(rel=2)"))
_PASS = _MEASURES[-1]


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
    measured = regrade_by(each.run, _MEASURES)
    summary = summarise(measured)
    answers = {answer.place: answer for _, answer in remeasure(each.run, _MEASURES)}
    queries = each.run.header.suite.queries
    outcomes = measured.outcomes()
    passed = outcomes.values[:, _MEASURES.index(_PASS)]
    languages = dict.fromkeys(query.language for query in queries)
    overall = _figures(summary.overall)
    return {
        "timestamp": each.run.header.started,
        "language": ",".join(languages),
        "total_queries": len(queries),
        "overall_recall_at_3": overall.get("recall_at_3"),
        "overall_mrr_at_10": overall.get("mrr_at_10"),
        "categories": {
            name: {"count": group.count, **_figures(group)}
            for name, group in summary.categories.items()
        },
        "failures": [
            _failure(queries[place], answer)
            for place, answer in answers.items()
            if passed[place] < 1
        ],
        "gate_passed": each.passed,
    }


def _figures(group: Group) -> dict[str, float]:
    means = {str(measure): value for measure, value in group.means.items()}
    figures = {name: means[text] for name, text in _FIGURES.items()}
    return {name: value for name, value in figures.items() if isinstance(value, float)}


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
        "expected_flags": query.expect.get("flags"),
        "flags": list(answer.response.flags),
        "best_match_rank": answer.first_rank if texts else None,
        "top_3_results": [hit.text or hit.id for hit in answer.response.hits[:3]],
    }
