"""Environment variables that a system uses: filled in where it starts, hidden where it is shown."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from cranfield.errors import SystemUnusableError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.model import Response

__all__ = ["SECRET_NAME", "Variables", "has_variable", "refuse_literals"]

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_SHORTEST_SECRET = 4
"""Shorter values are no secrets, and hiding every 1 or no would make a message unreadable."""


def has_variable(text: str) -> bool:
    """Tell whether a text takes something from an environment variable."""
    return _VARIABLE.search(text) is not None


SECRET_NAME = re.compile(
    r"(^|[-_.])(api[-_]?key|(access|auth)[-_]?token|token|secret|password)$", re.I
)
"""What a parameter or variable is called that holds a secret."""


def refuse_literals(where: str, given: Mapping[str, Any], secret: re.Pattern[str]) -> None:
    """Refuse secrets as they are; the message does not repeat them."""
    for name, value in given.items():
        if secret.search(name) and not (isinstance(value, str) and has_variable(value)):
            raise ValueError(
                f"{where}.{name} is written down here, where others can read it; put it into an "
                f'environment variable and write {where}.{name} = "${{NAME}}"'
            )


class Variables:
    """The environment, and which values of it were used.

    What is stored of a system is its text with ${NAME} in it. A server that repeats a key in its
    complaint, or a program that prints its environment, must not bring the value back.
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

    def hide(self, text: str) -> str:
        """Put ${NAME} where a text shows a value that was used, plain or as in an address."""
        longest_first = sorted(self._used.items(), key=lambda used: -len(used[1]))
        for name, value in longest_first:
            if len(value) >= _SHORTEST_SECRET:
                for shown in (value, quote(value, safe="")):
                    text = text.replace(shown, f"${{{name}}}")
        return text

    def hide_in(self, response: Response) -> Response:
        """Hide the values in what a response says of a failure."""
        if not self._used or not response.status.is_failure:
            return response
        return replace(response, message=self.hide(response.message), raw=self.hide(response.raw))
