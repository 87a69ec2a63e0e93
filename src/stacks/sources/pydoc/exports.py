"""What a module exports by its `__all__` and by `sys.modules`, read without running it.

A *stand-in* is a module that another sets: `sys.modules["collections.abc"] = _collections_abc`.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["Exports", "find_exports", "find_stand_ins", "parse_stand_ins"]

_SYS_MODULES = re.compile(r"_*sys\.modules")
_MENTION = re.compile(rb"sys\.modules\s*\[")


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
