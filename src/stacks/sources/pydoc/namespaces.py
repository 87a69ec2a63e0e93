"""The names of a module: what it defines, imports and exports, wildcards expanded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import griffe

from stacks.sources.pydoc.exports import Exports
from stacks.sources.pydoc.interpreter import UnreadableError, import_standard

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from stacks.sources.pydoc.library import Library, LoadedModule

__all__ = ["DEFINED", "Link", "Namespaces"]

DEFINED = (griffe.Class, griffe.Function, griffe.TypeAlias)
"""What is defined where it stands, unlike a variable, which may be another name of something."""


class Link(NamedTuple):
    """A name that a module has from elsewhere."""

    target: str
    is_wildcard: bool = False


class Namespaces:
    """The names of every module of a library, each gathered once."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._namespaces: dict[str, Mapping[str, griffe.Object | Link]] = {}
        self._exports: dict[str, Exports] = {}

    def get(self, module: LoadedModule) -> Mapping[str, griffe.Object | Link]:
        """Return everything that can be reached as `module.name`, in the order of definition."""
        if module.name not in self._namespaces:
            self._namespaces[module.name] = self._make_namespace(module, frozenset())
        return self._namespaces[module.name]

    def get_exports(self, module: LoadedModule) -> Exports:
        """Return the `__all__` of a module with those that it adds; incomplete where it has none.

        Where running code adds to it, the interpreter is asked, for its own library only.
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
                    # A definition is not replaced by its faster twin.
                    if not isinstance(names.get(each), DEFINED):
                        names[each] = link
        return names

    def _expand(self, target: str, above: frozenset[str]) -> Iterator[tuple[str, Link]]:
        """List what `from target import *` brings."""
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
        """Find the module that is called `tasks` or `.tasks` within another."""
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
