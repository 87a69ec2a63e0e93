"""Parameters of a sweep, and trials: one value for each parameter."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor, log
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cranfield.systems import write_value

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Parameter", "ParameterValue", "Trial"]

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
