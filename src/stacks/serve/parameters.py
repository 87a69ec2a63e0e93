"""What a tool takes: one description that both servers check arguments against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stacks.errors import QueryError
from stacks.query import ask_near

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = [
    "FLAG",
    "NUMBER",
    "TEXT",
    "TEXTS",
    "Form",
    "Parameter",
    "check_arguments",
    "read_texts",
]

_SHOWN = 80
_YES = ("true", "1", "yes", "on", "")
_NO = ("false", "0", "no", "off")


@dataclass(frozen=True, slots=True)
class Form:
    """A type of value: how a schema says it, and how it is taken from JSON and from text.

    `take` raises TypeError, `read` ValueError, for what is not such a value.
    """

    words: str
    schema: Mapping[str, Any]
    take: Callable[[object], Any]
    read: Callable[[Sequence[str]], object]


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of a tool; a default of None makes it one that must be given."""

    name: str
    form: Form
    description: str
    default: Any = None
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def is_required(self) -> bool:
        """Tell whether a call without it is refused."""
        return self.default is None

    def schema(self) -> dict[str, Any]:
        """Describe it as JSON Schema does."""
        told: dict[str, Any] = {**self.form.schema, "description": self.description}
        limits = {"minimum": self.minimum, "maximum": self.maximum, "enum": list(self.choices)}
        told.update({word: value for word, value in limits.items() if value not in (None, [])})
        if self.default not in (None, "", (), False):
            told["default"] = self.default
        return told

    def check(self, value: object) -> Any:
        """Return the value as the tool wants it, or say what it should have been."""
        try:
            taken = self.form.take(value)
        except TypeError:
            raise QueryError(f"{self.name} takes {self.form.words}; got {_show(value)}") from None
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


def check_arguments(parameters: Iterable[Parameter], given: Mapping[str, object]) -> dict[str, Any]:
    """Return every argument of a tool, those not given by their default; null is not given."""
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
    parameters: Iterable[Parameter], texts: Mapping[str, Sequence[str]]
) -> dict[str, object]:
    """Turn texts, as a URL has them, into the values that JSON would have had."""
    known = {parameter.name: parameter for parameter in parameters}
    values = {}
    for name, several in texts.items():
        if name not in known:
            raise QueryError(_refuse_name(name, known))
        form = known[name].form
        if len(several) > 1 and form is not TEXTS:
            raise QueryError(f"{name} is given {len(several)} times; give it once")
        try:
            values[name] = form.read(several)
        except ValueError:
            raise QueryError(f"{name} takes {form.words}; got {_show(several[0])}") from None
    return values


def _refuse_name(name: str, known: Mapping[str, Parameter]) -> str:
    taken = f"arguments are {', '.join(known)}" if known else "it takes none"
    return f"there is no argument {_show(name)}; {ask_near(name, known)}{taken}"


def _show(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def _take_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    # Half of a character pair can be written in JSON, and is no text that could be looked up.
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


TEXT = Form("text", {"type": "string"}, _take_text, lambda texts: texts[0])
TEXTS = Form(
    "text or a list of texts",
    {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    _take_texts,
    list,
)
NUMBER = Form("a whole number", {"type": "integer"}, _take_number, _read_number)
FLAG = Form("true or false", {"type": "boolean"}, _take_flag, _read_flag)
