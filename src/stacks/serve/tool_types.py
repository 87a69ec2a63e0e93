"""What a tool is: its parameters, which both servers check arguments against, and its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from stacks.errors import QueryError
from stacks.query import ask_near

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from stacks.query import Index

__all__ = [
    "FLAG",
    "NUMBER",
    "TEXT",
    "TEXTS",
    "Arguments",
    "Tool",
    "ToolAnswer",
    "ToolParameter",
    "ValueType",
    "check_arguments",
    "read_texts",
]

_SHOWN = 80
_YES = ("true", "1", "yes", "on", "")
_NO = ("false", "0", "no", "off")


@dataclass(frozen=True, slots=True)
class ValueType:
    """A type of value: its JSON Schema, and how it is read from JSON and from text.

    `take` raises TypeError and `read` ValueError if it is not such a value.
    """

    words: str
    schema: Mapping[str, Any]
    take: Callable[[object], Any]
    read: Callable[[Sequence[str]], object]


@dataclass(frozen=True, slots=True)
class ToolParameter:
    """A parameter of a tool; it is required if its default is None."""

    name: str
    type: ValueType
    description: str
    default: Any = None
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def is_required(self) -> bool:
        """Whether a call without it is refused."""
        return self.default is None

    def schema(self) -> dict[str, Any]:
        """Describe it as JSON Schema."""
        described: dict[str, Any] = {**self.type.schema, "description": self.description}
        limits = {"minimum": self.minimum, "maximum": self.maximum, "enum": list(self.choices)}
        described.update({word: value for word, value in limits.items() if value not in (None, [])})
        if self.default not in (None, "", (), False):
            described["default"] = self.default
        return described

    def check(self, value: object) -> Any:
        """Return the value as the tool wants it, or raise with what it should be."""
        try:
            taken = self.type.take(value)
        except TypeError:
            raise QueryError(f"{self.name} takes {self.type.words}; got {_show(value)}") from None
        if self.choices and taken and taken not in self.choices:
            raise QueryError(
                f"{self.name} cannot be {_show(taken)}; "
                f"{ask_near(str(taken), self.choices)}it is one of {', '.join(self.choices)}"
            )
        if self.minimum is not None and taken < self.minimum:
            raise QueryError(f"{self.name} is at least {self.minimum}; got {_show(taken)}")
        if self.maximum is not None and taken > self.maximum:
            raise QueryError(f"{self.name} is at most {self.maximum}; got {_show(taken)}")
        return taken


Arguments = dict[str, Any]


class ToolAnswer(NamedTuple):
    """The answer of a tool, as JSON for programs and as Markdown for agents.

    `is_found` is false if the one thing that was asked for does not exist.
    """

    data: dict[str, Any]
    text: str
    is_found: bool = True


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its name for agents, its path for HTTP, its parameters and the function to call.

    `description` says what it does and when to use it; `instruction` is its sentence in the
    instructions that an agent reads before it calls any tool.
    """

    name: str
    path: str
    description: str
    instruction: str
    parameters: tuple[ToolParameter, ...]
    answer: Callable[[Index, Arguments], ToolAnswer]

    def schema(self) -> dict[str, Any]:
        """Describe its arguments as JSON Schema."""
        return {
            "type": "object",
            "properties": {each.name: each.schema() for each in self.parameters},
            "required": [each.name for each in self.parameters if each.is_required],
            "additionalProperties": False,
        }


def check_arguments(parameters: Iterable[ToolParameter], given: Mapping[str, object]) -> Arguments:
    """Return every argument of a tool, missing ones by their default; null counts as missing."""
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            raise QueryError(_refuse_name(name, known))
    checked = {}
    for name, parameter in known.items():
        value = given.get(name)
        if value is None and parameter.is_required:
            raise QueryError(f"{name} is missing: {parameter.description}")
        checked[name] = parameter.default if value is None else parameter.check(value)
    return checked


def read_texts(
    parameters: Iterable[ToolParameter], texts: Mapping[str, Sequence[str]]
) -> dict[str, object]:
    """Turn the texts of a URL into the values that JSON would have had."""
    known = {parameter.name: parameter for parameter in parameters}
    values = {}
    for name, several in texts.items():
        if name not in known:
            raise QueryError(_refuse_name(name, known))
        value_type = known[name].type
        if len(several) > 1 and value_type is not TEXTS:
            raise QueryError(f"{name} is given {len(several)} times; give it once")
        try:
            values[name] = value_type.read(several)
        except ValueError:
            raise QueryError(f"{name} takes {value_type.words}; got {_show(several[0])}") from None
    return values


def _refuse_name(name: str, known: Mapping[str, ToolParameter]) -> str:
    taken = f"arguments are {', '.join(known)}" if known else "it takes none"
    return f"there is no argument {_show(name)}; {ask_near(name, known)}{taken}"


def _show(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def _take_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    # JSON may contain a lone surrogate, which no index can look up.
    return value.encode("utf-8", "replace").decode()


def _take_texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (_take_text(value),) if value else ()
    if not isinstance(value, list | tuple):
        raise TypeError
    return tuple(text for each in value if (text := _take_text(each)))


def _take_number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise TypeError
    return int(value)


def _take_flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _read_number(texts: Sequence[str]) -> int:
    digits = texts[0].strip().removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 18:
        raise ValueError
    return int(texts[0])


def _read_flag(texts: Sequence[str]) -> bool:
    word = texts[0].strip().lower()
    if word not in _YES and word not in _NO:
        raise ValueError
    return word in _YES


TEXT = ValueType("text", {"type": "string"}, _take_text, lambda texts: texts[0])
TEXTS = ValueType(
    "text or a list of texts",
    {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    _take_texts,
    list,
)
NUMBER = ValueType("a whole number", {"type": "integer"}, _take_number, _read_number)
FLAG = ValueType("true or false", {"type": "boolean"}, _take_flag, _read_flag)
