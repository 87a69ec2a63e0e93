"""A run in the shape of the chunk selection's evaluation: one record a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.formats import as_json
from cranfield.measures import parse_measure
from cranfield.runs import regrade_by, remeasure

if TYPE_CHECKING:
    from cranfield.formats import Report
    from cranfield.model import Query
    from cranfield.runs import Answer, Run

__all__ = ["render"]

_MEASURES = tuple(parse_measure(text) for text in ("P", "R", "F1"))


def render(report: Report) -> str:
    """Write a list of runs, each with its questions and the mean F1."""
    written = [_run(each.run) for each in report.subject]
    return as_json(written)


def _run(run: Run) -> dict[str, Any]:
    outcomes = regrade_by(run, _MEASURES).outcomes()
    questions = [
        _question(query, answer, outcomes.figures(answer.place))
        for query, answer in remeasure(run, _MEASURES)
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


def _question(query: Query, answer: Answer, figures: list[float | None]) -> dict[str, Any]:
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
