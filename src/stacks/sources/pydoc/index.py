"""Which things of a package are public, and the one path that each of them is shown under.

A thing is shown at its shortest public path: `asyncio.gather`, though it is defined in
`asyncio.tasks`. What a private module defines (`_collections_abc`, `httpx._client`) belongs to
the package that shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from stacks.sources.pydoc.finding import IMPLEMENTATIONS, is_private
from stacks.sources.pydoc.kinds import (
    deserves_page,
    find_docstring,
    find_members,
    get_kind,
    is_deprecated,
)
from stacks.sources.pydoc.names import Definition
from stacks.sources.pydoc.namespaces import Link

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from stacks.sources.pydoc.finding import Package
    from stacks.sources.pydoc.library import LoadedModule
    from stacks.sources.pydoc.names import Names

__all__ = ["Entry", "PackageIndex", "make_index"]


@dataclass(frozen=True)
class Entry:
    """A page to be: something public, with the path that it is shown under.

    - `module` is the dotted name of the public module it is shown in.
    - `docstring` is its own, or that of the method that it overrides.
    - `paths` are further public paths that lead to the same thing.
    - `members` are the pages below it: of a class its methods and properties.
    - `contents` are, for a module, the names in it with what they lead to.
    """

    path: str
    module: str
    kind: str
    definition: Definition
    docstring: str = ""
    paths: tuple[str, ...] = ()
    members: tuple[Entry, ...] = ()
    contents: Mapping[str, str] = field(default_factory=dict)
    is_deprecated: bool = False

    @property
    def title(self) -> str:
        """The name within the module; a module has its whole name."""
        return self.path if self.kind == "module" else self.path[len(self.module) + 1 :]


class _Place(NamedTuple):
    """A public path of a definition."""

    path: str
    module: str
    is_home: bool
    position: int

    @property
    def order(self) -> tuple[int, bool, str, int]:
        """Short paths first, then the place of definition, then the order in the module."""
        return self.path.count("."), not self.is_home, self.module, self.position


@dataclass(frozen=True)
class PackageIndex:
    """The public things of one package."""

    name: str
    entries: tuple[Entry, ...]

    @cached_property
    def everything(self) -> tuple[Entry, ...]:
        """Every page: modules, what is in them, and what is in that."""
        return tuple(_flatten(self.entries))

    @cached_property
    def paths(self) -> Mapping[str, str]:
        """Where a definition is shown, by the path that it is defined at; modules are not in it."""
        things = (entry for entry in reversed(self.everything) if entry.kind != "module")
        return {entry.definition.path: entry.path for entry in things}


def make_index(package: Package, names: Names, chosen: Collection[str]) -> PackageIndex:
    """Find what a package shows; `chosen` are the packages that show themselves."""
    return _Publishing(package, names, frozenset(chosen)).publish()


def _flatten(entries: tuple[Entry, ...]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        yield from _flatten(entry.members)


class _Publishing:
    """The making of one package's index."""

    def __init__(self, package: Package, names: Names, chosen: frozenset[str]) -> None:
        self.package = package
        self.names = names
        self.chosen = chosen
        self.modules = [module for module in map(self._load, package.modules) if module]

    def publish(self) -> PackageIndex:
        """Gather the names of each public module, and give every thing its shortest path."""
        places: dict[str, list[_Place]] = {}
        definitions: dict[str, Definition] = {}
        contents: dict[str, dict[str, str]] = {}
        for module in self.modules:
            inside = contents.setdefault(module.name, {})
            for position, (name, definition) in enumerate(self._find_public(module)):
                inside[name] = definition.path
                if self._belongs_here(definition):
                    path = f"{module.name}.{name}"
                    place = _Place(path, module.name, path == definition.path, position)
                    places.setdefault(definition.path, []).append(place)
                    definitions.setdefault(definition.path, definition)
        things = [self._make_thing(definitions[path], places[path]) for path in places]
        shown = {entry.definition.path: entry.path for entry in things}
        modules = [self._make_module(each, contents[each.name], shown) for each in self.modules]
        return PackageIndex(self.package.name, (*modules, *things))

    def _load(self, name: str) -> LoadedModule | None:
        is_hidden = any(is_private(part) for part in name.split(".")[1:])
        return None if is_hidden else self.names.library.get_module(name)

    def _find_public(self, module: LoadedModule) -> Iterator[tuple[str, Definition]]:
        """Yield the public names of a module in their order, with what they lead to."""
        exports = self.names.namespaces.get_exports(module)
        exported = dict.fromkeys(exports.names)
        namespace = self.names.namespaces.get(module)
        for name in dict.fromkeys((*namespace, *exported)):
            found = namespace.get(name)
            is_exported = name in exported
            if not is_exported and (name.startswith("_") or found is None):
                continue
            if isinstance(found, Link) and not is_exported:
                is_shown = self._is_shown(found, module, is_complete=exports.is_complete)
                if not is_shown:
                    continue
            definition = self.names.resolve_member(module, name)
            if definition is not None and deserves_page(definition, is_exported=is_exported):
                yield name, definition

    def _is_shown(self, link: Link, module: LoadedModule, *, is_complete: bool) -> bool:
        """Tell whether a name that is imported, and not in `__all__`, is for others to use.

        A package that takes all of one of its modules shows it, whatever it forgets to list.
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
        """Tell whether this package shows a thing: its own, or of one that does not."""
        top = definition.package
        if top == self.package.name:
            return True
        if is_private(top):
            return True
        found = self.names.library.find_package(top)
        if found is not None and found.is_standard:
            return self.package.is_standard and top in IMPLEMENTATIONS
        return top not in self.chosen

    def _make_thing(self, definition: Definition, places: list[_Place]) -> Entry:
        best, *others = sorted(places, key=lambda place: place.order)
        paths = tuple(place.path for place in others)
        entry = self._make_entry(definition, best.path, best.module)
        return replace(entry, paths=paths)

    def _make_entry(
        self, definition: Definition, path: str, module: str, within: frozenset[str] = frozenset()
    ) -> Entry:
        """Make the page of a thing and those below it; `within` are the classes around it."""
        is_member = path.count(".") > module.count(".") + 1
        inside = within | {definition.path}
        # A class in a private class may inherit from the one around it, and so hold itself.
        members = {
            name: member
            for name, member in find_members(definition, self.names).items()
            if member.path not in inside
        }
        return Entry(
            path=path,
            module=module,
            kind=get_kind(definition, self.names, is_member=is_member),
            definition=definition,
            docstring=find_docstring(definition, self.names),
            members=tuple(
                self._make_entry(member, f"{path}.{name}", module, inside)
                for name, member in members.items()
            ),
            is_deprecated=is_deprecated(definition.target),
        )

    def _make_module(
        self, module: LoadedModule, inside: Mapping[str, str], shown: Mapping[str, str]
    ) -> Entry:
        contents = {name: shown.get(path, path) for name, path in inside.items()}
        below = {
            each.name.rpartition(".")[2]: each.name
            for each in self.modules
            if each.name.rpartition(".")[0] == module.name
        }
        definition = Definition(module.name, module.tree)
        return Entry(
            path=module.name,
            module=module.name,
            kind="module",
            definition=definition,
            docstring=find_docstring(definition, self.names),
            contents={**below, **contents},
            is_deprecated=is_deprecated(module.tree),
        )
