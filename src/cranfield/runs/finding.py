"""Stored runs found by what people call them: id, the beginning of an id, label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.errors import StoreError
from cranfield.runs.records import RunState
from cranfield.runs.running import Run
from cranfield.suites import hash_query

if TYPE_CHECKING:
    from cranfield.model import Suite
    from cranfield.runs.running import RunOptions
    from cranfield.runs.store import Store

__all__ = ["find_run", "find_runs", "last_run"]

LATEST = "latest"


def find_runs(store: Store, name: str) -> list[Run]:
    """Return the run of an id, or the latest run of each suite under a label; nothing if unknown.

    The beginning of an id will do where only one begins so; `latest` is the newest run.
    """
    headers = store.headers()
    if name == LATEST and headers:
        return [Run(headers[-1], store)]
    if exact := [header for header in headers if header.id == name]:
        return [Run(exact[0], store)]
    by_suite = {header.suite.id: header for header in headers if header.label == name}
    if by_suite:
        return [Run(header, store) for header in by_suite.values()]
    begun = [header for header in headers if name and header.id.startswith(name)]
    if len(begun) > 1:
        raise StoreError(
            f"{len(begun)} runs begin with {name!r}: "
            f"{', '.join(header.id for header in begun[:5])}; write more of the id"
        )
    return [Run(header, store) for header in begun]


def find_run(store: Store, name: str) -> Run:
    """Return one run; a label has to stand for one suite only."""
    found = find_runs(store, name)
    if not found:
        raise StoreError(f"{store.name} has no run {name!r}; `cranfield runs list` shows them")
    if len(found) > 1:
        raise StoreError(
            f"the label {name!r} stands for runs of {len(found)} suites: "
            f"{', '.join(f'{run.header.id} ({run.header.suite.id})' for run in found)}; "
            "name one by its id"
        )
    return found[0]


def last_run(
    store: Store, system: str, suite: Suite, options: RunOptions, *, unfinished: bool
) -> Run:
    """Return the newest run of a system that asks just this suite, in just this way."""
    hashes = tuple(hash_query(query) for query in suite.asked)
    alike = [
        header
        for header in store.headers()
        if header.system == system
        and header.suite.id == suite.id
        and (header.state is RunState.RUNNING or not unfinished)
    ]
    what = "unfinished run" if unfinished else "run"
    if not alike:
        raise StoreError(f"{store.name} has no {what} of {suite.id} by {system}; start one")
    last = alike[-1]
    if last.asked.hashes != hashes or last.limit != options.limit:
        raise StoreError(
            f"the last {what} of {suite.id} by {system}, {last.id}, asked other queries or "
            "another number of hits; start a new run"
        )
    return Run(last, store)
