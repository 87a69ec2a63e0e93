"""A vocabulary: bridges from the words of people to the words of a corpus, with weights."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from stacks.errors import SaveError
from stacks.guidance.phrase_patterns import PhrasePattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["Expansion", "Vocabulary", "check_weights", "read_vocabulary"]

_EXAMPLE = '[[bridge]] with words = ["anxious", "panic*"] and becomes = { fear = 0.6 }'


class Expansion(NamedTuple):
    """A word or phrase of the corpus that a query is run with as well, its weight, and why."""

    phrase: str
    weight: float
    because: str


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

    bridges: tuple[tuple[PhrasePattern, _Bridge], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Vocabulary:
        """Parse TOML; raises `ValueError` that says what is wrong with it."""
        table = msgspec.convert(tomllib.loads(text), _VocabularyFile)
        bridges = []
        for bridge in table.bridge:
            check_weights(bridge.becomes)
            bridges += [(PhrasePattern.parse(words), bridge) for words in bridge.words]
        return cls(tuple(bridges))

    def expand(self, words: Sequence[str], language: str = "") -> tuple[Expansion, ...]:
        """Return what a query is run with as well; a phrase found twice has its highest weight."""
        found: dict[str, Expansion] = {}
        for pattern, bridge in self.bridges:
            is_foreign = bool(language and bridge.language and bridge.language != language)
            if not is_foreign and pattern.is_in(words):
                for phrase, weight in bridge.becomes.items():
                    if phrase not in found or found[phrase].weight < weight:
                        found[phrase] = Expansion(phrase, weight, pattern.text)
        return tuple(found.values())


def check_weights(weights: Mapping[str, float]) -> None:
    """Raise `ValueError` for a weight that is not above 0 and up to 1."""
    for phrase, weight in weights.items():
        if not 0 < weight <= 1:
            raise ValueError(f"the weight of {phrase!r} is {weight}; it is above 0, up to 1")


def read_vocabulary(path: Path) -> str:
    """Read a vocabulary file, and check that it can be parsed."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        Vocabulary.parse(text)
    except (OSError, ValueError) as problem:
        raise SaveError(f"{path} is no vocabulary: {problem}; it has {_EXAMPLE}") from None
    return text
