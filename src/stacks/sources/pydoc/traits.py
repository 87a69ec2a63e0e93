"""What a definition is: its kind, its docstring, its members, and whether it is deprecated."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import griffe

from stacks.sources.pydoc.docstrings import clean_text
from stacks.sources.pydoc.finders import is_private
from stacks.sources.pydoc.griffe_extensions import get_decorators, is_marked_deprecated
from stacks.sources.pydoc.resolver import Definition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stacks.sources.pydoc.resolver import NameResolver

__all__ = [
    "deserves_page",
    "find_docstring",
    "find_members",
    "get_kind",
    "is_deprecated",
    "says_deprecated",
]

_PROTOCOLS = frozenset(("typing.Protocol", "typing_extensions.Protocol"))
_MAKERS = frozenset(("NamedTuple", "TypedDict", "make_dataclass", "namedtuple"))
_ENUM_DECORATOR = re.compile(r"(enum\.)?_simple_enum\(")
"""How the standard library declares an enumeration without its base class, for speed."""

_STATED = re.compile(
    r"""
      ^\.\.[ ]deprecated(-removed)?::               # Sphinx
    | \A[\W_]*(?i:deprecated)\b(?![ ]*[=(])        # the docstring begins with the word
    | \A[^\n]*[;,(][ ]?deprecated\W*\Z             # or is one line and ends with it
    | (\n[ \t]*\n|[.!?]\n)[\[(*]*(Deprecated|DEPRECATED)\b  # a paragraph or sentence begins so,
      (?=[*\])]*([.,;:!]|\s*$|\s+(since|in|as|from|by|for|use|and|because)\b))  # not `… names`
    """,
    re.MULTILINE | re.VERBOSE,
)
_COMMON = "alias|api|decorator|helper|interface|name|object|shim|wrapper"
_NOUNS = {
    "module": "file|library|module|package|submodule|subpackage",
    "class": f"{_COMMON}|class|enum|enumeration|error|exception|mixin|protocol|type|warning",
    "function": f"{_COMMON}|constructor|coroutine|factory|function|hook|method|property|routine",
    "attribute": f"{_COMMON}|attribute|constant|field|flag|function|method|property|value|variable",
    "type alias": f"{_COMMON}|type",
}
"""What a docstring calls its object: `This class` in that of a module is one of its classes."""
_IS_DEPRECATED = r"(?:is|are|was|has\s+been)\s+(?:now\s+)?deprecated\b"
_ITSELF = frozenset(("it", "this"))
_HEADING = re.compile(r"^[^\n]*\w[^\n]*\n[ \t]*([-=~^*#])\1{2,}[ \t]*$", re.MULTILINE)


def deserves_page(definition: Definition, *, is_exported: bool) -> bool:
    """Return whether a public name of a module gets a page: a bare variable does not."""
    target = definition.target
    if not isinstance(target, griffe.Attribute):
        return not isinstance(target, griffe.Module)
    is_documented = is_exported or target.docstring is not None or _is_made_class(target)
    return is_documented or target.analysis == "dynamic"


def get_kind(definition: Definition, resolver: NameResolver, *, is_member: bool) -> str:
    """Return the kind of a definition, one of `SYMBOL_KINDS`."""
    target = definition.target
    if isinstance(target, griffe.Class):
        return _get_class_kind(target, resolver)
    if isinstance(target, griffe.Function):
        return "method" if is_member else "function"
    if isinstance(target, griffe.TypeAlias):
        return "typealias"
    return "class" if _is_made_class(target) else "property"


def find_members(definition: Definition, resolver: NameResolver) -> Mapping[str, Definition]:
    """Find the public members of a class; those of a private base count as its own."""
    target = definition.target
    if not isinstance(target, griffe.Class):
        return {}
    found = _find_own_members(definition)
    waiting = list(resolver.resolve_bases(target))
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
        waiting = [*resolver.resolve_bases(base.target), *waiting]
    return found


def find_docstring(definition: Definition, resolver: NameResolver) -> str:
    """Return the docstring of a definition, or of the method that it overrides."""
    target = definition.target
    own = _get_own_docstring(target)
    if own or not isinstance(target.parent, griffe.Class):
        return own
    for base in resolver.resolve_ancestors(target.parent):
        found = base.target.members.get(target.name)
        if isinstance(found, (griffe.Function, griffe.Attribute)) and found.docstring:
            return _get_own_docstring(found)
    return ""


def is_deprecated(target: griffe.Object) -> bool:
    """Return whether a definition, or what contains it, is deprecated."""
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
    """Return whether a member of a class gets a page: an attribute needs a docstring."""
    if isinstance(member, griffe.Attribute):
        return member.has_labels("property") or member.docstring is not None
    return isinstance(member, (griffe.Class, griffe.Function, griffe.TypeAlias))


def _get_class_kind(target: griffe.Class, resolver: NameResolver) -> str:
    if any(_ENUM_DECORATOR.match(decorator) for decorator in get_decorators(target)):
        return "enum"
    if any(_is_protocol(base, target, resolver) for base in target.bases):
        return "protocol"
    is_enum = any(base.path == "enum.Enum" for base in resolver.resolve_ancestors(target))
    return "enum" if is_enum else "class"


def _is_protocol(base: str | griffe.Expr, target: griffe.Class, resolver: NameResolver) -> bool:
    """Return whether a base is `typing.Protocol`, or has that name and cannot be found."""
    found = resolver.resolve_expression(base, target.parent or target)
    written = str(base).split("[", 1)[0].rpartition(".")[2]
    return found.path in _PROTOCOLS if found else written == "Protocol"


def _is_made_class(target: griffe.Object) -> bool:
    """Return whether a variable holds a class made by a call: `Point = namedtuple(…)`."""
    value = getattr(target, "value", None)
    if not isinstance(value, griffe.ExprCall):
        return False
    return str(value.function).rpartition(".")[2] in _MAKERS


def _get_own_docstring(target: griffe.Object) -> str:
    """Return the own docstring; a class without one has that of its `__init__`."""
    if target.docstring is not None:
        return clean_text(target.docstring.value)
    made = target.members.get("__init__") if isinstance(target, griffe.Class) else None
    if isinstance(made, griffe.Function) and made.docstring and made.analysis == "static":
        return clean_text(made.docstring.value)
    return ""


@lru_cache(maxsize=4096)
def says_deprecated(docstring: str, name: str, kind: str) -> bool:
    """Return whether the docstring of a module, class, function or attribute calls it deprecated.

    Of a module, only the text above its sections is read: those are about its contents.
    """
    if "deprecated" not in docstring.lower():
        return False
    text = _drop_sections(docstring) if kind == "module" else docstring
    nouns = _NOUNS.get(kind, _COMMON)
    own = rf"\b(?i:this)\s+(?i:(?:{nouns})\s+{_IS_DEPRECATED}|deprecated\s+(?:{nouns})\b)"
    if _STATED.search(text) or re.search(own, text):
        return True
    named = rf"(?:\A|\b(?i:the)\s)\W*([\w.]+)(?:\(\))?\W*\s(?:(?i:{nouns})\s+)?{_IS_DEPRECATED}"
    subjects = (match[1].rpartition(".")[2] for match in re.finditer(named, text))
    return any(subject == name or subject.lower() in _ITSELF for subject in subjects)


def _drop_sections(docstring: str) -> str:
    """Cut a docstring at its first heading that is not its title."""
    for heading in _HEADING.finditer(docstring):
        if re.search(r"\w", docstring[: heading.start()]):
            return docstring[: heading.start()]
    return docstring
