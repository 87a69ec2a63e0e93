"""Stored runs, graded by the judgments that their store has now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError, UnjudgedError, UnknownNameError
from cranfield.judgments.judgment import JudgmentSource, query_key, settle
from cranfield.judgments.judgment_store import JudgmentStore
from cranfield.relevance import HOLES_LEFT_OUT
from cranfield.runs.regrading import regrade
from cranfield.runs.runner import Run, RunOptions, measured_by
from cranfield.runs.truth import Truth
from cranfield.suites import as_judged, replace_hits
from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.judgments.judgment import Judgment, SettledGrade
    from cranfield.measures import Measure
    from cranfield.model import Query, Suite
    from cranfield.runs.store import Store

__all__ = [
    "JudgedBy",
    "judge_query",
    "judge_run",
    "judge_runs",
    "judge_suite",
    "judged_measures",
    "read_judged_by",
]


def judge_runs(
    runs: Sequence[Run], store: Store, by: JudgedBy | None = None, holes: str | None = None
) -> list[Run]:
    """Return runs graded by judgments of a store, in memory; the stored figures stay as they are.

    Without `by`, those runs are graded whose suite says by whom; all others are as they were. If
    nobody has judged anything of such a suite yet, its run is as it was, with a warning.
    """
    return [_judge_one(run, store, by, holes) for run in runs]


def _judge_one(run: Run, store: Store, by: JudgedBy | None, holes: str | None) -> Run:
    settings = run.header.suite.judging
    own = read_judged_by(settings.judged_by) if settings.judged_by else None
    chosen = by or own
    if chosen is None:
        return run
    try:
        return judge_run(run, store, chosen, holes or settings.holes)
    except UnjudgedError as problem:
        if by is not None:
            raise
        notices = (*run.header.notices, str(problem))
        return Run(replace(run.header, notices=notices), run.store)


def judge_run(run: Run, store: Store, by: JudgedBy, holes: str) -> Run:
    """Return a run graded by judgments of a store, in memory.

    Measures that were chosen for the run stay; the usual ones become those of judged queries.
    """
    suite = run.header.suite
    keys = {query_key(query) for query in suite.queries}
    judgments = JudgmentStore(store).judgments(keys)
    judged = judge_suite(suite, judgments, by, holes=holes)
    # The queries stay what they are, as the baselines and other runs of the suite know them.
    graded = dict(zip(run.header.asked.hashes, judged.queries, strict=True))
    unchanged = replace(judged, queries=suite.queries)
    return regrade(run, unchanged, judged_measures(run), truth=Truth(graded, run.header.truth))


def judged_measures(run: Run) -> list[Measure]:
    """Return what a run is measured by once its hits are judged, the headline first."""
    suite, options = run.header.suite, RunOptions(run.header.limit)
    if list(run.measures) == measured_by(suite, options):
        return measured_by(as_judged(suite), options)
    return list(run.measures)


_UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True)
class JudgedBy:
    """Whose judgments grade the hits: of a source, or of one rater (a person or a model) in it."""

    source: JudgmentSource = JudgmentSource.PEOPLE
    rater: str = ""

    def __str__(self) -> str:
        return f"{self.source}:{self.rater}" if self.rater else str(self.source)


def read_judged_by(text: str) -> JudgedBy:
    """Read `people`, `clicks`, `model:NAME` or `people:NAME`."""
    source, _, rater = text.partition(":")
    if source not in list(JudgmentSource):
        raise UnknownNameError("source of judgments", source, list(JudgmentSource))
    if source == JudgmentSource.MODEL and not rater:
        raise CranfieldError(
            "the judgments of models are not mixed: name one, as in model:NAME; `cranfield "
            "judge progress` shows whose there are"
        )
    return JudgedBy(JudgmentSource(source), rater)


def judge_suite(
    suite: Suite, judgments: Sequence[Judgment], by: JudgedBy, *, holes: str = HOLES_LEFT_OUT
) -> Suite:
    """Return a suite whose queries are right by judgments.

    They replace the rules that name right hits; checks of the answer as a whole stay. A query
    that nobody has judged keeps its rules; in a suite of queries without any, it has no value yet.
    """
    grades: dict[str, list[SettledGrade]] = {}
    for settled in settle(judgments, by.source, by.rater).values():
        grades.setdefault(settled.query, []).append(settled)
    known = {query_key(query) for query in suite.asked} & grades.keys()
    if not known:
        raise UnjudgedError(_explain_unjudged(suite, judgments, by))
    highest = max(suite.judging.highest, *(each.grade for key in known for each in grades[key]))
    waiting = suite.query_class == _UNJUDGED
    queries = tuple(
        judge_query(query, grades.get(key, ()), highest, holes)
        if (key := query_key(query)) in known or waiting
        else query
        for query in suite.queries
    )
    said = f"{len(known)} of {len(suite.asked)} queries judged by {by}"
    return replace(
        as_judged(suite),
        queries=queries,
        description="; ".join(filter(None, (suite.description, said))),
    )


def _explain_unjudged(suite: Suite, judgments: Sequence[Judgment], by: JudgedBy) -> str:
    """Say that a rater, or anybody, has judged nothing of a suite, and who has."""
    message = f"no query of the suite {suite.id} has been judged by {by}"
    keys = {query_key(query) for query in suite.asked}
    given = [each for each in judgments if each.query in keys and each.source is by.source]
    known = sorted({each.rater for each in given})
    if by.rater and known:
        near = [f"{by.source}:{name}" for name in near_names(by.rater, known)]
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        return f"{message}, only by {', '.join(known)}{hint}"
    return (
        f"{message}; `cranfield judge` shows what there is to judge, `cranfield judge import` "
        "reads judgments from files"
    )


def judge_query(query: Query, settled: Iterable[SettledGrade], highest: int, holes: str) -> Query:
    """Return a query whose right hits are those of judgments; grades go up to `highest`."""
    return replace_hits(query, {"judged": _expectation(settled, highest, holes)})


def _expectation(settled: Iterable[SettledGrade], highest: int, holes: str) -> dict[str, Any]:
    ordered = sorted(settled, key=lambda each: (each.documents, each.content))
    return {
        "grades": [
            {
                "id": each.documents[0],
                "grade": each.grade,
                "content": each.content,
                "also": list(each.documents[1:]),
            }
            for each in ordered
        ],
        "highest": highest,
        "holes": holes,
    }
