"""Queries with their expectations, suites of them, and the thresholds of a suite's gate."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - msgspec reads annotations at run time
from dataclasses import dataclass, field
from typing import Any

__all__ = ["JudgingSettings", "Query", "RegressionRules", "Suite", "Threshold"]


@dataclass(frozen=True, slots=True)
class Query:
    """One query with what is expected of the answer.

    `expect` maps the name of a rule to what that rule needs, as plain data: a pattern, a list of
    ids, a table. The rules themselves live in `cranfield.relevance`.
    """

    id: str
    text: str
    expect: Mapping[str, Any] = field(default_factory=dict)
    category: str = ""
    language: str = ""
    tags: tuple[str, ...] = ()
    filters: Mapping[str, Any] = field(default_factory=dict)
    pass_rank: int | None = None
    notes: str = ""
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Threshold:
    """The value that a measure must reach, overall or in one category.

    A diagnostic threshold is reported and never fails anything. `milestone` names the one that the
    project set it for.
    """

    measure: str
    at_least: float
    category: str = ""
    diagnostic: bool = False
    milestone: str = ""


@dataclass(frozen=True, slots=True)
class RegressionRules:
    """What a run may lose compared with a baseline.

    - Without `at_most`, a significant fall fails, and so do more lost queries than noise explains.
    - With it, more than `at_most` queries that got worse fail instead, whatever was gained.
    - Any query that got worse in a `protected` category fails.
    - An improvement in a `watched` category with losses elsewhere is a warning.
    - More than `most_failures` queries without an answer fail, with or without a baseline; without
      it, any does.
    - At least `accept_at` improved queries and none that got worse make a new baseline by
      themselves.
    - After `promote_after` runs in a row that reach more than a threshold asks, the gate says to
      raise it.
    - A percentile of the response time, such as `p95`, that is more than its factor in `latency`
      times that of the baseline fails.
    """

    at_most: int | None = None
    protected: tuple[str, ...] = ()
    watched: tuple[str, ...] = ()
    most_failures: int | None = None
    accept_at: int | None = None
    promote_after: int | None = None
    latency: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JudgingSettings:
    """How the hits of a suite are judged, and whose judgments grade them.

    Grades go from 0 to `highest`; 1 is yes or no. `guidelines` is the file that raters read.
    A share `overlap` of the hits is judged by `raters` people instead of one. With `judged_by`,
    hits are right by the judgments in the store; `holes`, hits that nobody judged, leave the
    queries out whose values depend on them, or count as irrelevant. `model` has the settings of a
    model that helps; without any, none does.
    """

    highest: int = 1
    guidelines: str = ""
    overlap: float = 0.0
    raters: int = 2
    judged_by: str = ""
    holes: str = "left out"
    model: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suite:
    """Queries of one class, with the gate they must pass. Deprecated queries are never run.

    `measures` replace those of the class; the first is the headline. `database` is the file that
    rules such as `sql` ask for right answers, instead of the system's own.
    `rules` apply to runs that are compared with a baseline. `latency` has the seconds that a
    percentile of the answers, such as `p95`, should not exceed; it is reported and never fails.
    `proportions` are the intended shares of the categories. `folder` is the folder of the suite's
    file; paths in expectations start there. `fixture` names the corpus that the queries were
    written for, if the file says so. `judging` says how people judge its hits.
    """

    id: str
    query_class: str
    queries: tuple[Query, ...]
    description: str = ""
    measures: tuple[str, ...] = ()
    database: str = ""
    gate: tuple[Threshold, ...] = ()
    rules: RegressionRules = field(default_factory=RegressionRules)
    latency: Mapping[str, float] = field(default_factory=dict)
    proportions: Mapping[str, float] = field(default_factory=dict)
    folder: str = ""
    fixture: str = ""
    judging: JudgingSettings = field(default_factory=JudgingSettings)

    @property
    def asked(self) -> tuple[Query, ...]:
        """The queries that are not deprecated."""
        return tuple(query for query in self.queries if not query.deprecated)
