"""Broken runs before the gate: what depends on one query alone is worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cranfield.gates.judging import GatedRun
from cranfield.gates.mutations.stage import failing_rules, make_unbroken
from cranfield.gates.regressions import Change, compare_queries, compare_to_baseline

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.gates.baselines import Baseline
    from cranfield.gates.mutations.stage import Graded, Stage
    from cranfield.gates.regressions import Regressions

__all__ = ["Broken", "Gate"]


class Broken(NamedTuple):
    """A query's broken answers, and what they are against the baseline, if it has the query."""

    graded: Graded
    change: Change | None


@dataclass(frozen=True)
class _ComparedRun(GatedRun):
    """A run whose queries were compared before."""

    compared: Mapping[int, Change] | None = None

    @cached_property
    def regressions(self) -> Regressions | None:
        """What the run lost against the baseline."""
        if self.baseline is None:
            return None
        return compare_to_baseline(self.run, self.baseline, self.compared)


class Gate:
    """Holds broken runs to a baseline; `before` are the rules that the unbroken one fails.

    The gate itself judges. Only that it need not compare the same queries thousands of times is
    seen to here.
    """

    def __init__(self, stage: Stage, baseline: Baseline | None) -> None:
        self.stage = stage
        unbroken = stage.hold({})
        self._baseline = baseline or make_unbroken(unbroken)
        self._unbroken = compare_queries(unbroken, self._baseline)
        self.before = failing_rules(_ComparedRun(unbroken, self._baseline, compared=self._unbroken))

    def compare(self, graded: Mapping[int, Graded]) -> dict[int, Broken]:
        """Compare broken answers with the baseline, each by itself."""
        found = compare_queries(self.stage.hold(graded), self._baseline, graded)
        return {place: Broken(each, found.get(place)) for place, each in graded.items()}

    def judge(self, broken: Mapping[int, Broken]) -> frozenset[str]:
        """Name the further rules that fail when these queries are broken."""
        held = self.stage.hold({place: each.graded for place, each in broken.items()})
        compared = dict(self._unbroken)
        for place, each in broken.items():
            # A query that the baseline has is compared whatever becomes of it, any other never.
            if each.change is not None:
                compared[place] = each.change
        return failing_rules(_ComparedRun(held, self._baseline, compared=compared)) - self.before
