"""Which files of a corpus are wanted, and how the others are spoken of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["ARCHIVE_SUFFIXES", "LARGEST", "Choice", "choose_files", "get_reason", "printable"]

ARCHIVE_SUFFIXES = (
    ".tar",
    ".tar.gz",
    ".tgz",
    ".tar.xz",
    ".txz",
    ".tar.bz2",
    ".tbz2",
    ".zip",
)
"""What the name of an archive ends with; how it is compressed is seen from its first bytes."""

LARGEST = 32 * 2**20
"""The size in bytes beyond which a file is left out, unless a reader says otherwise."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which files are wanted: by the end of their names, their size and the folders they are in."""

    suffixes: tuple[str, ...]
    largest: int
    without: frozenset[str]

    def enters(self, folder: str) -> bool:
        """Tell whether a folder of that name is looked into."""
        return not folder.startswith(".") and folder != "__MACOSX" and folder not in self.without

    def reaches(self, key: str) -> bool:
        """Tell whether a file or a link is come across at all, by its path alone."""
        *folders, name = key.split("/")
        is_left_behind = name.startswith("._") or name == ".DS_Store"
        return not is_left_behind and all(self.enters(folder) for folder in folders)

    def wants(self, key: str) -> bool:
        """Tell whether a file is read, by its path alone."""
        return self.reaches(key) and (not self.suffixes or key.lower().endswith(self.suffixes))

    def describe_allowed(self) -> str:
        """Say what a location may be."""
        files = f"a {' or '.join(self.suffixes)} file" if self.suffixes else "a file"
        return f"give a folder, an archive ({', '.join(ARCHIVE_SUFFIXES)}) or {files}"

    def refuse_size(self, key: str, size: int) -> PageError:
        """Say that a file is too large."""
        return PageError(f"{key} has {size:,} bytes; the largest that is read has {self.largest:,}")


def choose_files(suffixes: Collection[str], largest: int, without: Collection[str]) -> Choice:
    """Make a choice; a lone string is one suffix."""
    ends = [suffixes] if isinstance(suffixes, str) else suffixes
    return Choice(tuple(end.lower() for end in ends), largest, frozenset(without))


def get_reason(error: BaseException) -> str:
    """Say in one line what the system or a library said."""
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(said.split()) or type(error).__name__


def printable(name: str) -> str:
    r"""Write the bytes of a name that are not UTF-8 as `\xe9`, so that it can be stored."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
