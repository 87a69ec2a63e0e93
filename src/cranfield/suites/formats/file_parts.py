"""Files of suites: text, and JSON whose parts know their lines, with errors that name them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import msgspec

from cranfield.errors import InputError
from cranfield.suites.suite_source import Finding, FindingSeverity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = [
    "Identified",
    "Part",
    "decode",
    "decode_queries",
    "read_bytes",
    "starts_with",
    "text_lines",
]

Shape = TypeVar("Shape")

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BYTE = re.compile(r"\(byte (\d+)\)")


class Part(NamedTuple):
    """A piece of a file, and the line where it starts."""

    content: bytes
    line: int


class Identified(msgspec.Struct):
    """The one key that every query of a JSON file has."""

    id: str


QueryShape = TypeVar("QueryShape", bound=Identified)


class DecodedQueries(NamedTuple, Generic[QueryShape]):
    """The queries of a JSON file, their lines, and findings about unknown keys."""

    queries: list[QueryShape]
    lines: tuple[int, ...]
    findings: tuple[Finding, ...]


def read_bytes(path: Path, *, may_be_empty: bool = False) -> bytes:
    """Read a file that must be UTF-8 and, unless `may_be_empty`, not empty."""
    try:
        content = path.read_bytes().removeprefix(_BYTE_ORDER_MARK)
        content.decode()
    except OSError as problem:
        raise InputError(
            f"cannot be read: {problem.strerror or problem}; check the path", file=str(path)
        ) from None
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        raise InputError(
            f"is not UTF-8 (byte 0x{problem.object[problem.start]:02x}); convert it to UTF-8",
            file=str(path),
            line=line,
        ) from None
    if not content.strip() and not may_be_empty:
        raise InputError("is empty; is this the right file?", file=str(path))
    return content


def starts_with(path: Path, *beginnings: bytes) -> bool:
    """Return whether a file starts with one of these, ignoring white space."""
    try:
        with path.open("rb") as stream:
            start = stream.read(256).removeprefix(_BYTE_ORDER_MARK).lstrip()
    except OSError:
        return False
    return start.startswith(beginnings)


def text_lines(content: bytes) -> Iterator[Part]:
    """Yield the lines that are not blank."""
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            yield Part(line.strip(b"\r"), number)


def decode(part: Part, shape: type[Shape], path: Path, expected: str) -> Shape:
    """Decode JSON into a type; `expected` describes what should have been there."""
    try:
        return msgspec.json.decode(part.content, type=shape)
    except msgspec.ValidationError as problem:
        message, line = f"{_in_words(str(problem))}; {expected}", part.line
    except msgspec.DecodeError as problem:
        found = _BYTE.search(str(problem))
        place = int(found[1]) if found else len(part.content.rstrip())
        reason = _BYTE.sub("", str(problem)).removeprefix("JSON is malformed: ").strip()
        message = f"is not JSON: {reason[0].lower()}{reason[1:]}; {expected}"
        line = part.line + part.content.count(b"\n", 0, place)
    except RecursionError:
        message, line = f"is nested too deeply to be read; {expected}", part.line
    raise InputError(message, file=str(path), line=line)


def decode_queries(
    items: Sequence[msgspec.Raw], content: bytes, shape: type[QueryShape], path: Path, expected: str
) -> DecodedQueries[QueryShape]:
    """Decode the items of a JSON array, with the lines where they start in the text."""
    parts = _located(items, content)
    queries = [decode(part, shape, path, expected) for part in parts]
    known = {field.encode_name for field in msgspec.structs.fields(shape)}
    ignored = [
        Finding(FindingSeverity.WARNING, f"the key {key!r} is not read", query.id, part.line)
        for part, query in zip(parts, queries, strict=True)
        for key in msgspec.json.decode(part.content, type=dict[str, msgspec.Raw])
        if key not in known
    ]
    return DecodedQueries(queries, tuple(part.line for part in parts), tuple(ignored))


def _located(items: Sequence[msgspec.Raw], content: bytes) -> list[Part]:
    """Find the line of each item of a JSON array inside the text that it was decoded from."""
    parts, place, line = [], 0, 1
    for item in items:
        found = content.index(bytes(item), place)
        line += content.count(b"\n", place, found)
        parts.append(Part(bytes(item), line))
        line += bytes(item).count(b"\n")
        place = found + len(bytes(item))
    return parts


def _in_words(problem: str) -> str:
    message, _, place = problem.partition(" - at `$")
    where = place.rstrip("`").lstrip(".")
    lower = message[0].lower() + message[1:]
    return f"{where}: {lower}" if where else lower
