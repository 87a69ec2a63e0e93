"""What is said of a name: by the stubs of the standard library, and by installed packages.

Stubs say in which versions of Python a name is there. They leave out private names and what is
made at run time: before a name is called missing, the package is asked. It is imported and looked
at, in the resolver's own process. Only installed packages are imported, never an answer.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import re
import sys
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "NEWEST",
    "VersionRange",
    "accepts_keyword",
    "describe_ranges",
    "find_mark",
    "has_module",
    "has_name_at_run_time",
    "is_of_standard_library",
    "keyword_ranges",
    "module_range",
    "name_ranges",
    "stub_file",
]

NEWEST = (3, 99)
"""Later than any version: a range up to here has no end."""

_OLDEST = (3, 0)


class VersionRange(NamedTuple):
    """Versions from `first` to `last`, both included."""

    first: tuple[int, int]
    last: tuple[int, int]

    def __contains__(self, version: object) -> bool:
        return isinstance(version, tuple) and self.first <= version <= self.last


ALWAYS = VersionRange(_OLDEST, NEWEST)


def describe_ranges(ranges: Iterable[VersionRange], python: tuple[int, int]) -> str:
    """Say how a version relates to ranges that it is not in."""
    listed = list(ranges)
    later = [each.first for each in listed if each.first > python]
    if later:
        return f"it was added in Python {_dotted(min(later))}"
    gone = max(each.last for each in listed)
    return f"it was removed in Python {_dotted((gone[0], gone[1] + 1))}"


def module_range(module: str) -> VersionRange | None:
    """Return the versions that have a module of the standard library; None if none has."""
    if stub_file(module) is None:
        return None
    listed = _listed_modules()
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        if found := listed.get(".".join(parts[:length])):
            return found
    return None


def stub_file(module: str) -> Path | None:
    """Return the stub of a module of the standard library; None if there is none."""
    place = _stub_folder().joinpath(*module.split("."))
    for path in (place / "__init__.pyi", place.with_name(place.name + ".pyi")):
        if path.is_file():
            return path
    return None


@lru_cache(maxsize=4096)
def name_ranges(module: str, name: str) -> tuple[VersionRange, ...]:
    """Return the versions in which a module defines a dotted name; nothing if in none.

    Starred imports are followed; inherited names are elsewhere.
    """
    return tuple(within for _, within in _find(module, name))


def _find(module: str, name: str) -> Iterator[tuple[ast.stmt, VersionRange]]:
    path = stub_file(module)
    if path is None:
        return
    *outer, last = name.split(".")
    bodies = [(_parse(path).body, ALWAYS)]
    for part in outer:
        bodies = [
            (found.body, within)
            for body, around in bodies
            for found, within in (*_definitions(body, part, around), *_starred(module, part))
            if isinstance(found, ast.ClassDef)
        ]
    for body, around in bodies:
        yield from _definitions(body, last, around)
    if not outer:
        yield from _starred(module, last)


def _starred(module: str, name: str) -> Iterator[tuple[ast.stmt, VersionRange]]:
    """Find a name that a module takes over from others with `from … import *`."""
    path = stub_file(module)
    if path is None or name.startswith("_"):
        return
    package = module if path.name == "__init__.pyi" else module.rpartition(".")[0]
    for statement, around in _definitions(_parse(path).body, "*", ALWAYS):
        if isinstance(statement, ast.ImportFrom) and statement.level <= 1:
            other = ".".join(filter(None, (package if statement.level else "", statement.module)))
            for found, within in _find(other, name):
                if other != module and (met := _meet(around, within)):
                    yield found, met


@lru_cache(maxsize=4096)
def keyword_ranges(module: str, name: str, keyword: str) -> tuple[VersionRange, ...]:
    """Return the versions in which a function or class takes a keyword argument."""
    found: list[VersionRange] = []
    for each in (name, f"{name}.__init__", f"{name}.__new__"):
        found += (
            within
            for definition, within in _find(module, each)
            if isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef)
            and any(
                argument.arg == keyword
                for argument in (*definition.args.args, *definition.args.kwonlyargs)
            )
        )
    return tuple(found)


@cache
def _stub_folder() -> Path:
    import mypy

    return Path(mypy.__file__).parent / "typeshed" / "stdlib"


@cache
def _listed_modules() -> dict[str, VersionRange]:
    """Read typeshed's VERSIONS: a line is `module: 3.4-` or `module: 3.0-3.11`."""
    listed: dict[str, VersionRange] = {}
    for line in (_stub_folder() / "VERSIONS").read_text().splitlines():
        name, _, versions = line.partition("#")[0].partition(":")
        first, _, last = versions.strip().partition("-")
        if first:
            end = _version(last) if last else NEWEST
            listed[name.strip()] = VersionRange(_version(first), end)
    return listed


@lru_cache(maxsize=256)
def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def _definitions(
    body: list[ast.stmt], name: str, around: VersionRange
) -> Iterator[tuple[ast.stmt, VersionRange]]:
    for statement in body:
        if isinstance(statement, ast.If):
            then, otherwise = _branches(statement.test, around)
            if then:
                yield from _definitions(statement.body, name, then)
            if otherwise:
                yield from _definitions(statement.orelse, name, otherwise)
        elif name in _defined(statement):
            yield statement, around


def _defined(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield statement.name
        case ast.Assign(targets=targets):
            yield from (each.id for each in targets if isinstance(each, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (each.asname or each.name.partition(".")[0] for each in names)


def _branches(
    test: ast.expr, around: VersionRange
) -> tuple[VersionRange | None, VersionRange | None]:
    """Return the versions of a condition's body and of its else; other conditions narrow none."""
    match test:
        case ast.Compare(
            left=ast.Attribute(attr="version_info"),
            ops=[ast.GtE() | ast.Lt() as operator],
            comparators=[
                ast.Tuple(elts=[ast.Constant(value=3), ast.Constant(value=int(minor)), *_])
            ],
        ):
            before = _meet(around, VersionRange(_OLDEST, (3, minor - 1)))
            after = _meet(around, VersionRange((3, minor), NEWEST))
            return (after, before) if isinstance(operator, ast.GtE) else (before, after)
    return around, around


def _meet(one: VersionRange, other: VersionRange) -> VersionRange | None:
    met = VersionRange(max(one.first, other.first), min(one.last, other.last))
    return met if met.first <= met.last else None


def _version(text: str) -> tuple[int, int]:
    major, _, minor = text.strip().partition(".")
    return int(major), int(minor)


def _dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


# What installed packages say: names at run time, and marks of deprecation.

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


def has_name_at_run_time(module: str, dotted: str) -> bool | None:
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
