"""Where a query goes before anything is ranked, by rules of the corpus's owner.

A rule names a route and what sends a query there; the first rule that applies decides. A flag
marks a query without sending it anywhere, and can set the intent with which passages are chosen.
A floor sends away queries that the index has nothing about.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from stacks.errors import SaveError
from stacks.guidance.phrase_patterns import PhrasePatterns
from stacks.guidance.vocabulary import Expansion, check_weights
from stacks.text import fold_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["SEARCH", "Decision", "Floor", "Routing", "read_routing"]

SEARCH = "search"
"""The route of a query that is answered with hits."""

_EXAMPLE = '[[rule]] with route = "practice_bridge", reason = "…", all = [["how to"], ["breath*"]]'


class Decision(NamedTuple):
    """Where a query goes and why, its flags, and the intent with which passages are chosen."""

    route: str = SEARCH
    reason: str = ""
    flags: tuple[str, ...] = ()
    intent: str = ""
    expansions: tuple[Expansion, ...] = ()


class Floor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When the hits of a query are about something else.

    `coverage` is the least share of a query's words, by their rarity, that one of the first hits
    must have; a hit of this `similarity` in meaning is enough instead.
    """

    coverage: float = 0.0
    similarity: float = 1.0
    route: str = "no_results"
    reason: str = "nothing here is about that"


class _Conditions(msgspec.Struct, frozen=True):
    """One phrase of each list in `all`, and one of `any`, must occur; none of `unless` may."""

    reason: str = ""
    any: list[str] = []
    all: list[list[str]] = []
    unless: list[str] = []


class _Rule(_Conditions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Conditions that send a query somewhere."""

    route: str


class _Flag(_Conditions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Conditions that mark a query; `name` may be empty if only the intent is set."""

    name: str = ""
    intent: str = ""


class _RoutingFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file; `intents` maps an intent to the words of passages chosen for it."""

    rule: list[_Rule] = []
    flag: list[_Flag] = []
    floor: Floor = Floor()
    intents: dict[str, dict[str, float]] = {}


@dataclass(frozen=True, slots=True)
class _Test:
    """Parsed conditions."""

    groups: tuple[PhrasePatterns, ...]
    unless: PhrasePatterns

    @classmethod
    def make(cls, conditions: _Conditions) -> _Test:
        groups = [*conditions.all, *([conditions.any] if conditions.any else [])]
        if not groups or not all(groups):
            raise ValueError("a rule or flag without any or all applies to nothing")
        parsed = tuple(PhrasePatterns.parse(group) for group in groups)
        return cls(parsed, PhrasePatterns.parse(conditions.unless))

    def apply(self, words: Sequence[str]) -> str:
        """Return the phrases by which the conditions are met; empty if they are not."""
        found = [group.find(words) for group in self.groups]
        if not all(found) or self.unless.find(words):
            return ""
        return ", ".join(f"“{phrase}”" for phrase in found)


@dataclass(frozen=True, slots=True)
class Routing:
    """The rules of a corpus; without any, everything is searched."""

    floor: Floor = field(default_factory=Floor)
    _rules: tuple[tuple[_Test, _Rule], ...] = ()
    _flags: tuple[tuple[_Test, _Flag], ...] = ()
    _intents: tuple[tuple[str, Expansion], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Routing:
        """Parse TOML; raises `ValueError` that says what is wrong with it."""
        table = msgspec.convert(tomllib.loads(text), _RoutingFile)
        for words in table.intents.values():
            check_weights(words)
        for name, bound in (
            ("coverage", table.floor.coverage),
            ("similarity", table.floor.similarity),
        ):
            if not 0 <= bound <= 2:
                raise ValueError(f"the {name} of the floor is {bound}; it is from 0 to 2")
        return cls(
            table.floor,
            tuple((_Test.make(rule), rule) for rule in table.rule),
            tuple((_Test.make(flag), flag) for flag in table.flag),
            tuple(
                (intent, Expansion(phrase, weight, intent))
                for intent, words in table.intents.items()
                for phrase, weight in words.items()
            ),
        )

    def decide(self, text: str) -> Decision:
        """Return where a query goes; a flagged one is never sent away, whatever else it asks for.

        A person in danger comes first, even if the same query asks for a technique.
        """
        words = fold_words(text)
        flags = [(flag, why) for test, flag in self._flags if (why := test.apply(words))]
        intent = next((flag.intent for flag, _ in flags if flag.intent), "")
        named = tuple(dict.fromkeys(flag.name for flag, _ in flags if flag.name))
        expansions = tuple(each for name, each in self._intents if name == intent)
        if named:
            reason = "; ".join(f"{flag.reason or flag.name}: {why}" for flag, why in flags)
            return Decision(SEARCH, reason, named, intent, expansions)
        for test, rule in self._rules:
            if why := test.apply(words):
                return Decision(rule.route, f"{rule.reason or rule.route}: {why}", (), intent)
        return Decision(SEARCH, "", (), intent, expansions)


def read_routing(path: Path) -> str:
    """Read a file of routing rules, and check that it can be parsed."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        Routing.parse(text)
    except (OSError, ValueError) as problem:
        raise SaveError(f"{path} holds no routing rules: {problem}; they are {_EXAMPLE}") from None
    return text
