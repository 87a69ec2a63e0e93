"""`cranfield check`: can suites be run and tasks be used, and is anything wrong with them?"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import Config, Milestone, StorePlace, format_option
from cranfield.cli.output import report_project, write_report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.formats import Format, Report

__all__ = ["check"]


def check(
    suites: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SUITE]",
            help="Suite files or folders, or tasks for agents.  [default: the suites of "
            "cranfield.toml]",
        ),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH",
            help="Where everything expected must exist: a folder of files or texts, JSON lines, a "
            "BEIR folder or an index of stacks; may be repeated.  [default: the index or corpus "
            "of the project's first system that has one]",
        ),
    ] = None,
    update_ledger: Annotated[
        bool,
        typer.Option(
            "--update-ledger", help="Record the ids that exist now, so none is reused later."
        ),
    ] = False,
    output: Annotated[str, format_option("check")] = "text",
    milestone: Milestone = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Check suites: patterns, ids, passages, gates. Exits with 2 if anything is wrong.

    If runs are stored, queries that all of them pass or fail are named. Of tasks for agents, the
    references have to pass, and wrong answers have to fail the checks that they name.

    \b
    cranfield check
    cranfield check canonical.toml
    cranfield check golden-set-en.json --corpus books/
    cranfield check judged/ --corpus corpus.jsonl
    cranfield check canonical.toml --update-ledger
    cranfield check suites/agents/tasks/python
    cranfield check --format json
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.evaluation.project import open_named
    from cranfield.evaluation.suite_checks import check_suites
    from cranfield.formats import find_format
    from cranfield.reports.check_report import report_checks
    from cranfield.suites.checks.checkers import check_places

    written = find_format(output, "check")
    checks, others = check_places(suites or [])
    if checks and not others:
        _refuse_for_suites(
            {"--corpus": corpus, "--update-ledger": update_ledger,
             "--milestone": milestone, "--config": config, "--store": store},
            f"{checks[0].noun}s",
        )  # fmt: skip
        _show(written, report_checks((), checks))
        return
    project, named = open_named(config, others, os.environ)
    report_project(project, config)
    project = project.at_milestone(milestone)
    stored = project.open_store(store) if project.has_store(store) else None
    checked = check_suites(
        project, named, corpora=corpus or (), store=stored, accept_ledger=update_ledger
    )
    _show(written, report_checks(checked, checks))


def _refuse_for_suites(options: Mapping[str, object], things: str) -> None:
    """Refuse options for suites if only other things were named."""
    given = [name for name, value in options.items() if value]
    if given:
        raise typer.BadParameter(f"{given[0]} is for suites, and only {things} were named")


def _show(written: Format, report: Report) -> None:
    write_report(written, report)
    if not report.passed:
        raise typer.Exit(2)
