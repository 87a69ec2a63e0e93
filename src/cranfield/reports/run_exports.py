"""Runs as files that other tools read: recorded responses, and TREC run files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from cranfield.errors import CranfieldError
from cranfield.formats import count_of
from cranfield.reports.run_report import first_answers
from cranfield_shared.plain_text import escape_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.formats import Report
    from cranfield.model import Hit, Query
    from cranfield.runs.records import Answer

__all__ = [
    "render_recorded",
    "render_trec",
]


def render_recorded(report: Report) -> str:
    """Write the first answers, a JSON object a line, to be run again by `kind = "recorded"`."""
    if len(report.subject) != 1:
        raise CranfieldError("recorded writes one run; name one suite and one system")
    [each] = report.subject
    records = [_record(query, answer) for query, answer in first_answers(each)]
    return "".join(f"{escape_json(msgspec.json.encode(record).decode())}\n" for record in records)


def _record(query: Query, answer: Answer) -> dict[str, Any]:
    response = answer.response
    record: dict[str, Any] = {"id": query.id, "query": query.text}
    if query.filters:
        record["filters"] = dict(query.filters)
    if response.status.is_failure:
        return {
            **record,
            "status": str(response.status),
            "message": response.message,
            "raw": response.raw,
        }
    hits = [
        {**hit.fields, "id": hit.id, "score": hit.score, **({"text": hit.text} if hit.text else {})}
        for hit in response.hits
    ]
    return {**record, "hits": hits, "route": response.route, "flags": list(response.flags)}


def render_trec(report: Report) -> str:
    """Write a line for each hit of the first answers; a query without hits has no line.

    The order of the hits is the order that was returned. TREC tools sort by score, in single
    precision, so the scores of the system are written only if they fall from hit to hit in every
    ranking; if not, each hit's score is the number of hits from it to the last.
    """
    if len(report.subject) != 1:
        raise CranfieldError("trec writes one run; name one suite and one system")
    [each] = report.subject
    rankings = {query.id: answer.response.hits for query, answer in first_answers(each)}
    _refuse_spaces("the query", list(rankings))
    _refuse_spaces("the hit", [hit.id for hits in rankings.values() for hit in hits])
    tag = "_".join(each.run.header.name.split())
    are_own = all(_fall(hits) for hits in rankings.values())
    return "".join(
        f"{query} Q0 {hit.id} {place + 1} {hit.score if are_own else len(hits) - place} {tag}\n"
        for query, hits in rankings.items()
        for place, hit in enumerate(hits)
    )


def _fall(hits: Sequence[Hit]) -> bool:
    """Return whether every hit has a score below that of the hit before, in single precision."""
    with np.errstate(over="ignore"):
        scores = np.array([hit.score for hit in hits], dtype=np.float64).astype(np.float32)
    return bool(np.isfinite(scores).all() and (scores[1:] < scores[:-1]).all())


def _refuse_spaces(what: str, ids: Sequence[str]) -> None:
    """Refuse ids with white space: columns of a TREC run are separated by it."""
    wrong = list(dict.fromkeys(name for name in ids if name.split() != [name]))
    if wrong:
        raise CranfieldError(
            f"{what} {wrong[0]!r} has white space in its id, which a TREC run has no place for "
            f"({count_of(len(wrong), 'such id')}); export as json or recorded instead"
        )
