"""Environment variables of a system: filled in when it starts, hidden in what it reports."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, quote_plus

from cranfield.errors import SystemUnusableError
from cranfield.systems.masked_secrets import (
    MASKED,
    PASSWORD_IN_ADDRESS,
    VARIABLE,
    is_secret_name,
    mask_response,
)
from cranfield_shared.secret_kinds import mask_secrets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.model import Response

__all__ = ["Variables"]

_SHORTEST = 4
"""Shorter values are not secrets, and hiding every `1` or `no` would make messages unreadable."""
_LONG = 8
"""Shorter values are hidden only as whole words, and in answers only if they are secrets."""
_PLAIN = re.compile(
    r"[A-Z]?[a-z]+|[A-Z]+|[\d.,]+|[./~][^\s:@]*|[a-z][a-z0-9+.-]*://[^\s@?]*|[a-z0-9.-]+:\d{1,5}"
)
"""A word, a number, a path or an address: what ids of documents are made of."""
_ASSIGNMENTS = (
    re.compile(r"^\s*(?:export\s+|declare\s+-x\s+|set\s+)?([A-Za-z_][\w.]{0,80})=(.+)$", re.M),
    re.compile(r"[\"']([A-Za-z_][\w.-]{0,80})[\"']\s{0,2}[:=]\s{0,2}[\"']([^\"'\n]+)[\"']"),
    re.compile(r"(?<![\w.-])([A-Za-z_][\w.-]{0,80})=([^\s&\"',;)]+)"),
    re.compile(r"\b(authorization)[\"']?\s*[:=]\s*[\"']?(?:\w+\s+)?([^\s\"',]{4,})", re.I),
)
"""How programs print a variable: as `env` does, as Python or JSON does, and in a sentence."""


class Variables:
    """The environment, and which values of it were used.

    A system is stored with ${NAME} in its settings. A server that repeats a key in its answer, or
    a program that prints its environment, must not bring the value back. Variables whose names
    suggest a secret, and addresses with a password, are hidden too: a program gets them all.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._values = {
            name: _Value(name, value, is_secret=True, is_used=False)
            for name, value in environment.items()
            if len(value) >= _SHORTEST
            and (is_secret_name(name) or PASSWORD_IN_ADDRESS.search(value))
        }
        self._public = ""

    def fill(self, text: str, where: str) -> str:
        """Replace each ${NAME} by the environment variable."""
        for name in VARIABLE.findall(text):
            if name not in self._environment:
                raise SystemUnusableError(
                    f"{where} needs the environment variable {name}, which is not set; set it"
                )
            self._use(name, where)
        return VARIABLE.sub(lambda place: self._environment[place[1]], text)

    def fill_document(self, value: Any, where: str) -> Any:
        """Replace each ${NAME} in all strings of a JSON value."""
        if isinstance(value, str):
            return self.fill(value, where)
        if isinstance(value, dict):
            return {key: self.fill_document(each, f"{where}.{key}") for key, each in value.items()}
        if isinstance(value, list):
            return [self.fill_document(each, where) for each in value]
        return value

    def publish(self, text: str) -> None:
        """Name a text that everybody can read, such as a suite: it contains no secret."""
        self._public = text

    def hide(self, text: str) -> str:
        """Hide all secrets in what is said about a failure."""
        hidden = _hide(text, [value.in_failures for value in self._values.values()])
        for pattern in _ASSIGNMENTS:
            hidden = pattern.sub(_mask_assignment, hidden)
        return mask_secrets(PASSWORD_IN_ADDRESS.sub(_mask_password, hidden))

    def hide_in(self, response: Response) -> Response:
        """Hide the secrets in a response.

        Ids keep words, paths and addresses that a variable happens to hold: they are compared.
        """
        if response.status.is_failure:
            return mask_response(response, self.hide)
        values = [
            value
            for value in self._values.values()
            if value.is_hidden_in_answers and value.text not in self._public
        ]
        in_ids = [value for value in values if value.is_secret or not value.is_plain]
        return mask_response(
            response,
            lambda text: mask_secrets(_hide(text, [value.in_answers for value in values])),
            lambda text: mask_secrets(_hide(text, [value.in_answers for value in in_ids])),
        )

    def _use(self, name: str, where: str) -> None:
        known = self._values.get(name)
        is_secret = is_secret_name(name) or is_secret_name(where) or bool(known and known.is_secret)
        value = self._environment[name]
        if len(value) >= _SHORTEST:
            self._values[name] = _Value(name, value, is_secret=is_secret, is_used=True)


@dataclass(frozen=True)
class _Value:
    """The value of a variable: whether it is a secret by its name, and whether it was used."""

    name: str
    text: str
    is_secret: bool
    is_used: bool

    @property
    def is_plain(self) -> bool:
        return _PLAIN.fullmatch(self.text) is not None

    @property
    def is_hidden_in_answers(self) -> bool:
        is_long = len(self.text) >= _LONG
        return (is_long or self.is_secret) if self.is_used else (is_long and not self.is_plain)

    @cached_property
    def in_failures(self) -> _Hidden:
        """How it is hidden in what is said about a failure: a value that was used, wherever."""
        return _Hidden(self.name, self._forms if self.is_used else self._words)

    @cached_property
    def in_answers(self) -> _Hidden:
        """How it is hidden in answers: a short value only as a whole word."""
        return _Hidden(self.name, self._words)

    @property
    def _words(self) -> str:
        is_long = len(self.text) >= _LONG
        return self._forms if is_long else rf"(?<!\w)(?:{self._forms})(?!\w)"

    @cached_property
    def _forms(self) -> str:
        """Everything that the value may be written as: plain, and in the usual encodings."""
        quoted = json.dumps(self.text)[1:-1], json.dumps(self.text, ensure_ascii=False)[1:-1]
        encoded = base64.b64encode(self.text.encode(errors="surrogateescape")).decode()
        bare = self.text.encode(errors="replace")
        in_address = quote(bare, safe=""), quote(bare), quote_plus(bare)
        forms = {self.text, *quoted, *in_address, *([encoded] if len(self.text) >= _LONG else [])}
        return "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))


class _Hidden(NamedTuple):
    """A pattern, and the name of the variable that is shown in its place."""

    name: str
    pattern: str


def _hide(text: str, hidden: Sequence[_Hidden]) -> str:
    """Replace values by ${NAME}, long ones first: one may be a part of another."""
    for name, pattern in sorted(hidden, key=lambda each: -len(each.pattern)):
        text = re.sub(pattern, f"${{{name}}}", text)
    return text


def _mask_password(found: re.Match[str]) -> str:
    is_shown = found[1].startswith("${")
    return found[0] if is_shown else f"{found[0].removesuffix(f'{found[1]}@')}{MASKED}@"


def _mask_assignment(found: re.Match[str]) -> str:
    name, value = found[1], found[2]
    if not is_secret_name(name) or value.startswith("${"):
        return found[0]
    return found[0].replace(value, MASKED)
