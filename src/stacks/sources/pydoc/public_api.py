"""The public objects of a package, and the one path and URI that each is shown under.

An object is shown at its shortest public path: `asyncio.gather`, though it is defined in
`asyncio.tasks`. What a private module defines (`_collections_abc`, `httpx._client`) belongs to
the package that exports it. `pathlib.Path.exists` has the URI `pydoc://pathlib/path/exists`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from stacks.sources.pydoc.finders import IMPLEMENTATIONS, is_private
from stacks.sources.pydoc.modules import Link
from stacks.sources.pydoc.resolver import Definition
from stacks.sources.pydoc.traits import (
    deserves_page,
    find_docstring,
    find_members,
    get_kind,
    is_deprecated,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from stacks.sources.pydoc.finders import Package
    from stacks.sources.pydoc.modules import LoadedModule
    from stacks.sources.pydoc.resolver import NameResolver

__all__ = ["ApiEntry", "Key", "PackageApi", "find_public_api", "fold_package_names", "make_uris"]

Key = tuple[str, bool]
"""A dotted path and whether it is a module's: a function may have the same path as a module."""

_RANKS = {"class": 0, "enum": 0, "protocol": 0, "module": 1, "function": 2, "method": 2}


@dataclass(frozen=True)
class ApiEntry:
    """A public object that gets a page, with the path that it is shown under.

    - `module` is the dotted name of the public module it is shown in.
    - `docstring` is its own, or that of the method that it overrides.
    - `paths` are further public paths to the same object.
    - `members` are the pages below it: the methods and properties of a class.
    - `contents` maps the names in a module to the paths they lead to.
    """

    path: str
    module: str
    kind: str
    definition: Definition
    docstring: str = ""
    paths: tuple[str, ...] = ()
    members: tuple[ApiEntry, ...] = ()
    contents: Mapping[str, str] = field(default_factory=dict)
    is_deprecated: bool = False

    @property
    def title(self) -> str:
        """The name within the module; for a module its whole name."""
        return self.path if self.kind == "module" else self.path[len(self.module) + 1 :]

    @property
    def key(self) -> Key:
        """What identifies the page within its package."""
        return self.path, self.kind == "module"


class _Place(NamedTuple):
    """A public path of a definition, whose own path is `home`."""

    path: str
    module: str
    home: str
    position: int

    @property
    def order(self) -> tuple[int, bool, bool, str, int]:
        """Sort by length of path, its own name before others, home before other places.

        What a private module calls it is nobody's name: `weakref.ref` is `_weakref.ReferenceType`.
        """
        is_renamed = self.path.rpartition(".")[2] != self.home.rpartition(".")[2]
        is_renamed = is_renamed and not self.home.startswith("_") and "._" not in self.home
        is_away = self.path != self.home
        return self.path.count("."), is_renamed, is_away, self.module, self.position


@dataclass(frozen=True)
class PackageApi:
    """The public objects of one package."""

    name: str
    entries: tuple[ApiEntry, ...]

    @cached_property
    def everything(self) -> tuple[ApiEntry, ...]:
        """Every page: modules, their contents, and the members of those."""
        return tuple(_flatten(self.entries))

    @cached_property
    def paths(self) -> Mapping[str, str]:
        """Where an object is shown, by the path that it is defined at; without modules."""
        objects = (entry for entry in reversed(self.everything) if entry.kind != "module")
        return {entry.definition.path: entry.path for entry in objects}


def find_public_api(
    package: Package, resolver: NameResolver, chosen: Collection[str]
) -> PackageApi:
    """Find the public objects of a package; `chosen` are the packages with pages of their own."""
    return _ApiBuilder(package, resolver, frozenset(chosen)).build()


def _flatten(entries: tuple[ApiEntry, ...]) -> Iterator[ApiEntry]:
    for entry in entries:
        yield entry
        yield from _flatten(entry.members)


class _ApiBuilder:
    """Builds the API of one package."""

    def __init__(self, package: Package, resolver: NameResolver, chosen: frozenset[str]) -> None:
        self.package = package
        self.resolver = resolver
        self.chosen = chosen
        self.modules = [module for module in map(self._load, package.modules) if module]

    def build(self) -> PackageApi:
        """Gather the names of each public module, and give every object its shortest path."""
        places: dict[str, list[_Place]] = {}
        definitions: dict[str, Definition] = {}
        contents: dict[str, dict[str, str]] = {}
        for module in self.modules:
            inside = contents.setdefault(module.name, {})
            for position, (name, definition) in enumerate(self._find_public(module)):
                inside[name] = definition.path
                if self._belongs_here(definition):
                    path = f"{module.name}.{name}"
                    place = _Place(path, module.name, definition.path, position)
                    places.setdefault(definition.path, []).append(place)
                    definitions.setdefault(definition.path, definition)
        objects = [self._make_object(definitions[path], places[path]) for path in places]
        shown = {entry.definition.path: entry.path for entry in objects}
        modules = [self._make_module(each, contents[each.name], shown) for each in self.modules]
        return PackageApi(self.package.name, (*modules, *objects))

    def _load(self, name: str) -> LoadedModule | None:
        is_hidden = any(is_private(part) for part in name.split(".")[1:])
        return None if is_hidden else self.resolver.library.get_module(name)

    def _find_public(self, module: LoadedModule) -> Iterator[tuple[str, Definition]]:
        """Yield the public names of a module in order, with their definitions."""
        exports = self.resolver.namespaces.get_exports(module)
        exported = dict.fromkeys(exports.names)
        namespace = self.resolver.namespaces.get(module)
        for name in dict.fromkeys((*namespace, *exported)):
            found = namespace.get(name)
            is_exported = name in exported
            if not is_exported and (name.startswith("_") or found is None):
                continue
            if isinstance(found, Link) and not is_exported:
                is_shown = self._is_shown(found, module, is_complete=exports.is_complete)
                if not is_shown:
                    continue
            definition = self.resolver.resolve_member(module, name)
            if definition is not None and deserves_page(definition, is_exported=is_exported):
                yield name, definition

    def _is_shown(self, link: Link, module: LoadedModule, *, is_complete: bool) -> bool:
        """Return whether a name that is imported, but not in `__all__`, is public.

        A package that imports everything from one of its modules exports it, listed or not.
        """
        top = link.target.split(".", 1)[0]
        if top == self.package.name:
            is_package = module.file.is_package
            is_gathered = link.is_wildcard and is_package
            is_offered = link.is_wildcard or is_package or module.is_inspected
            return is_gathered or (is_offered and not is_complete)
        is_hidden = is_private(top) or (module.is_standard and top in IMPLEMENTATIONS)
        return not is_complete and is_hidden and (link.is_wildcard or module.is_standard)

    def _belongs_here(self, definition: Definition) -> bool:
        """Return whether this package shows an object: its own, or of a package without pages."""
        top = definition.package
        if top == self.package.name:
            return True
        if is_private(top):
            return True
        found = self.resolver.library.find_package(top)
        if found is not None and found.is_standard:
            return self.package.is_standard and top in IMPLEMENTATIONS
        return top not in self.chosen

    def _make_object(self, definition: Definition, places: list[_Place]) -> ApiEntry:
        best, *others = sorted(places, key=lambda place: place.order)
        paths = tuple(place.path for place in others)
        entry = self._make_entry(definition, best.path, best.module)
        return replace(entry, paths=paths)

    def _make_entry(
        self, definition: Definition, path: str, module: str, within: frozenset[str] = frozenset()
    ) -> ApiEntry:
        """Make the page of an object and those below it; `within` are the enclosing classes."""
        is_member = path.count(".") > module.count(".") + 1
        inside = within | {definition.path}
        # A class in a private class may inherit from the enclosing one, and so contain itself.
        members = {
            name: member
            for name, member in find_members(definition, self.resolver).items()
            if member.path not in inside
        }
        return ApiEntry(
            path=path,
            module=module,
            kind=get_kind(definition, self.resolver, is_member=is_member),
            definition=definition,
            docstring=find_docstring(definition, self.resolver),
            members=tuple(
                self._make_entry(member, f"{path}.{name}", module, inside)
                for name, member in members.items()
            ),
            is_deprecated=is_deprecated(definition.target),
        )

    def _make_module(
        self, module: LoadedModule, inside: Mapping[str, str], shown: Mapping[str, str]
    ) -> ApiEntry:
        contents = {name: shown.get(path, path) for name, path in inside.items()}
        below = {
            each.name.rpartition(".")[2]: each.name
            for each in self.modules
            if each.name.rpartition(".")[0] == module.name
        }
        definition = Definition(module.name, module.tree)
        return ApiEntry(
            path=module.name,
            module=module.name,
            kind="module",
            definition=definition,
            docstring=find_docstring(definition, self.resolver),
            contents={**below, **contents},
            is_deprecated=is_deprecated(module.tree),
        )


def make_uris(entries: Iterable[ApiEntry], root: str) -> Mapping[Key, str]:
    """Give each page of a package its URI; `root` is the first part, that of the package.

    Case is folded. If several paths fold to one, a class keeps it, then a module, then a function
    or method, and of the same rank the first by its dotted name; the others get a suffix.
    """
    ordered = sorted(entries, key=lambda entry: (_RANKS.get(entry.kind, 3), *entry.key))
    uris: dict[Key, str] = {}
    taken: set[str] = set()
    for entry in ordered:
        _, _, rest = entry.path.partition(".")
        folded = (
            "/".join(("pydoc:/", root, *rest.lower().split("."))) if rest else f"pydoc://{root}"
        )
        uri = _make_distinct(folded, entry.path, taken)
        taken.add(uri)
        uris[entry.key] = uri
    return uris


def fold_package_names(names: Iterable[str]) -> Mapping[str, str]:
    """Give each package the first part of its URIs, distinct even if names differ only in case."""
    folded: dict[str, str] = {}
    taken: set[str] = set()
    # Lower case first: `pil` before `PIL`.
    for name in sorted(names, key=lambda name: (name != name.lower(), name)):
        folded[name] = _make_distinct(name.lower(), name, taken)
        taken.add(folded[name])
    return folded


def _make_distinct(folded: str, name: str, taken: set[str]) -> str:
    """Append four digits of the exact name's hash, or more, if the folded name is taken."""
    if folded not in taken:
        return folded
    digits = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    for length in range(4, len(digits)):
        marked = f"{folded}-{digits[:length]}"
        if marked not in taken:
            return marked
    return f"{folded}-{digits}-{len(taken)}"
