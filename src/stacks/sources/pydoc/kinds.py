"""What a thing is, what is said of it, and what is in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import griffe

from stacks.sources.pydoc.deprecation import says_deprecated
from stacks.sources.pydoc.facts import get_decorators, is_marked_deprecated
from stacks.sources.pydoc.finding import is_private
from stacks.sources.pydoc.names import Definition
from stacks.sources.pydoc.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stacks.sources.pydoc.names import Names

__all__ = ["deserves_page", "find_docstring", "find_members", "get_kind", "is_deprecated"]

_PROTOCOLS = frozenset(("typing.Protocol", "typing_extensions.Protocol"))
_MAKERS = frozenset(("NamedTuple", "TypedDict", "make_dataclass", "namedtuple"))
_ENUM_DECORATOR = re.compile(r"(enum\.)?_simple_enum\(")
"""How the standard library makes an enumeration faster than by its base."""


def deserves_page(definition: Definition, *, is_exported: bool) -> bool:
    """Tell whether a public name of a module has a page: a bare variable has none."""
    target = definition.target
    if not isinstance(target, griffe.Attribute):
        return not isinstance(target, griffe.Module)
    is_told = is_exported or target.docstring is not None or _is_made_class(target)
    return is_told or target.analysis == "dynamic"


def get_kind(definition: Definition, names: Names, *, is_member: bool) -> str:
    """Say what a thing is in the words of `SYMBOL_KINDS`."""
    target = definition.target
    if isinstance(target, griffe.Class):
        return _get_class_kind(target, names)
    if isinstance(target, griffe.Function):
        return "method" if is_member else "function"
    if isinstance(target, griffe.TypeAlias):
        return "typealias"
    return "class" if _is_made_class(target) else "property"


def find_members(definition: Definition, names: Names) -> Mapping[str, Definition]:
    """Find the public members of a class; those of a private base are its own."""
    target = definition.target
    if not isinstance(target, griffe.Class):
        return {}
    found = _find_own_members(definition)
    waiting = list(names.resolve_bases(target))
    seen = {definition.path}
    while waiting:
        base = waiting.pop(0)
        is_hidden = any(is_private(part) for part in base.path.split("."))
        if base.path in seen or not is_hidden or not isinstance(base.target, griffe.Class):
            continue
        seen.add(base.path)
        inherited = _find_own_members(base)
        found = {
            name: each for name, each in inherited.items() if name not in target.members
        } | found
        waiting = [*names.resolve_bases(base.target), *waiting]
    return found


def find_docstring(definition: Definition, names: Names) -> str:
    """Return the docstring of a thing, or what a base class says of the same method."""
    target = definition.target
    own = _get_own_docstring(target)
    if own or not isinstance(target.parent, griffe.Class):
        return own
    for base in names.resolve_ancestors(target.parent):
        found = base.target.members.get(target.name)
        if isinstance(found, (griffe.Function, griffe.Attribute)) and found.docstring:
            return _get_own_docstring(found)
    return ""


def is_deprecated(target: griffe.Object) -> bool:
    """Tell whether a thing is deprecated, or what it stands in."""
    place: griffe.Object | None = target
    while place is not None:
        text = place.docstring.value if place.docstring else ""
        if is_marked_deprecated(place) or says_deprecated(text, place.name, place.kind.value):
            return True
        place = place.parent
    return False


def _find_own_members(definition: Definition) -> dict[str, Definition]:
    return {
        name: Definition(f"{definition.path}.{name}", member)
        for name, member in definition.target.members.items()
        if not name.startswith("_")
        and isinstance(member, griffe.Object)
        and _deserves_member_page(member)
    }


def _deserves_member_page(member: griffe.Object) -> bool:
    """Tell whether a member of a class has a page: an attribute needs a docstring."""
    if isinstance(member, griffe.Attribute):
        return member.has_labels("property") or member.docstring is not None
    return isinstance(member, (griffe.Class, griffe.Function, griffe.TypeAlias))


def _get_class_kind(target: griffe.Class, names: Names) -> str:
    if any(_ENUM_DECORATOR.match(decorator) for decorator in get_decorators(target)):
        return "enum"
    if any(_is_protocol(base, target, names) for base in target.bases):
        return "protocol"
    is_enum = any(base.path == "enum.Enum" for base in names.resolve_ancestors(target))
    return "enum" if is_enum else "class"


def _is_protocol(base: str | griffe.Expr, target: griffe.Class, names: Names) -> bool:
    """Tell whether a base is `typing.Protocol`, or one that is called so and not found."""
    found = names.resolve_expression(base, target.parent or target)
    written = str(base).split("[", 1)[0].rpartition(".")[2]
    return found.path in _PROTOCOLS if found else written == "Protocol"


def _is_made_class(target: griffe.Object) -> bool:
    """Tell whether a variable holds a class that a call has made: `Point = namedtuple(…)`."""
    value = getattr(target, "value", None)
    if not isinstance(value, griffe.ExprCall):
        return False
    return str(value.function).rpartition(".")[2] in _MAKERS


def _get_own_docstring(target: griffe.Object) -> str:
    """Return the docstring of a thing; a class without one has that of its `__init__`."""
    if target.docstring is not None:
        return clean_text(target.docstring.value)
    made = target.members.get("__init__") if isinstance(target, griffe.Class) else None
    if isinstance(made, griffe.Function) and made.docstring and made.analysis == "static":
        return clean_text(made.docstring.value)
    return ""
