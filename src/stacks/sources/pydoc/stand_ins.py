"""Modules that stand in for others: `sys.modules["collections.abc"] = _collections_abc`."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from stacks.sources.pydoc.exports import walk_statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["find_stand_ins", "parse_stand_ins"]

_TABLE = re.compile(r"_*sys\.modules")
_MENTION = re.compile(rb"sys\.modules\s*\[")


def parse_stand_ins(data: bytes, name: str) -> Mapping[str, str]:
    """Find the stand-ins in the source of a module; one that is not Python has none."""
    if not _MENTION.search(data):
        return {}
    try:
        return find_stand_ins(ast.parse(data), name)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}


def find_stand_ins(tree: ast.Module, name: str) -> Mapping[str, str]:
    """Find the modules that a module called `name` sets, and what it sets in their places.

    What is set is given as it is written; it may be no module at all.
    """
    found: dict[str, str] = {}
    for statement in walk_statements(tree.body):
        if isinstance(statement, ast.Assign) and isinstance(
            statement.value, (ast.Name, ast.Attribute)
        ):
            written = ast.unparse(statement.value)
            found.update((key, written) for key in _find_keys(statement.targets, name))
    return found


def _find_keys(targets: list[ast.expr], name: str) -> Iterator[str]:
    for target in targets:
        if isinstance(target, ast.Subscript) and _TABLE.fullmatch(ast.unparse(target.value)):
            key = _evaluate(target.slice, name)
            if key:
                yield key


def _evaluate(key: ast.expr, name: str) -> str:
    """Read a name of a module: a string, `__name__`, or both joined; empty where it is neither."""
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return key.value
    if isinstance(key, ast.Name) and key.id == "__name__":
        return name
    if isinstance(key, ast.FormattedValue):
        return _evaluate(key.value, name)
    parts: list[ast.expr] = []
    if isinstance(key, ast.BinOp) and isinstance(key.op, ast.Add):
        parts = [key.left, key.right]
    elif isinstance(key, ast.JoinedStr):
        parts = list(key.values)
    read = [_evaluate(part, name) for part in parts]
    return "".join(read) if all(read) else ""
