"""Demands: what slices hold a build to beside the rules of its suites, such as agents or models.

A slice offers a `Demand` in the group `cranfield.demands`; every gate of a project asks them all.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cranfield.evaluation.project import Project
    from cranfield.gates.gate_rules import RuleResult
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

__all__ = ["DEMANDS", "Demand", "DemandRequest", "judge_all_demands"]


@dataclass(frozen=True, slots=True)
class DemandRequest:
    """The runs that a gate judges, with their project and store.

    With `is_quick`, a demand that takes long to judge says so instead: a page is waiting.
    """

    runs: Sequence[Run]
    project: Project
    store: Store
    is_quick: bool = False


@dataclass(frozen=True, slots=True)
class Demand:
    """Something a build has to reach; `judge` returns what it found, by suite."""

    name: str
    judge: Callable[[DemandRequest], Mapping[str, Sequence[RuleResult]]]


DEMANDS: Registry[Demand] = Registry("demand", Demand, group="cranfield.demands")


def judge_all_demands(
    request: DemandRequest, first: Mapping[str, Sequence[RuleResult]] | None = None
) -> dict[str, Sequence[RuleResult]]:
    """Judge what every slice demands, after the results that are known `first`."""
    found: defaultdict[str, list[RuleResult]] = defaultdict(list)
    for suite, results in (first or {}).items():
        found[suite] += results
    for demand in sorted(DEMANDS.values(), key=lambda each: each.name, reverse=True):
        for suite, results in demand.judge(request).items():
            found[suite] += results
    return dict(found)
