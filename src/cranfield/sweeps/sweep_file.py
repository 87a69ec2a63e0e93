"""The file of a sweep: the base system, its parameters, the search, the split, the constraints."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.defaults import HITS, MARGIN, SEED
from cranfield.errors import CranfieldError, InputError, UnknownNameError
from cranfield.measures import parse_measure
from cranfield.runs.runner import RunOptions
from cranfield.shapes import find_misfits, parse_toml_text, read_toml_text
from cranfield.sweeps.searches import SEARCHES, Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from pathlib import Path

    from cranfield.sweeps.searches import Trial

__all__ = ["Budget", "Constraint", "Split", "SweepFile", "is_permitted", "read_sweep"]

_TAKEN = ("query", "k", "id", "language", "category", "filters", "build")
"""Names of placeholders that are filled by queries, or by the sweep itself."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_RELATION = re.compile(r"\s*([A-Za-z_]\w*)\s*(<=|>=|==|!=|<|>)\s*([A-Za-z_]\w*|-?\d+(?:\.\d+)?)\s*")
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_EQUALITY = ("==", "!=")


class Split(msgspec.Struct, frozen=True):
    """How queries are split: the share that is held out, or the number of folds."""

    held_out: float | None = None
    folds: int | None = None
    seed: int = SEED

    @property
    def share(self) -> float:
        """The share that is held out: half, unless another is given."""
        return 0.5 if self.held_out is None else self.held_out


class Budget(msgspec.Struct, frozen=True):
    """How trials are chosen, and how many at most: `runs` counts trials, `minutes` time."""

    method: str = "grid"
    runs: int | None = None
    minutes: float | None = None
    seed: int = SEED


class Constraint(msgspec.Struct, frozen=True):
    """One of four: a relation of parameters, a least figure, a longest time, no class worse.

    - `holds`: a relation such as `overlap < passage_words`; other trials are not run at all.
    - `at_least`: the least mean of a `suite`, or of a `category` in it, on the tuning part.
    - `seconds`: the longest median time of an answer.
    - `not_worse`: a suite whose verdict against the default, on the tuning part and by itself, must
      not be *worse*; `*` is every suite.
    """

    holds: str = ""
    suite: str = ""
    category: str = ""
    at_least: float | None = None
    seconds: float | None = None
    not_worse: str = ""

    def find_mistakes(
        self, parameters: Collection[str], texts: Collection[str] = ()
    ) -> Iterator[str]:
        """Find what is wrong with the constraint as it is written; `texts` have no order."""
        given = (self.holds, self.at_least is not None, self.seconds is not None, self.not_worse)
        if sum(map(bool, given)) != 1:
            yield "give one of holds =, at_least =, seconds = and not_worse ="
        if (self.suite or self.category) and self.at_least is None:
            yield "suite and category go with at_least ="
        if self.holds:
            relation = _RELATION.fullmatch(self.holds)
            if relation is None:
                yield f"holds = {self.holds!r}; write a relation such as overlap < passage_words"
            elif unknown := [each for each in _names(relation) if each not in parameters]:
                yield str(UnknownNameError("parameter", unknown[0], parameters))
            elif relation[2] not in _EQUALITY and any(each in texts for each in _names(relation)):
                yield f"holds = {self.holds!r}; texts have no order, compare them with == or !="


class _Range(msgspec.Struct, rename={"low": "from", "high": "to", "is_log": "log"}):
    """A parameter as a table: a list of values, or a range, and the default."""

    values: list[bool | int | float | str] = msgspec.field(default_factory=list)
    low: float | None = None
    high: float | None = None
    step: float | None = None
    is_log: bool = False
    default: bool | int | float | str | None = None


class _File(msgspec.Struct):
    system: str
    parameters: dict[str, list[bool | int | float | str] | _Range]
    settings: dict[str, Any]
    projects: list[str] = msgspec.field(default_factory=list)
    suites: list[str] = msgspec.field(default_factory=list)
    measure: str = ""
    hits: int = HITS
    repeat: int = 1
    margin: float = MARGIN
    search: Budget = msgspec.field(default_factory=Budget)
    split: Split = msgspec.field(default_factory=Split)
    constraints: list[Constraint] = msgspec.field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SweepFile:
    """What a sweep's file says. The base system has the defaults of `undefaulted` parameters.

    `projects` are folders with a cranfield.toml, from the file's own; without any, it is the
    nearest one. `suites` are ids of suites of the projects; without any, all of them.
    """

    path: Path
    system: str
    settings: Mapping[str, Any]
    parameters: Mapping[str, Parameter]
    undefaulted: frozenset[str]
    projects: tuple[str, ...]
    suites: tuple[str, ...]
    measure: str
    hits: int
    repeat: int
    margin: float
    search: Budget
    split: Split
    constraints: tuple[Constraint, ...]

    @property
    def run_options(self) -> RunOptions:
        """How each trial is run."""
        measures = (parse_measure(self.measure),) if self.measure else ()
        return RunOptions(limit=self.hits, repeats=self.repeat, measures=measures)


def read_sweep(path: Path) -> SweepFile:
    """Read the file of a sweep; all its mistakes are one error."""
    written = parse_toml_text(read_toml_text(path), path)
    misfits = [InputError(str(each), file=str(path)) for each in find_misfits(written, _File)]
    if misfits:
        raise InputError.join(misfits)
    content = msgspec.convert(written, _File)
    mistakes = [InputError(each, file=str(path)) for each in _find_mistakes(content)]
    if mistakes:
        raise InputError.join(mistakes)
    tables = {name: _as_range(each) for name, each in content.parameters.items()}
    return SweepFile(
        path=path,
        system=content.system,
        settings=content.settings,
        parameters={name: _make_parameter(name, each) for name, each in tables.items()},
        undefaulted=frozenset(name for name, each in tables.items() if each.default is None),
        projects=tuple(content.projects),
        suites=tuple(content.suites),
        measure=content.measure,
        hits=content.hits,
        repeat=content.repeat,
        margin=content.margin,
        search=content.search,
        split=content.split,
        constraints=tuple(content.constraints),
    )


def _as_range(written: list[Any] | _Range) -> _Range:
    return written if isinstance(written, _Range) else _Range(values=written)


def _make_parameter(name: str, table: _Range) -> Parameter:
    default = "" if table.default is None else table.default
    return Parameter(
        name,
        default,
        tuple(dict.fromkeys(table.values)),
        table.low or 0.0,
        table.high or 0.0,
        table.step,
        table.is_log,
    )


def _find_mistakes(content: _File) -> Iterator[str]:
    if not content.parameters:
        yield "[parameters] is empty; write a name and its values: rrf_k = [40, 60, 80]"
    for name, written in content.parameters.items():
        yield from (f"parameters.{name}: {each}" for each in _misfits_of(name, _as_range(written)))
    yield from _misfits_of_search(content)
    tables = {name: _as_range(each) for name, each in content.parameters.items()}
    texts = {
        name
        for name, table in tables.items()
        if any(isinstance(each, str) for each in (*table.values, table.default))
    }
    for number, constraint in enumerate(content.constraints):
        for problem in constraint.find_mistakes(content.parameters, texts):
            yield f"constraints[{number}]: {problem}"
    if content.measure:
        try:
            parse_measure(content.measure)
        except CranfieldError as problem:
            yield f"measure: {problem}"
    for name, number in {"hits": content.hits, "repeat": content.repeat}.items():
        if number < 1:
            yield f"{name} = {number}; it is 1 or more"


def _misfits_of(name: str, table: _Range) -> Iterator[str]:
    if name in _TAKEN or not _NAME.fullmatch(name):
        reason = "a query or the sweep fills it" if name in _TAKEN else "a name has letters"
        yield f"{{{name}}} cannot be a parameter: {reason}; choose another name"
    has_range = table.low is not None or table.high is not None
    if bool(table.values) == has_range:
        yield "give either values = [...] or from = and to ="
    elif has_range and (table.low is None or table.high is None or table.low >= table.high):
        yield "a range needs from = and to =, the lower first"
    elif has_range and table.step is not None and table.step <= 0:
        yield f"step = {table.step}; it is more than 0"
    elif table.is_log and not (table.low or 0.0) > 0:
        yield "log = true needs a range that begins above 0"
    elif table.step is not None and not has_range:
        yield "step = goes with from = and to ="


def _misfits_of_search(content: _File) -> Iterator[str]:
    search = content.search
    try:
        kind = SEARCHES.get(search.method)
    except UnknownNameError as problem:
        yield f"search.method: {problem}"
        return
    if kind.needs_budget and search.runs is None and search.minutes is None:
        yield f"search.method = {search.method!r} never ends by itself; give runs = or minutes ="
    if not kind.takes_ranges:
        for name, written in content.parameters.items():
            table = _as_range(written)
            if table.low is not None and table.step is None:
                yield (
                    f"parameters.{name}: the method {search.method} needs its values; give step =, "
                    'or method = "random" in [search]'
                )
    for name, number in {"runs": search.runs, "minutes": search.minutes}.items():
        if number is not None and number <= 0:
            yield f"search.{name} = {number}; it is more than 0"
    yield from _misfits_of_split(content.split)


def _misfits_of_split(split: Split) -> Iterator[str]:
    if not 0.1 <= split.share <= 0.9:
        yield f"split.held_out = {split.share}; it is a share from 0.1 to 0.9"
    if split.held_out is not None and split.folds is not None:
        yield "split has held_out and folds: with folds nothing is held out; keep one of them"
    if split.folds is not None and not 2 <= split.folds <= 20:
        yield f"split.folds = {split.folds}; it is from 2 to 20"


def is_permitted(trial: Trial, constraints: Collection[Constraint]) -> bool:
    """Return whether the values of a trial keep to all relations."""
    return all(_holds(trial, each.holds) for each in constraints if each.holds)


def _names(relation: re.Match[str]) -> list[str]:
    return [each for each in relation.group(1, 3) if not re.match(r"[-\d.]", each)]


def _holds(trial: Trial, text: str) -> bool:
    relation = _RELATION.fullmatch(text)
    if relation is None:
        return True
    left, sign, right = relation.groups()
    other = trial.values[right] if right in trial.values else float(right)
    return _OPERATORS[sign](trial.values[left], other)
