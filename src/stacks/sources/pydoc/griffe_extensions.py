"""Extensions of griffe that keep what a page needs and griffe drops.

A fact is stored in the `extra` of its object: whether it is deprecated, the signature of a
built-in, the decorators of a property, the `__all__` of a module.
"""

from __future__ import annotations

import ast
import inspect
import re
import types
from typing import TYPE_CHECKING, Any

import griffe

from stacks.sources.pydoc.exports import Exports, find_exports, find_stand_ins

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "RuntimeFacts",
    "SourceFacts",
    "get_decorators",
    "get_exports",
    "get_signature",
    "get_stand_ins",
    "is_marked_deprecated",
]

_SPACE = "stacks"
_CATEGORY = re.compile(r"\b(Pending)?DeprecationWarning\b")
_DECORATOR = re.compile(r"(^|[._])deprecated?(_|$)", re.IGNORECASE)
_FIRST_ARGUMENT = re.compile(r"\$(module|type)\b(, */)?(, *)?")
_CLASS_METHOD = types.ClassMethodDescriptorType
_MAKERS = frozenset(("__init__", "__new__"))
"""Methods whose deprecation warning is about their class."""
_PLAIN_TYPES = frozenset((bool, complex, float, int, type(None)))
"""Types whose values are shown; a string may hold the path of somebody's home."""
_FIRST_STATEMENTS = 4
"""How many statements of a body may warn about the whole function, not about one argument."""


def get_exports(module: griffe.Module) -> Exports | None:
    """Return the `__all__` of a module, None if it has none."""
    found = module.extra[_SPACE].get("exports")
    return found if isinstance(found, Exports) else None


def get_stand_ins(module: griffe.Module) -> Mapping[str, str]:
    """Return the modules that a module sets in `sys.modules`, with their values as written."""
    found: Mapping[str, str] = module.extra[_SPACE].get("stand_ins", {})
    return found


def get_decorators(target: griffe.Object) -> tuple[str, ...]:
    """Return the decorators of an object as written, without the `@`."""
    return tuple(target.extra[_SPACE].get("decorators", ()))


def get_signature(target: griffe.Object) -> str | None:
    """Return the parameters of an inspected object, `(x, /)`; None if they are unknown."""
    found = target.extra[_SPACE].get("signature")
    return None if found is None else str(found)


def is_marked_deprecated(target: griffe.Object) -> bool:
    """Return whether the code of an object says that it is deprecated."""
    return bool(target.extra[_SPACE].get("deprecated"))


class SourceFacts(griffe.Extension):
    """Collects facts while one module is read from its source."""

    def __init__(self) -> None:
        self._definitions: dict[str, griffe.Object] = {}

    def on_class_instance(self, *, node: Any, cls: griffe.Class, **_: Any) -> None:
        """Note the decorators of a class, and that the module defines it."""
        self._note(node, cls)

    def on_function_instance(self, *, node: Any, func: griffe.Function, **_: Any) -> None:
        """Note the decorators of a function, its warnings, and that the module defines it."""
        self._note(node, func)
        if _warns(node.body):
            is_maker = func.name in _MAKERS and isinstance(func.parent, griffe.Class)
            deprecated = func.parent if is_maker and func.parent else func
            deprecated.extra[_SPACE]["deprecated"] = True

    def on_attribute_instance(self, *, node: Any, attr: griffe.Attribute, **_: Any) -> None:
        """Note what griffe drops from a property's function."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._note(node, attr)
            if _warns(node.body):
                attr.extra[_SPACE]["deprecated"] = True

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Keep functions of a stub that have only overloads."""
        _keep_overloads(cls)

    def on_module_members(self, *, node: Any, mod: griffe.Module, **_: Any) -> None:
        """Note `__all__`, and restore definitions that a faster implementation replaced.

        `from _heapq import *` below the functions of `heapq` changes their speed, not what they
        do; the source can be read.
        """
        _keep_overloads(mod)
        mod.extra[_SPACE]["exports"] = find_exports(node)
        mod.extra[_SPACE]["stand_ins"] = find_stand_ins(node, mod.path)
        mod.extra[_SPACE]["deprecated"] = _warns(_without_preamble(node.body))
        for name, definition in self._definitions.items():
            current = mod.members.get(name)
            if current is not definition and (
                current is None or current.is_alias or current.kind is griffe.Kind.ATTRIBUTE
            ):
                mod.set_member(name, definition)

    def _note(self, node: Any, target: griffe.Object) -> None:
        decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
        if decorators:
            target.extra[_SPACE]["decorators"] = decorators
        if any(_DECORATOR.search(decorator.split("(", 1)[0]) for decorator in decorators):
            target.extra[_SPACE]["deprecated"] = True
        if target.parent is not None and target.parent.is_module:
            self._definitions[target.name] = target


class RuntimeFacts(griffe.Extension):
    """Collects facts while an object of the interpreter is inspected."""

    def on_class_instance(self, *, node: Any, cls: griffe.Class, **_: Any) -> None:
        """Note the signature of a class."""
        cls.extra[_SPACE]["signature"] = _read_signature(node.obj)

    def on_function_instance(self, *, node: Any, func: griffe.Function, **_: Any) -> None:
        """Note the signature of a function; griffe takes an unknown signature for an empty one."""
        func.extra[_SPACE]["signature"] = _read_signature(node.obj)
        above = getattr(node.parent, "obj", None)
        if isinstance(getattr(above, "__dict__", {}).get(node.name), _CLASS_METHOD):
            func.labels.add("classmethod")

    def on_attribute_instance(self, *, node: Any, attr: griffe.Attribute, **_: Any) -> None:
        """Drop what belongs to the type of a value, and what differs between runs."""
        value = node.obj
        if getattr(value, "__doc__", None) == getattr(type(value), "__doc__", None):
            attr.docstring = None
        if type(value) in _PLAIN_TYPES or attr.has_labels("property"):
            return
        attr.value = None
        attr.annotation = type(value).__name__


def _keep_overloads(scope: griffe.Module | griffe.Class) -> None:
    for name, overloads in list(scope.overloads.items()):
        if overloads and name not in scope.members:
            scope.set_member(name, overloads[0])
            overloads[0].overloads = overloads


def _warns(body: Iterable[ast.stmt]) -> bool:
    """Return whether a body starts with a deprecation warning, whatever its arguments are."""
    statements = list(body)[:_FIRST_STATEMENTS]
    return any(_is_warning(each.value) for each in statements if isinstance(each, ast.Expr))


def _is_warning(call: ast.expr) -> bool:
    if not isinstance(call, ast.Call):
        return False
    called = getattr(call.func, "attr", None) or getattr(call.func, "id", "")
    if called == "warn":
        return bool(_CATEGORY.search(ast.unparse(call)))
    return called == "_deprecated"


def _without_preamble(body: Iterable[ast.stmt]) -> list[ast.stmt]:
    """Drop imports, assignments and definitions: a warning may follow any number of them."""
    preamble = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    kept = (each for each in body if not isinstance(each, preamble))
    return [each for each in kept if not isinstance(each, definitions)]


def _read_signature(value: object) -> str | None:
    """Return the signature, or read the interpreter's `__text_signature__`."""
    try:
        return str(inspect.signature(value))  # type: ignore[arg-type]
    except Exception:  # noqa: BLE001  # an object of the interpreter may raise anything
        written = getattr(value, "__text_signature__", None)
    if not isinstance(written, str):
        return None
    return " ".join(_FIRST_ARGUMENT.sub("", written).replace("$self", "self").split())
