"""What may be answered, and in whose words? Routing rules and a vocabulary, read from files.

Where a query goes before anything is ranked, by rules of the corpus's owner.

A rule names a route and what sends a query there; the first rule that applies decides. A flag
marks a query without sending it anywhere, and can set the intent with which passages are chosen.
A floor sends away queries that the index has nothing about.

A vocabulary: bridges from the words of people to the words of a corpus, with weights.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from cranfield_shared.settings_files import parse_toml, read_settings
from stacks.errors import SaveError
from stacks.phrases import PhraseIndex, WordLists

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

__all__ = [
    "SEARCH",
    "Decision",
    "Expansion",
    "Floor",
    "Routing",
    "Vocabulary",
    "check_weights",
    "read_routing",
    "read_vocabulary",
]

SEARCH = "search"
"""The route of a query that is answered with hits."""

_ROUTING_EXAMPLE = (
    '[[rule]] with route = "practice_bridge", reason = "…", all = [["how to"], ["breath*"]]'
)


_VOCABULARY_EXAMPLE = '[[bridge]] with words = ["anxious", "panic*"] and becomes = { fear = 0.6 }'


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
    """One phrase of each list in `all`, and one of `any`, must occur; none of `unless` may.

    `spelling` says how words are compared: letter by letter, or by their sound.
    """

    reason: str = ""
    spelling: Literal["exact", "sound"] = "exact"
    any: list[str] = []
    all: list[list[str]] = []
    unless: list[str] = []

    @property
    def groups(self) -> list[list[str]]:
        """Return lists of phrases, one phrase of each of which must occur."""
        return [*self.all, self.any] if self.any else self.all

    def check(self) -> None:
        """Raise `ValueError` for conditions that no query can meet."""
        if not self.groups or not all(self.groups):
            raise ValueError("a rule or flag without any or all applies to nothing")

    def apply(self, found: Mapping[str, Collection[str]]) -> str:
        """Return the phrases by which the conditions are met; empty if they are not.

        `found` has the phrases that occur in a query, by spelling.
        """
        occurring = found.get(self.spelling, ())
        met = [next((each for each in group if each in occurring), "") for group in self.groups]
        if not all(met) or any(phrase in occurring for phrase in self.unless):
            return ""
        return ", ".join(f"“{phrase}”" for phrase in met)


class _Rule(_Conditions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Conditions that send a query somewhere."""

    route: str


class _Flag(_Conditions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Conditions that mark a query; `name` may be empty if only the intent is set."""

    name: str = ""
    intent: str = ""


class _RoutingFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file.

    `intents` maps an intent to the words of passages chosen for it, `words` a name to the phrases
    that `<name>` stands for in others.
    """

    rule: list[_Rule] = []
    flag: list[_Flag] = []
    floor: Floor = Floor()
    intents: dict[str, dict[str, float]] = {}
    words: dict[str, list[str]] = {}


@dataclass(frozen=True, slots=True)
class Routing:
    """The rules of a corpus; without any, everything is searched."""

    floor: Floor = field(default_factory=Floor)
    _rules: tuple[_Rule, ...] = ()
    _flags: tuple[_Flag, ...] = ()
    _intents: tuple[tuple[str, Expansion], ...] = ()
    _phrases: Mapping[str, PhraseIndex] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Routing:
        """Parse TOML; raises `ValueError` that says what is wrong with it."""
        table = msgspec.convert(parse_toml(text), _RoutingFile)
        for words in table.intents.values():
            check_weights(words)
        for name, bound in (
            ("coverage", table.floor.coverage),
            ("similarity", table.floor.similarity),
        ):
            if not 0 <= bound <= 2:
                raise ValueError(f"the {name} of the floor is {bound}; it is from 0 to 2")
        expansions = []
        for intent, words in table.intents.items():
            expansions += [
                (intent, Expansion(phrase, weight, intent)) for phrase, weight in words.items()
            ]
        return cls(
            table.floor,
            tuple(table.rule),
            tuple(table.flag),
            tuple(expansions),
            _index_phrases([*table.rule, *table.flag], table.words),
        )

    def decide(self, text: str) -> Decision:
        """Return where a query goes; a flagged one is never sent away, whatever else it asks for.

        A person in danger comes first, even if the same query asks for a technique.
        """
        found = {spelling: index.find(text) for spelling, index in self._phrases.items()}
        flags = [(flag, why) for flag in self._flags if (why := flag.apply(found))]
        intent = next((flag.intent for flag, _ in flags if flag.intent), "")
        named = tuple(dict.fromkeys(flag.name for flag, _ in flags if flag.name))
        expansions = tuple(each for name, each in self._intents if name == intent)
        if named:
            reason = "; ".join(f"{flag.reason or flag.name}: {why}" for flag, why in flags)
            return Decision(SEARCH, reason, named, intent, expansions)
        for rule in self._rules:
            if why := rule.apply(found):
                return Decision(rule.route, f"{rule.reason or rule.route}: {why}", (), intent)
        return Decision(SEARCH, "", (), intent, expansions)


def _index_phrases(
    conditions: Sequence[_Conditions], words: Mapping[str, Sequence[str]]
) -> dict[str, PhraseIndex]:
    """Index the phrases of all conditions by their spelling; every list of words is read."""
    texts: dict[str, list[str]] = {}
    for each in conditions:
        each.check()
        phrases = [phrase for group in each.groups for phrase in group]
        texts.setdefault(each.spelling, []).extend([*phrases, *each.unless])
    return {
        spelling: PhraseIndex.make(phrases, WordLists(words, spelling))
        for spelling, phrases in texts.items()
    }


def read_routing(paths: Sequence[Path]) -> str:
    """Read files of routing rules as one text, and check that it can be parsed."""
    texts = []
    for path in paths:
        try:
            texts.append(read_settings(path))
            Routing.parse(texts[-1])
        except (OSError, ValueError) as problem:
            message = f"{path} holds no routing rules: {problem}; they are {_ROUTING_EXAMPLE}"
            raise SaveError(message) from None
    together = "\n".join(texts)
    try:
        Routing.parse(together)
    except ValueError as problem:
        names = ", ".join(str(path) for path in paths)
        message = f"{names} cannot be joined: {problem}; a table such as [floor] is in one of them"
        raise SaveError(message) from None
    return together


class Expansion(NamedTuple):
    """A word or phrase of the corpus that a query is run with as well, its weight, and why.

    With `instead`, it counts in documents that do not have the word that it stands for.
    """

    phrase: str
    weight: float
    because: str
    instead: bool = False


class _Bridge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words of people, and what they become; a phrase of weight 1 counts as if it were typed.

    With `language`, it is not applied to queries that are known to be in another.
    """

    words: list[str]
    becomes: dict[str, float]
    language: str = ""


class _VocabularyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    bridge: list[_Bridge] = []


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Bridges, each with the phrases that lead to it."""

    _bridges: tuple[_Bridge, ...] = ()
    _phrases: PhraseIndex = field(default_factory=lambda: PhraseIndex.make(()))

    def __bool__(self) -> bool:
        return bool(self._bridges)

    @classmethod
    def parse(cls, text: str) -> Vocabulary:
        """Parse TOML; raises `ValueError` that says what is wrong with it."""
        table = msgspec.convert(parse_toml(text), _VocabularyFile)
        for bridge in table.bridge:
            check_weights(bridge.becomes)
        phrases = (phrase for bridge in table.bridge for phrase in bridge.words)
        return cls(tuple(table.bridge), PhraseIndex.make(phrases))

    def expand(self, text: str, language: str = "") -> tuple[Expansion, ...]:
        """Return what a query is run with as well; a phrase found twice has its highest weight."""
        occurring = self._phrases.find(text)
        found: dict[str, Expansion] = {}
        for bridge in self._bridges:
            is_foreign = bool(language and bridge.language and bridge.language != language)
            because = next((each for each in bridge.words if each in occurring), "")
            if is_foreign or not because:
                continue
            for phrase, weight in bridge.becomes.items():
                if phrase not in found or found[phrase].weight < weight:
                    found[phrase] = Expansion(phrase, weight, because)
        return tuple(found.values())


def check_weights(weights: Mapping[str, float]) -> None:
    """Raise `ValueError` for a weight that is not above 0 and up to 1."""
    for phrase, weight in weights.items():
        if not 0 < weight <= 1:
            raise ValueError(f"the weight of {phrase!r} is {weight}; it is above 0, up to 1")


def read_vocabulary(path: Path) -> str:
    """Read a vocabulary file, and check that it can be parsed."""
    try:
        text = read_settings(path)
        Vocabulary.parse(text)
    except (OSError, ValueError) as problem:
        raise SaveError(
            f"{path} is not a vocabulary: {problem}; it has {_VOCABULARY_EXAMPLE}"
        ) from None
    return text
