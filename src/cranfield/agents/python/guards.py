"""Code that is prepared for a name to be missing, or that makes its names at run time."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TypeAlias

__all__ = ["defines_names_at_run_time", "guarded_imports"]

_CAUGHT = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException", "AttributeError"}
_MAKERS = {"globals", "exec", "vars", "locals"}
_CHECKING = {"TYPE_CHECKING", "typing.TYPE_CHECKING"}
_Order: TypeAlias = Callable[[tuple[int, ...], tuple[int, ...]], bool]
_ORDERS: dict[type[ast.cmpop], _Order] = {
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
}


def guarded_imports(tree: ast.Module, python: tuple[int, int]) -> set[ast.stmt]:
    """Find the imports that may fail, or are tried in some versions and systems only.

    A branch that the version of Python decides is guarded if it is not taken. Imports for type
    checkers are meant to be there: they are not guarded.
    """
    return {
        inner
        for each in ast.walk(tree)
        if (isinstance(each, ast.Try) and _catches(each)) or isinstance(each, ast.If)
        for statement in _guarded_body(each, python)
        for inner in ast.walk(statement)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    }


def defines_names_at_run_time(tree: ast.Module) -> bool:
    """Return whether code may define names that it does not write down."""
    return any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in _MAKERS
        for each in ast.walk(tree)
    )


def _guarded_body(each: ast.Try | ast.If, python: tuple[int, int]) -> list[ast.stmt]:
    if isinstance(each, ast.If):
        decided = _decide(each.test, python)
        return [*([] if decided else each.body), *([] if decided is False else each.orelse)]
    return [*each.body, *(inner for handler in each.handlers for inner in handler.body)]


def _decide(test: ast.expr, python: tuple[int, int]) -> bool | None:
    """Say whether a condition holds in a version of Python; None if that does not decide it."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            decided = _decide(inner, python)
            return None if decided is None else not decided
        case ast.Compare(left=left, ops=[order], comparators=[ast.Tuple(elts=parts)]):
            if ast.unparse(left) == "sys.version_info" and type(order) in _ORDERS:
                return _compare(_ORDERS[type(order)], python, parts)
    return True if ast.unparse(test) in _CHECKING else None


def _compare(order: _Order, python: tuple[int, int], parts: list[ast.expr]) -> bool | None:
    numbers = [
        each.value
        for each in parts
        if isinstance(each, ast.Constant) and isinstance(each.value, int)
    ]
    if len(numbers) != len(parts) or len(parts) > len(python):
        return None
    # At run time there are more numbers, so that (3, 12, 1) > (3, 12) and (3, 12, 1) > (3,).
    return order((*python, 0), tuple(numbers))


def _catches(each: ast.Try) -> bool:
    return any(
        handler.type is None or _CAUGHT & set(ast.unparse(handler.type).strip("()").split(", "))
        for handler in each.handlers
    )
