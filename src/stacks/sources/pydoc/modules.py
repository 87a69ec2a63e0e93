"""The modules of many packages, and the names in each, wildcard imports expanded.

Each module is read once: from its source, or from the interpreter. Only modules of the standard
library are ever imported.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import griffe

from stacks.sources.paths import get_reason
from stacks.sources.pydoc.finders import BUILT_IN, COMPILED, NAMESPACE, STAND_IN
from stacks.sources.pydoc.griffe_extensions import Exports, SourceFacts, get_exports, get_stand_ins
from stacks.sources.pydoc.interpreter import UnreadableError, import_standard, inspect_module

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from stacks.sources.pydoc.finders import Finder, ModuleFile, Package

__all__ = ["DEFINED", "Library", "Link", "LoadedModule", "Namespaces"]

DEFINED = (griffe.Class, griffe.Function, griffe.TypeAlias)
"""What is a definition, unlike a variable, which may be another name for something."""


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
        """Whether the module was imported because it has no source."""
        return self.file.kind == BUILT_IN

    @cached_property
    def exports(self) -> Exports | None:
        """Its `__all__`, as far as the source states it."""
        return get_exports(self.tree)


class Library:
    """Packages and modules by name, from the first finder that finds them."""

    def __init__(self, finders: Sequence[Finder]) -> None:
        self._finders = tuple(finders)
        self._packages: dict[str, Package | None] = {}
        self._modules: dict[str, LoadedModule | UnreadableError] = {}
        self._stubs: dict[str, griffe.Module | None] = {}

    def find_package(self, name: str) -> Package | None:
        """Find a top-level package."""
        if name not in self._packages:
            found = (finder.find(name) for finder in self._finders)
            self._packages[name] = next((each for each in found if each), None)
        return self._packages[name]

    def has_module(self, name: str) -> bool:
        """Return whether there is a module of that dotted name, readable or not."""
        package = self.find_package(name.split(".", 1)[0])
        return package is not None and name in package.modules

    def get_module(self, name: str) -> LoadedModule | None:
        """Return a module, or None if there is none or it cannot be read."""
        if not self.has_module(name):
            return None
        loaded = self._load(name)
        return loaded if isinstance(loaded, LoadedModule) else None

    def load_module(self, name: str) -> LoadedModule:
        """Return an existing module, or raise `UnreadableError`."""
        loaded = self._load(name)
        if isinstance(loaded, UnreadableError):
            raise loaded
        return loaded

    def get_stub(self, module: LoadedModule) -> griffe.Module | None:
        """Return the stub beside a module's source, or None."""
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
            raise UnreadableError("cannot be found")
        file = package.modules[name]
        if file.kind == COMPILED:
            raise UnreadableError("is compiled and has no .pyi beside it; it is not imported")
        if file.kind == BUILT_IN:
            return LoadedModule(file, inspect_module(name), package.is_standard)
        if file.kind == NAMESPACE:
            return LoadedModule(file, griffe.Module(name, filepath=[]), package.is_standard)
        parent = self._get_parent(name, package)
        if file.kind == STAND_IN:
            tree = griffe.Module(name.rpartition(".")[2], parent=parent, filepath=[])
            self._copy_names(tree, parent)
        elif file.path is None:
            raise UnreadableError("has no source")
        else:
            tree = _visit(name, file.path, parent)
            self._copy_names(tree, tree)
        return LoadedModule(file, tree, package.is_standard)

    def _copy_names(self, tree: griffe.Module, setter: griffe.Module | None) -> None:
        """Give a module the names of the one that `setter` puts in its place.

        It keeps its own: the other may be its faster implementation.
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
        """Return the parent module; an empty one for a folder or a broken module."""
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
    except Exception as error:  # griffe may raise anything
        raise UnreadableError(f"cannot be understood: {error!r}") from error


class Link(NamedTuple):
    """A name that a module imports."""

    target: str
    is_wildcard: bool = False


class Namespaces:
    """The names of every module of a library, gathered once for each."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._namespaces: dict[str, Mapping[str, griffe.Object | Link]] = {}
        self._exports: dict[str, Exports] = {}

    def get(self, module: LoadedModule) -> Mapping[str, griffe.Object | Link]:
        """Return everything reachable as `module.name`, in the order of definition."""
        if module.name not in self._namespaces:
            self._namespaces[module.name] = self._make_namespace(module, frozenset())
        return self._namespaces[module.name]

    def get_exports(self, module: LoadedModule) -> Exports:
        """Return the `__all__` of a module with those that it includes; incomplete if it has none.

        If running code adds to it, the interpreter is asked, for its own library only.
        """
        if module.name not in self._exports:
            found = self._make_exports(module, frozenset())
            self._exports[module.name] = found or Exports(is_complete=False)
        return self._exports[module.name]

    def _make_namespace(
        self, module: LoadedModule, above: frozenset[str]
    ) -> Mapping[str, griffe.Object | Link]:
        """Gather the names of a module; `above` are those whose wildcards led here."""
        names: dict[str, griffe.Object | Link] = {}
        for name, member in module.tree.members.items():
            if not isinstance(member, griffe.Alias):
                names[name] = member
            elif member.wildcard is None:
                names[name] = Link(member.target_path)
            else:
                for each, link in self._expand(member.wildcard, above | {module.name}):
                    # A definition is not replaced by its faster implementation.
                    if not isinstance(names.get(each), DEFINED):
                        names[each] = link
        return names

    def _expand(self, target: str, above: frozenset[str]) -> Iterator[tuple[str, Link]]:
        """List what `from target import *` imports."""
        module = self.library.get_module(target)
        if module is None or module.name in above:
            return
        exports = self._make_exports(module, frozenset())
        if exports is not None and exports.is_complete:
            names = exports.names
        else:
            inner = self._make_namespace(module, above)
            names = tuple(name for name in inner if not name.startswith("_"))
        for name in names:
            yield name, Link(f"{target}.{name}", is_wildcard=True)

    def _make_exports(self, module: LoadedModule, above: frozenset[str]) -> Exports | None:
        exports = module.exports
        if exports is None:
            return None
        if not exports.is_complete and module.is_standard:
            return _ask_for_exports(module.name) or exports
        found = Exports(exports.names, is_complete=exports.is_complete)
        for written in exports.modules:
            target = self._find_module(module, written)
            if target is None or target.name in above:
                return Exports(found.names, is_complete=False)
            found += self._make_exports(target, above | {module.name}) or Exports()
        return found

    def _find_module(self, module: LoadedModule, written: str) -> LoadedModule | None:
        """Find the module that another one refers to as `tasks` or `.tasks`."""
        level = len(written) - len(written.lstrip("."))
        if level:
            parts = module.name.split(".")
            kept = len(parts) - level + module.file.is_package
            return self.library.get_module(".".join((*parts[:kept], *written[level:].split("."))))
        inner = self.library.get_module(f"{module.name}.{written}")
        member = module.tree.members.get(written)
        if inner is None and isinstance(member, griffe.Alias):
            return self.library.get_module(member.target_path)
        return inner or self.library.get_module(written)


def _ask_for_exports(name: str) -> Exports | None:
    try:
        names = import_standard(name).__all__
    except (AttributeError, UnreadableError):
        return None
    return Exports(tuple(map(str, names)))
