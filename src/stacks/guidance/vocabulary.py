"""A vocabulary: bridges from the words of people to the words of a corpus, with weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cranfield_shared.settings_files import parse_toml, read_settings
from stacks.errors import SaveError
from stacks.guidance.phrase_patterns import PhraseIndex

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Expansion", "Vocabulary", "check_weights", "read_vocabulary"]

_EXAMPLE = '[[bridge]] with words = ["anxious", "panic*"] and becomes = { fear = 0.6 }'


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
        raise SaveError(f"{path} is no vocabulary: {problem}; it has {_EXAMPLE}") from None
    return text
