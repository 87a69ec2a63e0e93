"""Path expressions into JSON: `hits.hits[*]._source.title`, `results[0].id`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from cranfield.errors import SystemUnusableError

__all__ = ["JsonPath"]

_STEP = re.compile(r"""\.?(?P<key>[\w@$:-]+)|\[(?P<place>\d+)\]|\[(?P<every>\*)\]"""
                   r"""|\[(?P<mark>["'])(?P<quoted>.+?)(?P=mark)\]""")  # fmt: skip
_WHOLE = re.compile(r"\$(?=$|[.\[])")

_Step: TypeAlias = str | int | None
"""A key, a position, or None for every element."""


@dataclass(frozen=True, slots=True)
class JsonPath:
    """A path, such as `results[*].uri`, with or without a leading `$.`; `$` is the whole document.

    A key with characters other than letters, digits and `_@$:-` is written `["in this way"]`.
    """

    text: str
    _steps: tuple[_Step, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_steps", tuple(_parse(self.text)))

    @property
    def has_every(self) -> bool:
        """Whether the path goes through all elements of some list."""
        return None in self._steps

    @property
    def last_key(self) -> str | None:
        """The key that the path ends with, if it ends with one."""
        last = self._steps[-1] if self._steps else None
        return last if isinstance(last, str) else None

    def all(self, document: Any) -> list[Any]:
        """Return everything the path leads to, in order; an empty list if it leads nowhere."""
        found = [document]
        for step in self._steps:
            found = [value for each in found for value in _follow(each, step)]
        return found

    def first(self, document: Any) -> Any:
        """Return the first thing the path leads to, or None."""
        found = self.all(document)
        return found[0] if found else None

    def reaches_a_list(self, document: Any) -> bool:
        """Return whether there is a list at the first `[*]`, or else at the end of the path."""
        before = self._steps[: self._steps.index(None)] if self.has_every else self._steps
        found = [document]
        for step in before:
            found = [value for each in found for value in _follow(each, step)]
        return any(isinstance(each, list) for each in found)


def _parse(text: str) -> list[_Step]:
    whole = _WHOLE.match(text)
    rest = text[whole.end() :] if whole else text
    steps: list[_Step] = []
    place = 0
    while place < len(rest):
        step = _STEP.match(rest, place)
        if step is None:
            raise SystemUnusableError(
                f"cannot read the path {text!r} from {rest[place:]!r}; write keys with dots, "
                "positions in brackets, [*] for all: hits.hits[*]._id"
            )
        if step["every"]:
            steps.append(None)
        elif step["place"]:
            steps.append(int(step["place"]))
        else:
            steps.append(step["key"] or step["quoted"])
        place = step.end()
    return steps


def _follow(value: Any, step: _Step) -> list[Any]:
    if step is None:
        return list(value) if isinstance(value, list) else []
    if isinstance(step, int):
        return [value[step]] if isinstance(value, list) and step < len(value) else []
    return [value[step]] if isinstance(value, dict) and step in value else []
