"""The files of a corpus: which are read, the paths of their URIs, and text from their bytes."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = [
    "ARCHIVE_SUFFIXES",
    "LARGEST_FILE",
    "FileSelection",
    "decode_text",
    "get_corpus_name",
    "get_reason",
    "is_binary",
    "make_printable",
    "make_slug",
    "quote_path",
    "quote_segment",
    "select_files",
    "spell_out",
]

ARCHIVE_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".zip")
"""The file extensions of archives; the compression is recognised by an archive's first bytes."""

LARGEST_FILE = 32 * 2**20
"""The size in bytes above which a file is skipped, unless a source sets its own limit."""


# Letters of every script stay as they are: people read URIs, and SQLite compares them as text.
_UNSAFE_IN_PATH = re.compile(r'[\s\x00-\x20\x7f%?#<>"{}|\\^`]')
_UNSAFE_IN_SEGMENT = re.compile(r'[\s\x00-\x20\x7f%?#<>"{}|\\^`/]')
_NO_SLUG = re.compile(r"[\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MARKED = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # starts with UTF-16's mark, so it is checked first
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 8192  # bytes


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
    r"""Write bytes of a name that are not UTF-8 as `\xe9`, so it can be stored."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def quote_path(path: str) -> str:
    """Percent-encode characters not allowed in a path, `%` included, so nothing is lost."""
    return _UNSAFE_IN_PATH.sub(lambda match: quote(match.group(), safe=""), path)


def quote_segment(name: str) -> str:
    """Percent-encode a name that is one segment of a path; a slash in it is not a separator."""
    return _UNSAFE_IN_SEGMENT.sub(lambda match: quote(match.group(), safe=""), name)


def make_slug(name: str) -> str:
    """Write a name in lower case with hyphens: `My Sample App` becomes `my-sample-app`."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return _NO_SLUG.sub("-", folded).strip("-")


def spell_out(name: str) -> str:
    """Write a file or folder name as a title: `using-swift` becomes `Using swift`."""
    words = " ".join(re.split(r"[-_\s]+", _CAMEL.sub(" ", name))).strip()
    return words[:1].upper() + words[1:]


def get_corpus_name(location: str) -> str:
    """Name a corpus after its folder, its archive or the folder of its single file."""
    path = Path(location).resolve()
    if path.is_dir() or not path.suffix:
        return path.name or "root"
    for suffix in sorted(ARCHIVE_SUFFIXES, key=len, reverse=True):
        if path.name.lower().endswith(suffix):
            return path.name[: -len(suffix)] or path.parent.name
    return path.parent.name or "root"


def decode_text(data: bytes) -> str:
    r"""Decode text, with Unix line ends; what cannot be decoded or stored becomes `\ufffd`."""
    for mark, encoding in _MARKED:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, "replace")
            break
    else:
        text = data.decode(_guess_unmarked(data), "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def is_binary(data: bytes) -> bool:
    """Return whether bytes are not text: more than a stray NUL, and no encoding explains them."""
    if any(data.startswith(mark) for mark, _ in _MARKED):
        return False
    head = data[:_SAMPLE]
    return head.count(0) > len(head) / 100 and _guess_unmarked(data) == "utf-8"


def _guess_unmarked(data: bytes) -> str:
    """Recognise UTF-16 without a byte order mark by its NULs: every other byte of Latin text."""
    head = data[: _SAMPLE - _SAMPLE % 2]
    if head.count(0) < len(head) * 0.4 or not head:
        return "utf-8"
    even, odd = head[::2].count(0), head[1::2].count(0)
    if even == 0:
        return "utf-16-le"
    return "utf-16-be" if odd == 0 else "utf-8"
