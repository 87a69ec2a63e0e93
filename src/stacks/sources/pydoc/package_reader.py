"""The documents of Python packages: every package is analysed once, bases found across packages."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

import griffe

from stacks.model import SYMBOL_KINDS, Document, Snippet, Symbol
from stacks.sources.pydoc.docstrings import clean_text, get_summary, render_blocks, split_blocks
from stacks.sources.pydoc.finders import is_private
from stacks.sources.pydoc.griffe_extensions import get_decorators
from stacks.sources.pydoc.interpreter import UnreadableError
from stacks.sources.pydoc.modules import Library
from stacks.sources.pydoc.public_api import find_public_api, fold_package_names, make_uris
from stacks.sources.pydoc.resolver import NameResolver
from stacks.sources.pydoc.signatures import (
    get_bases,
    get_generic_parameters,
    make_construction,
    make_declaration,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from stacks.sources.pydoc.docstrings import DocstringBlock
    from stacks.sources.pydoc.finders import Finder
    from stacks.sources.pydoc.public_api import ApiEntry, Key, PackageApi

__all__ = ["PackageReader"]

_STATIC = ("staticmethod", "classmethod")
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
"""The package that exports a private module's names, if it has another name."""


class PackageReader:
    """Reads the packages of some finders; `chosen` are those that are indexed."""

    def __init__(self, finders: Sequence[Finder], chosen: Sequence[str]) -> None:
        self.resolver = NameResolver(Library(finders))
        self.chosen = tuple(chosen)
        self._apis: dict[str, PackageApi | None] = {}
        self._uris: dict[str, Mapping[Key, str]] = {}

    def read(self, name: str) -> Iterator[Document]:
        """Make the documents of a package, or raise `UnreadableError` if it has none."""
        package = self.resolver.library.find_package(name)
        if package is None:
            raise UnreadableError("cannot be found")
        if len(package.modules) == 1:
            self.resolver.library.load_module(name)
        api = self._get_api(name)
        if api is None or not api.everything:
            raise UnreadableError("has no module that can be read and is public")
        find_parents = partial(self._find_parents, name)
        return _make_documents(api, self._get_uris(api), find_parents)

    @cached_property
    def _roots(self) -> Mapping[str, str]:
        return fold_package_names(self.chosen)

    def _get_api(self, name: str) -> PackageApi | None:
        if name not in self._apis:
            package = self.resolver.library.find_package(name)
            made = find_public_api(package, self.resolver, self.chosen) if package else None
            self._apis[name] = made
        return self._apis[name]

    def _get_uris(self, api: PackageApi) -> Mapping[Key, str]:
        if api.name not in self._uris:
            root = self._roots.get(api.name, api.name.lower())
            self._uris[api.name] = make_uris(api.everything, root)
        return self._uris[api.name]

    def _find_parents(self, package: str, target: griffe.Class) -> Iterator[str]:
        """Find the URIs of the bases that have pages, here or in another package; not `object`."""
        for base in self.resolver.resolve_bases(target):
            homes = (package, *_list_homes(base.package))
            for home in homes if base.path != "builtins.object" else ():
                uri = self._find_uri(home, base.path)
                if uri:
                    yield uri
                    break

    def _find_uri(self, home: str, path: str) -> str:
        package = self.resolver.library.find_package(home)
        if package is None or not (package.is_standard or home in self.chosen):
            return ""
        api = self._get_api(home)
        shown = api.paths.get(path) if api else None
        return self._get_uris(api)[shown, False] if api and shown else ""


def _list_homes(package: str) -> tuple[str, ...]:
    """List the packages that may export what a package defines."""
    known = _HOMES.get(package)
    if known:
        return (known,)
    return (package.lstrip("_"),) if is_private(package) else (package,)


def _make_documents(
    api: PackageApi, uris: Mapping[Key, str], find_parents: Callable[[griffe.Class], Iterable[str]]
) -> Iterator[Document]:
    """Make a document of each page; `find_parents` gives the URIs of a class's bases."""
    summaries = {
        entry.path: get_summary(entry.docstring, entry.path.rpartition(".")[2])
        for entry in api.everything
    }
    for entry in api.everything:
        yield _make_document(entry, uris[entry.key], find_parents, summaries)


def _make_document(
    entry: ApiEntry,
    uri: str,
    find_parents: Callable[[griffe.Class], Iterable[str]],
    summaries: Mapping[str, str],
) -> Document:
    target = entry.definition.target
    declaration = make_declaration(entry)
    blocks = split_blocks(entry.docstring)
    decorators = tuple(f"@{name}" for name in get_decorators(target))
    bases = get_bases(target)
    return Document(
        uri=uri,
        title=entry.title,
        content=_make_content(entry, declaration, blocks, summaries),
        framework=uri.split("://", 1)[1].split("/", 1)[0],
        module=entry.module,
        language="python",
        kind=entry.kind,
        summary=summaries[entry.path],
        declaration=declaration,
        names=_find_names(entry),
        is_deprecated=entry.is_deprecated,
        attributes=decorators,
        conformances=bases,
        snippets=tuple(Snippet(each.text, each.language) for each in blocks if each.is_code),
        symbols=_make_symbols(entry, declaration, decorators, bases),
        parents=tuple(find_parents(target)) if isinstance(target, griffe.Class) else (),
    )


def _find_names(entry: ApiEntry) -> tuple[str, ...]:
    """List the names that people use: `pathlib.Path.exists`, `exists`."""
    bare = entry.path.rpartition(".")[2]
    others = (path.rpartition(".")[2] for path in entry.paths)
    names = dict.fromkeys((entry.path, *entry.paths, bare, *others))
    return tuple(name for name in names if name != entry.title)


def _make_symbols(
    entry: ApiEntry, declaration: str, decorators: tuple[str, ...], bases: tuple[str, ...]
) -> tuple[Symbol, ...]:
    if entry.kind not in SYMBOL_KINDS:
        return ()
    target = entry.definition.target
    return (
        Symbol(
            name=entry.path.rpartition(".")[2],
            kind=entry.kind,
            signature=declaration,
            line=target.lineno or 1,
            is_async=target.has_labels("async"),
            is_public=True,
            is_static=any(target.has_labels(label) for label in _STATIC),
            attributes=decorators,
            conformances=bases,
            generic_parameters=get_generic_parameters(target),
        ),
    )


def _make_content(
    entry: ApiEntry, declaration: str, blocks: list[DocstringBlock], summaries: Mapping[str, str]
) -> str:
    """Write the page: name, declaration, description, members."""
    parts = (
        f"# {entry.path}",
        "> **Deprecated.**" if entry.is_deprecated else "",
        f"```python\n{declaration}\n```" if declaration else "",
        _describe_construction(entry),
        _describe_home(entry),
        render_blocks(blocks),
        _list_cases(entry),
        _list_members(entry, summaries),
        _list_contents(entry, summaries),
    )
    return "\n\n".join(part for part in parts if part)


def _describe_construction(entry: ApiEntry) -> str:
    """Describe how a class is called, with the docstring of its `__init__` if both have one."""
    call = make_construction(entry)
    if not call:
        return ""
    target = entry.definition.target
    made = target.members.get("__init__")
    text = ""
    if isinstance(made, griffe.Function) and made.docstring and target.docstring:
        is_own = target.analysis == "static"
        text = render_blocks(split_blocks(clean_text(made.docstring.value))) if is_own else ""
    return "\n\n".join(part for part in (f"```python\n{call}\n```", text) if part)


def _describe_home(entry: ApiEntry) -> str:
    """Name the module that defines an object, if it is not the one that shows it."""
    place = entry.definition.target.module.path if entry.kind != "module" else ""
    home = entry.definition.path
    inside = ", ".join(f"`{path}`" for path in entry.paths if path != home)
    defined = [f"Defined in `{place}`."] if place and place != entry.module else []
    return " ".join((*defined, *([f"Also {inside}."] if inside else ())))


def _list_cases(entry: ApiEntry) -> str:
    """List the values of an enumeration, which have no pages."""
    if entry.kind != "enum":
        return ""
    cases = []
    for name, member in entry.definition.target.members.items():
        is_shown = not name.startswith("_") and not is_private(name)
        if is_shown and isinstance(member, griffe.Attribute) and member.value is not None:
            cases.append(f"- `{name} = {member.value}`")
    lines = clean_text("\n".join(cases))
    return f"## Cases\n\n{lines}" if lines else ""


def _list_members(entry: ApiEntry, summaries: Mapping[str, str]) -> str:
    names = {
        member.path: member.path.rpartition(".")[2] + ("()" if member.kind == "method" else "")
        for member in entry.members
    }
    text = "\n".join(_list_item(name, summaries[path]) for path, name in names.items())
    return f"## Members\n\n{text}" if text else ""


def _list_contents(entry: ApiEntry, summaries: Mapping[str, str]) -> str:
    items = (_list_item(name, summaries.get(path, "")) for name, path in entry.contents.items())
    text = "\n".join(items)
    return f"## Contents\n\n{text}" if text else ""


def _list_item(name: str, summary: str) -> str:
    return f"- `{name}` – {summary}" if summary else f"- `{name}`"
