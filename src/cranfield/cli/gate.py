"""`cranfield gate`: is this build good enough to merge?"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli.asking import ask_system, refuse_unanswered
from cranfield.cli.holding import find_baseline, find_notices, list_suites, refuse_unfit
from cranfield.cli.options import Config, Hits, Jobs, Out, Repeats, StorePlace
from cranfield.cli.output import read_report, write_to
from cranfield.cli.project import Project, load_suites, open_named
from cranfield.errors import CranfieldError, InputError
from cranfield.formats import list_formats

if TYPE_CHECKING:
    from cranfield.formats import Format, Report
    from cranfield.gates import Baseline, GatedRun, RuleResult
    from cranfield.model import Suite
    from cranfield.runs import Run, RunHeader, RunOptions, Store

__all__ = ["gate"]


def gate(
    suites: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SUITE]", help="Suite files; without, those of cranfield.toml."),
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", "-s", metavar="NAME", help="One of cranfield.toml.")
    ] = None,
    run: Annotated[
        list[str] | None,
        typer.Option(
            "--run", metavar="RUN", help="Judge a stored run instead of asking; may be repeated."
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Hold it to the baseline of that name.  [default: main, if there]"
        ),
    ] = None,
    changed_paths: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Paths a change touches, one a line (- is standard input); skip the gate where "
            "none fits [gate] paths of cranfield.toml, nor is a suite or a baseline.",
        ),
    ] = None,
    report: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMAT=FILE",
            help=f"Write a report as well, as {list_formats('gate')}; may be repeated.",
        ),
    ] = None,
    output: Annotated[
        str,
        typer.Option("--format", "-f", metavar="NAME", help=f"{list_formats('gate')}."),
    ] = "text",
    out: Out = None,
    k: Hits = 10,
    jobs: Jobs = 1,
    repeat: Repeats = 1,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Ask a system every query of a suite, and judge it: thresholds, baseline, rules.

    Exits with 0 where it passed, 1 where it did not, 2 and 3 where it could not be judged.

    \b
    cranfield gate --system new
    cranfield gate home.json --system new --baseline main --report junit=gate.xml
    git diff --name-only --no-renames main | cranfield gate --system new --changed-paths -
    cranfield gate --run latest
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.formats import find_format
    from cranfield.reports import report_gates
    from cranfield.runs import RunOptions

    shown = find_format(output, "gate")
    others = [read_report(text, "gate") for text in report or ()]
    project, named = open_named(config, suites or [])
    skipped = _find_reason_to_skip(project, changed_paths)
    if skipped:
        _write_reports(report_gates((), skipped), shown, out, others)
        return
    opened = project.open_store(store)
    if run:
        if named or system:
            raise CranfieldError("--run judges a stored run; it takes no suite and no --system")
        runs = _stored(opened, run)
        for stored in runs:
            refuse_unfit(project, stored)
    else:
        options = RunOptions(k, jobs, repeat)
        runs = _ask(project, _Wanted(named, system, baseline), options, opened)
    gated = _judge_all(project, runs, baseline)
    judged = report_gates(gated, options=project.options)
    _write_reports(judged, shown, out, others)
    refuse_unanswered(runs)
    if not judged.passed:
        raise typer.Exit(1)
    for each in gated:
        _accept_by_rule(project, each)


class _Wanted(NamedTuple):
    """What is to be asked, and what held to."""

    suites: list[str]
    system: str | None
    baseline: str | None


def _write_reports(
    report: Report, shown: Format, out: str | None, others: list[tuple[Format, str]]
) -> None:
    for other, file in others:
        write_to(file, other.render(report))
    write_to(out, shown.render(report))


def _find_reason_to_skip(project: Project, changed: str | None) -> str:
    """Say why there is nothing to judge; nothing where there is."""
    from cranfield.gates import find_triggers, read_changed_paths

    if changed is None:
        return ""
    patterns = project.gate_paths()
    if not patterns:
        raise CranfieldError(
            "--changed-paths needs patterns to hold the paths to; write them into cranfield.toml: "
            '[gate]\npaths = ["src/search/**", "suites/**"]'
        )
    try:
        content = sys.stdin.buffer.read() if changed == "-" else Path(changed).read_bytes()
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", file=changed) from None
    paths = read_changed_paths(content)
    if not paths or find_triggers(patterns, paths, _find_own_paths(project)):
        # Nothing at all is rather a list that could not be made than a change of nothing.
        return ""
    count = len(paths)
    return f"none of the {count} changed paths fits {', '.join(patterns)}"


def _find_own_paths(project: Project) -> list[str]:
    """Name from the root of the repository what always matters: project, suites, baselines."""
    folder = project.folder.resolve()
    root = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)
    own = [folder / each for each in ("baselines", *project.suites)]
    own += [project.file.resolve()] if project.file else []
    whole = [Path(os.path.normpath(path)) for path in own]
    return [path.relative_to(root).as_posix() for path in whole if path.is_relative_to(root)]


def _stored(store: Store, names: list[str]) -> list[Run]:
    from cranfield.runs import require_batch

    found = [run for name in names for run in require_batch(store, name)]
    return list({run.header.id: run for run in found}.values())


def _ask(project: Project, wanted: _Wanted, options: RunOptions, store: Store) -> list[Run]:
    suites, system, baseline = wanted
    names = [system] if system else list(project.systems)
    if len(names) != 1:
        known = ", ".join(project.systems) or "none"
        raise CranfieldError(
            f"say which system to judge with --system; cranfield.toml has: {known}"
        )
    spec = project.system(names[0])
    loaded: list[Suite] = load_suites(project, suites, None)
    ids = {suite.id for suite in loaded} | set(list_suites(project))
    for suite in loaded:
        # A baseline that cannot be read is told before an hour of asking, not after.
        find_baseline(project, suite, baseline, ids)
    return [ask_system(spec, suite, options, store) for suite in loaded]


def _judge_all(project: Project, runs: list[Run], name: str | None) -> list[GatedRun]:
    judged = dict.fromkeys(run.header.suite.id for run in runs)
    listed = list_suites(project)
    notices = find_notices(project, name, list(judged), listed)
    known = {*judged, *listed}
    gated = []
    for run in runs:
        baseline = find_baseline(project, run.header.suite, name, known)
        gated.append(_judge(run, baseline, notices.get(run.header.suite.id, ())))
    return gated


def _judge(run: Run, baseline: Baseline | None, notices: tuple[RuleResult, ...]) -> GatedRun:
    from cranfield.gates import GatedRun, find_promotions
    from cranfield.runs import Run as StoredRun

    header = run.header
    earlier = [
        StoredRun(each, run.store)
        for each in run.store.headers()
        if _asks_alike(each, header) and each.id < header.id
    ]
    return GatedRun(run, baseline, find_promotions(run, earlier, baseline), notices)


def _asks_alike(one: RunHeader, other: RunHeader) -> bool:
    """Tell whether two runs asked the same system the same in the same way, to the end."""
    return one.state is other.state and (one.system, one.asked.hashes, one.limit) == (
        other.system,
        other.asked.hashes,
        other.limit,
    )


def _accept_by_rule(project: Project, gated: GatedRun) -> None:
    """Take a run as the new baseline where the suite's own rule says so, and say it loudly.

    Queries that did not improve stay as they were: noise that no rule calls a fall would add up,
    from one baseline to the next.
    """
    from cranfield.cli.baseline import Acceptance, accept_run
    from cranfield.gates import ChangeKind

    if not (gated.baseline and gated.regressions and gated.regressions.may_replace):
        return
    header = gated.run.header
    if (header.system, header.repeats) == (gated.baseline.system, gated.baseline.repeats):
        reason = "by the rule accept_at: as many improved as it asks, and none regressed"
        same = [each.query.id for each in gated.regressions.of_kind(ChangeKind.SAME)]
        why = Acceptance(gated.baseline.name, reason, kept=tuple(same))
        path = accept_run(project, gated.run, why)
        typer.echo(f"NEW BASELINE: {gated.run.header.id} is now {path}; commit it", err=True)
