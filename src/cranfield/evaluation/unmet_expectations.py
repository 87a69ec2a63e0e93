"""Expectations that a run could not meet: documents that do not exist, or are named otherwise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError
from cranfield.evaluation.suite_checks import find_corpora
from cranfield.relevance import read_expectation
from cranfield.suites import FindingSeverity, KnownIds, SuiteSource, find_unmet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.model import Query, Response
    from cranfield.runs import Run
    from cranfield.systems import SystemSpec

__all__ = ["find_unmet_expectations"]

_NAMING = ("ids", "files", "chunks")


def find_unmet_expectations(run: Run, spec: SystemSpec) -> list[str]:
    """Say which queries of a run found nothing right because nothing right exists.

    That is known of a system whose index or corpus can be read. Of another, it is evidence if an
    answer has the expected id written in another way; that no answer ever had it is none.
    """
    outcomes = run.outcomes()
    pairs = zip(outcomes.queries, outcomes.first_ranks, outcomes.statuses, strict=True)
    places = [
        place
        for place, (query, rank, status) in enumerate(pairs)
        if rank is None and status is not None and not status.is_failure and query.expect
    ]
    if not places:
        return []
    corpora = find_corpora(spec)
    if not corpora:
        return list(_written_otherwise(run, set(places)))
    queries = tuple(outcomes.queries[place] for place in places)
    source = SuiteSource(replace(run.header.suite, queries=queries), Path())
    try:
        found = list(find_unmet(source, corpora))
    except CranfieldError:
        return []  # a corpus that cannot be read says nothing; `cranfield check` reports it
    return [each.message for each in found if each.severity is FindingSeverity.ERROR]


def _written_otherwise(run: Run, places: set[int]) -> Iterator[str]:
    for answer in run.store.answers(run.header.id):
        if answer.place in places and answer.repeat == 0:
            yield from _compare_ids(run.header.suite.queries[answer.place], answer.response)


def _compare_ids(query: Query, response: Response) -> Iterator[str]:
    known = KnownIds(hit.id for hit in response.hits)
    for rule in _NAMING:
        if rule not in query.expect:
            continue
        alone = replace(query, expect={rule: query.expect[rule]})
        for target in read_expectation(alone).targets:
            if target.grade > 0 and (same := known.find_same(target.name)):
                yield (
                    f"query {query.id!r} expects {target.name!r}, and its answer has {same!r}: are "
                    "ids written in two ways?"
                )
