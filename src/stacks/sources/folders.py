"""The files of a corpus, read safely from a folder, an archive or a single file.

Nothing is unpacked, no link is followed, only regular files are opened, and at most `largest`
bytes of a file are held in memory, whatever an archive claims about itself.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import SourceError
from stacks.model import Page
from stacks.sources.archives import is_zip, list_tar, list_zip, read_tar, read_zip
from stacks.sources.paths import (
    ARCHIVE_SUFFIXES,
    LARGEST_FILE,
    FileSelection,
    get_reason,
    make_printable,
    select_files,
)
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    _Reader = Callable[[Path, FileSelection], Iterator[Page | PageError]]
__all__ = ["LARGEST_FILE", "Regular", "count_files", "list_files", "read_files", "read_regular"]


def read_files(
    location: str | Path,
    *,
    suffixes: Collection[str] = (),
    largest: int = LARGEST_FILE,
    without: Collection[str] = (),
) -> Iterator[Page | PageError]:
    """Yield the files with one of the `suffixes` (all files if none is given), in order.

    A key is the path below `location`, with slashes. Links, devices, files over `largest` bytes
    and names that point outside an archive yield a `PageError` instead of a page. Hidden
    folders, folders named in `without` and macOS metadata files are skipped. Raises
    `SourceError` before the first page if the location cannot be read.
    """
    selection = select_files(suffixes, largest, without)
    path = Path(location)
    return _get_reader(path, selection)(path, selection)


def list_files(
    location: str | Path, *, suffixes: Collection[str] = (), without: Collection[str] = ()
) -> Iterator[str]:
    """Yield the keys of the files that `read_files` would read, without reading them."""
    selection = select_files(suffixes, LARGEST_FILE, without)
    path = Path(location)
    return _LISTINGS[_get_reader(path, selection)](path, selection)


def count_files(
    location: str | Path, *, suffixes: Collection[str] = (), without: Collection[str] = ()
) -> int | None:
    """Count the files that `read_files` would read, or None if that needs reading them."""
    selection = select_files(suffixes, LARGEST_FILE, without)
    path = Path(location)
    reader = _get_reader(path, selection)
    return None if reader is read_tar else sum(1 for _ in _LISTINGS[reader](path, selection))


class _Found(NamedTuple):
    """A file or a link in a folder."""

    key: str
    entry: os.DirEntry[str]


def _get_reader(path: Path, selection: FileSelection) -> _Reader:
    """Return the function that reads a location, or raise `SourceError`."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        reason = get_reason(error)
        message = f"{path} cannot be read: {reason}; {selection.describe_allowed()}"
        raise SourceError(message) from None
    if stat.S_ISDIR(mode):
        return _read_folder
    if not stat.S_ISREG(mode):
        raise SourceError(f"{path} is a pipe or a device; {selection.describe_allowed()}")
    if path.name.lower().endswith(ARCHIVE_SUFFIXES):
        return read_zip if is_zip(path) else read_tar
    if selection.suffixes and not path.name.lower().endswith(selection.suffixes):
        raise SourceError(
            f"{path} is neither a folder nor an archive; {selection.describe_allowed()}"
        )
    return _read_single


def _read_folder(path: Path, selection: FileSelection) -> Iterator[Page | PageError]:
    """Read the regular files of a folder."""
    for found in _walk(path, selection):
        if isinstance(found, PageError):
            yield found
        elif not selection.reaches(found.key):
            continue
        elif found.entry.is_symlink():
            yield PageError(f"{found.key} is a symbolic link; it is not followed")
        elif selection.wants(found.key):
            yield _read_regular(Path(found.entry.path), found.key, selection)


def _walk(path: Path, selection: FileSelection) -> Iterator[_Found | PageError]:
    """List a folder and its subfolders in the order of their names, without recursion."""
    try:
        waiting = _list_folder(str(path), "")
    except OSError as error:
        raise SourceError(f"{path} cannot be listed: {get_reason(error)}") from None
    while waiting:
        found = waiting.pop()
        try:
            is_folder = found.entry.is_dir(follow_symlinks=False)
            if is_folder and selection.enters(found.entry.name):
                waiting += _list_folder(found.entry.path, f"{found.key}/")
        except OSError as error:
            yield PageError(f"{found.key} cannot be read: {get_reason(error)}")
            continue
        if not is_folder:
            yield found


def _list_folder(path: str, prefix: str) -> list[_Found]:
    """List one folder, last name first."""
    with os.scandir(path) as entries:
        ordered = sorted(entries, key=lambda entry: entry.name, reverse=True)
    return [_Found(prefix + make_printable(entry.name), entry) for entry in ordered]


def _list_keys(path: Path, selection: FileSelection) -> Iterator[str]:
    """List the selected files of a folder by their names alone."""
    for found in _walk(path, selection):
        if isinstance(found, PageError) or found.entry.is_symlink():
            continue
        if selection.wants(found.key):
            yield found.key


def _read_single(path: Path, selection: FileSelection) -> Iterator[Page | PageError]:
    """Read the single file that a location names; if it is a link, the user chose it."""
    yield _read_regular(path.resolve(), make_printable(path.name), selection)


class Regular(NamedTuple):
    """A regular file: its size, and its bytes unless there are more than the limit."""

    size: int
    data: bytes | None


def read_regular(path: str | Path, key: str, largest: int) -> Regular | PageError:
    """Read a regular file; this is checked again after opening, in case it was replaced."""
    # Without blocking, so a pipe does not wait for a writer; Windows lacks these flags.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        # Opening a device may have effects, so the type is checked before opening too.
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return PageError(f"{key} is a pipe, a socket or a device; it is not opened")
        with os.fdopen(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > largest:
                return Regular(size, None)
            data = file.read(largest + 1)
    except OSError as error:
        return PageError(f"{key} cannot be read: {get_reason(error)}")
    return Regular(len(data), data if len(data) <= largest else None)


def _read_regular(path: Path, key: str, selection: FileSelection) -> Page | PageError:
    """Make a page of a file unless it is too large."""
    regular = read_regular(path, key, selection.largest)
    if isinstance(regular, PageError):
        return regular
    if regular.data is None:
        return selection.refuse_size(key, regular.size)
    return Page(key, regular.data)


_LISTINGS: dict[_Reader, Callable[[Path, FileSelection], Iterator[str]]] = {
    _read_folder: _list_keys,
    _read_single: lambda path, _: iter([make_printable(path.name)]),
    read_tar: list_tar,
    read_zip: list_zip,
}
