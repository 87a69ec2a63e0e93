"""Which files of a corpus are read, and how those that are not are described."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = [
    "ARCHIVE_SUFFIXES",
    "LARGEST_FILE",
    "FileSelection",
    "get_reason",
    "make_printable",
    "select_files",
]

ARCHIVE_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".zip")
"""The file extensions of archives; the compression is recognised by an archive's first bytes."""

LARGEST_FILE = 32 * 2**20
"""The size in bytes above which a file is skipped, unless a source sets its own limit."""


@dataclass(frozen=True, slots=True)
class FileSelection:
    """Which files are read: by extension, size and the folders they are in."""

    suffixes: tuple[str, ...]
    largest: int
    without: frozenset[str]

    def enters(self, folder: str) -> bool:
        """Return whether a folder of that name is searched."""
        return not folder.startswith(".") and folder != "__MACOSX" and folder not in self.without

    def reaches(self, key: str) -> bool:
        """Return whether a file or link is considered at all, by its path alone."""
        *folders, name = key.split("/")
        is_left_behind = name.startswith("._") or name == ".DS_Store"
        return not is_left_behind and all(self.enters(folder) for folder in folders)

    def wants(self, key: str) -> bool:
        """Return whether a file is read, by its path alone."""
        return self.reaches(key) and (not self.suffixes or key.lower().endswith(self.suffixes))

    def describe_allowed(self) -> str:
        """Describe what a location may be."""
        files = f"a {' or '.join(self.suffixes)} file" if self.suffixes else "a file"
        return f"give a folder, an archive ({', '.join(ARCHIVE_SUFFIXES)}) or {files}"

    def refuse_size(self, key: str, size: int) -> PageError:
        """Return the error for a file that is too large."""
        return PageError(f"{key} has {size:,} bytes; the largest that is read has {self.largest:,}")


def select_files(
    suffixes: Collection[str], largest: int, without: Collection[str]
) -> FileSelection:
    """Make a selection; a single string is one suffix."""
    listed = [suffixes] if isinstance(suffixes, str) else suffixes
    return FileSelection(tuple(suffix.lower() for suffix in listed), largest, frozenset(without))


def get_reason(error: BaseException) -> str:
    """Return the message of an error in one line."""
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(said.split()) or type(error).__name__


def make_printable(name: str) -> str:
    r"""Write bytes of a name that are not UTF-8 as `\xe9`, so that it can be stored."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
