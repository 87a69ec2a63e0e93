"""How a sweep chooses its trials: a grid, one parameter at a time, at random, or Optuna's search.

A trial has one value for each parameter. The default is always the first trial, and is not proposed
by a search. With the same seed and the same figures a search proposes the same trials: a sweep that
was stopped is repeated, and finds its answers in the store.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from itertools import islice, product
from math import floor, log
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cranfield.errors import CranfieldError
from cranfield.registry import Registry
from cranfield.systems import write_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = [
    "SEARCHES",
    "Parameter",
    "ParameterValue",
    "Search",
    "SearchKind",
    "Trial",
]

ParameterValue: TypeAlias = bool | int | float | str
"""What a parameter can be: a plain value of TOML."""
_MOST_STEPS = 100_000
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: the values to try, or a range; and the value it has without the sweep.

    A range goes from `low` to `high`, both included, in steps of `step`. Without a step it is
    continuous. `is_log` draws it on a logarithmic scale.
    """

    name: str
    default: ParameterValue
    values: tuple[ParameterValue, ...] = ()
    low: float = 0.0
    high: float = 0.0
    step: float | None = None
    is_log: bool = False

    def list_values(self) -> tuple[ParameterValue, ...]:
        """Return all values to try; none for a continuous range."""
        if self.values or self.step is None:
            return self.values
        count = min(floor((self.high - self.low) / self.step + _ROUNDING), _MOST_STEPS) + 1
        return tuple(_tidy(self.low + self.step * number) for number in range(count))

    def draw(self, chance: np.random.Generator) -> ParameterValue:
        """Draw a value, each as likely as any other."""
        known = self.list_values()
        if known:
            return known[int(chance.integers(len(known)))]
        if self.is_log:
            return _tidy(float(np.exp(chance.uniform(log(self.low), log(self.high)))))
        return _tidy(float(chance.uniform(self.low, self.high)))

    def distance(self, value: ParameterValue) -> float:
        """Return how far a value is from the default: 0 is the default, 1 as far as one can go."""
        if value == self.default:
            return 0.0
        if isinstance(value, bool | str) or isinstance(self.default, bool | str):
            return 1.0
        ends = self.list_values() or (self.low, self.high)
        numbers = [each for each in ends if isinstance(each, int | float)]
        reach = max(abs(each - self.default) for each in (*numbers, value))
        return abs(value - self.default) / reach


def _tidy(number: float) -> int | float:
    """Return a number without the noise of adding steps; a whole one as such."""
    rounded = float(f"{number:.6g}")
    return int(rounded) if rounded.is_integer() else rounded


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One value for each parameter; two are equal if they are written alike."""

    values: Mapping[str, ParameterValue] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trial) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return " ".join(f"{name}={write_value(value)}" for name, value in self.values.items())

    def changed_from(self, default: Trial) -> dict[str, ParameterValue]:
        """Return the values that differ from those of the default."""
        return {name: each for name, each in self.values.items() if each != default.values[name]}


_MOST_DRAWS = 1000
"""So many draws in a row without a new trial mean that there is none left."""


class Search(ABC):
    """Proposes trials, some of which may have been proposed before."""

    @abstractmethod
    def propose(self, count: int) -> list[Trial]:
        """Return up to so many trials; none if there are no more."""

    def learn(self, trials: Sequence[Trial], reached: Sequence[float]) -> None:  # noqa: B027 - most do not learn
        """Learn the objective of trials that were proposed, in the order of their proposal."""


@dataclass(frozen=True, slots=True)
class SearchKind:
    """A kind of search. `learns` if its proposals depend on what earlier ones reached."""

    name: str
    summary: str
    open: Callable[[Mapping[str, Parameter], int], Search]
    learns: bool = False
    needs_budget: bool = False
    takes_ranges: bool = False


SEARCHES: Registry[SearchKind] = Registry(
    "method of search", SearchKind, group="cranfield.searches"
)


class _ListedSearch(Search):
    """Proposes trials of a list that is known beforehand."""

    def __init__(self, trials: Iterator[Trial]) -> None:
        self._trials = trials

    def propose(self, count: int) -> list[Trial]:
        """Return the next trials."""
        return list(islice(self._trials, count))


def _open_grid(parameters: Mapping[str, Parameter], _: int) -> Search:
    lists = [each.list_values() for each in parameters.values()]
    rows = product(*lists)
    return _ListedSearch(Trial(dict(zip(parameters, row, strict=True))) for row in rows)


def _open_each(parameters: Mapping[str, Parameter], _: int) -> Search:
    default = {name: each.default for name, each in parameters.items()}
    return _ListedSearch(
        Trial({**default, name: value})
        for name, each in parameters.items()
        for value in each.list_values()
    )


def _open_random(parameters: Mapping[str, Parameter], seed: int) -> Search:
    return _ListedSearch(_draw_trials(parameters, seed))


def _draw_trials(parameters: Mapping[str, Parameter], seed: int) -> Iterator[Trial]:
    chance = np.random.default_rng(seed)
    seen: set[Trial] = set()
    misses = 0
    while misses < _MOST_DRAWS:
        trial = Trial({name: each.draw(chance) for name, each in parameters.items()})
        if trial in seen:
            misses += 1
            continue
        seen.add(trial)
        misses = 0
        yield trial


class _OptunaSearch(Search):
    """Optuna's tree-structured Parzen estimator: asks near what was good, and elsewhere."""

    def __init__(self, parameters: Mapping[str, Parameter], seed: int) -> None:
        try:
            import optuna
        except ImportError:
            raise CranfieldError(
                'method = "optuna" needs Optuna; install it: pip install "cranfield[sweep]"'
            ) from None
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True, constant_liar=True)
        self._study = optuna.create_study(direction="maximize", sampler=sampler)
        self._parameters = parameters
        self._asked: list[Any] = []

    def propose(self, count: int) -> list[Trial]:
        """Ask for trials."""
        asked = [self._study.ask() for _ in range(count)]
        self._asked += asked
        return [
            Trial({name: _suggest(each, one) for name, each in self._parameters.items()})
            for one in asked
        ]

    def learn(self, trials: Sequence[Trial], reached: Sequence[float]) -> None:
        """Tell what trials reached; one that reached nothing has failed."""
        asked, self._asked = self._asked[: len(trials)], self._asked[len(trials) :]
        for one, value in zip(asked, reached, strict=True):
            if np.isfinite(value):
                self._study.tell(one, value)
            else:
                self._study.tell(one, state=_failed_state())


def _failed_state() -> Any:
    import optuna

    return optuna.trial.TrialState.FAIL


def _suggest(parameter: Parameter, asked: Any) -> Any:
    values = parameter.list_values()
    if parameter.values:
        return asked.suggest_categorical(parameter.name, values)
    if values:
        return values[asked.suggest_int(parameter.name, 0, len(values) - 1)]
    drawn = asked.suggest_float(parameter.name, parameter.low, parameter.high, log=parameter.is_log)
    return float(f"{drawn:.6g}")


for _kind in (
    SearchKind("grid", "every combination of all values", _open_grid),
    SearchKind("each", "one parameter at a time, the others at their default", _open_each),
    SearchKind(
        "random",
        "combinations drawn at random",
        _open_random,
        needs_budget=True,
        takes_ranges=True,
    ),
    SearchKind(
        "optuna",
        "Optuna's search, which learns from what was tried",
        _OptunaSearch,
        learns=True,
        needs_budget=True,
        takes_ranges=True,
    ),
):
    SEARCHES.register(_kind.name, _kind)
