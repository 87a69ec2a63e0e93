"""From what a system printed to the settings that read it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from cranfield.errors import SystemUnusableError
from cranfield.model import Status
from cranfield.systems.extraction import Extraction, ReadingSettings
from cranfield.systems.probing.documents import propose_lines, propose_paths
from cranfield.systems.probing.texts import propose_patterns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cranfield.systems.probing.proposals import Proposal

__all__ = ["Guess", "guess_reading", "is_markup"]

_BROKEN_JSON = re.compile(r"\s*[\[{]\s*[\"{\[]")
_MARKUP = re.compile(r"\s*<[!?\w]")
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Guess:
    """Settings that find hits in an answer, and in words what the answer looks like."""

    form: str
    settings: Mapping[str, str]


def guess_reading(text: str, given: Mapping[str, str], limit: int) -> Guess | None:
    """Find settings that read hits from a text, keeping those that are given.

    None where nothing of the usual kind is found: a person has to say where the hits are.
    """
    for proposal in _propose(text):
        settings = {**proposal.settings, **given}
        try:
            extraction = Extraction(msgspec.convert(settings, ReadingSettings))
        except (SystemUnusableError, msgspec.ValidationError):
            continue  # a path was given, and the proposal is a pattern
        if extraction.from_bytes(text.encode(errors="replace"), limit).status is Status.OK:
            return Guess(proposal.form, settings)
    return None


def is_markup(text: str) -> bool:
    """Tell whether a text is a page of HTML or XML, where every address would look like a hit."""
    return _MARKUP.match(text) is not None


def _propose(text: str) -> Iterator[Proposal]:
    """Propose settings by the first form that the text has."""
    try:
        document = msgspec.json.decode(text.removeprefix(_BYTE_ORDER_MARK))
    except (msgspec.DecodeError, RecursionError):
        document = None
    if isinstance(document, dict | list):
        return propose_paths(document)
    lines = [line for line in text.splitlines() if line.strip()]
    if (documents := _decode_lines(lines)) is not None:
        return propose_lines(documents, text)
    if is_markup(text) or _BROKEN_JSON.match(text):
        return iter(())
    return propose_patterns(lines)


def _decode_lines(lines: list[str]) -> list[dict[str, object]] | None:
    """Decode JSON lines; None where there are not several, or one is something else."""
    try:
        documents = [msgspec.json.decode(line, type=dict[str, object]) for line in lines]
    except (msgspec.DecodeError, RecursionError):
        return None
    return documents if len(documents) > 1 else None
