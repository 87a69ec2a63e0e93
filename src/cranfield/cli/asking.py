"""Asking systems that are written down: what run and compare share."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from cranfield.cli.progress import ProgressLines
from cranfield.cli.project import environment
from cranfield.errors import SystemUnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.model import Suite
    from cranfield.runs import Run, RunOptions, Store
    from cranfield.systems import System, SystemSpec

__all__ = ["ask_system", "check_systems", "describe_selection", "opened", "refuse_unanswered"]

_BATCH = secrets.token_hex(8)


@contextmanager
def opened(spec: SystemSpec) -> Iterator[System]:
    """Open a system, made before where it has to be, and close it whatever happens."""
    from cranfield.systems import open_system, prepare_system

    prepare_system(spec, environment(), lambda text: typer.echo(text, err=True))
    system = open_system(spec, environment())
    try:
        yield system
    finally:
        system.close()


def ask_system(spec: SystemSpec, suite: Suite, options: RunOptions, store: Store) -> Run:
    """Run a suite on a system; an interruption says how to go on.

    All runs of one command are of one batch.
    """
    from cranfield.runs import run_suite

    options = options if options.batch else replace(options, batch=_BATCH)

    with opened(spec) as system:
        try:
            return run_suite(
                suite,
                system,
                options,
                spec=spec,
                store=store,
                progress=ProgressLines(f"{spec.name}, {suite.id}"),
            )
        except KeyboardInterrupt:
            typer.echo(
                f"\nstopped; all answers so far are stored. Go on with: cranfield run … "
                f"--system {spec.name} --resume",
                err=True,
            )
            raise


def check_systems(
    specs: Sequence[SystemSpec], suites: Sequence[Suite], options: RunOptions
) -> None:
    """Make and check all systems before the first is asked: it may take an hour to the second.

    One alone is checked when it is asked.
    """
    from cranfield.runs import check_run

    if len(specs) > 1:
        for spec in specs:
            with opened(spec) as system:
                check_run(suites, system, options, spec=spec)


def describe_selection(
    categories: Sequence[str] | None, languages: Sequence[str] | None, *, smoke: bool = False
) -> str:
    """Say as on a command line which part of a suite is asked; nothing where it is all of it."""
    parts = [f"--category {name}" for name in categories or ()]
    chosen = languages if languages and "all" not in languages else ()
    parts += [f"--language {name}" for name in chosen]
    return " ".join([*parts, *(["--smoke"] if smoke else [])])


def refuse_unanswered(runs: Sequence[Run]) -> None:
    """End with an error where a system answered no query at all."""
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
