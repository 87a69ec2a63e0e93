"""What the installed packages themselves say: names at run time, and marks of deprecation.

Stubs and types leave out private names and what is made at run time. Before a name is called
missing, the package is asked: it is imported and looked at, in the resolver's own process. Only
installed packages are imported, never an answer.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import re
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["accepts_keyword", "find_mark", "has_module", "has_name", "is_of_standard_library"]

_Definition: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

_NOT_IMPORTED = {"antigravity", "this", "__main__", "idlelib"}
_WARNINGS = {"DeprecationWarning", "PendingDeprecationWarning", "FutureWarning"}
_DOCUMENTED = re.compile(r"^\s*\.\. deprecated(?:-removed)?::\s*(.*)$", re.M | re.I)
_FIRST_WORD = re.compile(r"\A\s*(?:\*\*|\[)?deprecated\b[^\n]*", re.I)


def is_of_standard_library(module: str) -> bool:
    """Return whether a module belongs to Python itself, in the version that runs here."""
    return module.partition(".")[0] in sys.stdlib_module_names


@lru_cache(maxsize=1024)
def has_module(module: str) -> bool:
    """Return whether a module can be found among those installed; its parents are imported."""
    with suppress(Exception, SystemExit):
        return importlib.util.find_spec(module) is not None
    return False


def has_name(module: str, dotted: str) -> bool | None:
    """Return whether a dotted name is there at run time; None if the module cannot be imported."""
    found = _import(module)
    if found is None:
        return None
    *outer, last = dotted.split(".")
    for part in outer:
        found = getattr(found, part, None)
        if found is None:
            return None
    return _has(found, last)


def accepts_keyword(module: str, dotted: str, keyword: str) -> bool | None:
    """Return whether a callable takes a keyword argument; None if its signature does not say."""
    found = _import(module)
    for part in dotted.split("."):
        found = getattr(found, part, None)
    if found is None or not callable(found):
        return None
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return None
    return any(
        each.name == keyword and each.kind is not each.POSITIONAL_ONLY for each in parameters
    )


@lru_cache(maxsize=1024)
def find_mark(module: str, dotted: str) -> str:
    """Return what the source of a package says of the deprecation of a name; empty if nothing."""
    tree = _source_tree(module)
    if tree is None:
        return ""
    found: _Definition | ast.Module | None = tree
    for part in filter(None, dotted.split(".")):
        found = next((each for each in _defined_in(found) if each.name == part), None)
        if found is None:
            return ""
    return _mark_of(found) if found else ""


def _has(found: object, name: str) -> bool:
    with suppress(Exception):
        return hasattr(found, name) or name in getattr(found, "__annotations__", {})
    return False


@lru_cache(maxsize=1024)
def _import(module: str) -> object | None:
    parts = module.split(".")
    if parts[0] in _NOT_IMPORTED or "__main__" in parts:
        return None
    with suppress(Exception, SystemExit):
        return importlib.import_module(module)
    return None


@lru_cache(maxsize=256)
def _source_tree(module: str) -> ast.Module | None:
    with suppress(Exception, SystemExit):
        spec = importlib.util.find_spec(module)
        if spec and spec.origin and spec.origin.endswith(".py"):
            return ast.parse(Path(spec.origin).read_bytes())
    return None


def _defined_in(found: _Definition | ast.Module | None) -> Iterator[_Definition]:
    for each in found.body if found else ():
        if isinstance(each, _Definition):
            yield each


def _mark_of(found: ast.Module | _Definition) -> str:
    docstring = ast.get_docstring(found) or ""
    if not isinstance(found, ast.Module) and (first := _FIRST_WORD.match(docstring)):
        return first[0].strip()
    # Indented deeper, a mark is about a parameter; in a module's docstring, about one of its names.
    documented = _DOCUMENTED.search(docstring)
    if documented and not isinstance(found, ast.Module) and not documented[0][0].isspace():
        return f"deprecated since {documented[1]}".strip()
    return _warning_in(_opening(found))


def _opening(
    found: ast.Module | _Definition,
) -> list[ast.stmt]:
    """Return the statements that always run: those of a class do so when it is made."""
    if not isinstance(found, ast.ClassDef):
        return found.body
    return next((list(each.body) for each in _defined_in(found) if each.name == "__init__"), [])


def _warning_in(body: list[ast.stmt]) -> str:
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Call(func=function, args=arguments, keywords=keywords)):
                called = ast.unparse(function)
                words = {ast.unparse(each) for each in arguments}
                words |= {ast.unparse(each.value) for each in keywords}
                if called in ("warnings._deprecated", "_deprecated"):
                    return "it warns that it is deprecated"
                if called.endswith("warn") and words & _WARNINGS:
                    return f"it warns: {ast.unparse(arguments[0])}" if arguments else "it warns"
    return ""
