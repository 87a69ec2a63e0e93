"""Swift package manifests, read without running them.

A manifest is a Swift program that makes one `Package(…)`. Its literals are read; what it
computes is not known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Manifest", "read_manifest"]

_TOOLS = re.compile(r"^\s*//\s*swift-tools-version\s*:?\s*(\d+(?:\.\d+)*)", re.IGNORECASE)
_TOKEN = re.compile(
    r'''
      (?P<comment>//[^\n]*)
    | (?P<block>/\*)
    | (?P<string>(?P<hashes>\#*)(?P<quote>"""|"))
    | (?P<name>[^\W\d]\w*|`[^`\n]+`)
    | (?P<number>\d[\w.]*)
    | (?P<mark>[()\[\]{},:.=])
    ''',
    re.VERBOSE,
)
_VERSION = re.compile(r"v?(\d+(?:_\d+)*)")
_PLATFORMS = {
    "ios": "iOS",
    "macos": "macOS",
    "tvos": "tvOS",
    "watchos": "watchOS",
    "visionos": "visionOS",
    "maccatalyst": "Mac Catalyst",
    "driverkit": "DriverKit",
    "linux": "Linux",
}
_INTERPOLATION = re.compile(r"\\\((\w+)\)")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest says; `dependencies` are addresses or names with their requirement.

    The name is empty where it is computed.
    """

    name: str
    tools_version: str = ""
    products: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    platforms: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class _Token:
    """A word of Swift: `kind` is string, name, number or mark."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class _Call:
    """A call, `.package(url: "…", from: "1.0.0")`; arguments without a label have an empty one."""

    name: str
    arguments: tuple[tuple[str, _Value], ...]

    def get(self, label: str) -> _Value | None:
        """Return the argument of a label, or None."""
        return next((value for name, value in self.arguments if name == label), None)


_Value = _Call | str | tuple["_Value", ...]
"""A call, a text (a literal, or a name after a dot), or a list."""


def read_manifest(text: str) -> Manifest | None:
    """Read the first `Package(…)` of a manifest, or None where there is none."""
    tokens = list(_tokenise(text))
    constants = dict(_find_constants(tokens))
    for position, token in enumerate(tokens[:-1]):
        opens = tokens[position + 1].text == "("
        is_method = position > 0 and tokens[position - 1] == _Token("mark", ".")
        if token == _Token("name", "Package") and opens and not is_method:
            call, _ = _read_call(tokens, position, constants, 0)
            return _make_manifest(call, text)
    return None


def _make_manifest(call: _Call, text: str) -> Manifest:
    tools = _TOOLS.match(text)
    name = call.get("name")
    return Manifest(
        name=name if isinstance(name, str) and "\\(" not in name else "",
        tools_version=tools[1] if tools else "",
        products=tuple(_find_names(call.get("products"))),
        targets=tuple(_find_names(call.get("targets"))),
        dependencies=tuple(map(_write_dependency, _list_calls(call.get("dependencies")))),
        platforms=dict(_read_platforms(call.get("platforms"))),
    )


def _list_calls(value: _Value | None) -> list[_Call]:
    return [each for each in value if isinstance(each, _Call)] if isinstance(value, tuple) else []


def _find_names(value: _Value | None) -> Iterator[str]:
    for call in _list_calls(value):
        name = call.get("name")
        if isinstance(name, str) and name and "test" not in call.name.lower():
            yield name


def _write_dependency(call: _Call) -> str:
    """Write a dependency as what is depended on and the versions: `https://… 1.0.0`."""
    texts = [value for _, value in call.arguments if isinstance(value, str)]
    for label in ("url", "path", "id", "name"):
        source = call.get(label)
        if isinstance(source, str):
            others = [text for text in texts if text != source and text != call.get("name")]
            return " ".join((source, *others[:1]))
    return " ".join(texts[:1])


def _read_platforms(value: _Value | None) -> Iterator[tuple[str, str]]:
    """Read `.macOS(.v10_15)` as macOS 10.15, `.iOS("17.2")` as iOS 17.2."""
    for call in _list_calls(value):
        platform = _PLATFORMS.get(call.name.lower(), call.name)
        version = next((text for _, text in call.arguments if isinstance(text, str)), "")
        match = _VERSION.fullmatch(version)
        if match:
            parts = match[1].split("_")
            yield platform, ".".join(parts if len(parts) > 1 else (*parts, "0"))
        elif re.fullmatch(r"\d+(\.\d+)*", version):
            yield platform, version if "." in version else f"{version}.0"


def _find_constants(tokens: list[_Token]) -> Iterator[tuple[str, str]]:
    """Find `let name = "…"`, which a manifest may use in place of a literal."""
    for position in range(len(tokens) - 3):
        word, name, sign, value = tokens[position : position + 4]
        is_let = word == _Token("name", "let") and sign == _Token("mark", "=")
        if is_let and name.kind == "name" and value.kind == "string":
            yield name.text, value.text


def _read_call(
    tokens: list[_Token], position: int, constants: Mapping[str, str], depth: int
) -> tuple[_Call, int]:
    """Read a call from its name on; returns it and the place behind it."""
    name = tokens[position].text
    position += 2
    arguments: list[tuple[str, _Value]] = []
    while position < len(tokens) and tokens[position].text != ")":
        start = position
        label = ""
        if position + 1 < len(tokens) and tokens[position + 1] == _Token("mark", ":"):
            label = tokens[position].text
            position += 2
        value, position = _read_value(tokens, position, constants, depth + 1)
        if value is not None:
            arguments.append((label, value))
        position = max(_skip_to_next(tokens, position), start + 1)
    return _Call(name, tuple(arguments)), position + 1


def _read_value(
    tokens: list[_Token], position: int, constants: Mapping[str, str], depth: int
) -> tuple[_Value | None, int]:
    """Read a literal, a list or a call; anything else is no value."""
    while position < len(tokens) and tokens[position] == _Token("mark", "."):
        position += 1
    if position >= len(tokens) or depth > _DEEPEST:
        return None, len(tokens)
    token = tokens[position]
    if token.kind == "string":
        return _interpolate(token.text, constants), position + 1
    if token == _Token("mark", "["):
        return _read_list(tokens, position, constants, depth)
    if token.kind != "name":
        return None, position
    return _read_named(tokens, position, constants, depth)


def _read_named(
    tokens: list[_Token], position: int, constants: Mapping[str, str], depth: int
) -> tuple[_Value | None, int]:
    """Read a call, or a name that stands for itself or for a constant."""
    following = tokens[position + 1] if position + 1 < len(tokens) else None
    if following == _Token("mark", "("):
        return _read_call(tokens, position, constants, depth)
    if following == _Token("mark", "."):
        # `Product.library(…)` is `.library(…)`.
        return _read_value(tokens, position + 1, constants, depth + 1)
    name = tokens[position].text
    return constants.get(name, name), position + 1


def _read_list(
    tokens: list[_Token], position: int, constants: Mapping[str, str], depth: int
) -> tuple[tuple[_Value, ...], int]:
    position += 1
    values: list[_Value] = []
    while position < len(tokens) and tokens[position].text != "]":
        start = position
        value, position = _read_value(tokens, position, constants, depth + 1)
        if value is not None:
            values.append(value)
        position = max(_skip_to_next(tokens, position), start + 1)
    return tuple(values), position + 1


def _skip_to_next(tokens: list[_Token], position: int) -> int:
    """Go behind the next comma of this level, or to the bracket that closes it."""
    open_brackets: list[str] = []
    while position < len(tokens):
        token = tokens[position]
        if token.kind == "mark" and token.text in _CLOSING:
            open_brackets.append(_CLOSING[token.text])
        elif token.kind == "mark" and token.text in ")]}":
            if not open_brackets:
                return position
            open_brackets.pop()
        elif token == _Token("mark", ",") and not open_brackets:
            return position + 1
        position += 1
    return position


def _tokenise(text: str) -> Iterator[_Token]:
    position = 0
    while match := _TOKEN.search(text, position):
        position = match.end()
        if match["block"]:
            position = _skip_comment(text, position)
        elif match["quote"]:
            closing = match["quote"] + match["hashes"]
            end = _find_end(text, position, closing, "\\" + match["hashes"])
            yield _Token("string", _unescape(text[position:end], match["hashes"]))
            position = end + len(closing)
        elif not match["comment"]:
            kind = match.lastgroup or "mark"
            yield _Token(kind, match.group().strip("`"))


def _skip_comment(text: str, position: int) -> int:
    """Find the end of a block comment; they nest."""
    depth = 1
    for match in re.compile(r"/\*|\*/").finditer(text, position):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)


def _find_end(text: str, position: int, closing: str, escape: str) -> int:
    r"""Find where a string ends, past escapes and what stands in `\(…)`."""
    while position < len(text):
        if text.startswith(closing, position):
            return position
        if text.startswith(escape + "(", position):
            position = _skip_interpolation(text, position + len(escape) + 1)
        elif text.startswith(escape, position):
            position += len(escape) + 1
        else:
            position += 1
    return len(text)


def _skip_interpolation(text: str, position: int) -> int:
    depth = 1
    while position < len(text) and depth:
        if text[position] == '"':
            position = _find_end(text, position + 1, '"', "\\") + 1
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return position


def _interpolate(text: str, constants: Mapping[str, str]) -> str:
    r"""Put constants in place of `\(name)`; what is computed stays as it is written."""
    return _INTERPOLATION.sub(lambda match: constants.get(match[1], match[0]), text)


def _unescape(text: str, hashes: str) -> str:
    if hashes:
        return text
    return re.sub(r"\\([\"'\\])", r"\1", text)
