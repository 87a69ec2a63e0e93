"""The suites of a project checked: as files, against their corpus, and against stored runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError
from cranfield.formats import count_of
from cranfield.relevance import read_expectation
from cranfield.runs.runner import Run
from cranfield.suites import FindingSeverity, KnownIds, SuiteSource
from cranfield.suites.checks.corpora import Corpus
from cranfield.suites.checks.query_checks import always_passed, never_passed
from cranfield.suites.checks.suite_check import check_suite, find_unmet, ledger_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.evaluation.project import Project
    from cranfield.model import Query, Response, Threshold
    from cranfield.runs.store import Store
    from cranfield.suites.checks.suite_check import SuiteCheck
    from cranfield.systems import SystemSpec

__all__ = [
    "check_suites",
    "find_corpora",
    "find_unmet_expectations",
]

_MOST_NAMED = 5


def check_suites(
    project: Project,
    named: Sequence[str] = (),
    *,
    corpora: Sequence[str] = (),
    store: Store | None = None,
    accept_ledger: bool = False,
) -> list[tuple[Path, SuiteCheck]]:
    """Check the named suites, or the project's own.

    `corpora` are folders, files or indexes to look up what is expected; without any, those of the
    first system whose index or corpus is known. With a store, queries that all runs pass or fail
    are named.
    """
    looked_up = [Corpus(Path(each)) for each in corpora]
    if not looked_up:
        found = (find_corpora(spec) for spec in project.systems.values())
        looked_up = next((each for each in found if each), [])
    checked = []
    for path in project.suite_paths(named):
        checked_suite = check_suite(
            path,
            corpora=looked_up,
            accept_ledger=accept_ledger,
            accepted=project.content.accepted,
        )
        known = _add_experience(_add_settings(checked_suite, project), store)
        checked.append((path, _note_reused(known, path, store)))
    project.refuse_unknown_suites([each.source.suite.id for _, each in checked if each.source])
    return checked


def _add_settings(checked: SuiteCheck, project: Project) -> SuiteCheck:
    """Note what the project sets for a suite: measures, regression rules, thresholds."""
    source = checked.source
    if source is None or not checked.passed:
        return checked
    suite = project.apply_settings(source.suite)
    notes = [
        source.note(f"gate: {_describe(threshold)}")
        for threshold in suite.gate
        if threshold not in source.suite.gate
    ]
    if suite.id in project.content.measures:
        notes.append(source.note(f"measures: {', '.join(suite.measures)} (cranfield.toml)"))
    if suite.id in project.content.regressions:
        notes.append(source.note("regressions: the rules are those of cranfield.toml"))
    file = str(source.path)
    added = (replace(each, file=file) for each in notes)
    return replace(checked, findings=(*checked.findings, *added))


def _describe(threshold: Threshold) -> str:
    place = ", ".join(filter(None, (threshold.milestone, "cranfield.toml")))
    of = f" of {threshold.category}" if threshold.category else ""
    return f"{threshold.measure} ≥ {threshold.at_least:g}{of} ({place})"


def find_corpora(spec: SystemSpec) -> list[Corpus]:
    """Return what is known of the documents that a system searches: its indexes, or its corpus."""
    prefix = str(spec.settings.get("prefix", ""))
    if indexes := spec.find_indexes():
        return [Corpus(path, prefix) for path in indexes]
    named = (spec.folder / name for name in spec.read_settings().corpus)
    return [Corpus(path) for path in named if path.is_dir() or path.suffix == ".jsonl"]


def _add_experience(checked: SuiteCheck, store: Store | None) -> SuiteCheck:
    """Add what stored runs say about single queries: that they always pass, or never."""
    source = checked.source
    if store is None or source is None:
        return checked
    runs = [Run(each, store) for each in store.headers() if each.suite.id == source.suite.id]
    full: dict[str, list[bool]] = {}
    found: dict[str, list[bool]] = {}
    for run in runs:
        outcomes = run.outcomes()
        for place, key in enumerate(outcomes.hashes):
            first = next((each for each in outcomes.figures(place) if each is not None), 0.0)
            full.setdefault(key, []).append(first >= 1.0)
            found.setdefault(key, []).append(outcomes.first_ranks[place] is not None)
    systems = len({run.header.system for run in runs})
    notes = (
        *always_passed(source, full, systems=systems),
        *never_passed(source, found, systems=systems),
    )
    return replace(checked, findings=(*checked.findings, *notes))


def _note_reused(checked: SuiteCheck, path: Path, store: Store | None) -> SuiteCheck:
    """Advise a ledger if ids of stored runs are gone, or stand for other texts now."""
    source = checked.source
    if store is None or source is None or ledger_path(path).exists():
        return checked
    now = {query.id: query.text for query in source.suite.queries}
    stored = {
        query.id: query.text
        for header in store.headers()
        if header.suite.id == source.suite.id and not header.selection
        for query in header.suite.queries
    }
    reused = [name for name, text in stored.items() if now.get(name) != text]
    if not reused:
        return checked
    count = count_of(len(reused), "id of a stored run is", "ids of stored runs are")
    more = ", …" if len(reused) > _MOST_NAMED else ""
    note = source.note(
        f"{count} gone or asked with another text ({', '.join(reused[:_MOST_NAMED])}{more}); "
        f"--update-ledger writes a ledger of ids ({ledger_path(path).name}), so `check` "
        "refuses this"
    )
    return replace(checked, findings=(*checked.findings, replace(note, file=str(source.path))))


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
