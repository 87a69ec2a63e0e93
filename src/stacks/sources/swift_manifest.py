"""Swift package manifests, read without running them.

A manifest is a Swift program that makes one `Package(…)`. Its literals are read from the syntax
tree; what it computes is not known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from stacks.model import PLATFORMS
from stacks.text import LANGUAGES, SlowCodeError, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

__all__ = ["Manifest", "read_manifest"]

_TOOLS = re.compile(r"^\s*//\s*swift-tools-version\s*:?\s*(\d+(?:\.\d+)*)", re.IGNORECASE)
# A call that is never closed is not a call in the tree; its name is still worth having.
_UNCLOSED = re.compile(
    r'^[^"/\n]*(?<![.\w])Package\(\s*(?:name:\s*"(?P<name>[^"\n]*))?', re.MULTILINE
)
_QUOTES = re.compile(r'(#*)("""|")')
_ESCAPED = re.compile(r"\\([\"'\\])")
_INTERPOLATION = re.compile(r"\\\((\w+)\)")
_VERSION = re.compile(r"v?(\d+(?:[_.]\d+)*)")
_OTHER_PLATFORMS = {"maccatalyst": "Mac Catalyst", "driverkit": "DriverKit", "linux": "Linux"}
_PLATFORMS = PLATFORMS | _OTHER_PLATFORMS


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest says; `dependencies` are addresses or names with their requirement.

    The name is empty if it is computed.
    """

    name: str
    tools_version: str = ""
    products: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    platforms: Mapping[str, str] | None = None


class _Call(NamedTuple):
    """A call, `.package(url: "…", from: "1.0.0")`; arguments without a label have an empty one."""

    name: str
    arguments: tuple[tuple[str, _Value], ...]

    def get(self, label: str) -> _Value | None:
        """Return the argument of a label, or None."""
        return next((value for name, value in self.arguments if name == label), None)


class _List(NamedTuple):
    """An array literal."""

    values: tuple[_Value, ...]


_Value = _Call | _List | str
"""A call, a list, or a text (a literal, or a name after a dot)."""


def read_manifest(text: str) -> Manifest | None:
    """Read the first `Package(…)` of a manifest; None if it makes none.

    Of one that takes too long to parse, only the name is read.
    """
    try:
        call = _find_call(text, LANGUAGES.get("swift").parse(text))
    except SlowCodeError:
        call = None
    if call is None and (unclosed := _UNCLOSED.search(text)):
        call = _Call("Package", (("name", unclosed["name"] or ""),))
    return _make_manifest(call, text) if call else None


def _find_call(text: str, root: Node) -> _Call | None:
    """Find the first call that makes a package."""
    reader = _ManifestReader(text, dict(_find_constants(text, root)))
    for node in _walk(root):
        if node.type == "call_expression" and _is_package(text, node):
            return reader.read_call(node)
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
    values = value.values if isinstance(value, _List) else ()
    return [each for each in values if isinstance(each, _Call)]


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
        written = next((text for _, text in call.arguments if isinstance(text, str)), "")
        if match := _VERSION.fullmatch(written):
            version = match[1].replace("_", ".")
            platform = _PLATFORMS.get(call.name.lower(), call.name)
            yield platform, version if "." in version else f"{version}.0"


class _ManifestReader:
    """Reads literals and calls of a syntax tree; `constants` stand for their values."""

    def __init__(self, code: str, constants: Mapping[str, str]) -> None:
        self._code = code
        self._constants = constants

    def read_call(self, node: Node) -> _Call:
        """Read a call; its name is the last part of what is called."""
        called, *suffixes = node.named_children
        arguments: list[tuple[str, _Value]] = []
        for each in (inner for suffix in suffixes for inner in _walk(suffix, "value_argument")):
            label = each.child_by_field_name("name")
            value = each.child_by_field_name("value")
            read = self.read_value(value) if value else None
            if read is not None:
                arguments.append((text_of(self._code, label) if label else "", read))
        return _Call(_last_name(self._code, called), tuple(arguments))

    def read_value(self, node: Node) -> _Value | None:
        """Read a literal, a list, a call or a name; of an operation the first operand."""
        if node.type.endswith("string_literal"):
            return _read_string(self._code, node, self._constants)
        if node.type == "array_literal":
            values = (self.read_value(child) for child in node.named_children)
            return _List(tuple(value for value in values if value is not None))
        if node.type == "call_expression":
            return self.read_call(node)
        if node.type in {"navigation_expression", "prefix_expression", "simple_identifier"}:
            name = _last_name(self._code, node)
            return self._constants.get(name, name)
        is_operation = node.type.endswith("_expression") and node.named_child_count
        return self.read_value(node.named_children[0]) if is_operation else None


def _walk(root: Node, stop: str = "") -> Iterator[Node]:
    """Yield the nodes of a tree in the order of the text; of those of type `stop`, the outer ones.

    With `stop`, nothing else is yielded.
    """
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not stop or node.type == stop:
            yield node
        if not stop or node.type != stop:
            waiting.extend(reversed(node.named_children))


def _is_package(code: str, node: Node) -> bool:
    """Return whether a call makes a package; `x.Package()` and `Package { … }` do not."""
    called, suffix = node.named_children[:2]
    is_name = called.type == "simple_identifier" and text_of(code, called) == "Package"
    return is_name and text_of(code, suffix).startswith("(")


def _last_name(code: str, node: Node) -> str:
    """Return `library` of `Product.library` and of `.library`."""
    return text_of(code, node).rpartition(".")[2].strip().strip("`")


def _find_constants(code: str, root: Node) -> Iterator[tuple[str, str]]:
    """Find `let name = "…"`, which a manifest may use in place of a literal."""
    for node in root.named_children:
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        if name is not None and value is not None and value.type.endswith("string_literal"):
            yield text_of(code, name).strip("`"), _read_string(code, value, {})


def _read_string(code: str, node: Node, constants: Mapping[str, str]) -> str:
    r"""Read a string, with constants in place of `\(name)`; what is computed stays as written."""
    text = text_of(code, node)
    opening = _QUOTES.match(text)
    edge = opening.end() if opening else 0
    inner = text[edge : len(text) - edge]
    if opening and not opening[1]:
        inner = _ESCAPED.sub(r"\1", inner)
    return _INTERPOLATION.sub(lambda match: constants.get(match[1], match[0]), inner)
