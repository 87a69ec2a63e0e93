"""What makes an answer right: rules, their registry, and all that one query expects.

The rules of a query are read once, and grade any number of responses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from cranfield.errors import ExpectationError
from cranfield.model import Grades, Undefined
from cranfield.registry import Registry
from cranfield.shapes import find_misfits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from cranfield.model import Hit, Query, Response, Value

__all__ = [
    "RULES",
    "Expectation",
    "Rule",
    "RuleContext",
    "RuleKind",
    "Target",
    "checks_of",
    "read_as",
    "read_expectation",
    "register_rule",
    "resolve_expectation",
    "without_system",
]

_DEFAULT_PASS_RANK = 3
Shape = TypeVar("Shape")


@dataclass(frozen=True, slots=True)
class Target:
    """One judged answer and its name for readers; a grade of 0 means judged and not relevant."""

    name: str
    grade: int = 1


@dataclass(frozen=True, slots=True)
class RuleContext:
    """What a rule may read in addition to the query: the suite's folder, the system's database."""

    folder: Path | None = None
    database: Path | None = None


class Rule:
    """What makes an answer right. A rule names targets and says which of them a hit meets.

    A rule may also check the answer as a whole, after the hits are graded; a query whose rules
    have no targets expects no hits. `targets_are_all` is False if further right answers may
    exist, so recall is undefined. `fields` are the fields of hits that the rule reads, each
    by the names that it may have; `text` and `score` are fields too.
    """

    targets: tuple[Target, ...] = ()
    targets_are_all: bool = True
    fields: tuple[tuple[str, ...], ...] = ()
    expects_hits: bool | None = None
    """Whether hits are expected; None if that follows from whether there are targets."""
    hole_grade: int | None = None
    """The highest grade of an unjudged hit; None if such a hit is not right."""

    def meets(self, hit: Hit) -> tuple[int, ...]:  # noqa: ARG002 - for rules to override
        """Return the positions of the targets that a hit meets."""
        return ()

    def check(self, response: Response, grades: Grades) -> Mapping[str, Value]:  # noqa: ARG002
        """Return what else was expected, by name: 1 if it held, 0 if not."""
        return {}


@dataclass(frozen=True, slots=True)
class RuleKind:
    """A rule as it is written in a suite: its name, and how its expectation is read.

    A rule that queries the system's own database has `resolve`, which stores the result in the
    expectation, so a stored run can be graded again without the database. `checks` are the
    names of what the rule checks in the answer as a whole.
    """

    name: str
    summary: str
    example: str
    read: Callable[[Any, RuleContext], Rule]
    resolve: Callable[[Any, RuleContext], Any] | None = None
    checks: tuple[str, ...] = ()


RULES: Registry[RuleKind] = Registry("rule", RuleKind, group="cranfield.rules")


def register_rule(
    name: str,
    summary: str,
    example: str,
    read: Callable[[Any, RuleContext], Rule],
    resolve: Callable[[Any, RuleContext], Any] | None = None,
    *,
    checks: tuple[str, ...] = (),
) -> None:
    """Register a kind of rule under its name."""
    RULES.register(name, RuleKind(name, summary, example, read, resolve, checks))


def read_as(value: Any, shape: type[Shape], rule: str) -> Shape:
    """Convert a rule's expectation to a type; an error names every place that does not fit."""
    problems = "; ".join(str(each) for each in find_misfits(value, shape))
    if problems:
        raise ExpectationError(f"{rule}: {problems}; write it as in: {RULES.get(rule).example}")
    return msgspec.convert(value, shape)


class Expectation:
    """The rules of one query.

    Hits are graded first: each hit meets the best right target that no hit above it has met, or
    else the best one it meets at all. Checks then see the graded ranking. A failed response meets
    no target and fails every check. A check that no rule declared is refused: no measure would
    count it.
    """

    def __init__(
        self, rules: Sequence[Rule], pass_rank: int | None = None, checks: Collection[str] = ()
    ) -> None:
        self._rules = tuple(rules)
        self._checks = frozenset(checks)
        self._pass_rank = pass_rank or _DEFAULT_PASS_RANK
        self.targets: tuple[Target, ...] = tuple(
            target for rule in self._rules for target in rule.targets
        )
        self.fields = tuple(names for rule in self._rules for names in rule.fields)
        self._expects_hits = any(
            bool(rule.targets) if rule.expects_hits is None else rule.expects_hits
            for rule in self._rules
        )
        grades = [rule.hole_grade for rule in self._rules if rule.hole_grade is not None]
        self._hole_grade = max(grades, default=None)
        all_known = all(rule.targets_are_all for rule in self._rules)
        self._judgments = tuple(target.grade for target in self.targets) if all_known else None

    def grade(self, response: Response) -> Grades:
        """Grade a response."""
        hits = () if response.status.is_failure else response.hits
        ranked, targets = self._assign(hits)
        grades = Grades(
            ranked,
            self._judgments,
            targets,
            pass_rank=self._pass_rank,
            expects_hits=self._expects_hits,
            hole_grade=self._hole_grade,
        )
        checks: dict[str, Value] = {}
        for rule in self._rules:
            checks.update(rule.check(response, grades))
        self._refuse_undeclared(checks)
        if response.status.is_failure:
            checks = {
                name: value if isinstance(value, Undefined) else 0.0
                for name, value in checks.items()
            }
        return replace(grades, checks=checks) if checks else grades

    def _refuse_undeclared(self, checks: Iterable[str]) -> None:
        # A finer view of a check has the check's name, a dot and its own.
        for name in checks:
            if name.partition(".")[0] not in self._checks:
                raise ExpectationError(
                    f"the check {name!r} is declared by none of the query's rules, so no "
                    "measure counts it; name it in the `checks` of the rule's RuleKind"
                )

    def meets(self, hit: Hit) -> list[int]:
        """Return the positions of all targets that a hit meets, over all rules."""
        if len(self._rules) == 1:
            return list(self._rules[0].meets(hit))
        positions: list[int] = []
        first = 0
        for rule in self._rules:
            positions += [first + place for place in rule.meets(hit)]
            first += len(rule.targets)
        return positions

    def _assign(self, hits: Sequence[Hit]) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
        met: set[int] = set()
        ranked: list[int | None] = []
        targets: list[int | None] = []
        for hit in hits:
            places = self.meets(hit)
            if not places:
                ranked.append(None)
                targets.append(None)
                continue
            best = max(places, key=lambda place: self._worth(place, met))
            ranked.append(self.targets[best].grade)
            targets.append(best)
            met.add(best)
        return tuple(ranked), tuple(targets)

    def _worth(self, place: int, met: set[int]) -> tuple[bool, int]:
        """Return the sort key of a target: right ones not met before come first, then by grade."""
        grade = self.targets[place].grade
        return place not in met and grade > 0, grade


def read_expectation(query: Query, context: RuleContext | None = None) -> Expectation:
    """Read what a query expects; an error names the query and the rule."""
    if not query.expect:
        raise ExpectationError(
            f"query {query.id!r} expects nothing; give it at least one of: "
            f"{', '.join(RULES.names())}"
        )
    try:
        rules = [
            RULES.get(name).read(value, context or RuleContext())
            for name, value in query.expect.items()
        ]
    except ExpectationError as problem:
        raise ExpectationError(f"query {query.id!r}: {problem}") from None
    return Expectation(rules, query.pass_rank, checks_of(query))


def checks_of(query: Query) -> tuple[str, ...]:
    """Return the names of what a query expects of the answer as a whole."""
    return tuple(dict.fromkeys(check for rule in query.expect for check in RULES.get(rule).checks))


def resolve_expectation(query: Query, context: RuleContext) -> Query:
    """Run the database queries of a query's rules, and store the results in its expectation."""
    if not without_system(query).expect.keys() ^ query.expect.keys():
        return query
    try:
        resolved = {
            name: value if (resolve := RULES.get(name).resolve) is None else resolve(value, context)
            for name, value in query.expect.items()
        }
    except ExpectationError as problem:
        raise ExpectationError(f"query {query.id!r}: {problem}") from None
    return replace(query, expect=resolved)


def needs_database(rule: str) -> bool:
    """Return whether a database has to be asked for the right answers of a rule."""
    return RULES.get(rule).resolve is not None


def without_system(query: Query) -> Query:
    """Return a query without the rules that need a system's database; itself if it has none."""
    if not any(map(needs_database, query.expect)):
        return query
    kept = {name: value for name, value in query.expect.items() if not needs_database(name)}
    return replace(query, expect=kept)
