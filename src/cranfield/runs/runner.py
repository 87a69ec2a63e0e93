"""The life of a run: started, resumed, retried, finished."""

from __future__ import annotations

import platform
import secrets
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cranfield.defaults import HITS
from cranfield.errors import CranfieldError, StoreError
from cranfield.formats import NotebookView, count_of
from cranfield.measures import parse_measure
from cranfield.runs.commits import find_commit
from cranfield.runs.execution import ExecutionOptions, QueryTask, Silent, execute
from cranfield.runs.records import AskedSuite, RunHeader, RunState
from cranfield.runs.store import Store, open_store
from cranfield.runs.summaries import find_unseen_fields
from cranfield.runs.truth import Truth, resolve_truth
from cranfield.suites import CLASSES, hash_query, uncounted_checks
from cranfield.systems import PythonSystem, System, changed_files, fingerprint_files
from cranfield_shared.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from cranfield.measures import Measure
    from cranfield.model import Suite
    from cranfield.runs.execution import Progress
    from cranfield.runs.records import Outcomes
    from cranfield.systems import FileFingerprint, SystemSpec

__all__ = [
    "Run",
    "RunOptions",
    "check_run",
    "continue_run",
    "measured_by",
    "require_same_build",
    "run_suite",
]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a suite is run: hits per query, queries at a time, repetitions, label."""

    limit: int = HITS
    jobs: int = 1
    repeats: int = 1
    label: str = ""
    measures: tuple[Measure, ...] = ()
    """Measures instead of those of the suite or its class; the first is the headline."""
    batch: str = ""
    """The same for all runs that belong together."""
    selection: str = ""
    """Which part of the suite is run, if it is only a part."""
    truth: Truth | None = None
    """The right answers of expectations on a database; without it, the suite's or the system's own
    database is asked."""


@dataclass(frozen=True, slots=True)
class Run(NotebookView):
    """A run in its store."""

    header: RunHeader
    store: Store = field(repr=False)

    def outcomes(self) -> Outcomes:
        """The outcome of every query, as columns."""
        return self.store.outcomes(self.header)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The columns of the outcomes."""
        return tuple(parse_measure(text) for text in self.header.measures)

    def with_suite(self, suite: Suite) -> Run:
        """Return the same run of a suite with other settings; its queries stay what they are."""
        asked = replace(self.header.asked, suite=suite)
        return replace(self, header=replace(self.header, asked=asked))


@dataclass(frozen=True, slots=True)
class Subject:
    """The system under test: opened, with its definition."""

    system: System
    name: str
    spec: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)
    database: Path | None = None

    def fingerprints(self) -> dict[str, FileFingerprint]:
        """Take the fingerprints of the files, by their paths as written in the definition."""
        taken = fingerprint_files(self.files.values())
        return {name: taken[str(path)] for name, path in self.files.items()}

    @classmethod
    def of(cls, given: System | Callable[..., Any], spec: SystemSpec | None) -> Subject:
        """Wrap a system or a plain callable, with its definition if it has one."""
        system = given if isinstance(given, System) else PythonSystem(given)
        if spec is None:
            return cls(system, getattr(given, "__name__", type(given).__name__))
        return cls(
            system,
            spec.name,
            {"kind": spec.kind, **spec.settings},
            spec.named_paths(),
            spec.database,
        )


def run_suite(
    suite: Suite,
    system: System | Callable[..., Any],
    options: RunOptions | None = None,
    *,
    spec: SystemSpec | None = None,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Run:
    """Run every query of a suite on a system, or on a callable `search(text, limit)`.

    Without a store, the run is kept in memory. Raises SystemUnusableError before the first query
    if the system cannot be used.
    """
    options = options or RunOptions()
    subject = Subject.of(system, spec)
    notices = subject.system.check_queries(suite.asked)
    subject.system.check()
    header = _new_header(suite, subject, options)
    run = _begin(Run(header, store or open_store()))
    tasks = [
        QueryTask(place, repeat)
        for repeat in range(options.repeats)
        for place in range(len(header.suite.queries))
    ]
    execution = ExecutionOptions(options.jobs, progress or Silent())
    return _finish(run, subject, tasks, execution, notices)


def check_run(
    suites: Iterable[Suite],
    system: System,
    options: RunOptions,
    *,
    spec: SystemSpec | None = None,
    truths: Mapping[str, Truth] | None = None,
) -> None:
    """Raise what would keep runs of these suites from starting; no query is run.

    `truths` has the right answers of suites by their ids, if they are known.
    """
    subject = Subject.of(system, spec)
    for suite in suites:
        subject.system.check_queries(suite.asked)
    subject.system.check()
    subject.fingerprints()
    for suite in suites:
        if suite.id not in (truths or {}):
            resolve_truth(suite, subject.name, subject.database)
        measured_by(suite, options)


def continue_run(
    run: Run,
    system: System,
    options: RunOptions,
    *,
    spec: SystemSpec | None = None,
    progress: Progress | None = None,
    retry_failed: bool = False,
) -> Run:
    """Run the queries that a stored run lacks, and with `retry_failed` those that failed.

    The system must be unchanged, or the run would be of two systems.
    """
    subject = Subject.of(system, spec)
    notices = subject.system.check_queries(run.header.suite.queries)
    subject.system.check()
    _refuse_another(run, subject)
    answered = run.store.answered(run.header.id, but_failed=retry_failed)
    tasks = [
        QueryTask(place, repeat)
        for repeat in range(run.header.repeats)
        for place in range(len(run.header.suite.queries))
        if (place, repeat) not in answered
    ]
    execution = ExecutionOptions(options.jobs, progress or Silent(), replacing=retry_failed)
    return _finish(run, subject, tasks, execution, notices)


def require_same_build(run: Run, system: System, spec: SystemSpec) -> None:
    """Raise StoreError if a run is of another build of a system, or of other settings."""
    _refuse_another(run, Subject.of(system, spec))


def _finish(
    run: Run,
    subject: Subject,
    tasks: list[QueryTask],
    options: ExecutionOptions,
    notices: Sequence[str],
) -> Run:
    evaluator = execute(run.header, subject.system, run.store, tasks, options)
    changes = tuple(changed_files(run.header.files, subject.fingerprints()))
    responses = (answer.response for answer in run.store.answers(run.header.id))
    header = replace(
        run.header,
        finished=_now(),
        changes=changes,
        notices=(
            *notices,
            *find_unseen_fields(run.header.suite.queries, evaluator.expectation, responses),
            *_find_repeated(run),
        ),
        state=RunState.CHANGED if changes else RunState.COMPLETE,
    )
    run.store.update(header)
    return replace(run, header=header)


def _find_repeated(run: Run) -> list[str]:
    """Report the hits that were left out because a higher one has their id."""
    counts = [answer.response.repeated for answer in run.store.answers(run.header.id)]
    total, answers = sum(counts), sum(map(bool, counts))
    if not total:
        return []
    where = f"{count_of(total, 'hit')} in {count_of(answers, 'answer')}"
    return [f"{where} repeated the id of a higher hit, and each id was kept once"]


def _begin(run: Run) -> Run:
    """Store a run under an id that no other has."""
    while run.store.has_run(run.header.id):
        run = replace(run, header=replace(run.header, id=_new_id()))
    run.store.begin(run.header)
    return run


def _new_id() -> str:
    return f"{datetime.now(UTC):%y%m%d-%H%M%S}-{secrets.token_hex(2)}"


def _new_header(suite: Suite, subject: Subject, options: RunOptions) -> RunHeader:
    truth = options.truth or resolve_truth(suite, subject.name, subject.database)
    hashes = tuple(hash_query(query) for query in suite.asked)
    pairs = zip(hashes, suite.asked, strict=True)
    queries = tuple(truth.queries.get(key, query) for key, query in pairs)
    resolved = replace(suite, queries=queries, folder="")
    measures = measured_by(suite, options)
    return RunHeader(
        id=_new_id(),
        asked=AskedSuite(resolved, hashes),
        system=subject.name,
        spec=subject.spec,
        measures=tuple(str(measure) for measure in measures),
        limit=options.limit,
        repeats=options.repeats,
        label=options.label,
        files=subject.fingerprints(),
        surroundings=_surroundings(suite),
        started=_now(),
        batch=options.batch,
        selection=options.selection,
        truth=truth.sources,
    )


def _surroundings(suite: Suite) -> dict[str, str]:
    """Say by what and where a run was made, and at which commit the suite's folder was."""
    known = {
        "cranfield": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }
    commit = find_commit(suite.folder) if suite.folder else ""
    return {**known, "commit": commit} if commit else known


def measured_by(suite: Suite, options: RunOptions) -> list[Measure]:
    """Return the measures of a run, the headline first, then those of the gate.

    They are those of the options, or else the suite's own, or else those of its class. What
    queries check and none of these measures is measured last.
    """
    known = CLASSES.get(suite.query_class)
    own = tuple(parse_measure(text) for text in suite.measures)
    gate = tuple(parse_measure(threshold.measure) for threshold in suite.gate)
    measures = list(dict.fromkeys((*(options.measures or own or known.measures), *gate)))
    for query in suite.asked:
        if query.pass_rank is not None and query.pass_rank > options.limit:
            raise CranfieldError(
                f"query {query.id!r} has to pass by rank {query.pass_rank}, and only "
                f"{options.limit} hits are asked for; use --k {query.pass_rank}"
            )
    for measure in options.measures:
        if reason := known.refuses.get(measure.name):
            raise CranfieldError(f"{measure} has no meaning for the class {known.name}: {reason}")
    for measure in measures:
        if measure.depth is not None and measure.depth > options.limit:
            raise CranfieldError(
                f"{measure} looks at {measure.depth} hits, and only {options.limit} are asked "
                f"for; use --k {measure.depth}"
            )
    return [*measures, *uncounted_checks(suite, measures)]


def _refuse_another(run: Run, subject: Subject) -> None:
    if dict(run.header.spec) != dict(subject.spec):
        raise StoreError(
            f"run {run.header.id} was begun with other settings of the system "
            f"{run.header.system}; start a new run"
        )
    changes = changed_files(run.header.files, subject.fingerprints())
    if changes:
        raise StoreError(
            f"run {run.header.id} was begun with another build of {run.header.system}: "
            f"{'; '.join(changes)}; start a new run"
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
