"""Stored runs as text: the list, one query's ranking, an audit, and recorded responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import CranfieldError, UnknownNameError
from cranfield.model import Undefined
from cranfield.relevance import read_expectation
from cranfield.reports.runs import RUN_FORMATS, RunFormat
from cranfield.tables import align

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.model import Hit, Query
    from cranfield.relevance import Expectation
    from cranfield.reports.runs import RunReport
    from cranfield.runs import Answer, AuditFinding, Run, RunHeader

__all__ = ["render_audit", "render_ranking", "render_recorded", "render_run_list"]


def render_run_list(headers: Sequence[RunHeader]) -> str:
    """List runs in a table."""
    if not headers:
        return "no run is stored yet; cranfield run makes one\n"
    rows = [["run", "suite", "system", "label", "queries", "state", "started"]]
    rows += [
        [
            header.id,
            header.suite.id,
            header.system,
            header.label or "–",
            str(len(header.suite.queries)),
            str(header.state),
            header.started[:19].replace("T", " "),
        ]
        for header in headers
    ]
    return align(rows, left=7)


def render_ranking(run: Run, query_id: str) -> str:
    """Show what came back for one query, which targets were met, and what it was measured at."""
    queries = run.header.suite.queries
    places = {query.id: place for place, query in enumerate(queries)}
    if query_id not in places:
        raise UnknownNameError(f"query of the run {run.header.id}", query_id, places)
    place = places[query_id]
    query = queries[place]
    expectation = read_expectation(query)
    parts = [f"{query.id}: {query.text}\n{_expected(query, expectation)}"]
    parts += [
        _ranking(run, answer, expectation) for answer in run.store.answers(run.header.id, place)
    ]
    if len(parts) == 1:
        parts.append("it has not been asked yet\n")
    return "\n".join(parts)


def _expected(query: Query, expectation: Expectation) -> str:
    rules = ", ".join(query.expect)
    targets = "".join(
        f"  target {place}, grade {target.grade}: {target.name}\n"
        for place, target in enumerate(expectation.targets, start=1)
    )
    return f"expects: {rules}\n{targets}"


def _ranking(run: Run, answer: Answer, expectation: Expectation) -> str:
    response = answer.response
    head = f"{response.status}"
    if run.header.repeats > 1:
        head = f"repetition {answer.repeat + 1}: {head}"
    told = [head, response.message, f"route {response.route}" if response.route else ""]
    lines = [", ".join(filter(None, told)) + "\n"]
    if response.hits:
        lines.append(align(_hit_rows(response.hits, expectation), left=4))
    if response.raw:
        lines.append(f"received:\n{response.raw}\n")
    grades = expectation.grade(response)
    for name, value in grades.checks.items():
        shown = value if isinstance(value, Undefined) else "held" if value > 0 else "did not hold"
        lines.append(f"{name}: {shown}\n")
    for place, name in enumerate(run.header.measures):
        figure = answer.values[place]
        shown = f"undefined: {answer.reasons.get(place)}" if figure is None else f"{figure:.4f}"
        lines.append(f"{name}: {shown}\n")
    return "".join(lines)


def _hit_rows(hits: Sequence[Hit], expectation: Expectation) -> list[list[str]]:
    rows = [["rank", "hit", "score", "meets"]]
    for rank, hit in enumerate(hits, start=1):
        met = [f"target {place + 1}" for place in expectation.meets(hit)]
        score = "–" if hit.score is None else f"{hit.score:g}"
        rows.append([str(rank), hit.id, score, ", ".join(met) or "–"])
    return rows


def render_audit(runs: int, findings: Sequence[AuditFinding]) -> str:
    """Tell what differs, or that nothing does."""
    if not findings:
        return f"{runs} runs audited: every stored figure follows from the stored responses\n"
    rows = [["run", "query", "repeat", "figure", "stored", "computed"]]
    rows += [
        [each.run, each.query, str(each.repeat), each.figure, each.stored, each.computed]
        for each in findings
    ]
    return f"{runs} runs audited, {len(findings)} figures differ\n\n{align(rows, left=6)}"


def render_recorded(report: RunReport) -> str:
    """Write the first answers as recorded responses, one JSON object a line."""
    if len(report.runs) != 1:
        raise CranfieldError("recorded writes one run; name one suite and one system")
    lines = [_recorded(query, answer) for each in report.runs for query, answer in each.answers()]
    return "".join(f"{msgspec.json.encode(line).decode()}\n" for line in lines)


def _recorded(query: Query, answer: Answer) -> dict[str, Any]:
    response = answer.response
    record: dict[str, Any] = {"id": query.id, "query": query.text}
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


RUN_FORMATS.register("recorded", RunFormat("recorded", render_recorded))
