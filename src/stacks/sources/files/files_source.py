"""A desktop's files: indexed by name, and by content if that is text and not a secret.

The first line of a page's data says what follows:

- `content`: the bytes of the file;
- `name`: its size and the reason why its content is not read, on a line each.

Many file names are conventions that mean nothing to people who do not know them, so a document
also says in words what its file is: a spreadsheet, a shell's configuration.
"""

from __future__ import annotations

import stat
import unicodedata
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield_shared.settings_files import parse_toml
from stacks.errors import SourceError
from stacks.model import Document, Page
from stacks.sources.files.extractor import Extractor
from stacks.sources.files.file_contents import FileContent, read_content
from stacks.sources.files.traversal import walk_files
from stacks.sources.folders import read_regular
from stacks.sources.paths import (
    get_corpus_name,
    get_reason,
    make_printable,
    make_slug,
    quote_segment,
)
from stacks.sources.secrets import find_secret
from stacks.sources.source import NameOnly, PageError, Source, SourceKind, register_source
from stacks.text import FileType, TextAccess, find_identifiers, get_file_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stacks.sources.files.traversal import FoundFile

__all__ = [
    "FileCorpus",
    "FilesSource",
    "describe_file",
    "make_file_document",
]

_SETTINGS = {"megabytes": 32, "seconds": 20}
_CONTENT, _NAME = b"content\n", b"name\n"
_SKIPPED = {
    stat.S_IFLNK: "is a symbolic link; it is not followed",
    stat.S_IFIFO: "is a pipe; it is not opened",
    stat.S_IFSOCK: "is a socket; it is not opened",
    stat.S_IFBLK: "is a device; it is not opened",
    stat.S_IFCHR: "is a device; it is not opened",
}
"""Entries of a folder that are not regular files, and the message for each."""


_MOST_IDENTIFIERS = 2000
_LOOKED_THROUGH = 500_000  # characters; longer code is data or made by a program
_CONVENTIONS = Path(__file__).with_name("conventions.toml")
_TYPES = {
    "document": "document",
    "spreadsheet": "spreadsheet",
    "presentation": "presentation slides",
    "image": "image",
    "audio": "sound",
    "video": "video",
    "archive": "archive",
    "installer": "installer",
    "design": "design",
}


class FilesSource(Source):
    """A folder and everything below it.

    `megabytes` is the size of the largest file whose content is read, `seconds` the time limit
    for one file. The worker that extracts text runs from the first document that needs it to the
    last page.
    """

    def __init__(
        self,
        location: str,
        *,
        megabytes: int = _SETTINGS["megabytes"],
        seconds: int = _SETTINGS["seconds"],
        extractor: Extractor | None = None,
    ) -> None:
        self.path = Path(location).expanduser()
        if not self.path.is_dir():
            raise SourceError(f"{location} is not a folder; files=FOLDER takes one")
        if megabytes < 1 or seconds < 1:
            raise SourceError("files.megabytes and files.seconds are whole numbers from 1 on")
        self.largest = megabytes * 2**20
        self.corpus = make_printable(get_corpus_name(str(self.path)))
        self._above = self.path.resolve().parts[1:]
        self._extractor = extractor or Extractor(seconds)

    def pages(self) -> Iterator[Page | PageError]:
        """Yield each file that is not ignored, or the reason why one is skipped."""
        try:
            for found in walk_files(self.path):
                yield found if isinstance(found, PageError) else self._look_at(found)
        finally:
            self._extractor.close()

    def count(self) -> int:
        """Count the files by listing the folders, which is cheap compared to reading them."""
        return sum(1 for _ in walk_files(self.path))

    def _look_at(self, found: FoundFile) -> Page | PageError:
        """Make the page of a file; one indexed by its name only is not opened."""
        try:
            status = found.entry.stat(follow_symlinks=False)
        except OSError as error:
            return PageError(f"{found.key} cannot be read: {get_reason(error)}")
        skipped = _SKIPPED.get(stat.S_IFMT(status.st_mode))
        if skipped:
            return PageError(f"{found.key} {skipped}")
        reason = find_secret((*self._above, *found.path)) or get_file_type(found.path[-1]).reason
        if reason:
            return _pack_name(found.key, status.st_size, reason)
        regular = read_regular(found.entry.path, found.key, self.largest)
        if isinstance(regular, PageError):
            return regular
        if regular.data is None:
            reason = f"has {regular.size:,} bytes; files of at most {self.largest:,} are read"
            return _pack_name(found.key, regular.size, reason)
        return Page(found.key, _CONTENT + regular.data)

    def read(self, page: Page) -> Iterator[Document | NameOnly]:
        """Make the document of a file, followed by a `NameOnly` if its content is not indexed."""
        name = page.key.rpartition("/")[2]
        packed = _unpack(page)
        content = FileContent(reason=packed.reason)
        if not packed.reason:
            content = read_content(name, get_file_type(name), packed.data, self._extractor)
        yield make_file_document(FileCorpus(self.corpus), page.key, packed.size, content)
        if content.reason:
            yield NameOnly(content.reason)


class _Packed(NamedTuple):
    """The data of a page: the bytes of a file, or the reason why they are not read."""

    size: int
    data: bytes = b""
    reason: str = ""


def _pack_name(key: str, size: int, reason: str) -> Page:
    """Make the page of a file indexed by its name only; it changes with its size."""
    return Page(key, _NAME + f"{size}\n{reason}".encode())


def _unpack(page: Page) -> _Packed:
    """Read the data of a page."""
    if page.data.startswith(_CONTENT):
        data = page.data[len(_CONTENT) :]
        return _Packed(len(data), data)
    mark, size, reason = page.data.decode().split("\n", 2)
    if f"{mark}\n".encode() != _NAME:
        raise PageError(f"is not a page of a files source: it starts with {mark!r}")
    return _Packed(int(size), reason=reason)


register_source(
    SourceKind(
        name="files",
        description="a desktop's files: documents, source code, and everything else by name",
        example="files=Documents",
        open=FilesSource,
        database="files",
        ranking="files",
        embeds=True,
        settings=_SETTINGS,
    )
)


@dataclass(frozen=True, slots=True)
class FileCorpus:
    """The folder that files come from, by its name in their URIs."""

    name: str

    @property
    def slug(self) -> str:
        """The name as a framework: in lower case with hyphens."""
        return make_slug(self.name) or quote_segment(self.name)

    def make_uri(self, key: str) -> str:
        """Return the URI of a file."""
        parts = (self.name, *key.split("/"))
        return "files://" + "/".join(quote_segment(part) for part in parts)


def make_file_document(corpus: FileCorpus, key: str, size: int, content: FileContent) -> Document:
    """Make the document of a file; without content if there is a reason not to read it."""
    folder, _, name = key.rpartition("/")
    kind = get_file_type(name)
    # A file that could not be read as its name says may be anything.
    is_code = kind.type == "code" and not content.reason
    # Some systems store names decomposed; people type them composed.
    title = unicodedata.normalize("NFC", name)
    stem, extension = _split_name(title)
    seen = content.text[:_LOOKED_THROUGH] if is_code else ""
    return Document(
        uri=corpus.make_uri(key),
        title=title,
        content=content.text,
        summary=_summarise(name, unicodedata.normalize("NFC", folder), kind),
        framework=corpus.slug,
        module=corpus.name,
        language=kind.language if is_code else "",
        kind="file",
        names=(stem,) if stem != title else (),
        identifiers=find_identifiers(seen, _MOST_IDENTIFIERS),
        facts={
            **content.facts,
            "extension": extension.lower(),
            "folder": folder,
            "size": str(size),
            "type": _get_type(kind, content),
            "content": f"name only: {content.reason}" if content.reason else content.extent,
        },
    )


def _summarise(name: str, folder: str, kind: FileType) -> str:
    """Describe in one line what a file is and which folder it is in."""
    described = describe_file(name, folder, kind)
    return " in ".join(part for part in (described, folder) if part)


def _split_name(name: str) -> tuple[str, str]:
    """Split a name into stem and extension; leading dots start no extension."""
    bare = name.lstrip(".")
    stem, dot, extension = bare.rpartition(".")
    if not dot or not stem:
        return name, ""
    return name[: -len(extension) - 1], extension


def _get_type(kind: FileType, content: FileContent) -> str:
    """Say what a file is; an unknown one that was read as text is a text."""
    if kind.access is TextAccess.SNIFF:
        return "other" if content.reason else "text"
    return kind.type


def describe_file(name: str, folder: str, kind: FileType) -> str:
    """Describe what a file is in a few words; empty if its name says only that it is text.

    By convention, `.config` holds configuration, in folders named after programs.
    """
    owner = _find_program(folder)
    if owner:
        return f"{owner} configuration"
    exact, fitting = _read_conventions()
    if name in exact:
        return exact[name]
    for pattern, description in fitting.items():
        if fnmatchcase(name.lower(), pattern.lower()):
            return description
    if kind.type == "code":
        return f"{kind.language} source code"
    return _TYPES.get(kind.type, "")


@cache
def _read_conventions() -> tuple[dict[str, str], dict[str, str]]:
    """Return what file names mean by convention: whole names, then patterns."""
    table = parse_toml(_CONVENTIONS.read_text(encoding="utf-8"))
    meanings = {name: meaning for meaning, names in table.items() for name in names.split()}
    exact = {name: meaning for name, meaning in meanings.items() if "*" not in name}
    return exact, {name: meaning for name, meaning in meanings.items() if "*" in name}


def _find_program(folder: str) -> str:
    """Return the program whose configuration is in a folder."""
    first, *rest = folder.split("/")
    return rest[0] if first == ".config" and rest else first.lstrip(".") if first == ".ssh" else ""
