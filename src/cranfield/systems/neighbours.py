"""Modules beside a Python system: found, and never mistaken for those of another system."""

from __future__ import annotations

import ast
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import SystemUnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["find_imported", "find_modules_in", "modules_at", "refuse_strangers"]

_folders: set[Path] = set()
"""The folders of all systems that this process has opened."""


def find_modules_in(folder: Path) -> None:
    """Make modules in a folder importable, after all others: they must not hide ours."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
        _folders.add(folder)


def modules_at(place: Path) -> list[Path]:
    """Return the files that a module at a place without suffix may have."""
    return [path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()]


def find_imported(file: Path) -> list[Path]:
    """Return the files beside a Python file that it imports, directly or through each other.

    Of a package, all its modules. What is imported by a name that is computed is not found.
    """
    found: dict[Path, None] = {}
    left = [file]
    while left:
        for name in _imported(left.pop()):
            for own in modules_at(file.parent / name):
                package = sorted(own.parent.rglob("*.py")) if own.name == "__init__.py" else [own]
                new = [path for path in package if path not in found and path != file]
                found.update(dict.fromkeys(new))
                left += new
    return list(found)


def refuse_strangers(file: Path) -> None:
    """Refuse a file whose neighbours would be those of another system.

    A process has one module of a name. If two builds both have a ranking.py, the second would
    rank as the first does, and no comparison could find a difference.
    """
    seen, left = {file}, [file]
    while left:
        path = left.pop()
        for name in _imported(path):
            for own in modules_at(file.parent / name):
                if (other := _from_another_folder(name, file.parent)) is not None:
                    raise SystemUnusableError(
                        f"{path.name} imports {name}, which is already found at {other}, and {own} "
                        "is another; rename one of them, or run one of the systems as a command"
                    )
                if own not in seen:
                    seen.add(own)
                    left.append(own)


def _from_another_folder(name: str, folder: Path) -> Path | None:
    """Return the file that a name would be imported from if that is another system's."""
    try:
        found = find_spec(name)
    except ValueError:  # a module that was made by hand
        return None
    if found is None or found.origin is None:
        return None
    origin = Path(found.origin)
    home = origin.parent.parent if origin.name == "__init__.py" else origin.parent
    return origin if home != folder and home in _folders else None


def _imported(path: Path) -> Iterator[str]:
    """Yield the first part of every module that a file imports, in functions too."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):  # whoever imports it reports that
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
