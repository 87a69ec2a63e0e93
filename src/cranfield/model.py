"""The values that everything speaks in: queries and suites, responses and hits, grades."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - msgspec reads annotations at run time
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeAlias

__all__ = [
    "Grades",
    "Hit",
    "JudgingSettings",
    "Missing",
    "Query",
    "RegressionRules",
    "Response",
    "Status",
    "Suite",
    "Threshold",
    "TieRule",
    "Undefined",
    "Value",
]


@dataclass(frozen=True, slots=True)
class Undefined:
    """The absence of a value, with the reason; it is neither a number nor true or false."""

    reason: str

    def __str__(self) -> str:
        return f"undefined: {self.reason}"

    def __bool__(self) -> bool:
        raise TypeError(f"an undefined value is neither true nor false ({self.reason})")


Value: TypeAlias = float | Undefined
"""A measured value: a number, or no number and the reason why."""


@dataclass(frozen=True, slots=True)
class Grades:
    """The graded ranking of one query.

    ranked
        The grade of each hit in rank order. 0 is judged and not relevant, `None` is a hole (nobody
        judged it), a negative grade was in the judging pool but not judged.
    judgments
        The grades of everything that was judged for the query, retrieved or not; `None` if it is
        unknown how many right answers exist (a predicate).
    targets
        Which target each hit met, `None` for none. Without it, every hit is a target of its own.
        A second hit of one target earns nothing in measures bounded by the number of targets.
    checks
        What else was expected of the answer, by name: 1 if it held, 0 if not.
    pass_rank
        The rank by which a relevant hit has to appear for the query to pass.
    expects_hits
        Whether any hit was expected at all; a query that only checks the route has no precision.
    hole_grade
        The highest grade that a hole may turn out to have, if a value that depends on it is to be
        undefined; `None` if holes count as not relevant.
    """

    ranked: tuple[int | None, ...]
    judgments: tuple[int, ...] | None = None
    targets: tuple[int | None, ...] | None = None
    checks: Mapping[str, Value] = field(default_factory=dict)
    pass_rank: int = 3
    expects_hits: bool = True
    hole_grade: int | None = None

    def __post_init__(self) -> None:
        if self.targets is not None and len(self.targets) != len(self.ranked):
            raise ValueError(
                f"targets has {len(self.targets)} entries for {len(self.ranked)} hits; "
                "give one target (or None) for each hit"
            )

    @property
    def earned(self) -> tuple[int | None, ...]:
        """The grades with every repeated target set to 0."""
        if self.targets is None:
            return self.ranked
        met: set[int] = set()
        earned: list[int | None] = []
        for grade, target in zip(self.ranked, self.targets, strict=True):
            repeated = target is not None and target in met
            earned.append(0 if repeated else grade)
            if target is not None:
                met.add(target)
        return tuple(earned)

    def count_holes(self, depth: int | None = None) -> int:
        """Count the unjudged hits, down to a rank."""
        return self.ranked[:depth].count(None)

    def fill_holes(self, grade: int) -> Grades:
        """Return the ranking as it would be if every hole had this grade, each for itself."""
        if None not in self.ranked:
            return replace(self, hole_grade=None)
        count = self.ranked.count(None)
        targets = self.targets
        if targets is not None:
            numbers = iter(range(-1, -1 - count, -1))
            pairs = zip(self.ranked, targets, strict=True)
            targets = tuple(next(numbers) if given is None else target for given, target in pairs)
        judgments = self.judgments
        return replace(
            self,
            ranked=tuple(grade if given is None else given for given in self.ranked),
            judgments=None if judgments is None else (*judgments, *[grade] * count),
            targets=targets,
            hole_grade=None,
        )


class Missing(StrEnum):
    """How judged queries without results in a run are scored."""

    ZERO = "zero"
    SKIP = "skip"
    ERROR = "error"


class TieRule(StrEnum):
    """How hits with equal scores are ordered."""

    DOCUMENT = "document"
    """By document id, highest first, as trec_eval does."""

    GIVEN = "given"
    """By the file's rank column, then by line."""


class Status(StrEnum):
    """The outcome of a query."""

    OK = "ok"
    EMPTY = "empty"
    TIMEOUT = "timeout"
    ERROR = "error"
    UNPARSEABLE = "unparseable"

    @property
    def is_failure(self) -> bool:
        """Whether the system did not answer; an empty answer is an answer."""
        return self not in (Status.OK, Status.EMPTY)


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. `text` and `fields` are there for rules that look inside."""

    id: str
    score: float | None = None
    text: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Response:
    """A system's answer to one query.

    `route` is where the system sent the query, `flags` what it noticed about it, if it says so.
    `message` says what went wrong; `raw` keeps output that could not be used. `seconds` is how
    long the answer took, filled in by the caller. `repeated` counts hits that were left out because
    a higher one has their id.
    """

    status: Status
    hits: tuple[Hit, ...] = ()
    route: str = ""
    flags: tuple[str, ...] = ()
    message: str = ""
    raw: str = ""
    seconds: float | None = None
    repeated: int = 0

    @classmethod
    def of(cls, hits: tuple[Hit, ...], *, route: str = "", flags: tuple[str, ...] = ()) -> Response:
        """Make the response of a system that answered, with or without hits."""
        return cls(Status.OK if hits else Status.EMPTY, hits, route, flags)

    @classmethod
    def failed(cls, status: Status, message: str, *, raw: str = "") -> Response:
        """Make the response of a system that did not answer."""
        return cls(status, message=message, raw=raw)


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
    hits are right by the judgments in the store; `holes`, unjudged hits, leave the
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
