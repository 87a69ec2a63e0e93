"""The members of an archive as pages: streamed, never unpacked, no name trusted."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Self, cast

from stacks.errors import SourceError
from stacks.model import Page
from stacks.sources.paths import FileSelection, get_reason, make_printable
from stacks.sources.source import PageError, RestLostError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["BombError", "UnpackedLimit", "is_zip", "list_tar", "list_zip", "read_tar", "read_zip"]

_LARGEST_HEADER = 2**20  # a long name or an extended header; tarfile reads it in one piece
_SPECIAL_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_LEAST_TOTAL, _MOST_RATIO = 2**28, 100  # text packs to a tenth or so
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_UTF8_NAME, _ENCRYPTED = 0x800, 0x1  # flag bits of a zip member

# Everything the standard library raises for truncated, damaged or hostile archives.
_DAMAGE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    EOFError,
    OSError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    ValueError,
    ArithmeticError,
    LookupError,
    NotImplementedError,
    RecursionError,
)

_Stream = gzip.GzipFile | lzma.LZMAFile | bz2.BZ2File | io.BufferedReader


_COMPRESSIONS: tuple[tuple[bytes, Callable[[Path], _Stream]], ...] = (
    (b"\x1f\x8b", gzip.GzipFile),
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
    (b"BZh", bz2.BZ2File),
    (b"", lambda path: path.open("rb")),
)


def is_zip(path: Path) -> bool:
    """Return whether an archive is a zip, by its first bytes, whatever its name."""
    return _first_bytes(path).startswith((b"PK\x03\x04", b"PK\x05\x06"))


def _refuse_name(name: str) -> PageError | None:
    """Refuse a member whose name points outside the archive."""
    if not name:
        return PageError("refused a member without a name")
    if name.startswith(("/", "\\")) or _DRIVE.match(name):
        return PageError(f"refused {make_printable(name)}: its name is an absolute path")
    if ".." in re.split(r"[\\/]", name):
        return PageError(
            f"refused {make_printable(name)}: its name leads out of the archive by '..'"
        )
    return None


def _key_of(name: str) -> str:
    """Return the key of a member: its name without a leading `./`."""
    return make_printable(PurePosixPath(name).as_posix())


def _first_bytes(path: Path) -> bytes:
    """Return the first bytes of a file."""
    try:
        with path.open("rb") as file:
            return file.read(6)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {get_reason(error)}") from None


class _StrictHeader(tarfile.TarInfo):
    """A member header that does not mistake damage for the end of the archive."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
        """Read the next header; only the end-of-archive marker is the end."""
        try:
            return super().fromtarfile(archive)
        except tarfile.HeaderError as error:
            if isinstance(error, tarfile.EOFHeaderError):  # type: ignore[attr-defined] # unlisted
                raise
            raise tarfile.ReadError(str(error)) from None

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Read a header from its block; refuse hostile sizes."""
        header = super().frombuf(buf, encoding, errors)
        if header.size < 0 or (header.type in _SPECIAL_HEADERS and header.size > _LARGEST_HEADER):
            raise tarfile.ReadError(f"a header states a size of {header.size:,} bytes")
        return header


class BombError(Exception):
    """A packed file unpacks to far more than text does."""


class UnpackedLimit:
    """Counts the bytes that a packed file unpacks to, wanted or not, and stops at too many."""

    def __init__(self, path: Path) -> None:
        self._most = max(_LEAST_TOTAL, _MOST_RATIO * path.stat().st_size)
        self._total = 0
        self._message = (
            f"{path.name} unpacks to more than {_MOST_RATIO} times its size; the rest of it is not "
            "read; unpack it yourself if you trust it"
        )

    def count(self, size: int) -> None:
        """Count more bytes; raises `BombError` if there were too many."""
        self._total += size
        if self._total > self._most:
            raise BombError(self._message)


class _ShortReads:
    """A stream that returns what it has, so nothing before a damaged place is lost."""

    def __init__(self, stream: _Stream, limit: UnpackedLimit) -> None:
        self._stream = stream
        self._limit = limit

    def read(self, size: int) -> bytes:
        """Read at most that many bytes."""
        data = self._stream.read1(size)
        self._limit.count(len(data))
        return data


def _bounded(path: Path, pages: Iterator[Page | PageError]) -> Iterator[Page | PageError]:
    """Stop at an archive that unpacks to far more than text does: it is a decompression bomb.

    Members of a zip may overlap, and those of a tar have holes that take no bytes.
    """
    limit = UnpackedLimit(path)
    try:
        for page in pages:
            if isinstance(page, Page):
                limit.count(len(page.data))
            yield page
    except BombError as error:
        yield RestLostError(str(error))


def read_tar(path: Path, selection: FileSelection) -> Iterator[Page | PageError]:
    """Read a tar archive from start to end; members before a damaged place are kept."""
    return _bounded(path, _read_tar(path, selection))


def _read_tar(path: Path, selection: FileSelection) -> Iterator[Page | PageError]:
    has_member = False
    try:
        for archive, member in _stream_tar(path):
            outcome = _read_tar_member(archive, member, selection)
            has_member = True
            if outcome is not None:
                yield outcome
    except _DAMAGE as error:
        if not has_member:
            message = f"{path} is not an archive that can be read: {get_reason(error)}"
            raise SourceError(f"{message}; {selection.describe_allowed()}") from None
        yield RestLostError(f"{path.name} is damaged, the rest of it is lost: {get_reason(error)}")


def _stream_tar(path: Path) -> Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]]:
    """Yield the members of a tar archive without keeping them; check the checksum at its end."""
    first = _first_bytes(path)
    opener = next(opener for magic, opener in _COMPRESSIONS if first.startswith(magic))
    with opener(path) as stream:
        blocks = cast("IO[bytes]", _ShortReads(stream, UnpackedLimit(path)))
        with tarfile.open(fileobj=blocks, mode="r|", tarinfo=_StrictHeader) as archive:
            while (member := archive.next()) is not None:
                # Otherwise every header stays in memory.
                archive.members.clear()  # type: ignore[attr-defined] # unlisted
                yield archive, member
        stream.read(_LARGEST_HEADER)


def _read_tar_member(
    archive: tarfile.TarFile, member: tarfile.TarInfo, selection: FileSelection
) -> Page | PageError | None:
    """Read, refuse or skip one member."""
    key = _key_of(member.name)
    if member.isdir():
        return None
    if refusal := _refuse_name(member.name):
        return refusal
    if not selection.reaches(key) or (member.isreg() and not selection.wants(key)):
        return None
    if not member.isreg():
        what = "link" if member.issym() or member.islnk() else "pipe or a device"
        return PageError(f"refused {key}: it is a {what}")
    if member.size > selection.largest:
        return selection.refuse_size(key, member.size)
    content = archive.extractfile(member)
    return Page(key, content.read()) if content else None


def _open_zip(path: Path) -> zipfile.ZipFile:
    """Open a zip archive; its directory is at its end."""
    try:
        return zipfile.ZipFile(path)
    except _DAMAGE as error:
        raise SourceError(
            f"{path} is not a zip archive that can be read: {get_reason(error)}"
        ) from None


def read_zip(path: Path, selection: FileSelection) -> Iterator[Page | PageError]:
    """Read a zip archive in the order of its directory."""
    return _bounded(path, _read_zip(path, selection))


def _read_zip(path: Path, selection: FileSelection) -> Iterator[Page | PageError]:
    with _open_zip(path) as archive:
        for member in archive.infolist():
            outcome = _read_zip_member(archive, member, selection)
            if outcome is not None:
                yield outcome


def list_zip(path: Path, selection: FileSelection) -> Iterator[str]:
    """List the selected members, by the archive's directory."""
    with _open_zip(path) as archive:
        members = archive.infolist()
    for name in map(_name_of, members):
        if not name.endswith("/") and selection.wants(_key_of(name)):
            yield _key_of(name)


def list_tar(path: Path, selection: FileSelection) -> Iterator[str]:
    """List the selected members, up to the end or to a damaged place."""
    with suppress(BombError, *_DAMAGE):
        for _, member in _stream_tar(path):
            key = _key_of(member.name)
            if member.isreg() and selection.wants(key):
                yield key


def _name_of(member: zipfile.ZipInfo) -> str:
    """Return a member's name; many programs write UTF-8 without setting the flag."""
    name = member.filename
    if not member.flag_bits & _UTF8_NAME:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def _read_zip_member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, selection: FileSelection
) -> Page | PageError | None:
    """Read, refuse or skip one member."""
    name = _name_of(member)
    key = _key_of(name)
    if name.endswith("/"):
        return None
    if refusal := _refuse_name(name):
        return refusal
    is_link = stat.S_ISLNK(member.external_attr >> 16)
    if is_link and selection.reaches(key):
        return PageError(f"refused {key}: it is a link")
    return _read_zip_file(archive, member, key, selection) if selection.wants(key) else None


def _read_zip_file(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, key: str, selection: FileSelection
) -> Page | PageError:
    """Decompress one member, never beyond the size stated in the archive's directory."""
    if member.flag_bits & _ENCRYPTED:
        return PageError(f"{key} is encrypted; it is not read")
    if member.file_size > selection.largest:
        return selection.refuse_size(key, member.file_size)
    try:
        with archive.open(member) as content:
            return Page(key, content.read(member.file_size + 1))
    except (*_DAMAGE, RuntimeError) as error:
        return PageError(f"{key} cannot be read: {get_reason(error)}")
