"""Runs and comparisons as the JSON of three earlier harnesses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError
from cranfield.formats import as_json
from cranfield.measures import parse_measure
from cranfield.runs.grading import remeasure
from cranfield.runs.regrading import regrade_by
from cranfield.runs.summaries import summarise

if TYPE_CHECKING:
    from cranfield.comparisons import SuiteComparison
    from cranfield.formats import Report
    from cranfield.gates.gated_runs import GatedRun
    from cranfield.model import Query
    from cranfield.runs.records import Answer
    from cranfield.runs.runner import Run
    from cranfield.runs.summaries import Group

__all__ = [
    "render_cupertino",
    "render_golden_set",
    "render_spelunker",
]

_CUPERTINO_FIGURES = {"mrr": "RR@10", "p1": "P@1", "p5": "P@5", "ndcg10": "DCG@10"}
_CUPERTINO_MEASURES = tuple(parse_measure(text) for text in _CUPERTINO_FIGURES.values())
_TOP = 10
_GOLDEN_SET_FIGURES = {
    "recall_at_3": "Success(rel=2)@3",
    "mrr_at_10": "RR@10",
    "routing_accuracy": "Route",
    "flag_accuracy": "Flags",
}
_GOLDEN_SET_MEASURES = tuple(
    parse_measure(text) for text in (*_GOLDEN_SET_FIGURES.values(), "Pass(rel=2)")
)
_PASS = _GOLDEN_SET_MEASURES[-1]
_SPELUNKER_MEASURES = tuple(parse_measure(text) for text in ("P", "R", "F1"))


def render_cupertino(report: Report) -> str:
    """Write a comparison as the documentation search's own harness does.

    One record a query, over all suites together, with the first ten ids and four figures of each
    arm. Its `ndcg10` counts every match with an ideal of 1, which is our DCG@10; arm A is called
    `brew`, arm B `new`.
    """
    per_query = [record for suite in report.subject.suites for record in _describe_pairs(suite)]
    written = {"n_queries": len(per_query), "per_query": per_query}
    return as_json(written)


def _describe_pairs(suite: SuiteComparison) -> list[dict[str, Any]]:
    first, second = _measure_all(suite.runs.a), _measure_all(suite.runs.b)
    records = []
    for place_a, place_b in zip(suite.runs.places_a, suite.runs.places_b, strict=True):
        query, answer = first[place_a]
        records.append(
            {
                "query": query.text,
                "pattern": _join_patterns(query),
                "brew": _describe_arm(answer),
                "new": _describe_arm(second[place_b][1]),
            }
        )
    return records


def _measure_all(run: Run) -> dict[int, tuple[Query, Answer]]:
    """Return every query with its first answer, and its means over repetitions."""
    outcomes = regrade_by(run, _CUPERTINO_MEASURES).outcomes()
    return {
        answer.place: (query, replace(answer, values=tuple(outcomes.figures(answer.place))))
        for query, answer in remeasure(run, _CUPERTINO_MEASURES)
    }


def _join_patterns(query: Query) -> str:
    given = query.expect.get("matches", "")
    listed = given if isinstance(given, list) else [given]
    return "|".join(each if isinstance(each, str) else each["pattern"] for each in listed)


def _describe_arm(answer: Answer) -> dict[str, Any]:
    if None in answer.values:
        reason = next(iter(answer.reasons.values()))
        raise CranfieldError(
            f"cupertino-json needs {', '.join(_CUPERTINO_FIGURES.values())}: {reason}"
        )
    return {
        "top10": [hit.id for hit in answer.response.hits[:_TOP]],
        "first_rank": answer.first_rank,
        **dict(zip(_CUPERTINO_FIGURES, answer.values, strict=True)),
    }


def render_golden_set(report: Report) -> str:
    """Write a run as the report of the golden-set evaluation.

    Its recall at 3 is whether a passage of high relevance is among the first three hits, our
    Success(rel=2)@3. Every figure of a category is there if any of its queries expects what it is
    about: passages, a route, flags; it is over those queries, the means over repetitions as in
    every other report.
    """
    if len(report.subject) != 1:
        raise CranfieldError("golden-set-json reports one run; name one suite and one system")
    [each] = report.subject
    if (query_class := each.run.header.suite.query_class) != "passages":
        raise CranfieldError(
            f"golden-set-json reports suites of the class passages, and this one is {query_class}"
        )
    return as_json(_describe_run(each))


def _describe_run(each: GatedRun) -> dict[str, Any]:
    measured = regrade_by(each.run, _GOLDEN_SET_MEASURES)
    summary = summarise(measured)
    answers = {answer.place: answer for _, answer in remeasure(each.run, _GOLDEN_SET_MEASURES)}
    queries = each.run.header.suite.queries
    outcomes = measured.outcomes()
    passed = outcomes.values[:, _GOLDEN_SET_MEASURES.index(_PASS)]
    languages = dict.fromkeys(query.language for query in queries)
    overall = _find_figures(summary.overall)
    return {
        "timestamp": each.run.header.started,
        "language": ",".join(languages),
        "total_queries": len(queries),
        "overall_recall_at_3": overall.get("recall_at_3"),
        "overall_mrr_at_10": overall.get("mrr_at_10"),
        "categories": {
            name: {"count": group.count, **_find_figures(group)}
            for name, group in summary.categories.items()
        },
        "failures": [
            _describe_failure(queries[place], answer)
            for place, answer in answers.items()
            if passed[place] < 1
        ],
        "gate_passed": each.passed,
    }


def _find_figures(group: Group) -> dict[str, float]:
    means = {str(measure): value for measure, value in group.means.items()}
    figures = {name: means[text] for name, text in _GOLDEN_SET_FIGURES.items()}
    return {name: value for name, value in figures.items() if isinstance(value, float)}


def _describe_failure(query: Query, answer: Answer) -> dict[str, Any]:
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


def render_spelunker(report: Report) -> str:
    """Write runs as the evaluation of chunk selection: their questions and the mean F1."""
    written = [_describe_selection(each.run) for each in report.subject]
    return as_json(written)


def _describe_selection(run: Run) -> dict[str, Any]:
    outcomes = regrade_by(run, _SPELUNKER_MEASURES).outcomes()
    questions = [
        _describe_question(query, answer, outcomes.figures(answer.place))
        for query, answer in remeasure(run, _SPELUNKER_MEASURES)
    ]
    scores = [each["f1"] for each in questions if each["f1"] is not None]
    header = run.header
    return {
        "runId": header.id,
        "runName": header.name,
        "algorithm": header.system,
        "startTimestamp": header.started,
        "endTimestamp": header.finished,
        "f1": sum(scores) / len(scores) if scores else None,
        "questions": questions,
    }


def _describe_question(query: Query, answer: Answer, figures: list[float | None]) -> dict[str, Any]:
    """Write a question with its means over repetitions, and what the first one selected."""
    precision, recall, f1 = figures
    return {
        "questionId": query.id,
        "question": query.text,
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "selected": [
            {"chunkHash": str(hit.fields.get("hash", hit.id)), "relevance": hit.score}
            for hit in answer.response.hits
        ],
    }
