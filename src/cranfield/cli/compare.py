"""`cranfield compare`: is B better than A?"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cranfield.cli.options import (
    Categories,
    Config,
    Languages,
    Measures,
    OptionalHits,
    OptionalJobs,
    OptionalRepeats,
    Out,
    Qrels,
    Quiet,
    Reports,
    Seed,
    StorePlace,
    format_option,
    read_choice,
    read_level,
)
from cranfield.cli.output import (
    EXIT_FAILED,
    EXIT_UNANSWERED,
    EXIT_UNGRADED,
    open_session,
    read_report,
    report_project,
    run_command,
    write_reports,
    write_with_summary,
)
from cranfield.comparisons import (
    CompareOptions,
    Comparison,
    Grid,
    Leaderboard,
    VerdictKind,
)
from cranfield.defaults import MARGIN, SEED
from cranfield.evaluation.comparison_evaluation import (
    ArmOptions,
    ComparisonRequest,
    evaluate_comparison,
)
from cranfield.evaluation.project import open_named
from cranfield.evaluation.sessions import refuse_unanswered
from cranfield.formats import find_format, list_formats
from cranfield.measures import parse_deciding
from cranfield.reports.additions import find_supplements
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.grid_report import report_grid
from cranfield.reports.leaderboard_report import report_leaderboard

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from cranfield.evaluation.comparison_evaluation import EvaluatedArms
    from cranfield.evaluation.project import Project
    from cranfield.formats import Report

__all__ = ["compare"]

Arms: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="ARM",
        help="A, then B and any others: systems to run now, or stored runs.",
    ),
]
Suites: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--suite", "-S", metavar="FILE", help="A suite to run; may be repeated."),
]
Common: TypeAlias = Annotated[
    bool,
    typer.Option("--common", help="If the runs differ, compare the queries that are identical."),
]
AsGrid: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--grid",
        help="Four arms: old and new binary on the old index, then on the new one. Which made the "
        "change?",
    ),
]
Margin: TypeAlias = Annotated[
    float,
    typer.Option(
        min=0.000001, metavar="NUMBER", help="Differences within this margin are equivalent."
    ),
]
Show: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="WHICH",
        help="How much text, from the least: none; overview, a line for each suite; measures, "
        "each suite without its queries; failed, changed or all, with those queries.  "
        "[default: changed]",
    ),
]
FailOn: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-on",
        metavar="VERDICT",
        help="Exit with 1 on this verdict: worse, 'cannot tell' …; may be repeated.",
    ),
]
Output: TypeAlias = Annotated[
    str,
    format_option(
        "comparison",
        f"; of three arms or more {list_formats('leaderboard')}; with --grid "
        f"{list_formats('grid')}.",
    ),
]


def compare(
    arms: Arms,
    suite: Suites = None,
    k: OptionalHits = None,
    jobs: OptionalJobs = None,
    repeat: OptionalRepeats = None,
    category: Categories = None,
    language: Languages = None,
    measure: Measures = None,
    qrels: Qrels = None,
    common: Common = False,
    grid: AsGrid = False,
    margin: Margin = MARGIN,
    seed: Seed = SEED,
    show: Show = None,
    reports: Reports = None,
    fail_on: FailOn = None,
    quiet: Quiet = False,
    output: Output = "text",
    out: Out = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Compare arm B with arm A, query by query: better, worse, equivalent or cannot tell.

    With more arms, each is compared with the first. Exits with 1 on a verdict of --fail-on, with 3
    if a system answered nothing, with 4 if an arm failed to answer some queries, with 5 if answers
    could not be graded.

    \b
    cranfield compare old new --suite canonical.toml
    cranfield compare old new other --format csv --out queries.csv
    cranfield compare before-change after-change --format markdown --out audit.md
    cranfield compare old new --fail-on worse
    cranfield compare words stacks --suite apple-docs --show overview --report markdown=audit.md
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    kind = _find_kind(arms, grid=grid)
    written = find_format(output, kind)
    shown = read_level(show or "changed")
    if show and written.name != "text" and out in (None, "-"):
        raise typer.BadParameter(f"--show says how much text is shown; {written.name} is whole")
    failing = {read_choice(VerdictKind, each, "--fail-on") for each in fail_on or ()}
    additional = [read_report(text, kind) for text in reports or ()]
    project, named = open_named(config, suite or [], os.environ)
    report_project(project, config, quiet=quiet)
    project.require_file_or_store(store)
    request = ComparisonRequest(
        arms=tuple(arms),
        suites=tuple(named),
        names_suites=bool(suite),
        asked=ArmOptions(
            k,
            jobs,
            repeat,
            tuple(category or ()),
            tuple(language or ()),
            qrels,
            parse_deciding(measure or ()),
        ),
        options=CompareOptions(margin, seed, common),
        is_grid=grid,
    )
    repeated = {"--k": k, "--jobs": jobs, "--repeat": repeat}
    chosen = {"--category": category, "--language": language, "--measure": measure}
    places = {"--qrels": qrels, "--config": config, "--store": store}
    continued_by = run_command(suite or [], {**repeated, **chosen, **places})
    evaluated = evaluate_comparison(
        project,
        request,
        lambda: open_session(project.open_store(store), continued_by, quiet=quiet),
    )
    make_report = _find_report(evaluated, project)
    compared = make_report(shown)
    if additional:
        # Documents are whole; how much text was asked for is a matter of the screen.
        write_reports(compared if show is None else make_report(), additional)
    write_with_summary(written, compared, out)
    for arm in evaluated.arms:
        refuse_unanswered(arm)
    if code := _find_exit_code(evaluated.result, failing):
        raise typer.Exit(code)


def _find_kind(arms: list[str], *, grid: bool) -> str:
    """Return the kind of report that so many arms give."""
    if grid and len(arms) != 4:
        raise typer.BadParameter("compare --grid takes four arms")
    if len(arms) < 2:
        raise typer.BadParameter("compare takes two arms or more, the first to compare with")
    return "grid" if grid else "comparison" if len(arms) == 2 else "leaderboard"


def _find_report(evaluated: EvaluatedArms, project: Project) -> Callable[..., Report]:
    """Return what makes the report of arms; that of two has what slices add to their figures."""
    result = evaluated.result
    if isinstance(result, Grid):
        return partial(report_grid, result)
    if isinstance(result, Leaderboard):
        return partial(report_leaderboard, result)
    supplements = find_supplements(result.paired, project, evaluated.store)
    return partial(report_comparison, result, supplements=supplements)


def _find_exit_code(
    result: Comparison | Leaderboard | Grid, failing: Collection[VerdictKind]
) -> int:
    if any(verdict.kind in failing for verdict in result.verdicts):
        return EXIT_FAILED
    if result.has_ungraded:
        return EXIT_UNGRADED
    return EXIT_UNANSWERED if result.has_failures else 0
