"""Which stored runs a deletion removes, and which it leaves because something needs them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError
from cranfield.runs.lookup import require_runs
from cranfield.runs.records import RunState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cranfield.runs.records import RunHeader
    from cranfield.runs.store import Store

__all__ = ["Deletion", "delete_runs", "plan_deletion", "plan_expiry", "read_age"]

_AGE = re.compile(r"(\d{1,5})\s*(h|d|w)[a-z]*", re.I)
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True, slots=True)
class Deletion:
    """The runs that would be deleted, those that are old enough but needed, and by what.

    `needs` says what needs a run, by the run's id; a run that was named is deleted all the same.
    """

    deleted: tuple[RunHeader, ...]
    kept: tuple[RunHeader, ...]
    needs: Mapping[str, str]


def read_age(text: str) -> timedelta:
    """Read an age such as `30d`, `12h` or `2w`."""
    found = _AGE.fullmatch(text.strip())
    if found is None:
        raise CranfieldError(
            f"{text!r} is no age; write a number of hours, days or weeks: 12h, 30d, 2w"
        )
    return timedelta(**{_UNITS[found[2].lower()]: int(found[1])})


def plan_deletion(store: Store, names: Iterable[str], baselines: Mapping[str, str]) -> Deletion:
    """Plan to delete runs by id, beginning of an id, label or `latest`, needed or not.

    `baselines` names the baseline that each accepted run is, by its id.
    """
    found = [run.header for name in names for run in require_runs(store, name)]
    chosen = {header.id: header for header in found}
    needs = {**_find_needs(store.headers()), **baselines}
    return Deletion(
        tuple(chosen.values()), (), {name: needs[name] for name in chosen if name in needs}
    )


def plan_expiry(
    store: Store,
    baselines: Mapping[str, str],
    now: datetime,
    *,
    keep: int | None = None,
    older_than: timedelta | None = None,
) -> Deletion:
    """Plan to delete all runs but the newest `keep` of each suite by each system.

    Runs of a part of a suite are counted apart from whole runs, so that they never displace one;
    unfinished runs are not counted. With `older_than`, only runs started so long before `now`. What
    is needed is kept.
    """
    headers = store.headers()
    needs = {**_find_needs(headers), **baselines}
    chosen = [
        header
        for header in (headers if keep is None else _drop_newest(headers, keep))
        if older_than is None or now - datetime.fromisoformat(header.started) > older_than
    ]
    kept = tuple(header for header in chosen if header.id in needs)
    deleted = tuple(header for header in chosen if header.id not in needs)
    return Deletion(deleted, kept, {header.id: needs[header.id] for header in kept})


def delete_runs(store: Store, plan: Deletion) -> bool:
    """Delete the runs of a plan, with their answers; return whether their room is free again."""
    for header in plan.deleted:
        store.delete(header.id)
    return store.shrink()


def _drop_newest(headers: Sequence[RunHeader], keep: int) -> Iterator[RunHeader]:
    """Yield the runs that are not among the newest of their suite and system.

    Whole runs and those of a part are counted apart, unfinished ones not at all.
    """
    left = Counter(_counted_with(header) for header in headers if _is_finished(header))
    for header in headers:
        if left[_counted_with(header)] > keep:
            yield header
        left[_counted_with(header)] -= _is_finished(header)


def _counted_with(header: RunHeader) -> tuple[str, str, bool]:
    return header.suite.id, header.system, bool(header.selection)


def _is_finished(header: RunHeader) -> bool:
    return header.state is not RunState.RUNNING


def _find_needs(headers: Sequence[RunHeader]) -> dict[str, str]:
    """Say which runs `--resume` would continue, and which belong to the same command."""
    unfinished = [header for header in headers if header.state is RunState.RUNNING]
    batches = {header.batch for header in unfinished} - {""}
    needs = {
        header.id: "a stopped command, for --resume"
        for header in headers
        if header.batch in batches
    }
    return {**needs, **{header.id: "--resume: it is unfinished" for header in unfinished}}
