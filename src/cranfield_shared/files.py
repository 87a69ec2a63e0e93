"""Files: replaced whole, named after anything, and opened by SQLite under any path."""

from __future__ import annotations

import fcntl
import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["file_name", "held_file", "replace_bytes", "replace_file", "sqlite_uri"]

_UNFIT = re.compile(r"^[.-]|[^\w.-]+")


def replace_file(path: Path, text: str) -> None:
    """Write a text file, whole or not at all; folders are made, a link is followed."""
    replace_bytes(path, text.encode("utf-8", "backslashreplace"))


def replace_bytes(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all; folders are made, a link is followed.

    The content is written to `.NAME.partial` beside the file, which then takes its place. Whoever
    writes the same file at the same time waits. A failure removes the partial file; if the process
    is killed, the next write takes it over. A device or a pipe is written into.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        with path.open("wb") as opened:
            opened.write(content)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    with held_file(partial) as handle:
        try:
            _write(handle, content)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise


def _write(handle: int, content: bytes) -> None:
    os.truncate(handle, 0)
    with os.fdopen(handle, "wb", closefd=False) as opened:
        opened.write(content)
    # Else a machine that loses its power may keep the new name and none of the content.
    os.fsync(handle)


@contextmanager
def held_file(path: Path, *, wait: bool = True) -> Iterator[int]:
    """Create or open a file that no other process holds; yield its descriptor.

    Whoever holds it may rename or remove it: then the next one creates its own. Without `wait`,
    raises BlockingIOError if another process holds it.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    while True:
        handle = os.open(path, flags, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            if _is_at(handle, path):
                yield handle
                return
        finally:
            os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat(follow_symlinks=False))
    except FileNotFoundError:
        return False


_LONGEST_NAME = 200
_KEPT_OF_A_NAME = 160


def file_name(text: str) -> str:
    """Make the name of one file of any text: no path, not hidden, no option of a command.

    Letters, digits, `_`, `.` and `-` stay, everything else is percent-encoded, so different
    texts give different names. A long text is cut, and its hash put behind it.
    """
    name = _UNFIT.sub(_encode, text) or "%"
    written = name.encode()
    if len(written) <= _LONGEST_NAME:
        return name
    # Every command imports this module, and few have such a name.
    from hashlib import sha256

    kept = written[:_KEPT_OF_A_NAME].decode(errors="ignore")
    # No text is encoded with a percent sign before a hyphen, so no short one is named so.
    return f"{kept}%-{sha256(written).hexdigest()[:16]}"


def _encode(found: re.Match[str]) -> str:
    return "%" + found[0].encode("utf-8", "surrogatepass").hex("%").upper()


def sqlite_uri(path: Path, *, immutable: bool = False) -> str:
    """Return the address under which SQLite opens a file for reading only, whatever its name.

    An `immutable` file is read without locks and without its write-ahead log.
    """
    return f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if immutable else ''}"
