"""`cranfield check`: is a suite fit to be run?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import Config, StorePlace
from cranfield.cli.output import write
from cranfield.cli.project import STORE, Project, open_named
from cranfield.errors import StoreError

if TYPE_CHECKING:
    from cranfield.model import Suite
    from cranfield.runs import Store
    from cranfield.suites import SuiteCheck

__all__ = ["check"]


def check(
    suites: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SUITE]", help="Suite files or folders; without, those of cranfield.toml."
        ),
    ] = None,
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="What is searched: texts with the expected passages (a file or a folder), or an "
            "index of stacks with everything else.  [default: the project's index, if it is there]",
        ),
    ] = None,
    update_ledger: Annotated[
        bool,
        typer.Option(
            "--update-ledger",
            help="Write down the ids that exist now, so that none is reused later.",
        ),
    ] = False,
    mutate: Annotated[
        bool,
        typer.Option(
            "--mutate",
            help="Break the newest stored run of each suite, and say what its gate sees of it.",
        ),
    ] = False,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Check suites: patterns, ids, passages, gates. Exits with 2 where anything is wrong.

    Where runs are stored, queries that all of them pass or fail are named.

    \b
    cranfield check
    cranfield check canonical.toml
    cranfield check golden-set-en.json --corpus books/
    cranfield check canonical.toml --update-ledger
    cranfield check canonical.toml --mutate
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.formats import render
    from cranfield.reports import report_checks
    from cranfield.suites import check_suite

    project, named = open_named(config, suites or [])
    stored = _find_store(project, store)
    texts, indexes = _find_corpus(project, corpus)
    checked = []
    for path in project.find_suites(named):
        found = check_suite(path, corpus=texts, indexes=indexes, accept_ledger=update_ledger)
        checked.append((path, _add_experience(found, path, stored)))
    write(render(report_checks(checked)))
    if not all(each.passed for _, each in checked):
        raise typer.Exit(2)
    if mutate:
        _mutate(project, [each.suite for _, each in checked if each.suite], stored)


def _find_corpus(project: Project, corpus: str | None) -> tuple[str | None, list[Path]]:
    """Tell texts from indexes; where nothing is said, take the first index of the project."""
    if corpus is not None:
        path = Path(corpus)
        indexes = sorted(path.glob("*.db")) if path.is_dir() else [path] * (path.suffix == ".db")
        return (None, indexes) if indexes else (corpus, [])
    for spec in project.systems.values():
        if files := spec.find_indexes():
            return None, files
    return None, []


def _find_store(project: Project, store: str | None) -> Store | None:
    """Open the store, if there is one: checking makes none."""
    place = store or str(project.folder / STORE)
    return project.open_store(store) if "://" in place or Path(place).exists() else None


def _add_experience(checked: SuiteCheck, path: Path, store: Store | None) -> SuiteCheck:
    """Add what stored runs tell of single queries: that they are passed always, or never."""
    from cranfield.runs import Run
    from cranfield.suites import always_passed, never_passed, read_source

    if store is None or checked.suite is None:
        return checked
    runs = [Run(each, store) for each in store.headers() if each.suite.id == checked.suite.id]
    full: dict[str, list[bool]] = {}
    found: dict[str, list[bool]] = {}
    for run in runs:
        outcomes = run.outcomes()
        for place, key in enumerate(outcomes.hashes):
            first = next((each for each in outcomes.figures(place) if each is not None), 0.0)
            full.setdefault(key, []).append(first >= 1.0)
            found.setdefault(key, []).append(outcomes.first_ranks[place] is not None)
    systems = len({run.header.system for run in runs})
    source = read_source(path)
    notes = (
        *always_passed(source, full, systems=systems),
        *never_passed(source, found, systems=systems),
    )
    return replace(checked, findings=(*checked.findings, *notes))


def _mutate(project: Project, suites: list[Suite], store: Store | None) -> None:
    """Break stored runs, and show what their gates see, held to the baseline where there is one."""
    from cranfield.cli.holding import find_baseline, list_suites
    from cranfield.cli.progress import StepLines
    from cranfield.formats import render
    from cranfield.gates.mutations import check_mutations
    from cranfield.reports import report_mutations
    from cranfield.runs import Run, RunState

    known = {suite.id for suite in suites} | set(list_suites(project))
    for suite in suites:
        headers = store.headers() if store else []
        own = [each for each in headers if each.suite.id == suite.id]
        whole = [each for each in own if not each.selection]
        finished = [each for each in whole if each.state is not RunState.RUNNING]
        if store is None or not finished:
            raise StoreError(
                f"no run of {suite.id} is stored that could be broken; `cranfield run` makes one"
            )
        baseline = find_baseline(project, suite, None, known)
        held = f"the baseline {baseline.name}" if baseline else "the run itself; it has no baseline"
        write(f"{suite.id} is held to {held}\n")
        lines = StepLines(f"{suite.id}, broken")
        report = check_mutations(Run(finished[-1], store), baseline=baseline, progress=lines)
        write(render(report_mutations([report])))
