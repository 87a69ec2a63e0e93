"""The modules of many packages, each read once: from its source, or from the interpreter.

Nothing but the standard library is ever imported.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import inspect
import sys
import sysconfig
import types
import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import griffe

from stacks.sources.chosen import get_reason
from stacks.sources.pydoc.facts import RuntimeFacts, SourceFacts, get_exports
from stacks.sources.pydoc.finding import BUILT_IN, COMPILED, NAMESPACE, is_private

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stacks.sources.pydoc.exports import Exports
    from stacks.sources.pydoc.finding import ModuleFile, Package, Shelf

__all__ = ["Library", "LoadedModule", "UnreadableError", "import_standard", "inspect_value"]


class UnreadableError(Exception):
    """A module that cannot be read; the message says why, without its name."""


@dataclass(frozen=True)
class LoadedModule:
    """A module that has been read."""

    file: ModuleFile
    tree: griffe.Module
    is_standard: bool

    @property
    def name(self) -> str:
        """The dotted name."""
        return self.file.name

    @property
    def is_inspected(self) -> bool:
        """Whether the module was imported, for want of a source."""
        return self.file.form == BUILT_IN

    @cached_property
    def exports(self) -> Exports | None:
        """What its `__all__` says, as far as it is written."""
        return get_exports(self.tree)


class Library:
    """Packages and modules by name, from the first shelf that has them."""

    def __init__(self, shelves: Sequence[Shelf]) -> None:
        self._shelves = tuple(shelves)
        self._packages: dict[str, Package | None] = {}
        self._modules: dict[str, LoadedModule | UnreadableError] = {}
        self._stubs: dict[str, griffe.Module | None] = {}

    def find_package(self, name: str) -> Package | None:
        """Find a top-level package."""
        if name not in self._packages:
            found = (shelf.find(name) for shelf in self._shelves)
            self._packages[name] = next((each for each in found if each), None)
        return self._packages[name]

    def has_module(self, name: str) -> bool:
        """Tell whether there is a module of that dotted name, readable or not."""
        package = self.find_package(name.split(".", 1)[0])
        return package is not None and name in package.modules

    def get_module(self, name: str) -> LoadedModule | None:
        """Return a module, or None where there is none or it cannot be read."""
        if not self.has_module(name):
            return None
        loaded = self._load(name)
        return loaded if isinstance(loaded, LoadedModule) else None

    def load_module(self, name: str) -> LoadedModule:
        """Return a module that exists, or raise `UnreadableError`."""
        loaded = self._load(name)
        if isinstance(loaded, UnreadableError):
            raise loaded
        return loaded

    def get_stub(self, module: LoadedModule) -> griffe.Module | None:
        """Return the stub that lies beside a module's source, or None."""
        if module.file.stub is None:
            return None
        if module.name not in self._stubs:
            try:
                stub = _visit(module.name, module.file.stub, module.tree.parent)
            except UnreadableError:
                stub = None
            self._stubs[module.name] = stub
        return self._stubs[module.name]

    def _load(self, name: str) -> LoadedModule | UnreadableError:
        if name not in self._modules:
            try:
                self._modules[name] = self._read(name)
            except UnreadableError as error:
                self._modules[name] = error
        return self._modules[name]

    def _read(self, name: str) -> LoadedModule:
        package = self.find_package(name.split(".", 1)[0])
        if package is None:
            raise UnreadableError("is nowhere to be found")
        file = package.modules[name]
        if file.form == COMPILED:
            raise UnreadableError("is compiled and has no .pyi beside it; it is not imported")
        if file.form == BUILT_IN:
            return LoadedModule(file, _inspect_module(name), package.is_standard)
        if file.form == NAMESPACE:
            return LoadedModule(file, griffe.Module(name, filepath=[]), package.is_standard)
        if file.path is None:
            raise UnreadableError("has no source")
        tree = _visit(name, file.path, self._get_parent(name, package))
        return LoadedModule(file, tree, package.is_standard)

    def _get_parent(self, name: str, package: Package) -> griffe.Module | None:
        """The module above; an empty one stands for a folder, or a module that is broken."""
        above, _, _ = name.rpartition(".")
        if not above:
            return None
        loaded = self._load(above) if above in package.modules else None
        if isinstance(loaded, LoadedModule):
            return loaded.tree
        grandparent = self._get_parent(above, package)
        return griffe.Module(above.rpartition(".")[2], parent=grandparent, filepath=[])


def _visit(name: str, path: Path, parent: griffe.Object | None) -> griffe.Module:
    """Read a module from its source or its stub."""
    try:
        return griffe.visit(
            name.rpartition(".")[2],
            path,
            importlib.util.decode_source(path.read_bytes()),
            extensions=griffe.Extensions(SourceFacts()),
            parent=parent if isinstance(parent, griffe.Module) else None,
        )
    except OSError as error:
        raise UnreadableError(f"cannot be read: {get_reason(error)}") from error
    except SyntaxError as error:
        raise UnreadableError(f"is not Python: {error.msg} (line {error.lineno})") from error
    except (UnicodeError, ValueError, RecursionError, MemoryError) as error:
        raise UnreadableError(f"is not Python: {get_reason(error)}") from error
    except Exception as error:  # whatever griffe meets in a stranger's code
        raise UnreadableError(f"cannot be understood: {error!r}") from error


def import_standard(name: str) -> types.ModuleType:
    """Import a module of the standard library, or raise `UnreadableError`.

    A stranger's file of the same name, which Python would find first, is not imported.
    """
    top = name.split(".", 1)[0]
    if not _is_of_interpreter(top):
        raise UnreadableError(f"is hidden by another {top} on the path; it is not imported")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise UnreadableError(f"cannot be imported: {get_reason(error)}") from error


def _is_of_interpreter(top: str) -> bool:
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return False
    if spec is None or top not in sys.stdlib_module_names:
        return False
    if not spec.has_location:
        return True
    place = Path(spec.origin or "")
    is_installed = {"site-packages", "dist-packages"}.isdisjoint(place.parts)
    homes = (sysconfig.get_path("stdlib"), sys.base_prefix, sys.base_exec_prefix)
    return is_installed and any(place.is_relative_to(home) for home in homes)


def inspect_value(module: griffe.Module, name: str, value: object) -> griffe.Object:
    """Describe an object of the interpreter under a name, as a member of a module."""
    inspector = griffe.Inspector(module.name, None, griffe.Extensions(RuntimeFacts()))
    inspector.current = griffe.Module(module.name, parent=module.parent, analysis="dynamic")
    above = griffe.ObjectNode(types.ModuleType(module.path), module.path)
    inspector.inspect(griffe.ObjectNode(value, name, parent=above))
    described = inspector.current.members[name]
    if isinstance(described, griffe.Alias):
        raise UnreadableError(f"{name} is only a name for {described.target_path}")
    described.parent = module
    return described


def _inspect_module(name: str) -> griffe.Module:
    """Describe a module of the interpreter: what it defines, and what it names anew."""
    value = import_standard(name)
    docstring = griffe.Docstring(inspect.cleandoc(value.__doc__)) if value.__doc__ else None
    module = griffe.Module(name, docstring=docstring, analysis="dynamic")
    exported = frozenset(getattr(value, "__all__", ()))
    for key, member in sorted(vars(value).items()):
        is_hidden = (is_private(key) or key.startswith("__")) and key not in exported
        if is_hidden or inspect.ismodule(member):
            continue
        target = _find_first_name(value, key, member)
        if target:
            module.set_member(key, griffe.Alias(key, target))
        else:
            module.set_member(key, inspect_value(module, key, member))
    return module


def _find_first_name(module: types.ModuleType, name: str, value: object) -> str:
    """Say where an object has its name from, where that is elsewhere: `IOError` is `OSError`."""
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return ""
    own = getattr(value, "__name__", name)
    if module is not builtins and getattr(builtins, own, None) is value:
        return f"builtins.{own}"
    if own != name and vars(module).get(own) is value:
        return f"{module.__name__}.{own}"
    return ""
