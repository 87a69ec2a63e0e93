"""Extensions of griffe that keep what a page needs and griffe drops.

A fact is stored in the `extra` of its object: whether it is deprecated, the signature of a
built-in, the decorators of a property, the `__all__` of a module.

What a module exports by its `__all__` and by `sys.modules`, read without running it.

A *stand-in* is a module that another sets: `sys.modules["collections.abc"] = _collections_abc`.
"""

from __future__ import annotations

import ast
import inspect
import re
import types
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import griffe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = [
    "Exports",
    "RuntimeFacts",
    "SourceFacts",
    "find_exports",
    "find_stand_ins",
    "get_decorators",
    "get_exports",
    "get_signature",
    "get_stand_ins",
    "is_marked_deprecated",
    "parse_stand_ins",
]

_SYS_MODULES = re.compile(r"_*sys\.modules")
_MENTION = re.compile(rb"sys\.modules\s*\[")


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


@dataclass(frozen=True, slots=True)
class Exports:
    """The names of an `__all__`, as far as the source states them.

    - `names` are written out; `modules` are those whose own `__all__` is added, as written
      (`tasks`, or `.tasks` if it is imported from there).
    - `is_complete` says whether running code adds nothing else.
    """

    names: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    is_complete: bool = True

    def __add__(self, other: Exports) -> Exports:
        """Join two parts of an `__all__`."""
        return Exports(
            tuple(dict.fromkeys(self.names + other.names)),
            tuple(dict.fromkeys(self.modules + other.modules)),
            self.is_complete and other.is_complete,
        )


_UNKNOWN = Exports(is_complete=False)


def find_exports(tree: ast.Module) -> Exports | None:
    """Find the `__all__` of a module, in all its branches, or None if it has none."""
    found: Exports | None = None
    written: dict[str, ast.expr] = {}
    for statement in _walk_statements(tree.body):
        target = _get_assigned_name(statement)
        value = getattr(statement, "value", None)
        if target == "__all__" and value is not None:
            found = (found or Exports()) + _evaluate(value, written)
        elif target and value is not None:
            written[target] = value
        elif isinstance(statement, ast.ImportFrom):
            written.update(_read_import(statement))
        elif isinstance(statement, ast.Expr):
            added = _read_call(statement.value, written)
            found = (found or Exports()) + added if added else found
    return found


def _walk_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body and of its branches, but not of functions and classes."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
            for name in ("body", "orelse", "finalbody"):
                yield from _walk_statements(getattr(statement, name, ()))
            for handler in getattr(statement, "handlers", ()):
                yield from _walk_statements(handler.body)


def _get_assigned_name(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target: ast.expr = statement.targets[0]
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        target = statement.target
    else:
        return ""
    return target.id if isinstance(target, ast.Name) else ""


def _read_import(statement: ast.ImportFrom) -> Iterator[tuple[str, ast.expr]]:
    """Read `from .tasks import __all__ as names` as an assignment."""
    module = "." * statement.level + (statement.module or "")
    for name in statement.names:
        if name.name == "__all__":
            yield name.asname or name.name, ast.Attribute(ast.Name(module), "__all__")


def _read_call(call: ast.expr, written: dict[str, ast.expr]) -> Exports | None:
    """Read `__all__.append(…)` and `__all__.extend(…)`; None for other calls."""
    is_method = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    if not is_method or ast.unparse(call.func.value) != "__all__":  # type: ignore[attr-defined]
        return None
    method, arguments = call.func.attr, call.args  # type: ignore[attr-defined]
    if method == "append" and arguments:
        return _evaluate(ast.List(elts=list(arguments)), written)
    if method == "extend" and arguments:
        return _evaluate(arguments[0], written)
    return _UNKNOWN


def _evaluate(value: ast.expr, written: dict[str, ast.expr]) -> Exports:
    """Read an expression of names; a variable has the value assigned to it before."""
    if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        return sum((_evaluate_item(item, written) for item in value.elts), Exports())
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return _evaluate(value.left, written) + _evaluate(value.right, written)
    if isinstance(value, ast.Attribute) and value.attr == "__all__":
        return Exports(modules=(ast.unparse(value.value),))
    if isinstance(value, ast.Name) and value.id in written:
        before = {name: each for name, each in written.items() if name != value.id}
        return _evaluate(written[value.id], before)
    return _UNKNOWN


def _evaluate_item(item: ast.expr, written: dict[str, ast.expr]) -> Exports:
    if isinstance(item, ast.Constant) and isinstance(item.value, str):
        return Exports((item.value,))
    return _evaluate(item.value, written) if isinstance(item, ast.Starred) else _UNKNOWN


def parse_stand_ins(data: bytes, name: str) -> Mapping[str, str]:
    """Find the stand-ins in the source of a module; invalid Python has none."""
    if not _MENTION.search(data):
        return {}
    try:
        return find_stand_ins(ast.parse(data), name)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}


def find_stand_ins(tree: ast.Module, name: str) -> Mapping[str, str]:
    """Find the modules that a module called `name` sets in `sys.modules`, and their values.

    The values are given as written; they need not be modules.
    """
    found: dict[str, str] = {}
    for statement in _walk_statements(tree.body):
        if isinstance(statement, ast.Assign) and isinstance(
            statement.value, (ast.Name, ast.Attribute)
        ):
            written = ast.unparse(statement.value)
            found.update((key, written) for key in _find_keys(statement.targets, name))
    return found


def _find_keys(targets: list[ast.expr], name: str) -> Iterator[str]:
    for target in targets:
        if isinstance(target, ast.Subscript) and _SYS_MODULES.fullmatch(ast.unparse(target.value)):
            key = _evaluate_key(target.slice, name)
            if key:
                yield key


def _evaluate_key(key: ast.expr, name: str) -> str:
    """Read the name of a module: a string, `__name__` or both joined; empty if it is neither."""
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return key.value
    if isinstance(key, ast.Name) and key.id == "__name__":
        return name
    if isinstance(key, ast.FormattedValue):
        return _evaluate_key(key.value, name)
    parts: list[ast.expr] = []
    if isinstance(key, ast.BinOp) and isinstance(key.op, ast.Add):
        parts = [key.left, key.right]
    elif isinstance(key, ast.JoinedStr):
        parts = list(key.values)
    read = [_evaluate_key(part, name) for part in parts]
    return "".join(read) if all(read) else ""


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
