"""A run as recorded responses, one JSON object a line, to be run again by `kind = "recorded"`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import CranfieldError
from cranfield.reports.run_report import first_answers
from cranfield_shared.plain_text import escape_json

if TYPE_CHECKING:
    from cranfield.formats import Report
    from cranfield.model import Query
    from cranfield.runs import Answer

__all__ = ["render"]


def render(report: Report) -> str:
    """Write the first answer to each query."""
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
