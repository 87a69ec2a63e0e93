"""The packages of a folder, and the files that describe each, READMEs included.

Nothing is run, no link is followed, and folders of vendored copies are not entered.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from stacks.errors import SourceError
from stacks.model import Snippet
from stacks.sources.folders import read_files
from stacks.sources.paths import get_reason, make_printable
from stacks.sources.pydoc.docstrings import split_blocks as split_docstring
from stacks.sources.python_distributions import find_import_names, get_readme_path
from stacks.sources.source import PageError, attempt
from stacks.text import split_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = [
    "FoundPackage",
    "choose_readme",
    "find_installed",
    "find_packages",
    "find_readme_snippets",
    "get_first_paragraph",
]

_NOT_ENTERED = frozenset(
    ("__pycache__", "_vendor", "build", "Carthage", "DerivedData", "node_modules", "Pods", "vendor")
)
_PYTHON_FILES = frozenset(("METADATA", "PKG-INFO", "pyproject.toml"))
_NO_MODULES = frozenset(("benchmarks", "docs", "examples", "scripts", "test", "tests", "tools"))


_README = re.compile(r"readme(\.(md|markdown|rst|txt))?", re.IGNORECASE)
_SUFFIXES = ("md", "markdown", "rst", "txt", "")
_FENCE = re.compile(r" {0,3}(?:`{3}|~{3})[^`]*$")
# A heading, a rule, a badge, a picture, a tag, a list, a quotation, a table, a link's target.
_NO_PROSE = re.compile(
    r"\s*(#|[-=*_~^+]{3,}\s*$|!?\[!|!\[|<|[-*+] |\d+\. |>|\||\.\. |\[[^\]]+\]:|:\w)"
)
_UNDERLINE = re.compile(r"\s*[-=*~^\"'#+]{3,}\s*$")
_LONGEST = 300


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


def choose_readme(names: Iterable[str]) -> str | None:
    """Choose the README of a folder by the names of its files; Markdown before others."""
    found = [name for name in names if _README.fullmatch(name)]
    return min(found, key=_rank, default=None)


def find_readme_snippets(readme: str, *, is_markdown: bool = True) -> list[Snippet]:
    """List the code of a README: fences in Markdown, code blocks in reStructuredText."""
    if not is_markdown:
        parts = split_docstring(readme)
        return [Snippet(part.text, part.language) for part in parts if part.is_code]
    blocks = (block for block in split_blocks(readme) if block.is_fenced and block.text.strip())
    return [Snippet(block.text, block.language) for block in blocks]


def get_first_paragraph(readme: str) -> str:
    """Return the first paragraph that is prose, on one line; empty if there is none."""
    is_code = False
    paragraph: list[str] = []
    for line in (*readme.splitlines(), ""):
        is_fence = _FENCE.match(line) is not None
        is_code = is_code != is_fence
        is_prose = bool(line.strip()) and not (is_fence or is_code or _NO_PROSE.match(line))
        if is_prose:
            paragraph.append(line.strip())
        elif paragraph and not (len(paragraph) == 1 and _UNDERLINE.match(line)):
            text = " ".join(paragraph)
            return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"
        else:
            paragraph = []
    return ""


def _rank(name: str) -> tuple[int, str]:
    suffix = name.partition(".")[2].lower()
    return _SUFFIXES.index(suffix), name
