"""What a module says of itself in its `__all__`, read without running it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Exports", "find_exports", "walk_statements"]


@dataclass(frozen=True, slots=True)
class Exports:
    """The names of an `__all__`, as far as they stand in the source.

    - `names` are written there; `modules` are those whose own `__all__` is added, as written
      (`tasks`, or `.tasks` where it is imported from there).
    - `is_complete` says whether nothing else is added by running code.
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
    """Find the `__all__` of a module, in whatever branches it grows, or None where it has none."""
    found: Exports | None = None
    written: dict[str, ast.expr] = {}
    for statement in walk_statements(tree.body):
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


def walk_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body and of its branches, but not of functions and classes."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
            for name in ("body", "orelse", "finalbody"):
                yield from walk_statements(getattr(statement, name, ()))
            for handler in getattr(statement, "handlers", ()):
                yield from walk_statements(handler.body)


def _get_assigned_name(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target: ast.expr = statement.targets[0]
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        target = statement.target
    else:
        return ""
    return target.id if isinstance(target, ast.Name) else ""


def _read_import(statement: ast.ImportFrom) -> Iterator[tuple[str, ast.expr]]:
    """Read `from .tasks import __all__ as names` as the name's value."""
    module = "." * statement.level + (statement.module or "")
    for name in statement.names:
        if name.name == "__all__":
            yield name.asname or name.name, ast.Attribute(ast.Name(module), "__all__")


def _read_call(call: ast.expr, written: dict[str, ast.expr]) -> Exports | None:
    """Read `__all__.append(…)` and its like; None where the call is another."""
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
    """Read an expression of names; a variable stands for what was assigned to it before."""
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
