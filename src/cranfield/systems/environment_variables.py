"""Environment variables of a system: filled in when it starts, hidden in what it reports."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from cranfield.errors import SystemUnusableError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.model import Response

__all__ = ["SECRET_NAME", "Variables", "refuse_literal_secrets"]

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_SHORTEST_SECRET = 4
"""Shorter values are no secrets, and hiding every `1` or `no` would make messages unreadable."""


def _has_variable(text: str) -> bool:
    """Return whether a text refers to an environment variable."""
    return _VARIABLE.search(text) is not None


SECRET_NAME = re.compile(
    r"(^|[-_.])(api[-_]?key|(access|auth)[-_]?token|token|secret|password)$", re.I
)
"""Names of parameters and variables that hold a secret."""


def refuse_literal_secrets(where: str, given: Mapping[str, Any], secret: re.Pattern[str]) -> None:
    """Refuse secrets in plain text; the message does not repeat them."""
    for name, value in given.items():
        if secret.search(name) and not (isinstance(value, str) and _has_variable(value)):
            raise ValueError(
                f"{where}.{name} is written down here, where others can read it; put it into an "
                f'environment variable and write {where}.{name} = "${{NAME}}"'
            )


class Variables:
    """The environment, and which values of it were used.

    A system is stored with ${NAME} in its settings. A server that repeats a key in its error
    message, or a program that prints its environment, must not bring the value back.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._used: dict[str, str] = {}

    def fill(self, text: str, where: str) -> str:
        """Replace each ${NAME} by the environment variable."""
        for name in _VARIABLE.findall(text):
            if name not in self._environment:
                raise SystemUnusableError(
                    f"{where} needs the environment variable {name}, which is not set; set it"
                )
            self._used[name] = self._environment[name]
        return _VARIABLE.sub(lambda place: self._environment[place[1]], text)

    def fill_document(self, value: Any, where: str) -> Any:
        """Replace each ${NAME} in all strings of a JSON value."""
        if isinstance(value, str):
            return self.fill(value, where)
        if isinstance(value, dict):
            return {key: self.fill_document(each, f"{where}.{key}") for key, each in value.items()}
        if isinstance(value, list):
            return [self.fill_document(each, where) for each in value]
        return value

    def hide(self, text: str) -> str:
        """Replace values that were used by ${NAME}, plain or percent-encoded."""
        longest_first = sorted(self._used.items(), key=lambda used: -len(used[1]))
        for name, value in longest_first:
            if len(value) >= _SHORTEST_SECRET:
                for shown in (value, quote(value, safe="")):
                    text = text.replace(shown, f"${{{name}}}")
        return text

    def hide_in(self, response: Response) -> Response:
        """Hide the values in the message and output of a failed response."""
        if not self._used or not response.status.is_failure:
            return response
        return replace(response, message=self.hide(response.message), raw=self.hide(response.raw))
