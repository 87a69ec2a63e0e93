"""A round of judging: the runs, the queue of their hits, and the guidelines for raters."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.defaults import MARGIN, POOL_DEPTH, SEED, TOLERATED_ERROR
from cranfield.errors import CranfieldError, InputError
from cranfield.judging.decisive import DecisivePlan
from cranfield.judging.pool import Pool, make_pool
from cranfield.judging.queue import JudgingQueue
from cranfield.judging.queue_options import QueueFilter, QueueOptions
from cranfield.judging.verdict_outlook import OutlookOptions
from cranfield.judgments import JudgmentStore
from cranfield.runs.lookup import latest_runs
from cranfield.runs.records import RunState
from cranfield.runs.runner import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.model import Suite
    from cranfield.runs.store import Store

__all__ = [
    "Guidelines",
    "JudgingRound",
    "RoundOptions",
    "choose_runs",
    "open_round",
    "read_guidelines",
]


@dataclass(frozen=True, slots=True)
class RoundOptions:
    """How deep the pool is, which of its hits are judged, and in which order.

    `decisive` are the arms A and B of a comparison: only hits that can change its verdict are
    judged, and the verdict that is expected may be wrong in a share `error` of such rounds.
    """

    depth: int = POOL_DEPTH
    seed: int = SEED
    chosen: QueueFilter = field(default_factory=QueueFilter)
    decisive: tuple[Run, Run] | None = None
    error: float = TOLERATED_ERROR
    margin: float = MARGIN
    adjudicates: bool = False


@dataclass(frozen=True, slots=True)
class JudgingRound:
    """Runs whose hits are judged, with everything that a rater needs."""

    runs: tuple[Run, ...]
    pool: Pool
    queue: JudgingQueue
    guidelines: Guidelines


def choose_runs(store: Store, names: Sequence[str] = ()) -> list[Run]:
    """Return the runs whose hits are judged: those named, or the latest of every system.

    A system stands for its latest run of each suite. Without a name, the suites are those of the
    last command.
    """
    if names:
        found = {run.header.id: run for name in names for run in latest_runs(store, name)}
        return list(found.values())
    suites = {run.header.suite.id for run in latest_runs(store, "latest")}
    latest = {
        (header.system, header.suite.id): Run(header, store)
        for header in store.headers()
        if header.suite.id in suites
        and header.state is not RunState.RUNNING
        and not header.selection
    }
    return list(latest.values())


def open_round(runs: Sequence[Run], store: Store, options: RoundOptions) -> JudgingRound:
    """Open a round of judging over the hits of runs; judgments go into the store."""
    among = (*runs, *(options.decisive or ()))
    pool = make_pool(list({run.header.id: run for run in among}.values()), options.depth)
    settings, suite = pool.settings, among[-1].header.suite
    guidelines = read_guidelines(suite)
    queue = JudgingQueue(
        pool,
        JudgmentStore(store),
        QueueOptions(
            seed=options.seed,
            guideline=guidelines.version,
            highest=settings.highest,
            overlap=settings.overlap,
            raters=settings.raters,
            chosen=options.chosen,
            adjudicates=options.adjudicates,
        ),
        _plan(pool, options),
    )
    return JudgingRound(tuple(runs), pool, queue, guidelines)


def _plan(pool: Pool, options: RoundOptions) -> DecisivePlan | None:
    if options.decisive is None:
        return None
    a, b = options.decisive
    if a.header.suite.id != b.header.suite.id:
        raise CranfieldError(
            f"--decisive compares two runs of one suite; {a.header.id} is of "
            f"{a.header.suite.id}, {b.header.id} of {b.header.suite.id}"
        )
    outlook = OutlookOptions(margin=options.margin, error=options.error, seed=options.seed)
    return DecisivePlan(a, b, pool, outlook)


_USUAL = """\
Is this a right answer to the query? Judge the text that is shown, by itself: not how well it is
written, and not whether there may be something better. If you cannot tell what the query is after,
take what most people who type it want.
"""
_LARGEST = 100_000
_VERSION_DIGITS = 12


class Guidelines(NamedTuple):
    """A text for raters; `version` changes whenever the text does."""

    text: str
    version: str


def read_guidelines(suite: Suite) -> Guidelines:
    """Read the guidelines of a suite, or those that apply to every suite without its own."""
    text = _read(Path(suite.folder, name)) if (name := suite.judging.guidelines) else _USUAL
    digest = hashlib.sha256(" ".join(text.split()).encode()).hexdigest()
    return Guidelines(text, digest[:_VERSION_DIGITS])


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(
            f"the guidelines of the suite cannot be read ({problem}); `guidelines` of [judging] "
            "names a text file in the folder of the suite",
            file=str(path),
        ) from problem
    if len(text) > _LARGEST:
        raise InputError(f"guidelines have at most {_LARGEST:,} characters", file=str(path))
    return text
