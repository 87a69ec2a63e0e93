"""How a model is written down: `kind=location,option=value`, and back.

A comma ends a value only where `name=` follows it, so prefixes and paths may hold commas and
blanks: `onnx=models/e5,query=query: ,document=passage: `. Where a value itself holds `,name=`, a
backslash in front of that comma takes its meaning away (and another in front of a backslash
that stands there). Blanks count: the prefix `query: ` ends in one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["ModelSpec", "take_choice", "take_number"]

_KIND = re.compile(r"[a-z][a-z0-9_-]*")
_OPTION = r"[a-z][a-z0-9_]*="
_COMMA = re.compile(rf"(\\*),(?={_OPTION})")
_TAIL = re.compile(r"\\+\Z")
_FORM = "a model is written kind=location,option=value, such as http=http://localhost:8080/v1"


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """Which model is meant; `ModelSpec.parse(str(spec)) == spec`."""

    kind: str
    location: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not _KIND.fullmatch(self.kind):
            raise EmbeddingError(f"{self.kind!r} is no kind of model; {_FORM}")
        for name in self.options:
            if not re.fullmatch(_OPTION, f"{name}="):
                raise EmbeddingError(f"{name!r} is no name of an option; {_FORM}")
        ordered = dict(sorted(self.options.items()))
        object.__setattr__(self, "options", MappingProxyType(ordered))

    @classmethod
    def parse(cls, text: str) -> ModelSpec:
        """Read a spec; the order of its options means nothing."""
        head, *rest = _cut(text)
        kind, _, location = head.partition("=")
        options: dict[str, str] = {}
        for part in rest:
            name, _, value = part.partition("=")
            if name in options:
                raise EmbeddingError(f"{text!r} gives {name} twice; give it once")
            options[name] = value
        return cls(kind.strip(), location, options)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        head = f"{self.kind}={self.location}" if self.location else self.kind
        parts = [head, *(f"{name}={value}" for name, value in self.options.items())]
        closed = [_TAIL.sub(_double, _protect(part)) for part in parts[:-1]]
        return ",".join([*closed, _protect(parts[-1])])


def _cut(text: str) -> Iterator[str]:
    """Cut a spec at its separating commas; a comma behind an odd run of backslashes is text."""
    part, place = "", 0
    for match in _COMMA.finditer(text):
        backslashes = len(match[1])
        part += text[place : match.start()] + "\\" * (backslashes // 2)
        place = match.end()
        if backslashes % 2:
            part += ","
        else:
            yield part
            part = ""
    yield part + text[place:]


def _protect(part: str) -> str:
    """Write a part so that none of its commas separates."""
    return _COMMA.sub(lambda match: f"{match[1] * 2}\\,", part)


def _double(match: re.Match[str]) -> str:
    """Double the backslashes at the end of a part, where a separating comma follows."""
    return match[0] * 2


def take_number(options: Mapping[str, str], name: str) -> int | None:
    """Read the option of that name as a number of 1 or more, where it is given."""
    value = options.get(name)
    if value is None:
        return None
    if not re.fullmatch("0*[1-9][0-9]{0,8}", value):
        raise EmbeddingError(f"{name} = {value!r}; give a whole number of 1 or more")
    return int(value)


def take_choice(options: Mapping[str, str], name: str, allowed: tuple[str, ...]) -> str | None:
    """Read the option of that name as one of the allowed words, where it is given."""
    value = options.get(name)
    if value is not None and value not in allowed:
        raise EmbeddingError(f"{name} = {value!r}; there are {', '.join(allowed)}")
    return value
