"""Asking a system its first query, and finding out how its answer is read."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from cranfield.errors import SystemUnusableError
from cranfield.model import Query, Response, Status
from cranfield.systems.extraction import ReadingSettings
from cranfield.systems.probing.guessing import guess_reading
from cranfield.systems.system import Settings, SystemSpec, open_system

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Trial", "try_query"]

_EVERYTHING = r"(?s)\A.+\Z"
_COMMON = {field.name for field in msgspec.structs.fields(Settings)}
_READING = {field.name for field in msgspec.structs.fields(ReadingSettings)} - _COMMON
_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Trial:
    """What one query brought.

    `form` says in words what the answer looks like, `chosen` are the settings that were guessed to
    read it. `received` is what came back, where no hits could be read from it.
    """

    query: str
    response: Response
    form: str = ""
    chosen: Mapping[str, str] | None = None
    received: str = ""


def try_query(
    spec: SystemSpec, environment: Mapping[str, str], text: str, limit: int = 10
) -> Trial:
    """Ask a system one query, as it is told; if that cannot be read, guess how it can.

    A guess is tried on the system itself, so that what is written down works. A system that
    cannot be asked, or fails to answer, is an error.
    """
    first = _ask(spec, environment, text, limit)
    given = {name: value for name, value in spec.settings.items() if name in _READING}
    has_pattern = "pattern" in given
    if first.hits or (first.status is Status.EMPTY and not has_pattern):
        return Trial(text, first, "text, by the pattern" if has_pattern else "JSON")
    told = {name: value for name, value in spec.settings.items() if name not in _READING}
    everything = replace(spec, settings={**told, "pattern": _EVERYTHING})
    whole = _ask(everything, environment, text, limit)
    received = whole.hits[0].id if whole.hits else whole.raw
    if not received.strip():
        return Trial(text, Response.of(()))
    guess = None if has_pattern else guess_reading(received, given, limit)
    if guess is not None:
        chosen = {name: each for name, each in guess.settings.items() if name not in given}
        guessed = replace(spec, settings={**spec.settings, **chosen})
        response = _ask(guessed, environment, text, limit)
        if response.status is Status.OK:
            return Trial(text, response, guess.form, chosen)
    return Trial(text, first, received=received)


def _ask(spec: SystemSpec, environment: Mapping[str, str], text: str, limit: int) -> Response:
    """Open the system, ask it, and close it."""
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
