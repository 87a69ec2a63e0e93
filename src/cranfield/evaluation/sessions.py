"""Runs of a project's systems: opened, prepared, checked, run."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from cranfield.errors import CranfieldError, StoreError, SystemUnusableError
from cranfield.evaluation.suite_checks import find_unmet_expectations
from cranfield.judgments import judge_runs
from cranfield.model import JudgingSettings
from cranfield.runs.execution import Silent
from cranfield.runs.lookup import runs_alike
from cranfield.runs.records import RunState
from cranfield.runs.runner import check_run, continue_run, require_same_build, run_suite
from cranfield.runs.truth import resolve_truth
from cranfield.systems import open_system, prepare_system
from cranfield_shared.signals import Stopped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cranfield.evaluation.project import Project
    from cranfield.model import Suite
    from cranfield.runs.execution import Progress
    from cranfield.runs.runner import Run, RunOptions
    from cranfield.runs.store import Store
    from cranfield.runs.truth import Truth
    from cranfield.systems import System, SystemSpec

__all__ = [
    "Begin",
    "Session",
    "check_systems",
    "continue_system",
    "describe_selection",
    "refuse_unanswered",
    "resolve_truths",
    "resume_systems",
    "run_system",
    "run_systems",
    "set_judging",
    "use_judgments",
]

_MOST_WARNINGS = 5


def _ignore(_: str) -> None:
    """Report nothing."""


def _silent(_: str) -> Progress:
    return Silent()


@dataclass(frozen=True, slots=True)
class Session:
    """What runs need from outside: a store, the systems' environment, and whom to report to.

    `report` receives messages, `progress` makes a progress display for a title, `stopped` receives
    the name of a system whose run was interrupted and can be resumed. All runs of a session share
    its `batch`. `opens` opens systems: in this process, or on a cluster.
    """

    store: Store
    environment: Mapping[str, str] = field(default_factory=dict)
    report: Callable[[str], None] = _ignore
    progress: Callable[[str], Progress] = _silent
    stopped: Callable[[str], None] = _ignore
    batch: str = field(default_factory=lambda: secrets.token_hex(8))
    opens: Callable[[SystemSpec, Mapping[str, str]], System] = open_system


Begin: TypeAlias = Callable[[], Session]
"""Opens the store and all that runs need, once what was asked is known to make sense."""


def run_systems(
    session: Session,
    specs: Sequence[SystemSpec],
    suites: Sequence[Suite],
    options: RunOptions,
    *,
    one_truth: bool = False,
) -> list[Run]:
    """Run every suite on every system; all systems are checked before the first query.

    With `one_truth`, right answers that come from a system's database come from the first one's.
    """
    truths = resolve_truths(session, specs[0], suites) if one_truth else {}
    check_systems(session, specs, suites, options, truths)
    return [
        run_system(session, spec, suite, replace(options, truth=truths.get(suite.id)))
        for suite in suites
        for spec in specs
    ]


def resolve_truths(session: Session, spec: SystemSpec, suites: Sequence[Suite]) -> dict[str, Truth]:
    """Ask the database of each suite, or else of a system, for right answers, by suite."""
    prepare_system(spec, session.environment, session.report)
    return {suite.id: resolve_truth(suite, spec.name, spec.database) for suite in suites}


def resume_systems(
    session: Session,
    specs: Sequence[SystemSpec],
    suites: Sequence[Suite],
    options: RunOptions,
    *,
    retry_failed: bool = False,
) -> list[Run]:
    """Continue runs that were stopped, keep finished ones, and start those that are missing.

    Raises StoreError before the first query if a run to keep is of another build.
    `retry_failed` runs failed queries of finished runs again.
    """
    pairs = [(spec, suite) for suite in suites for spec in specs]
    earlier = [runs_alike(session.store, spec.name, suite, options) for spec, suite in pairs]
    stopped = [[run for run in alike if run.header.state is RunState.RUNNING] for alike in earlier]
    if not any(earlier if retry_failed else stopped):
        what = "run" if retry_failed else "unfinished run"
        option = "--retry-failed" if retry_failed else "--resume"
        raise StoreError(
            f"{session.store.name} has no {what} of {pairs[0][0].name} with the same suite, hits, "
            f"repetitions, measures and label; start one without {option}"
        )
    # What was not started yet belongs to the command that was stopped.
    batch = next((alike[-1].header.batch for alike in reversed(earlier) if alike), "")
    options = replace(options, batch=batch)
    for (spec, _), alike, unfinished in zip(pairs, earlier, stopped, strict=True):
        if alike and not unfinished:
            _require_same_build(session, alike[-1], spec)
    runs = []
    for (spec, suite), alike, unfinished in zip(pairs, earlier, stopped, strict=True):
        if not alike:
            runs.append(run_system(session, spec, suite, options))
        elif unfinished or retry_failed:
            chosen = (unfinished or alike)[-1]
            runs.append(continue_system(session, chosen, spec, options, retry_failed=retry_failed))
        else:
            runs.append(alike[-1])
    return runs


def _require_same_build(session: Session, run: Run, spec: SystemSpec) -> None:
    with _opened(session, spec) as system:
        require_same_build(run, system, spec)


def check_systems(
    session: Session,
    specs: Sequence[SystemSpec],
    suites: Sequence[Suite],
    options: RunOptions,
    truths: Mapping[str, Truth] | None = None,
) -> None:
    """Prepare and check all systems before the first query: the second may be an hour away.

    A single system is checked when it is run. `truths` has right answers by suite, if they are
    known.
    """
    if len(specs) > 1:
        for spec in specs:
            with _opened(session, spec) as system:
                check_run(suites, system, options, spec=spec, truths=truths)


@contextmanager
def _opened(session: Session, spec: SystemSpec) -> Iterator[System]:
    """Prepare and open a system, and close it whatever happens."""
    prepare_system(spec, session.environment, session.report)
    system = session.opens(spec, session.environment)
    try:
        yield system
    finally:
        system.close()


def run_system(session: Session, spec: SystemSpec, suite: Suite, options: RunOptions) -> Run:
    """Run a suite on a system; an interruption is reported if the run can be resumed."""
    options = options if options.batch else replace(options, batch=session.batch)
    with _noticing_stop(session, spec, options.batch), _opened(session, spec) as system:
        run = run_suite(
            suite,
            system,
            options,
            spec=spec,
            store=session.store,
            progress=session.progress(f"{spec.name}, {suite.id}"),
        )
    _warn_of_unmet(session, run, spec)
    return run


def _warn_of_unmet(session: Session, run: Run, spec: SystemSpec) -> None:
    """Report expectations that no answer could meet."""
    unmet = find_unmet_expectations(run, spec)
    for message in unmet[:_MOST_WARNINGS]:
        session.report(f"warning: {run.header.suite.id}: {message}")
    if len(unmet) > _MOST_WARNINGS:
        session.report(f"{len(unmet) - _MOST_WARNINGS} more; `cranfield check` lists them")


def continue_system(
    session: Session,
    run: Run,
    spec: SystemSpec,
    options: RunOptions,
    *,
    retry_failed: bool = False,
) -> Run:
    """Run the queries that a stored run lacks on its system."""
    with _noticing_stop(session, spec, run.header.batch), _opened(session, spec) as system:
        return continue_run(
            run,
            system,
            options,
            spec=spec,
            progress=session.progress(f"{spec.name}, {run.header.suite.id}"),
            retry_failed=retry_failed,
        )


@contextmanager
def _noticing_stop(session: Session, spec: SystemSpec, batch: str) -> Iterator[None]:
    """Report an interruption, unless it came before there was a run to resume."""
    try:
        yield
    except (KeyboardInterrupt, Stopped):
        headers = [header for header in session.store.headers() if header.batch == batch]
        if any(header.state is RunState.RUNNING for header in headers):
            session.stopped(spec.name)
        raise


def describe_selection(
    categories: Sequence[str] | None, languages: Sequence[str] | None, *, smoke: bool = False
) -> str:
    """Describe, as on a command line, which part of a suite is run; empty if it is all of it."""
    parts = [f"--category {name}" for name in categories or ()]
    chosen = languages if languages and "all" not in languages else ()
    parts += [f"--language {name}" for name in chosen]
    return " ".join([*parts, *(["--smoke"] if smoke else [])])


def refuse_unanswered(runs: Sequence[Run]) -> None:
    """Raise SystemUnusableError if a system answered no query at all."""
    for run in runs:
        header = run.header
        if run.outcomes().is_unanswered:
            first = next(run.store.answers(header.id))
            query = header.suite.queries[first.place].id
            raise SystemUnusableError(
                f"{header.system} answered no query of {header.suite.id} "
                f"({first.response.status}: {first.response.message}); "
                f"`cranfield runs show {header.id} {query}` shows what came back"
            )


def use_judgments(project: Project, store: Store, runs: Iterable[Run]) -> list[Run]:
    """Return runs graded by judgments of the store, as far as `judged_by` of [judging] says so."""
    return judge_runs([set_judging(project, run) for run in runs], store)


def set_judging(project: Project, run: Run) -> Run:
    """Return a stored run that is judged as its suite or its project says now.

    If the suite no longer loads, it is judged as it was when it was run, with a warning.
    """
    header = run.header
    try:
        settings = project.judging_of(header.suite)
    except CranfieldError as problem:
        kept = (
            f"the suite {header.suite.id} can no longer be loaded, so it is judged as it was when "
            f"it was run: {problem}"
        )
        return replace(run, header=replace(header, notices=(*header.notices, kept)))
    if settings in (header.suite.judging, JudgingSettings()):
        return run
    return run.with_suite(replace(header.suite, judging=settings))
