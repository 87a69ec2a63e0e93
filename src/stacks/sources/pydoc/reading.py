"""A library read for its documents: every package once, bases found across packages."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from stacks.sources.pydoc.documents import make_documents
from stacks.sources.pydoc.finding import is_private
from stacks.sources.pydoc.index import make_index
from stacks.sources.pydoc.interpreter import UnreadableError
from stacks.sources.pydoc.library import Library
from stacks.sources.pydoc.names import Names
from stacks.sources.pydoc.uris import fold_names, make_uris

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import griffe

    from stacks.model import Document
    from stacks.sources.pydoc.finding import Shelf
    from stacks.sources.pydoc.index import PackageIndex
    from stacks.sources.pydoc.uris import Key

__all__ = ["Reading"]

_HOMES = {
    "_collections_abc": "collections",
    "_frozen_importlib": "importlib",
    "_frozen_importlib_external": "importlib",
    "_pydecimal": "decimal",
    "_pydatetime": "datetime",
    "_thread": "threading",
    "_weakrefset": "weakref",
    "posix": "os",
    "pyexpat": "xml",
}
"""Which package shows a private module, where that is not the one of the same name."""


class Reading:
    """The packages of some shelves; `chosen` are those that are wanted."""

    def __init__(self, shelves: Sequence[Shelf], chosen: Sequence[str]) -> None:
        self.names = Names(Library(shelves))
        self.chosen = tuple(chosen)
        self._indexes: dict[str, PackageIndex | None] = {}
        self._uris: dict[str, Mapping[Key, str]] = {}

    def read(self, name: str) -> Iterator[Document]:
        """Make the documents of a package, or raise `UnreadableError` where it has none."""
        package = self.names.library.find_package(name)
        if package is None:
            raise UnreadableError("is nowhere to be found")
        if len(package.modules) == 1:
            self.names.library.load_module(name)
        index = self._get_index(name)
        if index is None or not index.everything:
            raise UnreadableError("has no module that can be read and is public")
        find_parents = partial(self._find_parents, name)
        return make_documents(index, self._get_uris(index), find_parents)

    @cached_property
    def _roots(self) -> Mapping[str, str]:
        return fold_names(self.chosen)

    def _get_index(self, name: str) -> PackageIndex | None:
        if name not in self._indexes:
            package = self.names.library.find_package(name)
            made = make_index(package, self.names, self.chosen) if package else None
            self._indexes[name] = made
        return self._indexes[name]

    def _get_uris(self, index: PackageIndex) -> Mapping[Key, str]:
        if index.name not in self._uris:
            root = self._roots.get(index.name, index.name.lower())
            self._uris[index.name] = make_uris(index.everything, root)
        return self._uris[index.name]

    def _find_parents(self, package: str, target: griffe.Class) -> Iterator[str]:
        """Find the URIs of the base classes that have pages, here or in another package.

        That everything is an `object` is not told.
        """
        for base in self.names.resolve_bases(target):
            homes = (package, *_list_homes(base.package))
            for home in homes if base.path != "builtins.object" else ():
                uri = self._find_uri(home, base.path)
                if uri:
                    yield uri
                    break

    def _find_uri(self, home: str, path: str) -> str:
        package = self.names.library.find_package(home)
        if package is None or not (package.is_standard or home in self.chosen):
            return ""
        index = self._get_index(home)
        shown = index.paths.get(path) if index else None
        return self._get_uris(index)[shown, False] if index and shown else ""


def _list_homes(package: str) -> tuple[str, ...]:
    """List the packages that may show what a package defines."""
    known = _HOMES.get(package)
    if known:
        return (known,)
    return (package.lstrip("_"),) if is_private(package) else (package,)
