"""Rules for the answer as a whole: any result, none, a route, flags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.errors import ExpectationError
from cranfield.relevance.expectations import Rule, RuleContext, read_as, register_rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.model import Grades, Response, Value

__all__: list[str] = []

_SEARCH, _NO_RESULTS = "search", "no_results"


@dataclass(frozen=True, slots=True)
class AnythingRule(Rule):
    """Any result will do."""

    def check(self, response: Response, grades: Grades) -> Mapping[str, Value]:  # noqa: ARG002
        """Check that there is a hit."""
        return {"anything": float(bool(response.hits))}


@dataclass(frozen=True, slots=True)
class NothingRule(Rule):
    """No result, or none with a score of at least a bound."""

    below: float | None = None

    def check(self, response: Response, grades: Grades) -> Mapping[str, Value]:  # noqa: ARG002
        """Check that no hit reaches the score; a hit without a score counts as reaching it."""
        counted = [
            hit
            for hit in response.hits
            if self.below is None or hit.score is None or hit.score >= self.below
        ]
        return {"nothing": float(not counted)}


@dataclass(frozen=True, slots=True)
class RouteRule(Rule):
    """The system sent the query to one of these routes.

    A system that names no route has taken `search` if there are results, or else `no_results`. The
    route `search` without results counts as `no_results` as well.
    """

    routes: tuple[str, ...]

    def check(self, response: Response, grades: Grades) -> Mapping[str, Value]:  # noqa: ARG002
        """Compare the route that the system named, or took without naming it."""
        taken = {response.route}
        if response.route in ("", _SEARCH):
            taken.add(_SEARCH if response.hits else _NO_RESULTS)
        return {"route": float(not taken.isdisjoint(self.routes))}


@dataclass(frozen=True, slots=True)
class FlagRule(Rule):
    """The system raised all of these flags."""

    flags: tuple[str, ...]

    def check(self, response: Response, grades: Grades) -> Mapping[str, Value]:  # noqa: ARG002
        """Check that every flag was raised, all of them together and each by itself."""
        each = {f"flags.{flag}": float(flag in response.flags) for flag in self.flags}
        return {"flags": float(all(each.values())), **each}


@dataclass(frozen=True, slots=True)
class _Below:
    below_score: float


def _read_anything(value: Any, _: RuleContext) -> Rule:
    _require_true(value, "anything")
    return AnythingRule()


def _read_nothing(value: Any, _: RuleContext) -> Rule:
    if isinstance(value, dict):
        return NothingRule(read_as(value, _Below, "nothing").below_score)
    _require_true(value, "nothing")
    return NothingRule()


def _require_true(value: Any, rule: str) -> None:
    if value is not True:
        raise ExpectationError(f"{rule}: write {rule} = true, or leave it out; got {value!r}")


def _read_words(value: Any, rule: str) -> tuple[str, ...]:
    shape: Any = str | list[str]
    given = read_as(value, shape, rule)
    words = (given,) if isinstance(given, str) else tuple(given)
    if not words or not all(words):
        raise ExpectationError(f"{rule}: is empty; name what is expected")
    return words


register_rule(
    "anything",
    "there is a result, whatever it is",
    "anything = true",
    _read_anything,
    checks=("anything",),
)
register_rule(
    "nothing",
    "there is no result, or none with a score that high",
    "nothing = true or nothing = { below_score = 0.3 }",
    _read_nothing,
    checks=("nothing",),
)
register_rule(
    "route",
    "the system sent the query there",
    'route = "practice_bridge" or route = ["no_results", "search"]',
    lambda value, _: RouteRule(_read_words(value, "route")),
    checks=("route",),
)
register_rule(
    "flags",
    "the system raised these flags",
    'flags = ["meet_first"]',
    lambda value, _: FlagRule(_read_words(value, "flags")),
    checks=("flags",),
)
