"""Stored runs graded again: some of their queries, by other expectations or other measures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.runs.grading import Evaluator
from cranfield.runs.records import AskedSuite
from cranfield.runs.runner import Run, RunOptions, measured_by
from cranfield.runs.store import open_store
from cranfield.runs.store_rows import answer_row
from cranfield.suites import hash_query

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.measures import Measure
    from cranfield.model import Suite
    from cranfield.runs.records import Answer
    from cranfield.runs.truth import Truth

__all__ = ["regrade", "regrade_by"]


def regrade(
    run: Run,
    suite: Suite,
    measures: Sequence[Measure] = (),
    *,
    selection: str = "",
    truth: Truth | None = None,
) -> Run:
    """Return a run in memory with the same answers, as far as `suite` has their queries.

    Queries are the same by their ids; what they expect may differ. Without `measures`, the run's
    own stay. The stored run is not changed. Figures are computed again only if something that
    they follow from differs. With a `truth`, right answers come from there, and the queries stay
    what they are.
    """
    header = run.header
    before = header.suite.queries
    places = {query.id: place for place, query in enumerate(before)}
    hashes = tuple(
        header.asked.hashes[places[query.id]]
        if query == before[places[query.id]]
        else hash_query(query)
        for query in suite.queries
    )
    known = truth.queries if truth else {}
    pairs = zip(hashes, suite.queries, strict=True)
    queries = tuple(known.get(key, query) for key, query in pairs)
    chosen = header.measures
    if measures or suite.query_class != header.suite.query_class:
        options = RunOptions(header.limit, measures=tuple(measures))
        chosen = tuple(str(measure) for measure in measured_by(suite, options))
    graded = replace(
        header,
        asked=AskedSuite(replace(suite, queries=queries), hashes),
        measures=chosen,
        truth=header.truth if truth is None else truth.sources,
        selection=" ".join(filter(None, (header.selection, selection))),
    )
    copied = Run(graded, open_store(name=run.store.name))
    copied.store.begin(graded)
    rows = [answer_row(header.id, answer) for answer in _answers(run, copied)]
    if rows:
        copied.store.add(header.id, rows)
    return copied


def regrade_by(run: Run, measures: Sequence[Measure]) -> Run:
    """Return a run in memory with the same answers, measured by these measures and no others."""
    header = replace(run.header, measures=tuple(str(measure) for measure in measures))
    copied = Run(header, open_store())
    copied.store.begin(header)
    if rows := [answer_row(header.id, answer) for answer in _answers(run, copied)]:
        copied.store.add(header.id, rows)
    return copied


def _answers(run: Run, copied: Run) -> Iterator[Answer]:
    """Yield the answers at their new places, measured again if need be."""
    before, now = run.header.suite.queries, copied.header.suite.queries
    places = {query.id: place for place, query in enumerate(now)}
    evaluator = Evaluator(copied.header.suite, copied.measures)
    same_measures = run.header.measures == copied.header.measures
    for answer in run.store.answers(run.header.id):
        query = before[answer.place]
        if query.id not in places:
            continue
        place = places[query.id]
        if same_measures and now[place] == query:
            yield replace(answer, place=place)
        else:
            yield evaluator.evaluate(place, answer.repeat, answer.response)
