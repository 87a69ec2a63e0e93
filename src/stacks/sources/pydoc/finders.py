"""Finders locate the modules of a Python package by looking at folders, never by importing.

There is one for the standard library, one for the running environment and one for a folder.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from stacks.errors import SourceError
from stacks.sources.paths import get_reason
from stacks.sources.pydoc.griffe_extensions import parse_stand_ins
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "BUILT_IN",
    "COMPILED",
    "IMPLEMENTATIONS",
    "NAMESPACE",
    "SOURCE",
    "STAND_IN",
    "Finder",
    "FolderFinder",
    "InstalledFinder",
    "ModuleFile",
    "Package",
    "StandardLibraryFinder",
    "is_private",
]

SOURCE = "source"
"""A module with Python source or a stub: read statically."""
COMPILED = "compiled"
"""A module of machine code without a stub: never imported."""
BUILT_IN = "built-in"
"""A module of the interpreter without Python source: imported and inspected."""
NAMESPACE = "namespace"
"""A folder of modules without an `__init__`."""
STAND_IN = "stand-in"
"""A module without a file: its parent package puts another one in its place."""

IMPLEMENTATIONS = frozenset(
    ("genericpath", "nt", "ntpath", "nturl2path", "opcode", "posix", "posixpath", "pyexpat")
)
"""Modules of the standard library that are public under another name, such as `os.path`."""

_NO_LIBRARY = frozenset(("antigravity", "idlelib", "pydoc_data", "test", "this", "turtledemo"))
"""Parts of the standard library's folder that are applications, data or jokes."""
_SHOWN_CODECS = frozenset(("encodings.idna", "encodings.mbcs", "encodings.utf_8_sig"))
_TESTS = frozenset(("idle_test", "tests"))
_NO_MODULES = frozenset(("__main__", "conftest"))
_MACHINE_CODE = frozenset((".pyd", ".so"))
# A stub describes the machine code beside it; source says more, in docstrings.
_PREFERENCE = {".py": 0, ".pyi": 1, ".pyd": 2, ".so": 2}


def is_private(name: str) -> bool:
    """Return whether a name is private; `__future__` is not, `_thread` and `__slots` are."""
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


@dataclass(frozen=True, slots=True)
class ModuleFile:
    """A module: its dotted name, its file if it has one, and how it can be read.

    `stub` is the `.pyi` file beside a source; it declares what comes from machine code.
    """

    name: str
    path: Path | None
    kind: str
    stub: Path | None = None

    @property
    def is_package(self) -> bool:
        """Whether the module is the `__init__` of a folder."""
        return self.path is not None and self.path.name.split(".", 1)[0] == "__init__"


@dataclass(frozen=True, slots=True)
class Package:
    """A top-level package or module with every module in it, in the order of their names."""

    name: str
    modules: Mapping[str, ModuleFile]
    is_standard: bool = False
    problems: tuple[PageError, ...] = ()


class Finder(Protocol):
    """Finds packages in one place."""

    def find(self, name: str) -> Package | None:
        """Find a package by its import name; None if it is not there."""


class FolderFinder:
    """The packages of a folder such as `site-packages`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, name: str) -> Package | None:
        """Find a package in the folder; one without modules is not found."""
        return _find_in(self.folder, name)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every public package of the folder in the order of their names."""
        try:
            entries = sorted(entry.name for entry in self.folder.iterdir())
        except OSError as error:
            raise SourceError(f"{self.folder} cannot be listed: {get_reason(error)}") from None
        names = dict.fromkeys(entry.split(".", 1)[0] for entry in entries if _is_candidate(entry))
        return tuple(name for name in names if name not in {"test", "tests"} and self.find(name))


class InstalledFinder:
    """The packages of the running environment."""

    def find(self, name: str) -> Package | None:
        """Find a package as `import` would, editable installs included, without importing it."""
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            return None
        if spec is None:
            return None
        if spec.submodule_search_locations:
            # A namespace has several folders; an editable install comes first.
            return _find_folder(Path(next(iter(spec.submodule_search_locations))), name)
        return _find_file(Path(spec.origin).parent, name) if spec.origin else None


class StandardLibraryFinder:
    """The standard library of the running interpreter."""

    def __init__(self) -> None:
        self.folder = Path(sysconfig.get_path("stdlib"))

    def find(self, name: str) -> Package | None:
        """Find a module of the standard library; not every one exists on every platform."""
        if name not in sys.stdlib_module_names:
            return None
        package = _find_in(self.folder, name)
        if package is None:
            if importlib.util.find_spec(name) is None:
                return None
            built_in = ModuleFile(name, None, BUILT_IN)
            return Package(name, {name: built_in}, is_standard=True)
        modules = dict(package.modules)
        if name == "os":
            path = self.folder / f"{os.path.__name__}.py"
            modules["os.path"] = ModuleFile("os.path", path, SOURCE)
        return Package(name, modules, is_standard=True)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every public module in the order of their names."""
        public = (name for name in sorted(sys.stdlib_module_names) if not is_private(name))
        shown = (name for name in public if name not in IMPLEMENTATIONS | _NO_LIBRARY)
        return tuple(name for name in shown if self.find(name))


def _is_candidate(entry: str) -> bool:
    stem, _, rest = entry.partition(".")
    is_named = stem.isidentifier() and not stem.startswith("_")
    return is_named and (not rest or f".{rest.rsplit('.', 1)[-1]}" in _PREFERENCE)


def _find_in(folder: Path, name: str) -> Package | None:
    """Find a package in a folder: a subfolder of its name comes before a file."""
    return _find_folder(folder / name, name) or _find_file(folder, name)


def _find_folder(folder: Path, name: str) -> Package | None:
    if not folder.is_dir():
        return None
    entries = _list(folder)
    is_regular = not isinstance(entries, PageError) and _has_init(entries)
    found = list(_walk(folder, name, is_regular=is_regular))
    modules = [each for each in found if isinstance(each, ModuleFile)]
    modules.extend(_find_stand_ins(modules))
    if modules and not is_regular:
        modules.append(ModuleFile(name, None, NAMESPACE))
    return _make_package(name, modules, [each for each in found if isinstance(each, PageError)])


def _find_stand_ins(modules: list[ModuleFile]) -> Iterator[ModuleFile]:
    """Find the modules without files that packages set below themselves."""
    known = {module.name for module in modules}
    for module in modules:
        if module.is_package and module.path is not None and module.kind == SOURCE:
            try:
                data = module.path.read_bytes()
            except OSError:
                # Reported when the module is read.
                continue
            for name in parse_stand_ins(data, module.name):
                if name.rpartition(".")[0] == module.name and name not in known:
                    yield ModuleFile(name, None, STAND_IN)


def _find_file(folder: Path, name: str) -> Package | None:
    entries = _list(folder)
    if isinstance(entries, PageError):
        return None
    files = [entry for entry in entries if _stem(entry) == name and entry.is_file()]
    return _make_package(name, list(_choose(folder, "", files)), [])


def _make_package(
    name: str, modules: list[ModuleFile], problems: list[PageError]
) -> Package | None:
    if not modules:
        return None
    by_name = {module.name: module for module in sorted(modules, key=lambda each: each.name)}
    return Package(name, by_name, problems=tuple(problems))


def _walk(folder: Path, prefix: str, *, is_regular: bool) -> Iterator[ModuleFile | PageError]:
    """List the modules of a folder and its subfolders; links to folders are not followed.

    In a regular package, a folder without `__init__` holds scripts or data, not modules.
    """
    entries = _list(folder)
    if isinstance(entries, PageError):
        yield entries
        return
    if (is_regular and not _has_init(entries)) or _are_tests(folder.name, entries):
        return
    yield from _choose(folder, prefix, [entry for entry in entries if entry.is_file()])
    for entry in entries:
        is_folder = entry.is_dir(follow_symlinks=False) and entry.name.isidentifier()
        if is_folder and entry.name != "__pycache__":
            inner = f"{prefix}.{entry.name}"
            yield from _walk(folder / entry.name, inner, is_regular=is_regular)


def _has_init(entries: list[os.DirEntry[str]]) -> bool:
    return any(_stem(entry) == "__init__" for entry in entries)


def _are_tests(folder: str, entries: list[os.DirEntry[str]]) -> bool:
    """Return whether a folder holds a package's tests, unlike the public `django.test`."""
    holds_tests = folder == "test" and any(entry.name.startswith("test_") for entry in entries)
    return folder in _TESTS or holds_tests


def _choose(folder: Path, prefix: str, files: list[os.DirEntry[str]]) -> Iterator[ModuleFile]:
    """Choose the most informative file for each module."""
    found: dict[str, dict[str, Path]] = {}
    for file in files:
        path = folder / file.name
        found.setdefault(_stem(file), {})[path.suffix] = path
    for stem, paths in found.items():
        name = prefix if stem == "__init__" else f"{prefix}.{stem}".lstrip(".")
        if stem and not (prefix and _is_left_out(name, stem)):
            best = min(paths, key=lambda suffix: _PREFERENCE[suffix])
            kind = COMPILED if best in _MACHINE_CODE else SOURCE
            stub = paths.get(".pyi") if best == ".py" else None
            yield ModuleFile(name, paths[best], kind, stub)


def _is_left_out(name: str, stem: str) -> bool:
    """Return whether a module is not for users: a test, a demo, the table of a codec."""
    is_codec = name.startswith("encodings.") and name not in _SHOWN_CODECS
    return is_codec or stem in _NO_MODULES or stem.startswith("test_")


def _stem(entry: os.DirEntry[str]) -> str:
    """Return the name of the module in a file, `a` for `a.cpython-311.so`; empty if it has none."""
    stem, _, rest = entry.name.partition(".")
    suffix = f".{rest.rsplit('.', 1)[-1]}"
    is_plain = "." not in rest or suffix in _MACHINE_CODE
    return stem if stem.isidentifier() and suffix in _PREFERENCE and is_plain else ""


def _list(folder: Path) -> list[os.DirEntry[str]] | PageError:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        return PageError(f"{folder} cannot be listed: {get_reason(error)}")
