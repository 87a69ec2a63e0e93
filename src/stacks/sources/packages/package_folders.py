"""The packages of a folder, and the files that describe each.

Nothing is run, no link is followed, and folders of vendored copies are not entered.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from stacks.errors import SourceError
from stacks.sources.file_selection import get_reason, make_printable
from stacks.sources.folders import read_files
from stacks.sources.packages.python_distributions import find_import_names, get_readme_path
from stacks.sources.packages.readmes import choose_readme
from stacks.sources.source import PageError, attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["FoundPackage", "find_installed", "find_packages"]

_NOT_ENTERED = frozenset(
    ("__pycache__", "_vendor", "build", "Carthage", "DerivedData", "node_modules", "Pods", "vendor")
)
_PYTHON_FILES = frozenset(("METADATA", "PKG-INFO", "pyproject.toml"))
_NO_MODULES = frozenset(("benchmarks", "docs", "examples", "scripts", "test", "tests", "tools"))


@dataclass(frozen=True, slots=True)
class FoundPackage:
    """A package that was found: the file that describes it, and the texts that belong to it.

    - `form` is the format of that file: `metadata`, `pyproject` or `swift`.
    - `place` is its path within the folder that was searched.
    - `folder` is the name of the folder that it lies in.
    """

    form: str
    place: str
    data: bytes
    folder: str = ""
    texts: dict[str, str] = field(default_factory=dict)


def find_packages(folder: Path) -> Iterator[FoundPackage | PageError]:
    """Search a folder and those below it, in the order of their names."""
    if not folder.is_dir():
        raise SourceError(
            f"{folder} is not a folder; give one that holds Python distributions (site-packages), "
            "source trees or Swift packages, or say 'installed'"
        )
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            entries = sorted(os.scandir(here), key=lambda entry: entry.name)
        except OSError as error:
            yield PageError(f"{_place(here, folder)} cannot be listed: {get_reason(error)}")
            continue
        yield from _look_at(here, folder, entries)
        folders = [entry for entry in entries if _is_entered(entry)]
        waiting.extend(here / entry.name for entry in reversed(folders))


def find_installed() -> Iterator[FoundPackage | PageError]:
    """Find the distributions of the running environment."""
    for place in dict.fromkeys(sys.path):
        folder = Path(place)
        if not folder.is_dir():
            continue
        for inner in sorted(folder.iterdir()):
            if inner.suffix in {".dist-info", ".egg-info"} and inner.is_dir():
                entries = sorted(os.scandir(inner), key=lambda entry: entry.name)
                yield from _look_at(inner, folder, entries)


def _is_entered(entry: os.DirEntry[str]) -> bool:
    is_folder = entry.is_dir(follow_symlinks=False)
    return is_folder and not entry.name.startswith(".") and entry.name not in _NOT_ENTERED


def _look_at(
    here: Path, root: Path, entries: list[os.DirEntry[str]]
) -> Iterator[FoundPackage | PageError]:
    """Find the packages that the files of a folder describe."""
    names = {entry.name for entry in entries if not entry.is_dir()}
    for name, (form, gather) in _FORMS.items():
        is_wanted = name in names and (name != "METADATA" or here.suffix == ".dist-info")
        if not is_wanted:
            continue
        place = _place(here / name, root)
        data = _read(here / name, place)
        if isinstance(data, PageError):
            yield data
        else:
            texts = attempt(place, partial(gather, here, names, data))
            if isinstance(texts, PageError):
                yield texts
            else:
                yield FoundPackage(form, place, data, here.resolve().name, texts)
        # The others in the same folder describe the same package.
        if form != "swift":
            names = names - _PYTHON_FILES


def _read(path: Path, place: str) -> bytes | PageError:
    if path.is_symlink():
        return PageError(f"{place} is a symbolic link; it is not followed")
    page = next(iter(read_files(path)))
    if isinstance(page, PageError):
        return PageError(f"{place}: {page}")
    return page.data


def _read_text(path: Path) -> str:
    """Read a text that belongs to a package; empty if there is none."""
    data = _read(path, "") if path.is_file() else b""
    return "" if isinstance(data, PageError) else data.decode("utf-8-sig", "replace")


def _gather_metadata(here: Path, names: set[str], _data: bytes) -> dict[str, str]:
    """Find what the distribution is imported as: what it says, or what it installs."""
    wanted = ("top_level.txt", "RECORD")
    top_level, record = (_read_text(here / name) if name in names else "" for name in wanted)
    imported = find_import_names(top_level, record)
    return {"imported": "\n".join(imported)} if imported else {}


def _gather_pyproject(here: Path, names: set[str], data: bytes) -> dict[str, str]:
    """Read the README, and list the folders that can be imported."""
    named = get_readme_path(data)
    readme = named if _is_file_inside(here, named) else choose_readme(names)
    texts = {"README": _read_text(here / readme), "name": readme} if readme else {}
    modules = [*_list_modules(here / "src"), *_list_modules(here)]
    return texts | ({"imported": "\n".join(dict.fromkeys(modules))} if modules else {})


def _is_file_inside(here: Path, name: str) -> bool:
    """Return whether a name is that of a file in a folder or below; no system has some names."""
    if not name or Path(name).is_absolute() or ".." in Path(name).parts:
        return False
    try:
        return (here / name).is_file()
    except (OSError, ValueError):
        return False


def _gather_swift(here: Path, names: set[str], _data: bytes) -> dict[str, str]:
    readme = choose_readme(names)
    return {"README": _read_text(here / readme), "name": readme} if readme else {}


def _list_modules(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    found = sorted(path.parent.name for path in folder.glob("*/__init__.py"))
    return [name for name in found if name not in _NO_MODULES and name.isidentifier()]


def _place(path: Path, root: Path) -> str:
    return make_printable(path.relative_to(root).as_posix())


_FORMS: dict[str, tuple[str, Callable[[Path, set[str], bytes], dict[str, str]]]] = {
    "METADATA": ("metadata", _gather_metadata),
    "PKG-INFO": ("metadata", _gather_metadata),
    "pyproject.toml": ("pyproject", _gather_pyproject),
    "Package.swift": ("swift", _gather_swift),
}
"""The files that describe a package, the best first."""
