"""Packages: the metadata of Python distributions and Swift packages, one page each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from stacks.errors import SourceError
from stacks.model import PLATFORMS, Dependency, Document, Page
from stacks.sources.package_folders import (
    FoundPackage,
    find_installed,
    find_packages,
    find_readme_snippets,
    get_first_paragraph,
)
from stacks.sources.python_distributions import Distribution, read_metadata, read_pyproject
from stacks.sources.source import PageError, Source, SourceKind, attempt, register_source
from stacks.sources.swift_manifest import Manifest, read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = [
    "PackagesSource",
    "normalise_name",
    "read_requirements",
    "read_swift_dependencies",
]

_NAME = re.compile(r"\w([\w.\- ]*\w)?")
_RELEASE = re.compile(r"v?(\d+!)?\d+(\.\d+)*")
_FORMS = ("metadata", "pyproject", "swift")


_LABELS = {
    "version": "Version",
    "license": "Licence",
    "homepage": "Homepage",
    "requires": "Requires",
    "requires_python": "Requires Python",
    "keywords": "Keywords",
    "swift_tools_version": "Swift tools version",
    "platforms": "Platforms",
    "products": "Products",
}
_SEPARATORS = re.compile(r"[-_.\s]+")
_REQUIREMENT = re.compile(
    r"\s*([A-Za-z0-9][\w.-]{0,200})\s*(?:\[[^\[\]]{0,500}\])?\s*(.*)", re.DOTALL
)


class _Card(msgspec.Struct, frozen=True):
    """Everything that the page of a package is made from."""

    form: str
    data: bytes
    folder: str = ""
    texts: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class _Described:
    """A package that has a name."""

    found: FoundPackage
    language: str
    name: str
    version: str

    @property
    def key(self) -> str:
        """The language and the name that the page is known by."""
        return f"{self.language}/{normalise_name(self.name)}"

    @property
    def order(self) -> tuple[int, list[int], int, list[int]]:
        """Installed packages before source trees, then the highest version."""
        rank = -_FORMS.index(self.found.form)
        release = _RELEASE.match(self.version)
        rest = self.version[release.end() if release else 0 :]
        # A release candidate sorts before its release, a post-release after it.
        stage = 0 if not rest or rest[0] == "+" else 1 if "post" in rest else -1
        return rank, _get_numbers(release[0] if release else ""), stage, _get_numbers(rest)


class PackagesSource(Source):
    """The packages of a folder, or of the running environment."""

    def __init__(self, location: str) -> None:
        self.location = location

    def pages(self) -> Iterator[Page | PageError]:
        """Yield a page for each package; of several of one name, the highest version."""
        best: dict[str, _Described] = {}
        nothing = True
        for found in self._find():
            nothing = False
            described: _Described | PageError | None
            if isinstance(found, PageError):
                described = found
            else:
                described = attempt(found.place, partial(_describe, found))
            if isinstance(described, PageError):
                yield described
            elif described is not None:
                known = best.setdefault(described.key, described)
                if known is not described:
                    best[described.key] = max(known, described, key=lambda each: each.order)
                    yield _report_duplicate(known, described, best[described.key])
        if nothing:
            raise SourceError(
                f"{self.location} holds no package; one is known by a .dist-info folder, "
                "PKG-INFO, pyproject.toml or Package.swift"
            )
        for key, described in sorted(best.items()):
            found = described.found
            card = _Card(found.form, found.data, found.folder, found.texts)
            yield Page(key, msgspec.json.encode(card))

    def read(self, page: Page) -> Iterable[Document]:
        """Make the document of a package."""
        card = msgspec.json.decode(page.data, type=_Card)
        if card.form == "swift":
            manifest = _read_manifest(card.data)
            return [_make_swift(manifest, page.key, card)]
        distribution = _read_distribution(card.form, card.data)
        if distribution is None:
            raise PageError("describes no package")
        return [_make_python(distribution, page.key, card)]

    def _find(self) -> Iterator[FoundPackage | PageError]:
        if self.location == "installed":
            return find_installed()
        return find_packages(Path(self.location).expanduser())


def _get_numbers(text: str) -> list[int]:
    return [int(digits[:9]) for digits in re.findall(r"[0-9]+", text)]


def _describe(found: FoundPackage) -> _Described | PageError | None:
    """Find the name of a package; None if a file describes none."""
    try:
        if found.form == "swift":
            name, version, language = _read_manifest(found.data).name or found.folder, "", "swift"
        else:
            distribution = _read_distribution(found.form, found.data)
            if distribution is None:
                return None
            name, version, language = distribution.name, distribution.version, "python"
    except PageError as error:
        return PageError(f"{found.place} {error}")
    if not name:
        return PageError(f"{found.place} has no name; a package has one")
    if not _NAME.fullmatch(name):
        return PageError(f"{found.place} has the name {name[:80]!r}, which no package can have")
    return _Described(found, language, name, version)


def _report_duplicate(known: _Described, other: _Described, kept: _Described) -> PageError:
    dropped = other if kept is known else known
    return PageError(
        f"{dropped.found.place} describes {dropped.name} {dropped.version} again; "
        f"{kept.found.place} with {kept.version or 'no version'} is kept"
    )


def _read_distribution(form: str, data: bytes) -> Distribution | None:
    try:
        return read_pyproject(data) if form == "pyproject" else read_metadata(data)
    except (TypeError, ValueError, RecursionError) as error:
        raise PageError(f"cannot be read: {error}") from error


def _read_manifest(data: bytes) -> Manifest:
    try:
        manifest = read_manifest(data.decode("utf-8-sig", "replace"))
    except RecursionError as error:
        raise PageError("is nested too deeply for a manifest") from error
    if manifest is None:
        raise PageError("makes no Package(…); a manifest makes one")
    return manifest


def _make_python(distribution: Distribution, key: str, card: _Card) -> Document:
    texts = card.texts
    readme = distribution.readme or texts.get("README", "")
    is_markdown = "rst" not in (distribution.readme_type or texts.get("name", ""))
    facts = {
        "version": distribution.version,
        "license": distribution.license,
        "homepage": distribution.homepage,
        "requires": ", ".join(distribution.requires),
        "requires_python": distribution.requires_python,
        "keywords": ", ".join(distribution.keywords),
    }
    imported = texts.get("imported", "").splitlines()
    summary = distribution.summary or get_first_paragraph(readme)
    return Document(
        uri=f"packages://{key}",
        title=distribution.name,
        content=_make_content(distribution.name, summary, facts, readme),
        framework=key.partition("/")[2],
        module=imported[0] if imported else "",
        language="python",
        kind="package",
        summary=summary,
        names=_drop_title(imported, distribution.name),
        snippets=tuple(find_readme_snippets(readme, is_markdown=is_markdown)),
        dependencies=tuple(read_requirements(distribution.requires)),
        facts=_drop_empty(facts),
    )


def _make_swift(manifest: Manifest, key: str, card: _Card) -> Document:
    readme = card.texts.get("README", "").replace("\0", "")
    name = manifest.name or card.folder
    platforms = manifest.platforms or {}
    facts = {
        "swift_tools_version": manifest.tools_version,
        "platforms": ", ".join(f"{name} {version}" for name, version in platforms.items()),
        "products": ", ".join(manifest.products),
        "requires": ", ".join(manifest.dependencies),
    }
    known = {platform.lower(): version for platform, version in platforms.items()}
    modules = tuple(dict.fromkeys((*manifest.products, *manifest.targets)))
    summary = get_first_paragraph(readme)
    return Document(
        uri=f"packages://{key}",
        title=name,
        content=_make_content(name, summary, facts, readme),
        framework=key.partition("/")[2],
        module=modules[0] if modules else "",
        language="swift",
        kind="package",
        summary=summary,
        names=_drop_title(modules, name),
        availability={name: known[name] for name in PLATFORMS if name in known},
        swift_version=manifest.tools_version,
        snippets=tuple(find_readme_snippets(readme)),
        dependencies=tuple(read_swift_dependencies(manifest.dependencies)),
        facts=_drop_empty(facts),
    )


def _make_content(name: str, summary: str, facts: Mapping[str, str], readme: str) -> str:
    """Write the page: the name, the facts, then the README as it is."""
    lines = [f"- {_LABELS[label]}: {value}" for label, value in facts.items() if value]
    parts = (f"# {name}", summary, "\n".join(lines), readme)
    return "\n\n".join(part for part in parts if part)


def _drop_title(names: Iterable[str], title: str) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(names) if name != title)


def _drop_empty(facts: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in facts.items() if value}


register_source(
    SourceKind(
        name="packages",
        description="Python distributions and Swift packages: a folder of them, or 'installed'",
        example="packages=installed",
        open=PackagesSource,
        database="packages",
        weight=1.5,
        prefers_symbols=True,
    )
)


def normalise_name(name: str) -> str:
    """Fold a name as Python's index does: `Foo.Bar_baz` is `foo-bar-baz`."""
    return _SEPARATORS.sub("-", name).strip("-").lower()


def read_requirements(written: Iterable[str]) -> Iterator[Dependency]:
    """Read Python requirements: `requests[socks] (>=2.0)`, `tool @ https://…`."""
    for text in written:
        if match := _REQUIREMENT.match(text):
            name, rest = normalise_name(match.group(1)), match.group(2).strip()
            if rest.startswith("@"):
                yield Dependency(name, address=rest.removeprefix("@").strip())
            else:
                yield Dependency(name, rest.removeprefix("(").removesuffix(")").strip())


def read_swift_dependencies(written: Iterable[str]) -> Iterator[Dependency]:
    """Read Swift dependencies: an address, a path or an identity, then the versions."""
    for text in written:
        address, _, requirement = text.strip().partition(" ")
        last = address.rstrip("/").rpartition("/")[2]
        if name := last.removesuffix(".git"):
            is_place = "/" in address
            folded = normalise_name(name) if is_place else name.lower()
            yield Dependency(folded, requirement.strip(), address if is_place else "")
