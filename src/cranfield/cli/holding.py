"""What a suite is held to: its baseline, and what is odd about the baselines around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError, InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from cranfield.cli.project import Project
    from cranfield.gates import Baseline, RuleResult
    from cranfield.model import Suite
    from cranfield.runs import Run

__all__ = ["DEFAULT", "find_baseline", "find_notices", "list_suites", "refuse_unfit"]

DEFAULT = "main"
"""The baseline that is taken where none is named."""


def find_baseline(
    project: Project, suite: Suite, name: str | None, known: Collection[str]
) -> Baseline | None:
    """Read the baseline that was named, or `main` where there is one.

    `known` are the ids of all suites that still exist.
    """
    from cranfield.gates import baseline_path, read_baseline

    path = baseline_path(project.folder, suite.id, name or DEFAULT)
    if not path.exists():
        _refuse_renamed(project, suite, name or DEFAULT, known)
        if name is None:
            return None
        raise InputError(
            "does not exist; accept a run with `cranfield baseline accept RUN "
            f"--name {name} --reason …`",
            file=str(path),
        )
    baseline = read_baseline(path)
    if baseline.suite != suite.id:
        raise InputError(
            f"is a baseline of the suite {baseline.suite!r}, not of {suite.id!r}; "
            "restore it, or accept a run anew",
            file=str(path),
        )
    return baseline


def list_suites(project: Project) -> dict[str, Path]:
    """Return the suites that cranfield.toml lists and that are there, by their ids.

    One that cannot be loaded goes by the name of its file: whoever judges it is told.
    """
    listed = [project.folder / each for each in project.suites]
    return {_find_id(path): path for path in listed if path.exists()}


def _find_id(path: Path) -> str:
    from cranfield.suites import load_suite

    try:
        return load_suite(path).id
    except CranfieldError:
        return path.stem


def _refuse_renamed(project: Project, suite: Suite, name: str, known: Collection[str]) -> None:
    """Refuse a suite whose queries have a baseline under an id that no suite has any more."""
    from cranfield.gates import find_baselines, read_baseline
    from cranfield.suites import hash_query

    asked = {hash_query(query) for query in suite.asked}
    for other in find_baselines(project.folder, name).values():
        baseline = read_baseline(other)
        shared = sum(query.hash in asked for query in baseline.queries)
        if shared and baseline.suite not in known:
            raise InputError(
                f"has {shared} queries of the suite {suite.id!r} under its old id "
                f"{baseline.suite!r}; accept a run anew and remove it, or give the suite its old "
                "id back",
                file=str(other),
            )


def find_notices(
    project: Project, name: str | None, judged: Collection[str], listed: Collection[str]
) -> Mapping[str, tuple[RuleResult, ...]]:
    """Find what is odd about the baselines of a name, by the judged suite to be told with it.

    A baseline of a suite that nobody judges or lists guards nothing any more; a suite without
    one, where others have theirs, is perhaps not guarded yet. What belongs to no judged suite is
    told with the first.
    """
    from cranfield.gates import RuleResult, Severity, find_baselines

    found = find_baselines(project.folder, name or DEFAULT)
    told: dict[str, list[RuleResult]] = {suite: [] for suite in judged}
    first = next(iter(told), "")
    for suite, path in found.items():
        if suite not in judged and suite not in listed:
            message = (
                f"{path.name} is the baseline of no suite that is judged here, nor of one that "
                "cranfield.toml lists: nothing is held to it; list its suite, or remove it"
            )
            told.setdefault(first, []).append(RuleResult("unused", Severity.WARN, message))
    for suite in judged:
        if found and suite not in found:
            message = (
                f"{suite} has no baseline, and other suites have one: nothing it loses is seen; "
                "accept a run of it"
            )
            told[suite].append(RuleResult("unguarded", Severity.WARN, message))
    return {suite: tuple(results) for suite, results in told.items()}


def refuse_unfit(project: Project, run: Run) -> None:
    """Refuse to judge or accept a run that is not finished or asked only a part of its suite."""
    from cranfield.runs import RunState

    header = run.header
    if header.state is RunState.RUNNING:
        raise CranfieldError(f"run {header.id} is not finished; `cranfield run --resume` ends it")
    project.refuse_partial(run)
    if header.selection:
        raise CranfieldError(
            f"run {header.id} asked only a part of {header.suite.id} ({header.selection}); run the "
            "whole suite"
        )
