"""A bridge from the words of people to the words of a corpus: weighted, and told when used."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from stacks.errors import SaveError
from stacks.guidance.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["Expansion", "Vocabulary", "check_weights", "read_vocabulary"]

_EXAMPLE = '[[bridge]] with words = ["anxious", "panic*"] and becomes = { fear = 0.6 }'


class Expansion(NamedTuple):
    """A word or phrase of the corpus that a query is asked with too, why, and what it counts."""

    phrase: str
    weight: float
    because: str


class _Bridge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words of people, and what they become; a weight of 1 counts as if it were typed.

    `language` keeps it from queries that are known to be in another.
    """

    words: list[str]
    becomes: dict[str, float]
    language: str = ""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    bridge: list[_Bridge] = []


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Bridges, each with the phrases that lead to it."""

    bridges: tuple[tuple[Pattern, _Bridge], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Vocabulary:
        """Read TOML; raises `ValueError` saying what is wrong with it."""
        table = msgspec.convert(tomllib.loads(text), _Table)
        bridges = []
        for bridge in table.bridge:
            for phrase, weight in bridge.becomes.items():
                if not 0 < weight <= 1:
                    raise ValueError(
                        f"the weight of {phrase!r} is {weight}; it is above 0, up to 1"
                    )
            bridges += [(Pattern.parse(words), bridge) for words in bridge.words]
        return cls(tuple(bridges))

    def expand(self, words: Sequence[str], language: str = "") -> tuple[Expansion, ...]:
        """Say what a query is asked with too; a phrase that comes twice counts as its best."""
        found: dict[str, Expansion] = {}
        for pattern, bridge in self.bridges:
            is_foreign = bool(language and bridge.language and bridge.language != language)
            if not is_foreign and pattern.is_in(words):
                for phrase, weight in bridge.becomes.items():
                    if phrase not in found or found[phrase].weight < weight:
                        found[phrase] = Expansion(phrase, weight, pattern.text)
        return tuple(found.values())


def check_weights(weights: Mapping[str, float]) -> None:
    """Raise `ValueError` for a weight that is none."""
    for phrase, weight in weights.items():
        if not 0 < weight <= 1:
            raise ValueError(f"the weight of {phrase!r} is {weight}; it is above 0, up to 1")


def read_vocabulary(path: Path) -> str:
    """Read a file that holds a vocabulary, and see that it is one."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        Vocabulary.parse(text)
    except (OSError, ValueError) as problem:
        raise SaveError(f"{path} is no vocabulary: {problem}; it has {_EXAMPLE}") from None
    return text
