"""The modules of many packages, each read once: from its source, or from the interpreter.

Nothing but the standard library is ever imported.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import griffe

from stacks.sources.file_selection import get_reason
from stacks.sources.pydoc.facts import SourceFacts, get_exports, get_stand_ins
from stacks.sources.pydoc.finding import BUILT_IN, COMPILED, NAMESPACE, STAND_IN
from stacks.sources.pydoc.interpreter import UnreadableError, inspect_module

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from stacks.sources.pydoc.exports import Exports
    from stacks.sources.pydoc.finding import ModuleFile, Package, Shelf

__all__ = ["Library", "LoadedModule"]


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
            return LoadedModule(file, inspect_module(name), package.is_standard)
        if file.form == NAMESPACE:
            return LoadedModule(file, griffe.Module(name, filepath=[]), package.is_standard)
        parent = self._get_parent(name, package)
        if file.form == STAND_IN:
            tree = griffe.Module(name.rpartition(".")[2], parent=parent, filepath=[])
            self._take_all(tree, parent)
        elif file.path is None:
            raise UnreadableError("has no source")
        else:
            tree = _visit(name, file.path, parent)
            self._take_all(tree, tree)
        return LoadedModule(file, tree, package.is_standard)

    def _take_all(self, tree: griffe.Module, setter: griffe.Module | None) -> None:
        """Let a module have the names of the one that `setter` sets in its place.

        It keeps its own, of which the other may be a faster twin.
        """
        written = get_stand_ins(setter).get(tree.path) if setter else None
        if setter is None or written is None:
            return
        first, _, rest = written.partition(".")
        member = setter.members.get(first)
        start = member.target_path if isinstance(member, griffe.Alias) else f"{setter.path}.{first}"
        target = f"{start}.{rest}" if rest else start
        if self.has_module(target) and target != tree.path:
            wildcard = f"{target.replace('.', '/')}/*"
            tree.set_member(wildcard, griffe.Alias(wildcard, target))

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
