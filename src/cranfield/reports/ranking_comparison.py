"""The report of one query in two runs: both rankings side by side, and what moved."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from cranfield.comparisons import Bucket, bucket_of, has_right_answers, name_arms
from cranfield.errors import UnknownNameError
from cranfield.formats import (
    CellKind,
    Column,
    Line,
    Lines,
    Report,
    Section,
    Table,
    Tone,
    show_rank,
)
from cranfield.model import Grades
from cranfield.relevance import is_without_judgments, leaves_holes_out, read_expectation
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION, pick, run_facts, volatile_facts
from cranfield.runs.grading import grade_response

if TYPE_CHECKING:
    from cranfield.model import Hit, Query
    from cranfield.runs.records import Answer
    from cranfield.runs.runner import Run

__all__ = ["report_ranking_change"]

_SAME, _NEW, _GONE = "=", "new", "gone"


@dataclass(frozen=True, slots=True)
class _Side:
    """One query in one run: its answer, the grades of its hits, and their first ranks by id."""

    name: str
    run: Run
    query: Query
    answer: Answer | None
    grades: tuple[int | None, ...]

    @property
    def hits(self) -> tuple[Hit, ...]:
        return self.answer.response.hits if self.answer else ()

    @property
    def ranks(self) -> dict[str, int]:
        """The rank of each hit, the best if it came twice."""
        return {hit.id: rank for rank, hit in reversed([*enumerate(self.hits, start=1)])}

    @property
    def values(self) -> dict[str, float | None]:
        measures = self.run.header.measures
        return dict(zip(measures, self.answer.values, strict=True)) if self.answer else {}


def report_ranking_change(a: Run, b: Run, query_id: str) -> Report:
    """Show what became of a query from run A to run B: where each hit went, and its grade.

    Of several repetitions, the first is shown.
    """
    name_a, name_b = name_arms([[a], [b]])
    first, second = _side(name_a, a, query_id), _side(name_b, b, query_id)
    return Report(
        kind="ranking change",
        title=f"{query_id} in {name_a} and {name_b}",
        sections=(
            Section(f"{query_id}: {first.query.text}", (_words(first, second),)),
            Section(blocks=(_rankings(first, second), _measures(first, second))),
        ),
        notes=(f"A is {a.header.name}, run {a.header.id}; B is {b.header.name}, {b.header.id}",),
        subject=(first, second),
        make_data=lambda: _data(first, second),
    )


def _side(name: str, run: Run, query_id: str) -> _Side:
    places = {query.id: place for place, query in enumerate(run.header.suite.queries)}
    if query_id not in places:
        raise UnknownNameError(f"query of the run {run.header.id}", query_id, places)
    query = run.header.suite.queries[places[query_id]]
    answer = next(run.store.answers(run.header.id, places[query_id]), None)
    graded = grade_response(read_expectation(query), answer.response) if answer else None
    return _Side(name, run, query, answer, graded.ranked if isinstance(graded, Grades) else ())


def _words(first: _Side, second: _Side) -> Lines:
    """Say what became of the query, and what keeps the two from being compared."""
    bucket = _bucket(first, second)
    tone = Tone.BAD if bucket and bucket.is_loss else Tone.NEUTRAL
    lines = [Line(f"{_found(first)}, {_found(second)}: {bucket or 'not asked yet'}", tone)]
    lines += [
        Line(f"{side.name} {response.status}: {response.message}", Tone.WARNING)
        for side in (first, second)
        if side.answer and (response := side.answer.response).status.is_failure
    ]
    if (first.query.text, first.query.expect) != (second.query.text, second.query.expect):
        lines.append(Line("the runs did not ask or expect the same", Tone.WARNING, "warning"))
    return Lines(tuple(lines))


def _found(side: _Side) -> str:
    rank = side.answer.first_rank if side.answer else None
    where = "found nothing right" if rank is None else f"first right hit at rank {show_rank(rank)}"
    return f"{side.name}: {where}"


def _bucket(first: _Side, second: _Side) -> Bucket | None:
    """Return what a comparison would say of the query; None if a run has no answer."""
    if first.answer is None or second.answer is None:
        return None
    if any(side.response.status.is_failure for side in (first.answer, second.answer)):
        return Bucket.FAILED
    answers = (first.answer, second.answer)
    if any(all(value is None for value in answer.values) for answer in answers):
        return Bucket.UNGRADED
    if not has_right_answers(first.run.header.suite):
        return Bucket.UNJUDGED
    headline = next((each for each in first.run.measures if each.family.is_quality), None)
    before, after = (side.values.get(str(headline)) for side in (first, second))
    is_open = before is None or after is None or is_without_judgments(first.query)
    if is_open and leaves_holes_out(first.query) and not (headline and headline.is_check):
        return Bucket.UNJUDGED
    difference = 0.0 if before is None or after is None else after - before
    checks = []
    for measure in first.run.measures:
        a, b = (side.values.get(str(measure)) for side in (first, second))
        if (measure.is_check or measure.covers_checks) and a is not None and b is not None:
            checks.append(b - a)
    ranks = (first.answer.first_rank, second.answer.first_rank)
    return bucket_of(*ranks, difference, tuple(checks))


def _rankings(first: _Side, second: _Side) -> Table:
    columns = (
        Column("rank", CellKind.RANK),
        Column("A", CellKind.QUERY),
        Column("grade"),
        Column("in B"),
        Column("B", CellKind.QUERY),
        Column("grade"),
        Column("moved"),
    )
    rows = [
        (
            rank,
            *_cells(of_a, first.grades, rank, _fate(of_a, rank, second)),
            *_cells(of_b, second.grades, rank, _origin(of_b, rank, first)),
        )
        for rank, (of_a, of_b) in enumerate(zip_longest(first.hits, second.hits), start=1)
    ]
    return Table(columns, tuple(rows), labels=7)


def _cells(
    hit: Hit | None, grades: tuple[int | None, ...], rank: int, moved: str | None
) -> tuple[Any, ...]:
    if hit is None:
        return (None, None, None)
    grade = grades[rank - 1] if rank <= len(grades) else None
    return (_name(hit), None if grade is None else str(grade), moved)


def _name(hit: Hit) -> str:
    """Name a hit by its title, if it has one, and its id."""
    title = hit.fields.get("title")
    return f"{title} ({hit.id})" if isinstance(title, str) and title else hit.id


def _fate(hit: Hit | None, rank: int, second: _Side) -> str | None:
    """Say where a hit of A is in B."""
    if hit is None:
        return None
    now = second.ranks.get(hit.id)
    return _GONE if now is None else _SAME if now == rank else str(now)


def _origin(hit: Hit | None, rank: int, first: _Side) -> str | None:
    """Say how far a hit of B moved."""
    if hit is None:
        return None
    before = first.ranks.get(hit.id)
    if before is None:
        return _NEW
    return _SAME if before == rank else f"{'▲' if rank < before else '▼'}{abs(before - rank)}"


def _measures(first: _Side, second: _Side) -> Table:
    columns = (
        Column("measure"),
        Column("A", CellKind.VALUE),
        Column("B", CellKind.VALUE),
        Column("difference", CellKind.DIFFERENCE),
    )
    rows = []
    for name in dict.fromkeys((*first.values, *second.values)):
        a, b = first.values.get(name), second.values.get(name)
        rows.append((name, a, b, None if a is None or b is None else b - a))
    return Table(columns, tuple(rows))


def _data(first: _Side, second: _Side) -> dict[str, Any]:
    sides = {"a": first, "b": second}
    bucket = _bucket(first, second)
    return {
        "kind": "ranking change",
        "schema_version": REPORT_SCHEMA_VERSION,
        "volatile": {side: volatile_facts(each.run.header) for side, each in sides.items()},
        "query": pick(first.query, "id", "text", "category"),
        "bucket": str(bucket) if bucket else None,
        "runs": {side: run_facts(each.run) for side, each in sides.items()},
        **{
            side: _side_data(each, other)
            for (side, each), other in zip(sides.items(), (second, first), strict=True)
        },
    }


def _side_data(side: _Side, other: _Side) -> dict[str, Any]:
    response = side.answer.response if side.answer else None
    return {
        "status": str(response.status) if response else None,
        "message": response.message if response else "",
        "first_rank": side.answer.first_rank if side.answer else None,
        "values": side.values,
        "hits": [
            {
                "rank": rank,
                "id": hit.id,
                "title": hit.fields.get("title"),
                "grade": side.grades[rank - 1] if rank <= len(side.grades) else None,
                "rank_in_other": other.ranks.get(hit.id),
            }
            for rank, hit in enumerate(side.hits, start=1)
        ],
    }
