"""Stored runs looked up by id, the beginning of an id, or label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.errors import StoreError
from cranfield.runs.records import RunState
from cranfield.runs.runner import Run, measured_by
from cranfield.suites import hash_query

if TYPE_CHECKING:
    from cranfield.model import Suite
    from cranfield.runs.runner import RunOptions
    from cranfield.runs.store import Store

__all__ = [
    "find_run",
    "find_run_with",
    "find_runs",
    "latest_runs",
    "require_batch",
    "require_runs",
    "runs_alike",
]

_LATEST = "latest"


def find_runs(store: Store, name: str) -> list[Run]:
    """Return the run of an id, or the latest run of each suite under a label; none if unknown.

    The beginning of an id is enough if it is unique; `latest` is the newest run.
    """
    headers = store.headers()
    if name == _LATEST and headers:
        return [Run(headers[-1], store)]
    if exact := [header for header in headers if header.id == name]:
        return [Run(exact[0], store)]
    labelled = [header for header in headers if name and header.label == name]
    if systems := dict.fromkeys(header.system for header in labelled):
        if len(systems) > 1:
            raise StoreError(
                f"the label {name!r} stands for runs by {' and '.join(systems)}; name one by its id"
            )
        return [Run(each, store) for each in {each.suite.id: each for each in labelled}.values()]
    begun = [header for header in headers if name and header.id.startswith(name)]
    if len(begun) > 1:
        raise StoreError(
            f"{len(begun)} runs begin with {name!r}: "
            f"{', '.join(header.id for header in begun[:5])}; write more of the id"
        )
    return [Run(header, store) for header in begun]


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
    return [Run(header, store) for header in store.headers() if header.batch == batch]


def latest_runs(store: Store, name: str) -> list[Run]:
    """Return the runs of a name; a system stands for its latest complete run of each suite.

    A part of a suite is not taken for the whole.
    """
    if name != _LATEST and not find_runs(store, name):
        whole = [
            header
            for header in store.headers()
            if header.system == name
            and header.state is not RunState.RUNNING
            and not header.selection
        ]
        if whole:
            return [Run(each, store) for each in {each.suite.id: each for each in whole}.values()]
    return require_batch(store, name)


def find_run(store: Store, name: str) -> Run:
    """Return one run; a label must belong to runs of one suite only."""
    found = require_runs(store, name)
    if len(found) > 1:
        raise StoreError(
            f"the label {name!r} stands for runs of {len(found)} suites: "
            f"{', '.join(f'{run.header.id} ({run.header.suite.id})' for run in found)}; "
            "name one by its id"
        )
    return found[0]


def find_run_with(store: Store, name: str, query: str) -> Run:
    """Return one run; if a label belongs to runs of several suites, that which asked a query."""
    asking = [
        run
        for run in require_runs(store, name)
        if any(each.id == query for each in run.header.suite.queries)
    ]
    return asking[0] if len(asking) == 1 else find_run(store, name)


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
