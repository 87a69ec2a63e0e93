"""Trials as runs of systems: built, run, stored, or found in the store by their content."""

from __future__ import annotations

import json
import platform
import queue
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.evaluation.sessions import continue_system, resolve_truths, run_system, use_judgments
from cranfield.runs.records import RunState
from cranfield.runs.runner import Run, measured_by
from cranfield.suites import hash_query
from cranfield.sweeps.tuning import TrialScores
from cranfield.systems import fingerprint_files, prepare_system
from cranfield_shared.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from cranfield.evaluation.sessions import Session
    from cranfield.model import Suite
    from cranfield.runs.records import RunHeader
    from cranfield.runs.runner import RunOptions
    from cranfield.runs.truth import Truth
    from cranfield.sweeps.searches import Trial
    from cranfield.sweeps.sweep_plan import SweepBase, SweepPlan
    from cranfield.sweeps.tuning import Rows
    from cranfield.systems import FileFingerprint, SystemSpec

__all__ = ["TrialRuns"]


class TrialRuns:
    """Runs trials; what was asked of the same build with the same settings is not asked again."""

    def __init__(self, plan: SweepPlan, session: Session, *, fresh: bool = False) -> None:
        self._plan = plan
        self._session = session
        self._building = threading.Lock()
        headers = () if fresh else session.store.headers()
        self._known = {_key_of(header): header for header in headers}
        self._truths: dict[str, Truth] = {}
        self.reused = 0
        """How many runs were found in the store."""
        self.made = 0
        """How many runs were begun or continued."""
        for base in plan.bases:
            spec = plan.template.apply(base.spec, plan.default)
            self._truths |= resolve_truths(session, spec, base.suites)

    def score(self, trial: Trial, rows: Rows) -> TrialScores:
        """Return the scores of a trial on some queries."""
        size = len(self._plan.table.queries)
        values, seconds = np.full(size, np.nan), np.full(size, np.nan)
        failed = np.zeros(size, dtype=np.bool_)
        for base in self._plan.bases:
            spec = self._plan.template.apply(base.spec, trial)
            for suite in base.suites:
                places = np.flatnonzero(rows & self._plan.table.of_suite(suite.id))
                if places.size:
                    run = self._run(base, spec, self._select(suite, rows), trial)
                    outcomes = run.outcomes()
                    values[places] = outcomes.values[:, 0]
                    seconds[places] = outcomes.seconds
                    failed[places] = outcomes.failed.any(axis=0)
        return TrialScores(trial, values, failed, seconds)

    def score_all(
        self, trials: Iterable[Trial], rows: Rows, jobs: int, is_over: Callable[[], bool]
    ) -> Iterator[TrialScores]:
        """Score trials, `jobs` at a time, as they are finished; none is begun once it is over."""
        if jobs == 1:
            for trial in trials:
                if is_over():
                    return
                yield self.score(trial, rows)
            return
        yield from _in_threads(lambda trial: self.score(trial, rows), trials, jobs, is_over)

    def _select(self, suite: Suite, rows: Rows) -> Suite:
        chosen = rows[self._plan.table.of_suite(suite.id)]
        pairs = zip(suite.asked, chosen, strict=True)
        return replace(suite, queries=tuple(query for query, is_meant in pairs if is_meant))

    def _run(self, base: SweepBase, spec: SystemSpec, suite: Suite, trial: Trial) -> Run:
        plan = self._plan
        whole = next(each for each in base.suites if each.id == suite.id)
        options = replace(
            plan.file.run_options,
            label=f"{plan.file.path.stem}: {plan.describe(trial)}",
            selection="" if len(suite.queries) == len(whole.asked) else "part of a sweep",
            truth=self._truths.get(suite.id),
        )
        with self._building:  # the record of builds is one file
            prepare_system(spec, self._session.environment, self._session.report)
            key = _key(spec, suite, options)
            known = self._known.get(key)
            is_reused = known is not None and known.state is RunState.COMPLETE
            self.reused += is_reused
            self.made += not is_reused
        run = self._find_or_ask(known, spec, suite, options)
        self._known[key] = run.header
        if suite.judging.judged_by:
            judged = base.project.open_store() if base.project.has_store() else run.store
            run = use_judgments(base.project, judged, [run])[0]
        return run

    def _find_or_ask(
        self, known: RunHeader | None, spec: SystemSpec, suite: Suite, options: RunOptions
    ) -> Run:
        if known is None or known.state is RunState.CHANGED:
            return run_system(self._session, spec, suite, options)
        run = Run(known, self._session.store)
        is_unfinished = known.state is RunState.RUNNING
        return continue_system(self._session, run, spec, options) if is_unfinished else run


def _key_of(header: RunHeader) -> str:
    return _write_key(
        spec=header.spec,
        files=_contents(header.files),
        asked=[header.suite.id, *header.asked.hashes],
        how=[header.limit, header.repeats, *header.measures],
        by=[header.surroundings.get("cranfield"), header.surroundings.get("python")],
    )


def _key(spec: SystemSpec, suite: Suite, options: RunOptions) -> str:
    """Return what decides the answers of a run, as far as can be known from outside."""
    paths = spec.named_paths()
    taken = fingerprint_files(paths.values())
    return _write_key(
        spec={"kind": spec.kind, **spec.settings},
        files=_contents({name: taken[str(path)] for name, path in paths.items()}),
        asked=[suite.id, *map(hash_query, suite.asked)],
        how=[options.limit, options.repeats, *map(str, measured_by(suite, options))],
        by=[__version__, platform.python_version()],
    )


def _contents(files: Mapping[str, FileFingerprint]) -> dict[str, Any]:
    """Return what files hold; the logs of a database are part of it."""
    return {name: [each.sha256, dict(each.logs)] for name, each in files.items()}


def _write_key(**parts: Mapping[str, Any] | list[Any]) -> str:
    return json.dumps(parts, sort_keys=True, default=str)


def _in_threads(
    work: Callable[[Trial], TrialScores],
    trials: Iterable[Trial],
    jobs: int,
    is_over: Callable[[], bool],
) -> Iterator[TrialScores]:
    """Work on trials in threads, which do not keep the program from ending."""
    waiting = iter(list(trials))
    lock = threading.Lock()
    done: queue.Queue[TrialScores | BaseException | None] = queue.Queue()
    stopped = threading.Event()

    def take() -> Trial | None:
        with lock:
            return None if stopped.is_set() or is_over() else next(waiting, None)

    def take_all() -> None:
        try:
            while (trial := take()) is not None:
                done.put(work(trial))
            done.put(None)
        except BaseException as problem:  # noqa: BLE001 - it is raised where results are taken
            done.put(problem)

    for number in range(jobs):
        threading.Thread(target=take_all, name=f"trial-{number}", daemon=True).start()
    ended = 0
    try:
        while ended < jobs:
            result = done.get()
            if isinstance(result, BaseException):
                raise result
            if result is None:
                ended += 1
            else:
                yield result
    finally:
        stopped.set()
