"""A sweep that is ready to run: its projects opened, its defaults known, its queries split."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import CranfieldError, InputError, UnknownNameError
from cranfield.evaluation import open_project
from cranfield.runs import measured_by
from cranfield.sweeps.filled_settings import BUILD, SettingsTemplate
from cranfield.sweeps.parameters import Trial
from cranfield.sweeps.query_parts import QueryTable, fold_queries, hold_out, is_too_small
from cranfield.sweeps.searches import SEARCHES
from cranfield.sweeps.sweep_file import read_sweep
from cranfield.systems import CONFIG_NAME, find_config
from cranfield.verdicts import require_margin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cranfield.evaluation import Project
    from cranfield.model import Suite
    from cranfield.sweeps.parameters import Parameter
    from cranfield.sweeps.sweep_file import SweepFile
    from cranfield.sweeps.trial_scores import Rows
    from cranfield.systems import SystemSpec

__all__ = ["QueryParts", "SweepBase", "SweepPlan", "open_sweep"]

_USUAL_FOLDS = 5


@dataclass(frozen=True, slots=True)
class SweepBase:
    """A project's base system, and the suites it is run with."""

    project: Project
    spec: SystemSpec
    suites: tuple[Suite, ...]


@dataclass(frozen=True, slots=True, eq=False)
class QueryParts:
    """Which queries tune and which are held out; with folds, all queries do both in turn.

    `reason` says why there are folds.
    """

    tuning: Rows
    held_out: Rows
    folds: NDArray[np.intp] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """All that is known of a sweep before its first query."""

    file: SweepFile
    bases: tuple[SweepBase, ...]
    template: SettingsTemplate
    parameters: Mapping[str, Parameter]
    table: QueryTable
    parts: QueryParts

    @property
    def default(self) -> Trial:
        """The trial with the default values."""
        return Trial({name: each.default for name, each in self.parameters.items()})

    def describe(self, trial: Trial) -> str:
        """Name a trial by what differs from the default."""
        changed = trial.changed_from(self.default)
        return str(Trial(changed)) if changed else "default"


def open_sweep(
    path: str | Path,
    config: str | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> SweepPlan:
    """Open the file of a sweep, and the projects it names or, without any, the nearest one."""
    file = read_sweep(Path(path))
    template = SettingsTemplate(file.settings)
    projects = _projects(file, config, environment)
    bases = _choose_suites(file, [_open_base(file, each) for each in projects])
    parameters = _add_defaults(file, template, bases[0].spec)
    _refuse_unused(file, template)
    suites = [suite for base in bases for suite in base.suites]
    headlines = {each.id: measured_by(each, file.run_options)[0] for each in suites}
    require_margin(file.margin, headlines.values())
    table = QueryTable.of(suites, {name: str(each) for name, each in headlines.items()})
    _refuse_unknown(file, table)
    plan = SweepPlan(file, tuple(bases), template, parameters, table, _split(file, table))
    for base in bases:
        template.apply(base.spec, plan.default).read_settings()
    return plan


def _projects(file: SweepFile, config: str | None, environment: Mapping[str, str]) -> list[Project]:
    folder = file.path.parent
    if config is not None:
        if file.projects:
            raise CranfieldError("the sweep names its projects; leave out --config")
        return [open_project(config, environment)]
    if file.projects:
        return [open_project(folder / name, environment) for name in file.projects]
    found = find_config(folder)
    if found is None:
        raise CranfieldError(
            f"no {CONFIG_NAME} was found beside {file.path} or above; name one with --config, or "
            'write projects = ["../search"]'
        )
    return [open_project(found, environment)]


def _open_base(file: SweepFile, project: Project) -> SweepBase:
    return SweepBase(project, project.system(file.system), tuple(project.load_suites()))


def _choose_suites(file: SweepFile, bases: list[SweepBase]) -> list[SweepBase]:
    """Keep the suites that the file names; a base without any is left out."""
    known = [suite.id for base in bases for suite in base.suites]
    for name in known:
        if known.count(name) > 1:
            raise CranfieldError(f"two projects have a suite {name!r}; give each its own id")
    for name in file.suites:
        if name not in known:
            problem = UnknownNameError("suite of the project", name, known)
            raise InputError(f"suites: {problem}", file=str(file.path))
    chosen = [
        replace(
            base,
            suites=tuple(each for each in base.suites if not file.suites or each.id in file.suites),
        )
        for base in bases
    ]
    return [base for base in chosen if base.suites]


def _add_defaults(
    file: SweepFile, template: SettingsTemplate, spec: SystemSpec
) -> dict[str, Parameter]:
    """Find the default of each parameter that the file gives none: what the base system has."""
    parameters = {}
    for name, parameter in file.parameters.items():
        if name in file.undefaulted:
            found = template.find_default(spec, name)
            if not isinstance(found, bool | int | float | str):
                raise InputError(
                    f"parameters.{name} has no default, and [systems.{spec.name}] has no setting "
                    f"that is just {{{name}}}; write {name} = {{ values = [...], default = ... }}",
                    file=str(file.path),
                )
            parameters[name] = replace(parameter, default=found)
        else:
            parameters[name] = parameter
    return parameters


def _refuse_unused(file: SweepFile, template: SettingsTemplate) -> None:
    """Refuse parameters that no setting has, and builds that would overwrite each other."""
    for name in file.parameters:
        if name not in template.names():
            raise InputError(
                f"parameters.{name}: no setting in [settings] has {{{name}}}, so it would change "
                "nothing; put it where the value belongs",
                file=str(file.path),
            )
    if template.building_names() & file.parameters.keys() and BUILD not in template.names():
        raise InputError(
            "settings.prepare has parameters, so every build needs a place of its own; write "
            '{build} in the paths that it writes, such as index = "builds/{build}"',
            file=str(file.path),
        )


def _refuse_unknown(file: SweepFile, table: QueryTable) -> None:
    """Refuse constraints on suites and categories that no query has."""
    for number, each in enumerate(file.constraints):
        of_suite = [key for key in table.groups() if each.suite in ("", key[0])]
        for kind, name, known in (
            ("suite of the sweep", each.suite, table.suite_ids),
            ("suite of the sweep", each.not_worse, ["*", *table.suite_ids]),
            ("category", each.category, [category for _, category in of_suite]),
        ):
            if name and name not in known:
                problem = UnknownNameError(kind, name, known)
                raise InputError(f"constraints[{number}]: {problem}", file=str(file.path))


def _split(file: SweepFile, table: QueryTable) -> QueryParts:
    every = np.ones(len(table.queries), dtype=np.bool_)
    split = file.split
    held = hold_out(table, split.share, split.seed)
    reason = "the sweep asks for folds" if split.folds else ""
    if small := is_too_small(table, held):
        count = int(np.sum(held & table.of_suite(small)))
        reason = reason or f"{small} would have only {count} queries held out"
    if not reason:
        return QueryParts(~held, held)
    if SEARCHES.get(file.search.method).learns:
        raise InputError(
            f"search.method = {file.search.method!r} learns from all queries that it tunes on, and "
            f"{reason}: nothing would be left to check it with; use grid, each or random",
            file=str(file.path),
        )
    return QueryParts(
        every, every, fold_queries(table, split.folds or _USUAL_FOLDS, split.seed), reason
    )
