"""The worker process that extracts text: it answers jobs until its parent is gone.

Its memory is limited if the system supports that, so a file that unpacks to too much ends
only this process. Documents that are ZIP archives are checked before anything is unpacked.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import sys
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from stacks.sources.files.extractor import (
    LONGEST_TEXT,
    READY,
    Extracted,
    Job,
    read_message,
    write_message,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kreuzberg import ExtractionConfig

__all__ = ["extract", "main"]

_MEMORY = 2 * 2**30  # bytes
_SECONDS_OF_GRACE = 5
_LONGEST_FACT = 500
_DAMAGED = "is damaged, or not what its name says"
_FAULTS = (
    ("password", "is protected by a password"),
    ("encrypted", "is protected by a password"),
    ("unsupported", "is of a format whose text is not read"),
)
"""Words in the library's errors, and our messages for them; everything else is damage."""

_COUNTS = {"page_count": "pages", "sheet_count": "sheets", "slide_count": "slides"}
_DECODER = msgspec.msgpack.Decoder(Job)

_ZIPPED = ("openxmlformats", "macroenabled", "opendocument", "epub+zip")
_OFFICE = ("openxmlformats", "macroenabled")
_COMPOUND = bytes.fromhex("d0cf11e0a1b11ae1")  # older office files; newer ones with a password
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_MOST_FILES = 20_000
_MOST_BYTES = 256 * 2**20
_HEAD = 4096


def main() -> None:
    """Answer jobs until the parent is gone."""
    seconds, folder = float(sys.argv[1]), sys.argv[2]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles it and ends this process
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints may mix with the messages
    os.environ["TMPDIR"] = folder  # libraries unpack code there: nobody else may write to it
    _limit_memory()
    try:
        config = _make_config()
    except ImportError as error:
        write_message(replies, str(error).encode())
        return
    write_message(replies, READY)
    while message := read_message(sys.stdin.buffer):
        # If the parent is gone, this timer ends a file that hangs.
        signal.setitimer(signal.ITIMER_REAL, seconds + _SECONDS_OF_GRACE)
        extracted = extract(_DECODER.decode(message), config)
        signal.setitimer(signal.ITIMER_REAL, 0)
        write_message(replies, msgspec.msgpack.encode(extracted))
    shutil.rmtree(folder, ignore_errors=True)


def _limit_memory() -> None:
    """Limit the memory of this process, and write no core file if it crashes."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _make_config() -> ExtractionConfig:
    """Configure plain text only: no OCR, no cache, one thread."""
    from kreuzberg import ConcurrencyConfig, ExtractionConfig

    return ExtractionConfig(
        use_cache=False,
        enable_quality_processing=False,
        output_format="plain",
        concurrency=ConcurrencyConfig(max_threads=1),
    )


def extract(job: Job, config: ExtractionConfig) -> Extracted:
    """Extract the text of one file, or give the reason why there is none."""
    from kreuzberg import extract_bytes_sync

    fault = _find_fault(job.data, job.media_type)
    if fault:
        return Extracted(fault=fault)
    try:
        result = extract_bytes_sync(job.data, job.media_type, config)
    except MemoryError:
        return Extracted(fault="needs too much memory to be read")
    except Exception as error:  # noqa: BLE001 - a broken file may raise anything
        said = str(error).lower()
        return Extracted(fault=next((ours for word, ours in _FAULTS if word in said), _DAMAGED))
    text = result.content[:LONGEST_TEXT].replace("\0", "\ufffd").replace("\r\n", "\n")
    facts = _find_facts(result.metadata)
    if not text.strip():
        return Extracted(facts=facts, fault="holds no text, only pictures of it or nothing")
    return Extracted(text, len(result.content), facts)


def _find_facts(metadata: Mapping[str, Any]) -> dict[str, str]:
    """Keep the metadata by which people know a document."""
    authors = metadata.get("authors")
    facts = {
        "title": metadata.get("title") or metadata.get("subject"),
        "author": ", ".join(map(str, authors)) if isinstance(authors, list) else None,
    }
    facts |= {name: metadata.get(field) for field, name in _COUNTS.items()}
    kept = {name: " ".join(str(value).split()) for name, value in facts.items() if value}
    return {name: value[:_LONGEST_FACT] for name, value in kept.items() if value}


def _find_fault(data: bytes, media_type: str) -> str:
    """Return why a document must not be unpacked; empty if it may be, or is not an archive."""
    media_type = media_type.lower()
    if not any(word in media_type for word in _ZIPPED):
        return ""
    if data.startswith(_COMPOUND):
        is_locked = _ENCRYPTED_PACKAGE in data
        return "is protected by a password" if is_locked else "is of an older format than it says"
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _find_in_archive(archive, media_type)
    except Exception:  # noqa: BLE001 - zipfile, zlib, lzma and struct each raise their own
        return _DAMAGED


def _find_in_archive(archive: zipfile.ZipFile, media_type: str) -> str:
    """Check the directory of an archive, and the beginning of its XML files."""
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
                head = stream.read(_HEAD).replace(b"\0", b"")  # ASCII, even if it is UTF-16
            if b"encryption-data" in head and member.filename == "META-INF/manifest.xml":
                return "is protected by a password"
            if b"<!ENTITY" in head or (is_office and b"<!DOCTYPE" in head):
                return "declares XML entities, as no such document needs to"
    return ""


if __name__ == "__main__":
    main()
