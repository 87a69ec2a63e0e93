"""What is wrong with a document that is a ZIP archive, seen before anything is unpacked."""

from __future__ import annotations

import io
import zipfile
from typing import IO

__all__ = ["find_fault"]

_ZIPPED = ("openxmlformats", "macroenabled", "opendocument", "epub+zip")
_OFFICE = ("openxmlformats", "macroenabled")
_COMPOUND = bytes.fromhex("d0cf11e0a1b11ae1")  # older office files; newer ones with a password
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_MOST_FILES = 20_000
_MOST_BYTES = 256 * 2**20
_HEAD = 4096


def find_fault(data: bytes, media_type: str) -> str:
    """Say why a document must not be unpacked; empty where it may, or is no archive."""
    media_type = media_type.lower()
    if not any(word in media_type for word in _ZIPPED):
        return ""
    if data.startswith(_COMPOUND):
        is_locked = _ENCRYPTED_PACKAGE in data
        return "is protected by a password" if is_locked else "is of an older format than it says"
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _find_in_archive(archive, media_type)
    except Exception:  # noqa: BLE001 - zipfile, zlib, lzma and struct each have errors of their own
        return "is damaged, or not what its name says"


def _find_in_archive(archive: zipfile.ZipFile, media_type: str) -> str:
    """Look at the list of an archive, and at the beginning of its XML."""
    members = archive.infolist()
    size = sum(member.file_size for member in members)
    if size > _MOST_BYTES or len(members) > _MOST_FILES:
        return (
            f"unpacks to {size:,} bytes in {len(members):,} files; "
            f"at most {_MOST_BYTES:,} in {_MOST_FILES:,} are read"
        )
    if any(member.flag_bits & 1 for member in members):
        return "is protected by a password"
    is_office = any(word in media_type for word in _OFFICE)
    for member in members:
        if member.filename.endswith((".xml", ".rels")):
            with archive.open(member) as stream:
                head = _read_head(stream)
            if b"encryption-data" in head and member.filename == "META-INF/manifest.xml":
                return "is protected by a password"
            if b"<!ENTITY" in head or (is_office and b"<!DOCTYPE" in head):
                return "declares XML entities, as no such document needs to"
    return ""


def _read_head(stream: IO[bytes]) -> bytes:
    """Read the beginning of a file as if it were ASCII, whichever Unicode it is in."""
    return stream.read(_HEAD).replace(b"\0", b"")
