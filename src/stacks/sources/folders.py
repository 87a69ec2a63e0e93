"""The files of a corpus, read safely from a folder, an archive or one file.

Nothing is unpacked, no link is followed, nothing but a regular file is opened, and no file is
held in memory beyond a limit, whatever an archive claims about itself.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import SourceError
from stacks.model import Page
from stacks.sources.archives import is_zip, list_tar, list_zip, read_tar, read_zip
from stacks.sources.chosen import (
    ARCHIVE_SUFFIXES,
    LARGEST,
    Choice,
    choose_files,
    get_reason,
    printable,
)
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

__all__ = ["LARGEST", "Regular", "count_files", "list_files", "read_files", "read_regular"]


def read_files(
    location: str | Path,
    *,
    suffixes: Collection[str] = (),
    largest: int = LARGEST,
    without: Collection[str] = (),
) -> Iterator[Page | PageError]:
    """Yield the files whose names end in one of `suffixes` (all, where none is given), in order.

    A key is the path below `location` with slashes. Links, devices, files over `largest` bytes
    and names that lead out of an archive are errors that stand in the place of the page.
    Hidden folders, those named in `without`, and what macOS leaves behind are passed over.
    Raises `SourceError` before the first page where there is nothing to read from.
    """
    choice = choose_files(suffixes, largest, without)
    path = Path(location)
    return _get_reading(path, choice)(path, choice)


def list_files(
    location: str | Path, *, suffixes: Collection[str] = (), without: Collection[str] = ()
) -> Iterator[str]:
    """Yield the keys of the files that `read_files` would read, without reading them."""
    choice = choose_files(suffixes, LARGEST, without)
    path = Path(location)
    return _LISTINGS[_get_reading(path, choice)](path, choice)


def count_files(
    location: str | Path, *, suffixes: Collection[str] = (), without: Collection[str] = ()
) -> int | None:
    """Count the files that `read_files` would read, or None where only reading them would tell."""
    choice = choose_files(suffixes, LARGEST, without)
    path = Path(location)
    reading = _get_reading(path, choice)
    return None if reading is read_tar else sum(1 for _ in _LISTINGS[reading](path, choice))


class _Found(NamedTuple):
    """A file or a link in a folder."""

    key: str
    entry: os.DirEntry[str]


def _get_reading(
    path: Path, choice: Choice
) -> Callable[[Path, Choice], Iterator[Page | PageError]]:
    """Say how a location is read, or that it cannot be."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        reason = get_reason(error)
        message = f"{path} cannot be read: {reason}; {choice.describe_allowed()}"
        raise SourceError(message) from None
    if stat.S_ISDIR(mode):
        return _read_folder
    if not stat.S_ISREG(mode):
        raise SourceError(f"{path} is a pipe or a device; {choice.describe_allowed()}")
    if path.name.lower().endswith(ARCHIVE_SUFFIXES):
        return read_zip if is_zip(path) else read_tar
    if choice.suffixes and not path.name.lower().endswith(choice.suffixes):
        raise SourceError(f"{path} is neither a folder nor an archive; {choice.describe_allowed()}")
    return _read_single


def _read_folder(path: Path, choice: Choice) -> Iterator[Page | PageError]:
    """Read the files of a folder, each one only if it is a regular file."""
    for found in _walk(path, choice):
        if isinstance(found, PageError):
            yield found
        elif not choice.reaches(found.key):
            continue
        elif found.entry.is_symlink():
            yield PageError(f"{found.key} is a symbolic link; it is not followed")
        elif choice.wants(found.key):
            yield _read_regular(Path(found.entry.path), found.key, choice)


def _walk(path: Path, choice: Choice) -> Iterator[_Found | PageError]:
    """List a folder and those below it in the order of their names, without recursion."""
    try:
        waiting = _list_folder(str(path), "")
    except OSError as error:
        raise SourceError(f"{path} cannot be listed: {get_reason(error)}") from None
    while waiting:
        found = waiting.pop()
        try:
            is_folder = found.entry.is_dir(follow_symlinks=False)
            if is_folder and choice.enters(found.entry.name):
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
    return [_Found(prefix + printable(entry.name), entry) for entry in ordered]


def _list_keys(path: Path, choice: Choice) -> Iterator[str]:
    """List the files that a folder offers, by looking at names alone."""
    for found in _walk(path, choice):
        if isinstance(found, PageError) or found.entry.is_symlink():
            continue
        if choice.wants(found.key):
            yield found.key


def _read_single(path: Path, choice: Choice) -> Iterator[Page | PageError]:
    """Read the one file that a location names; a link to it is the user's own."""
    yield _read_regular(path.resolve(), printable(path.name), choice)


class Regular(NamedTuple):
    """A regular file: its size, and its bytes unless there are more than were asked for."""

    size: int
    data: bytes | None


def read_regular(path: str | Path, key: str, largest: int) -> Regular | PageError:
    """Read a file if it is one when it has been opened: it may have changed since it was seen."""
    # Without blocking, so that a pipe does not wait for a writer; the flags are absent on Windows.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        # A device may act when it is opened, so it is looked at before as well as after.
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


def _read_regular(path: Path, key: str, choice: Choice) -> Page | PageError:
    """Make a page of a file, if it is not too large."""
    regular = read_regular(path, key, choice.largest)
    if isinstance(regular, PageError):
        return regular
    if regular.data is None:
        return choice.refuse_size(key, regular.size)
    return Page(key, regular.data)


_LISTINGS: dict[
    Callable[[Path, Choice], Iterator[Page | PageError]], Callable[[Path, Choice], Iterator[str]]
] = {
    _read_folder: _list_keys,
    _read_single: lambda path, _: iter([printable(path.name)]),
    read_tar: list_tar,
    read_zip: list_zip,
}
