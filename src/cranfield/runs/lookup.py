"""Stored runs looked up by id, the beginning of an id, or label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.errors import ComparisonError, StoreError
from cranfield.runs.records import RunState
from cranfield.runs.runner import Run, measured_by
from cranfield.suites import hash_query

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.model import Suite
    from cranfield.runs.records import Outcomes
    from cranfield.runs.run_entries import RunEntry
    from cranfield.runs.runner import RunOptions
    from cranfield.runs.store import Store

__all__ = [
    "find_run",
    "find_run_with",
    "find_runs",
    "latest_runs",
    "require_batch",
    "require_complete",
    "require_runs",
    "runs_alike",
]

_LATEST = "latest"


def find_runs(store: Store, name: str) -> list[Run]:
    """Return the run of an id, or the latest run of each suite under a label; none if unknown.

    The beginning of an id is enough if it is unique; `latest` is the newest run.
    """
    return _read_runs(store, _find_entries(store.entries(), name))


def _read_runs(store: Store, entries: Iterable[RunEntry]) -> list[Run]:
    return [Run(store.header(each.id), store) for each in entries]


def _find_entries(entries: Sequence[RunEntry], name: str) -> list[RunEntry]:
    if name == _LATEST and entries:
        return [entries[-1]]
    if exact := [each for each in entries if each.id == name]:
        return exact
    labelled = [each for each in entries if name and each.label == name]
    if systems := dict.fromkeys(each.system for each in labelled):
        if len(systems) > 1:
            raise StoreError(
                f"the label {name!r} stands for runs by {' and '.join(systems)}; name one by its id"
            )
        return _newest_of_suites(labelled)
    begun = [each for each in entries if name and each.id.startswith(name)]
    if len(begun) > 1:
        raise StoreError(
            f"{len(begun)} runs begin with {name!r}: "
            f"{', '.join(each.id for each in begun[:5])}; write more of the id"
        )
    return begun


def _newest_of_suites(entries: Iterable[RunEntry]) -> list[RunEntry]:
    return list({each.suite: each for each in entries}.values())


def require_runs(store: Store, name: str) -> list[Run]:
    """Return the runs of a name; raise StoreError if there are none."""
    if found := find_runs(store, name):
        return found
    raise StoreError(f"{store.name} has no run {name!r}; `cranfield runs list` shows them")


def require_batch(store: Store, name: str) -> list[Run]:
    """Return the runs of a name; `latest` stands for all runs of the last command."""
    found = require_runs(store, name)
    batch = found[-1].header.batch
    if name != _LATEST or not batch:
        return found
    return _read_runs(store, (each for each in store.entries() if each.batch == batch))


def latest_runs(store: Store, name: str) -> list[Run]:
    """Return the runs of a name; a system stands for its latest complete run of each suite.

    A part of a suite is not taken for the whole.
    """
    if name != _LATEST:
        entries = store.entries()
        if found := _find_entries(entries, name):
            return _read_runs(store, found)
        own = [each for each in entries if each.system == name]
        if whole := [each for each in own if each.is_whole]:
            return _read_runs(store, _newest_of_suites(whole))
        if own:
            raise StoreError(_describe_parts(store, name, own[-1]))
    return require_batch(store, name)


def _describe_parts(store: Store, system: str, newest: RunEntry) -> str:
    """Say what a store has of a system instead of a whole run."""
    if newest.state is RunState.RUNNING:
        return (
            f"{store.name} has no finished run of {system}: {newest.id} was stopped; continue it "
            f"with `cranfield run --system {system} --resume`, or name it by its id"
        )
    return (
        f"{store.name} has only runs of parts of suites by {system}, the newest {newest.id} "
        f"({newest.selection}); name one by its id, or run a whole suite"
    )


def require_complete(run: Run, outcomes: Outcomes | None = None) -> None:
    """Raise ComparisonError if answers of a run are missing."""
    known = run.outcomes() if outcomes is None else outcomes
    if known.missing:
        raise ComparisonError(
            f"run {run.header.id} ({run.header.name}) lacks {known.missing} of "
            f"{len(known.queries) * run.header.repeats} answers; finish it with "
            "`cranfield run --resume`"
        )


def find_run(store: Store, name: str) -> Run:
    """Return one run; a label must belong to runs of one suite only."""
    return _require_one(require_runs(store, name), name)


def _require_one(found: list[Run], name: str) -> Run:
    if len(found) > 1:
        raise StoreError(
            f"the name {name!r} stands for runs of {len(found)} suites: "
            f"{', '.join(f'{run.header.id} ({run.header.suite.id})' for run in found)}; "
            "name one by its id"
        )
    return found[0]


def find_run_with(store: Store, name: str, query: str) -> Run:
    """Return the run of a name that asked a query; a system stands for its latest complete runs."""
    found = (require_runs if name == _LATEST else latest_runs)(store, name)
    asking = [run for run in found if any(each.id == query for each in run.header.suite.queries)]
    return _require_one(asking if len(asking) == 1 else found, name)


def runs_alike(store: Store, system: str, suite: Suite, options: RunOptions) -> list[Run]:
    """Return the runs of a system with these queries and these options, the newest last."""
    hashes = tuple(hash_query(query) for query in suite.asked)
    measures = tuple(str(measure) for measure in measured_by(suite, options))
    wanted = (system, suite.id, hashes, options.limit, options.repeats, measures, options.label)
    return [
        Run(header, store)
        for header in store.headers()
        if wanted
        == (
            header.system,
            header.suite.id,
            header.asked.hashes,
            header.limit,
            header.repeats,
            header.measures,
            header.label,
        )
    ]
