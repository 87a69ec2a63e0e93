"""The first query to a new system, and a guess how its answer is to be read."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from cranfield.defaults import HITS
from cranfield.errors import SystemUnusableError
from cranfield.model import Query, Response, Status
from cranfield.scaffold.reading_proposals import propose_lines, propose_paths, propose_patterns
from cranfield.systems import (
    SYSTEMS,
    Extraction,
    ReadingSettings,
    Settings,
    SystemSpec,
    open_system,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cranfield.scaffold.reading_proposals import ReadingProposal

__all__ = ["Guess", "Trial", "guess_reading", "is_markup", "try_query"]

_EVERYTHING = r"(?s)\A.+\Z"
_COMMON = {field.name for field in msgspec.structs.fields(Settings)}
_READING = {field.name for field in msgspec.structs.fields(ReadingSettings)} - _COMMON
_MOST_SHOWN = 5
_BROKEN_JSON = re.compile(r"\s*[\[{]\s*[\"{\[]")
_MARKUP = re.compile(r"\s*<[!?\w]")
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Trial:
    """The outcome of one query.

    `format` describes the answer in words, `chosen` are the settings guessed to read it. `received`
    is the answer itself if no hits could be read from it.
    """

    query: str
    response: Response
    format: str = ""
    chosen: Mapping[str, str] | None = None
    received: str = ""


def try_query(
    spec: SystemSpec, environment: Mapping[str, str], text: str, limit: int = HITS
) -> Trial:
    """Send one query to a system; if the answer cannot be read as configured, guess how it can.

    A guess is tried on the system itself, so that the written configuration works. A system that
    cannot be reached, or fails to answer, is an error.
    """
    first = _send(spec, environment, text, limit)
    given = {name: value for name, value in spec.settings.items() if name in _READING}
    has_pattern = "pattern" in given
    if first.hits or (first.status is Status.EMPTY and not has_pattern):
        return Trial(text, first, "text, by the pattern" if has_pattern else "JSON")
    if "pattern" in SYSTEMS.get(spec.kind).refuses:
        # Its answers are never text.
        raise SystemUnusableError(f"system {spec.name!r}: {first.message}")
    others = {name: value for name, value in spec.settings.items() if name not in _READING}
    everything = replace(spec, settings={**others, "pattern": _EVERYTHING})
    whole = _send(everything, environment, text, limit)
    received = whole.hits[0].id if whole.hits else whole.raw
    if not received.strip():
        return Trial(text, Response.of(()))
    guess = None if has_pattern else guess_reading(received, given, limit)
    if guess is not None:
        chosen = {name: each for name, each in guess.settings.items() if name not in given}
        guessed = replace(spec, settings={**spec.settings, **chosen})
        response = _send(guessed, environment, text, limit)
        if response.status is Status.OK:
            return Trial(text, response, guess.format, chosen)
    return Trial(text, first, received=received)


def _send(spec: SystemSpec, environment: Mapping[str, str], text: str, limit: int) -> Response:
    """Open the system, send the query, and close it."""
    system = open_system(spec, environment)
    try:
        system.check()
        start = time.monotonic()
        response = system.search(Query("first", text), limit)
        seconds = time.monotonic() - start
    finally:
        system.close()
    if response.status.is_failure and response.status is not Status.UNPARSEABLE:
        said = [line for line in response.raw.splitlines() if line.strip()][-_MOST_SHOWN:]
        raise SystemUnusableError("\n  ".join([f"system {spec.name!r}: {response.message}", *said]))
    return replace(response, seconds=seconds)


@dataclass(frozen=True, slots=True)
class Guess:
    """Settings that find hits in an answer, and a description of its format."""

    format: str
    settings: Mapping[str, str]


def guess_reading(text: str, given: Mapping[str, str], limit: int) -> Guess | None:
    """Find settings that read hits from a text, keeping the given ones; None if there are none."""
    for proposal in _propose(text):
        settings = {**proposal.settings, **given}
        try:
            extraction = Extraction(msgspec.convert(settings, ReadingSettings))
        except (SystemUnusableError, msgspec.ValidationError):
            continue  # a path was given, and the proposal is a pattern
        if extraction.from_bytes(text.encode(errors="replace"), limit).status is Status.OK:
            return Guess(proposal.format, settings)
    return None


def is_markup(text: str) -> bool:
    """Return whether a text is HTML or XML, in which every address would look like a hit."""
    return _MARKUP.match(text) is not None


def _propose(text: str) -> Iterator[ReadingProposal]:
    """Propose settings for the first format that fits the text."""
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
    """Decode JSON lines; None if there is only one, or one is something else."""
    try:
        documents = [msgspec.json.decode(line, type=dict[str, object]) for line in lines]
    except (msgspec.DecodeError, RecursionError):
        return None
    return documents if len(documents) > 1 else None
