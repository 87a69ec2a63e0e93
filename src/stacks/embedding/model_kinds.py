"""What embedders and rerankers have in common: specs, kinds, and the packages they need.

A spec is `kind=location,option=value`. A comma ends a value only if `name=` follows it, so prefixes
and paths may contain commas and spaces: `onnx=models/e5,query=query: ,document=passage: `. If a
value itself contains `,name=`, escape that comma with a backslash (and a backslash before such a
comma with another). Spaces count: the prefix `query: ` ends in one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, TypeVar

from cranfield_shared.registry import near_names
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from tokenizers import Tokenizer

__all__ = [
    "ModelKind",
    "ModelSpec",
    "load_tokenizer",
    "require_package",
    "take_choice",
    "take_number",
]

_KIND = re.compile(r"[a-z][a-z0-9_-]*")
_OPTION = r"[a-z][a-z0-9_]*="
_COMMA = re.compile(rf"(\\*),(?={_OPTION})")
_TAIL = re.compile(r"\\+\Z")
_SYNTAX = "a model is written kind=location,option=value, such as http=http://localhost:8080/v1"

Model = TypeVar("Model")


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """Which model to use; `ModelSpec.parse(str(spec)) == spec`."""

    kind: str
    location: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not _KIND.fullmatch(self.kind):
            raise EmbeddingError(f"{self.kind!r} is not a kind of model; {_SYNTAX}")
        for name in self.options:
            if not re.fullmatch(_OPTION, f"{name}="):
                raise EmbeddingError(f"{name!r} is not the name of an option; {_SYNTAX}")
        ordered = dict(sorted(self.options.items()))
        object.__setattr__(self, "options", MappingProxyType(ordered))

    @classmethod
    def parse(cls, text: str) -> ModelSpec:
        """Read a spec; the order of its options does not matter."""
        head, *rest = _split(text)
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
        closed = [_TAIL.sub(lambda match: match[0] * 2, _escape(part)) for part in parts[:-1]]
        return ",".join([*closed, _escape(parts[-1])])


def _split(text: str) -> Iterator[str]:
    """Split a spec at its separating commas; a comma after an odd run of backslashes is text."""
    part, start = "", 0
    for match in _COMMA.finditer(text):
        backslashes = len(match[1])
        part += text[start : match.start()] + "\\" * (backslashes // 2)
        start = match.end()
        if backslashes % 2:
            part += ","
        else:
            yield part
            part = ""
    yield part + text[start:]


def _escape(part: str) -> str:
    """Escape the commas of a part that would separate."""
    return _COMMA.sub(lambda match: f"{match[1] * 2}\\,", part)


@dataclass(frozen=True)
class ModelKind(Generic[Model]):
    """A kind of model: how it is opened, and which options a spec may give.

    - `open(location, options)` takes what follows `=` in `kind=location`, and the options.
    - `options` are the names that `open` knows, each with its meaning.
    """

    name: str
    description: str
    example: str
    open: Callable[[str, Mapping[str, str]], Model]
    options: Mapping[str, str] = field(default_factory=dict)

    def open_spec(self, spec: ModelSpec) -> Model:
        """Open the model that a spec describes; an option it does not have is an error."""
        for name in spec.options:
            if name not in self.options:
                near = near_names(name, self.options, 1)
                known = ", ".join(self.options)
                hint = f"did you mean {near[0]!r}? " if near else ""
                allowed = f"it has {known}" if known else "it has none"
                raise EmbeddingError(f"{self.name} has no option {name!r}; {hint}{allowed}")
        return self.open(spec.location, spec.options)


def take_number(options: Mapping[str, str], name: str) -> int | None:
    """Read an option as a whole number of 1 or more; None if it is not given."""
    value = options.get(name)
    if value is None:
        return None
    if not re.fullmatch("0*[1-9][0-9]{0,8}", value):
        raise EmbeddingError(f"{name} = {value!r}; give a whole number of 1 or more")
    return int(value)


def take_choice(options: Mapping[str, str], name: str, allowed: tuple[str, ...]) -> str | None:
    """Read an option as one of the allowed words; None if it is not given."""
    value = options.get(name)
    if value is not None and value not in allowed:
        raise EmbeddingError(f"{name} = {value!r}; there are {', '.join(allowed)}")
    return value


def require_package(package: str, extra: str = "stacks") -> None:
    """Raise `EmbeddingError` with the extra to install if a package is missing."""
    if find_spec(package) is None:
        raise EmbeddingError(
            f"this model needs the package {package}, which is not installed; "
            f"pip install 'cranfield[{extra}]'"
        )


def load_tokenizer(path: Path, extra: str = "stacks", longest: int | None = None) -> Tokenizer:
    """Read the file of a tokenizer, without its padding; a process does so once.

    Texts are cut off after `longest` tokens, or not at all.
    """
    require_package("tokenizers", extra)
    try:
        found = path.stat()
        return _read_tokenizer(path, longest, found.st_mtime_ns, found.st_size)
    except OSError as error:
        raise EmbeddingError(f"{path} cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise EmbeddingError(f"{path} is not a tokenizer file ({error})") from None


@lru_cache(maxsize=4)
def _read_tokenizer(path: Path, longest: int | None, _changed: int, _size: int) -> Tokenizer:
    """Read a tokenizer; to parse its file takes a fifth of a second."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_buffer(path.read_bytes())
    tokenizer.no_padding()
    if longest is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(longest)
    return tokenizer
