"""A system as typed for `cranfield init`, its first query, and a guess how to read the answer."""

from __future__ import annotations

import os.path
import re
import time
import tomllib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.defaults import HITS
from cranfield.errors import CranfieldError, SystemUnusableError
from cranfield.model import Query, Response, Status
from cranfield.scaffold.reading_proposals import propose_lines, propose_paths, propose_patterns
from cranfield.systems import (
    SYSTEMS,
    Extraction,
    ReadingSettings,
    Settings,
    SystemSpec,
    open_system,
    placeholder_names,
)
from cranfield_shared.settings_files import parse_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from cranfield.scaffold.reading_proposals import ReadingProposal
    from cranfield.systems import SystemKind

__all__ = [
    "Guess",
    "TriedQuery",
    "TypedSystem",
    "add_settings",
    "guess_reading",
    "is_markup",
    "list_options",
    "read_typed",
    "relocate",
    "try_query",
]

_NAME = re.compile(r"[\w-]+", re.ASCII)
_EVERYTHING = r"(?s)\A.+\Z"
_COMMON = {field.name for field in msgspec.structs.fields(Settings)}
_READING = {field.name for field in msgspec.structs.fields(ReadingSettings)} - _COMMON
_MOST_SHOWN = 5
_BROKEN_JSON = re.compile(r"\s*[\[{]\s*[\"{\[]")
_MARKUP = re.compile(r"\s*<[!?\w]")
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class TypedSystem:
    """A system that is in no cranfield.toml yet; its paths start from the working directory."""

    name: str
    kind: str
    settings: Mapping[str, Any]

    def spec(self, folder: Path) -> SystemSpec:
        """Return the system as if it were configured in a folder; refuse wrong settings."""
        self._check_query()
        spec = SystemSpec(self.name, self.kind, self.settings, folder)
        try:
            spec.read_settings()
        except SystemUnusableError as problem:
            # No query was sent yet: this is a mistake in what was typed.
            raise CranfieldError(str(problem)) from None
        return spec

    def _check_query(self) -> None:
        """Refuse a command or an address without {query}."""
        init = SYSTEMS.get(self.kind).init
        is_missing = "query" not in placeholder_names(dict(self.settings))
        if init is not None and init.needs_query(self.settings) and is_missing:
            raise CranfieldError(
                f"{{query}} is missing; put it where the query belongs, as in {init.example}"
            )


def list_options() -> dict[str, SystemKind]:
    """Return the kinds of systems that can be typed, by the option that takes them."""
    kinds = [SYSTEMS.get(name) for name in SYSTEMS.names()]
    return {kind.init.option: kind for kind in kinds if kind.init is not None}


def read_typed(name: str, option: str, text: str) -> TypedSystem:
    """Make a system of what was typed for an option."""
    if not _NAME.fullmatch(name):
        raise CranfieldError(
            f"the name {name!r} cannot stand in [systems.NAME]; use letters, digits, - and _"
        )
    kind = list_options()[option]
    if kind.init is None:
        raise CranfieldError(f"{option} takes no system")
    return TypedSystem(name, kind.name, {kind.init.setting: kind.init.read(text.strip())})


def add_settings(system: TypedSystem, written: Sequence[str]) -> TypedSystem:
    """Add settings written as `NAME=VALUE`; a value that is not TOML is a text."""
    settings = dict(system.settings)
    for line in written:
        settings = _merge(settings, _read_setting(line))
    return replace(system, settings=settings)


def _read_setting(line: str) -> dict[str, Any]:
    try:
        return parse_toml(line)
    except tomllib.TOMLDecodeError:
        name, sign, text = line.partition("=")
        if not sign or not name.strip():
            raise CranfieldError(
                f"--set {line!r} is not a setting; write NAME=VALUE, such as --set timeout=60"
            ) from None
        *tables, last = name.strip().split(".")
        setting: dict[str, Any] = {last: text.strip()}
        for table in reversed(tables):
            setting = {table: setting}
        return setting


def _merge(settings: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, Any]:
    """Merge settings, table by table; added ones win."""
    both = {
        name: _merge(settings[name], value)
        for name, value in added.items()
        if isinstance(value, dict) and isinstance(settings.get(name), dict)
    }
    return {**settings, **added, **both}


def relocate(system: TypedSystem, start: Path, folder: Path) -> TypedSystem:
    """Return a system typed in `start` as it is written to the cranfield.toml of `folder`."""
    way = os.path.relpath(start.resolve(), folder.resolve())
    init = SYSTEMS.get(system.kind).init
    if way == "." or init is None or init.relocate is None:
        return system
    return replace(system, settings=init.relocate(system.settings, start, way))


@dataclass(frozen=True, slots=True)
class TriedQuery:
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
) -> TriedQuery:
    """Send one query to a system; if the answer cannot be read as configured, guess how it can.

    A guess is tried on the system itself, so the written configuration works. A system that
    cannot be reached, or fails to answer, is an error.
    """
    first = _send(spec, environment, text, limit)
    given = {name: value for name, value in spec.settings.items() if name in _READING}
    has_pattern = "pattern" in given
    if first.hits or (first.status is Status.EMPTY and not has_pattern):
        return TriedQuery(text, first, "text, by the pattern" if has_pattern else "JSON")
    if "pattern" in SYSTEMS.get(spec.kind).refuses:
        # Its answers are never text.
        raise SystemUnusableError(f"system {spec.name!r}: {first.message}")
    others = {name: value for name, value in spec.settings.items() if name not in _READING}
    everything = replace(spec, settings={**others, "pattern": _EVERYTHING})
    whole = _send(everything, environment, text, limit)
    received = whole.hits[0].id if whole.hits else whole.raw
    if not received.strip():
        return TriedQuery(text, Response.of(()))
    guess = None if has_pattern else guess_reading(received, given, limit)
    if guess is not None:
        chosen = {name: each for name, each in guess.settings.items() if name not in given}
        guessed = replace(spec, settings={**spec.settings, **chosen})
        response = _send(guessed, environment, text, limit)
        if response.status is Status.OK:
            return TriedQuery(text, response, guess.format, chosen)
    return TriedQuery(text, first, received=received)


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
