"""A sweep that is ready to run: its projects opened, its defaults known, its queries split.

Queries are split by suite and category, so each part has its share of both. Which query goes where
follows from the seed and the queries alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import CranfieldError, InputError, UnknownNameError
from cranfield.evaluation.project import open_project
from cranfield.runs.runner import measured_by
from cranfield.statistics import require_margin
from cranfield.suites import hash_query
from cranfield.sweeps.searches import SEARCHES, Trial
from cranfield.sweeps.settings import BUILD, SettingsTemplate
from cranfield.sweeps.sweep_file import read_sweep
from cranfield.systems import CONFIG_NAME, find_config

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cranfield.evaluation.project import Project
    from cranfield.model import Query, Suite
    from cranfield.sweeps.searches import Parameter
    from cranfield.sweeps.sweep_file import SweepFile
    from cranfield.sweeps.tuning import Rows
    from cranfield.systems import SystemSpec

__all__ = [
    "FEWEST_HELD_OUT",
    "QueryParts",
    "QueryTable",
    "SweepBase",
    "SweepPlan",
    "fold_queries",
    "hold_out",
    "is_too_small",
    "open_sweep",
]

_USUAL_FOLDS = 5
FEWEST_HELD_OUT = 20
"""If a suite has fewer queries to hold out, all are used by nested cross-validation."""


@dataclass(frozen=True, slots=True)
class QueryTable:
    """The queries of all suites of a sweep in one order: the rows of every score."""

    suites: tuple[str, ...]
    queries: tuple[Query, ...]
    measures: dict[str, str]
    """The headline measure of each suite."""

    @classmethod
    def of(cls, suites: Sequence[Suite], measures: dict[str, str]) -> QueryTable:
        """List the queries of suites."""
        pairs = [(suite.id, query) for suite in suites for query in suite.asked]
        return cls(tuple(suite for suite, _ in pairs), tuple(each for _, each in pairs), measures)

    @property
    def suite_ids(self) -> list[str]:
        """The suites, each once."""
        return list(dict.fromkeys(self.suites))

    def of_suite(self, suite: str) -> NDArray[np.bool_]:
        """Return which rows belong to a suite."""
        return np.array([each == suite for each in self.suites], dtype=np.bool_)

    def groups(self) -> dict[tuple[str, str], list[int]]:
        """Return the rows of each suite and category."""
        found: dict[tuple[str, str], list[int]] = {}
        pairs = zip(self.suites, self.queries, strict=True)
        for row, (suite, query) in enumerate(pairs):
            found.setdefault((suite, query.category), []).append(row)
        return found


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


def hold_out(table: QueryTable, share: float, seed: int) -> NDArray[np.bool_]:
    """Return which queries are held out: a share of each category of each suite."""
    held = np.zeros(len(table.queries), dtype=np.bool_)
    carried = dict.fromkeys(table.suites, 0.0)
    for (suite, _), rows in table.groups().items():
        # What rounding leaves over is carried to the suite's next category.
        carried[suite] += share * len(rows)
        count = min(round(carried[suite]), len(rows))
        carried[suite] -= count
        held[_shuffle(table, rows, seed)[:count]] = True
    return held


def is_too_small(table: QueryTable, held: NDArray[np.bool_]) -> str:
    """Return the suite that would have too few queries held out; empty if none has."""
    for suite in table.suite_ids:
        if int(np.sum(held & table.of_suite(suite))) < FEWEST_HELD_OUT:
            return suite
    return ""


def fold_queries(table: QueryTable, folds: int, seed: int) -> NDArray[np.intp]:
    """Return the fold of each query; each has its share of each category of each suite."""
    found = np.zeros(len(table.queries), dtype=np.intp)
    first = 0
    for rows in table.groups().values():
        for place, row in enumerate(_shuffle(table, rows, seed)):
            found[row] = (first + place) % folds
        first += len(rows)
    return found


def _shuffle(table: QueryTable, rows: list[int], seed: int) -> list[int]:
    def key(row: int) -> bytes:
        name = f"{seed}\0{table.suites[row]}\0{hash_query(table.queries[row])}"
        return hashlib.sha256(name.encode()).digest()

    return sorted(rows, key=key)
