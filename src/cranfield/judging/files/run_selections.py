"""What stored runs selected, for formats that keep runs beside judgments."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - read at run time by dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError
from cranfield.judgments import query_key
from cranfield.relevance import hash_content
from cranfield.runs import latest_runs

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cranfield.model import Hit
    from cranfield.runs import Run, RunHeader, Store

__all__ = ["RunSelection", "SelectedHit", "find_selections"]


@dataclass(frozen=True, slots=True)
class SelectedHit:
    """A hit by its content and its id; `relevance` is its score as a share of the highest.

    None if it has no score, or if scores below 0 leave no share.
    """

    content: str
    document: str
    relevance: float | None


@dataclass(frozen=True, slots=True)
class RunSelection:
    """The hits of a run, by the key of the query, as its first repetition found them."""

    id: str
    name: str
    comments: str
    started: str
    finished: str
    hits: Mapping[str, tuple[SelectedHit, ...]]


def find_selections(
    store: Store, names: Sequence[str], queries: Collection[str]
) -> tuple[RunSelection, ...]:
    """Return what runs selected for these keys of queries; a system stands for its latest runs."""
    runs = {run.header.id: run for name in names for run in latest_runs(store, name)}
    taken = [run.header.name for run in runs.values()]
    return tuple(
        _select(run, queries, is_unique=taken.count(run.header.name) == 1) for run in runs.values()
    )


def _select(run: Run, queries: Collection[str], *, is_unique: bool) -> RunSelection:
    header = run.header
    keys = [query_key(query) for query in header.suite.queries]
    if not set(keys) & set(queries):
        raise CranfieldError(
            f"run {header.id} asks none of the queries that are exported; name a run of the suite "
            "that was judged"
        )
    return RunSelection(
        header.id,
        header.name if is_unique else f"{header.name} ({header.id})",
        _describe(header),
        header.started,
        header.finished,
        {
            keys[answer.place]: _share(answer.response.hits)
            for answer in run.store.answers(header.id)
            if answer.repeat == 0 and keys[answer.place] in queries
        },
    )


def _describe(header: RunHeader) -> str:
    commit = header.surroundings.get("commit", "")
    return f"{header.system}, {header.limit} hits{f', commit {commit[:12]}' if commit else ''}"


def _share(hits: Sequence[Hit]) -> tuple[SelectedHit, ...]:
    scores = [hit.score for hit in hits if hit.score is not None]
    highest = max(scores, default=0.0)
    has_shares = highest > 0.0 and min(scores, default=0.0) >= 0.0
    return tuple(
        SelectedHit(
            hash_content(hit),
            hit.id,
            hit.score / highest if has_shares and hit.score is not None else None,
        )
        for hit in hits
    )
