"""Code that is prepared for a name to be missing, or that makes its names at run time."""

from __future__ import annotations

import ast

__all__ = ["defines_names_at_run_time", "guarded_imports"]

_CAUGHT = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException", "AttributeError"}
_MAKERS = {"globals", "exec", "vars", "locals"}


def guarded_imports(tree: ast.Module) -> set[ast.stmt]:
    """Find the imports that may fail, or are tried in some versions and systems only."""
    return {
        inner
        for each in ast.walk(tree)
        if (isinstance(each, ast.Try) and _catches(each)) or isinstance(each, ast.If)
        for statement in _guarded_body(each)
        for inner in ast.walk(statement)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    }


def defines_names_at_run_time(tree: ast.Module) -> bool:
    """Return whether code may define names that it does not write down."""
    return any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in _MAKERS
        for each in ast.walk(tree)
    )


def _guarded_body(each: ast.Try | ast.If) -> list[ast.stmt]:
    if isinstance(each, ast.If):
        return [*each.body, *each.orelse]
    return [*each.body, *(inner for handler in each.handlers for inner in handler.body)]


def _catches(each: ast.Try) -> bool:
    return any(
        handler.type is None or _CAUGHT & set(ast.unparse(handler.type).strip("()").split(", "))
        for handler in each.handlers
    )
