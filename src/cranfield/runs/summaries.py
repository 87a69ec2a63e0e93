"""A run in a few figures: means over all queries and over each category, percentiles of times."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.formats import count_queries
from cranfield.measures import MeasureColumn
from cranfield.model import Response, Status, Undefined
from cranfield.relevance import needs_database, read_expectation
from cranfield.runs.truth import has_no_answers
from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from cranfield.measures import Measure
    from cranfield.model import Hit, Query, Value
    from cranfield.relevance import Expectation
    from cranfield.runs.records import Outcomes
    from cranfield.runs.runner import Run

__all__ = [
    "Group",
    "Summary",
    "find_doubts",
    "find_unreachable",
    "find_unseen_fields",
    "mean_of_defined",
    "summarise",
    "take_percentiles",
]

_FEW_ANSWERS = 2
_MOST_NAMED = 5
_PERCENTILES = ("p50", "p95")


@dataclass(frozen=True, slots=True)
class Group:
    """A group of queries: how many, and their means.

    Each mean is over the queries that have a value; `defined` counts them.
    """

    count: int
    means: Mapping[Measure, Value]
    defined: Mapping[Measure, int]


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over all queries and over each category, and the number of queries by status."""

    overall: Group
    categories: Mapping[str, Group]
    statuses: Mapping[Status, int]


def summarise(run: Run, outcomes: Outcomes | None = None) -> Summary:
    """Summarise a run; categories are in the order of the suite."""
    outcomes = outcomes or run.outcomes()
    places: dict[str, list[int]] = {}
    for place, query in enumerate(outcomes.queries):
        places.setdefault(query.category, []).append(place)
    categories = {
        name: _group(run.measures, outcomes, np.array(some)) for name, some in places.items()
    }
    return Summary(
        _group(run.measures, outcomes, np.arange(len(outcomes.queries))),
        {name: group for name, group in categories.items() if name},
        dict(Counter(status for status in outcomes.statuses if status is not None)),
    )


def _group(measures: tuple[Measure, ...], outcomes: Outcomes, places: NDArray[np.int64]) -> Group:
    means: dict[Measure, Value] = {}
    defined: dict[Measure, int] = {}
    for column, measure in enumerate(measures):
        values = outcomes.values[places, column]
        defined[measure] = int(np.count_nonzero(~np.isnan(values)))
        if (mean := mean_of_defined(measure, values)) is not None:
            means[measure] = mean
        else:
            reasons = (outcomes.reasons.get((int(place), column)) for place in places)
            means[measure] = Undefined(
                next((reason for reason in reasons if reason), "no query has a value")
            )
    return Group(len(places), means, defined)


def mean_of_defined(measure: Measure, values: NDArray[np.float64]) -> Value | None:
    """Aggregate the values of a measure that are defined, as it does; None if none is."""
    known = values[~np.isnan(values)]
    return measure.aggregate(MeasureColumn(known)) if len(known) else None


def find_doubts(run: Run, outcomes: Outcomes, places: Collection[int] | None = None) -> list[str]:
    """Say what makes figures doubtful: no end, no right answers, unreachable grades, no right hit.

    Only the queries at `places` count, or all of them without any.
    """
    places = range(len(outcomes.queries)) if places is None else places
    return [
        *_doubt_end(outcomes),
        *_doubt_truth(outcomes, places),
        *find_unreachable(run.measures, [outcomes.queries[place] for place in places]),
        *_doubt_ids(run, outcomes, places),
    ]


def _doubt_end(outcomes: Outcomes) -> list[str]:
    """Doubt a run that is under way or was stopped."""
    if not outcomes.missing:
        return []
    missing = f"{outcomes.missing} of {outcomes.failed.size} answers are missing"
    return [f"the run is not finished: {missing}; `cranfield run --resume` continues it"]


def _doubt_truth(outcomes: Outcomes, places: Collection[int]) -> list[str]:
    """Doubt queries for which the database that names right answers named none."""
    queries = [outcomes.queries[place] for place in places]
    if not any(map(needs_database, {name for query in queries for name in query.expect})):
        return []
    empty = [query.id for query in queries if has_no_answers(query)]
    if not empty:
        return []
    count = count_queries(len(empty))
    more = ", …" if len(empty) > _MOST_NAMED else ""
    named = f"{', '.join(empty[:_MOST_NAMED])}{more}"
    look = "its SQL" if len(empty) == 1 else "their SQL"
    doubt = f"the database names no right answer for {count}, so nothing can be right"
    return [f"{doubt}: {named}; look at {look}"]


def _doubt_ids(run: Run, outcomes: Outcomes, places: Collection[int]) -> list[str]:
    """Doubt a system that answers everything and is right nowhere: its ids may be misread."""
    known = (place for place in places if not has_no_answers(outcomes.queries[place]))
    if any(outcomes.first_ranks[place] is not None for place in known):
        return []
    places = [place for place in places if not has_no_answers(outcomes.queries[place])]
    answered = [place for place in places if outcomes.statuses[place] is Status.OK]
    if len(answered) < _FEW_ANSWERS or len(answered) < len(places):
        return []
    look = f"cranfield runs show {run.header.id} {outcomes.queries[answered[0]].id}"
    doubt = "every query was answered and nothing was right; are ids read as they should be?"
    return [f"{doubt} See {look}"]


def take_percentiles(outcomes: Outcomes, wanted: Iterable[str] = ()) -> dict[str, float]:
    """Return the response times at p50, p95 and wanted percentiles; empty if no time is known."""
    seconds = outcomes.seconds[~np.isnan(outcomes.seconds)]
    if not len(seconds):
        return {}
    parts = sorted({int(name.removeprefix("p")) for name in (*_PERCENTILES, *wanted)})
    return {f"p{part}": float(np.percentile(seconds, part)) for part in parts}


_MOST_QUERIES = 3
_MOST_FIELDS = 12


def find_unseen_fields(
    queries: Sequence[Query],
    expectation: Callable[[int], Expectation],
    responses: Iterable[Response],
) -> list[str]:
    """Report each field that a rule of a query reads and no hit has, with near names.

    `expectation` returns what the query at a place expects. Nothing is known if there is no hit.
    Responses are read until every field was seen.
    """
    readers = _find_readers(queries, expectation)
    if not readers:
        return []
    seen: set[str] = set()
    for response in responses:
        for hit in response.hits:
            seen |= _fields_of(hit)
        if all(not seen.isdisjoint(names) for names in readers):
            return []
    return [
        _describe(names, queries, seen)
        for names, queries in readers.items()
        if seen and seen.isdisjoint(names)
    ]


def _find_readers(
    queries: Sequence[Query], expectation: Callable[[int], Expectation]
) -> dict[tuple[str, ...], list[str]]:
    """Return the ids of the queries that read each field, by the names that it may have."""
    readers: dict[tuple[str, ...], list[str]] = {}
    for place, query in enumerate(queries):
        for names in dict.fromkeys(expectation(place).fields):
            readers.setdefault(names, []).append(query.id)
    return readers


def _fields_of(hit: Hit) -> set[str]:
    own = {"id": True, "score": hit.score is not None, "text": bool(hit.text)}
    return {*hit.fields, *(name for name, is_there in own.items() if is_there)}


def _describe(names: tuple[str, ...], queries: list[str], seen: set[str]) -> str:
    more = len(queries) - _MOST_QUERIES
    shown = ", ".join(queries[:_MOST_QUERIES]) + (f" and {more} more" if more > 0 else "")
    near = near_names(names[0], seen)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    had = sorted(seen)
    rest = f" and {len(had) - _MOST_FIELDS} more" if len(had) > _MOST_FIELDS else ""
    return (
        f"no hit has the field {' or '.join(names)}, which the expectation of {shown} reads, so "
        f"that cannot be checked{hint}; hits have {', '.join(had[:_MOST_FIELDS])}{rest}"
    )


_THRESHOLD = "rel"


def find_unreachable(measures: Sequence[Measure], queries: Sequence[Query]) -> list[str]:
    """Doubt each measure of hits with a grade that no target of the queries has.

    Nothing is said if the grades of a query's targets are unknown.
    """
    strict = {
        measure: int(measure.number(_THRESHOLD))
        for measure in measures
        if _THRESHOLD in measure.family.parameters and measure.number(_THRESHOLD) > 1
    }
    if not strict:
        return []
    highest = _highest_grade(queries)
    if highest is None:
        return []
    return [
        f"{measure} is 0 for every query: no target has grade {grade} or more, the highest is "
        f"{highest}"
        for measure, grade in strict.items()
        if grade > highest
    ]


def _highest_grade(queries: Sequence[Query]) -> int | None:
    """Return the highest grade of all targets; None if it is not known for a query."""
    highest = 0
    for query in queries:
        if any(map(needs_database, query.expect)):
            return None
        grades = read_expectation(query).grade(Response.of(()))
        if grades.expects_hits and grades.judgments is None:
            return None
        highest = max(highest, *(grades.judgments or (0,)), grades.hole_grade or 0)
    return highest
