"""Fingerprints of the files that a system consists of, to notice when one changes."""

from __future__ import annotations

import ast
import hashlib
import os
import stat
import sys
from collections.abc import Mapping  # noqa: TC003 - msgspec reads annotations at run time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import SystemUnusableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "CACHE_FOLDER",
    "FileFingerprint",
    "changed_files",
    "find_imported",
    "find_modules_in",
    "fingerprint_files",
    "modules_at",
    "refuse_strangers",
]

_BLOCK = 1 << 20
_BLOCKS = 64
_MOST_WHOLE = _BLOCK * _BLOCKS
_SQLITE_MAGIC = b"SQLite format 3\0"
_LOGS = ("-wal", "-journal")
_SHARED_MEMORY = "-shm"

CACHE_FOLDER = "__pycache__"
"""What Python writes beside modules that it imports; it is not part of a folder."""

_WHOLE = "content"
_SAMPLED = "size, time of change and 64 blocks of content"
_FOLDER = "names and content of all files"


@dataclass(frozen=True, slots=True)
class FileFingerprint:
    """The identity of one file or folder.

    `method` says what was hashed; files above 64 MiB are sampled. `logs` are the write-ahead log
    and the journal of an SQLite database, if they are not empty: they are part of the database.
    """

    size: int
    sha256: str
    method: str = _WHOLE
    logs: Mapping[str, str] = field(default_factory=dict)


def fingerprint_files(paths: Iterable[str | Path]) -> dict[str, FileFingerprint]:
    """Take the fingerprint of each file or folder, by its path; all of them must exist."""
    return {str(path): _fingerprint(Path(path)) for path in paths}


def changed_files(
    before: Mapping[str, FileFingerprint], after: Mapping[str, FileFingerprint]
) -> list[str]:
    """Describe each difference in a sentence."""
    sentences: list[str] = []
    for path, old in before.items():
        new = after.get(path)
        if new is None:
            sentences.append(f"{path} is no longer among the files")
        elif new != old:
            sentences.append(f"{path} {_difference(old, new)}")
    sentences.extend(f"{path} was not among the files" for path in after if path not in before)
    return sentences


def _difference(old: FileFingerprint, new: FileFingerprint) -> str:
    if old.method != new.method and _FOLDER in (old.method, new.method):
        return "is no longer a folder" if old.method == _FOLDER else "has become a folder"
    if old.size != new.size:
        return f"changed: it had {old.size} bytes and has {new.size}"
    if (old.sha256, old.method) != (new.sha256, new.method):
        sampled = " or was only touched" if new.method == _SAMPLED else ""
        return f"changed{sampled}: it has the same size and another fingerprint"
    logs = [name for name in _LOGS if old.logs.get(name) != new.logs.get(name)]
    return f"was written to: its {' and '.join(logs)} file changed"


def _fingerprint(path: Path) -> FileFingerprint:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return _folder(path)
        if not stat.S_ISREG(mode):
            raise SystemUnusableError(
                f"its file {path} is neither a file nor a folder; name what it is made of"
            )
        found = _hash_file(path)
        return found if not _is_sqlite(path) else _with_logs(path, found)
    except OSError as problem:
        raise SystemUnusableError(
            f"its file {problem.filename or path} cannot be read: "
            f"{problem.strerror or problem}; build it, or fix files"
        ) from None


def _hash_file(path: Path) -> FileFingerprint:
    with path.open("rb") as file:
        about = os.fstat(file.fileno())
        if about.st_size <= _MOST_WHOLE:
            digest = hashlib.file_digest(file, "sha256")
            return FileFingerprint(about.st_size, digest.hexdigest())
        sampled = hashlib.sha256(f"{about.st_size} {about.st_mtime_ns}\n".encode())
        last = about.st_size - _BLOCK
        for number in range(_BLOCKS):
            file.seek(last * number // (_BLOCKS - 1))
            sampled.update(file.read(_BLOCK))
    return FileFingerprint(about.st_size, sampled.hexdigest(), _SAMPLED)


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC


def _with_logs(path: Path, database: FileFingerprint) -> FileFingerprint:
    """Add the logs that hold something: a reader may leave an empty one behind, or remove it."""
    logs = {}
    for name in _LOGS:
        log = path.with_name(path.name + name)
        if log.is_file() and log.stat().st_size:
            logs[name] = _hash_file(log).sha256
    return FileFingerprint(database.size, database.sha256, database.method, logs)


def _folder(path: Path) -> FileFingerprint:
    listing = hashlib.sha256()
    total = 0
    for name, entry in sorted(_entries(path)):
        if entry.is_symlink():
            listing.update(f"{name}\0link {entry.readlink()}\n".encode(errors="surrogateescape"))
        if entry.is_file() and not _is_trace(entry):
            found = _hash_file(entry)
            total += found.size
            line = f"{name}\0{found.size} {found.sha256}\n"
            listing.update(line.encode(errors="surrogateescape"))
    return FileFingerprint(total, listing.hexdigest(), _FOLDER)


def _entries(path: Path) -> Iterator[tuple[str, Path]]:
    """Yield all files below a folder; links to folders are listed and not entered."""

    def refuse(problem: OSError) -> None:
        raise problem

    for folder, folders, files in os.walk(path, onerror=refuse):
        folders[:] = [name for name in folders if name != CACHE_FOLDER]
        links = [name for name in folders if Path(folder, name).is_symlink()]
        for name in (*files, *links):
            entry = Path(folder, name)
            yield str(entry.relative_to(path)), entry


def _is_trace(entry: Path) -> bool:
    """Return whether a file is what readers of an SQLite database leave beside it."""
    for suffix in (_SHARED_MEMORY, *_LOGS):
        database = entry.with_name(entry.name.removesuffix(suffix))
        if entry.name.endswith(suffix) and database.is_file() and _is_sqlite(database):
            return suffix == _SHARED_MEMORY or entry.stat().st_size == 0
    return False


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
