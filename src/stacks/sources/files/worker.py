"""The process that extracts text: jobs come in, texts go out, until the other side is gone.

Its memory is limited where the system can do that, so that a file that unpacks to more than there
is ends this process and no other.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from stacks.sources.files.messages import (
    LONGEST_TEXT,
    READY,
    Extracted,
    Job,
    read_message,
    write_message,
)
from stacks.sources.files.packed import find_fault

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
"""Words of the library's errors, and what we say for them; everything else is damage."""

_COUNTS = {"page_count": "pages", "sheet_count": "sheets", "slide_count": "slides"}
_DECODER = msgspec.msgpack.Decoder(Job)


def main() -> None:
    """Answer until there is nobody to answer."""
    seconds, folder = float(sys.argv[1]), sys.argv[2]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other side hears it and ends this one
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints may come between the messages
    os.environ["TMPDIR"] = folder  # libraries unpack there what they run: nobody else may write it
    _limit_memory()
    try:
        config = _make_config()
    except ImportError as error:
        write_message(replies, str(error).encode())
        return
    write_message(replies, READY)
    while message := read_message(sys.stdin.buffer):
        # Where nobody is left to end a file that hangs, the clock does.
        signal.setitimer(signal.ITIMER_REAL, seconds + _SECONDS_OF_GRACE)
        extracted = extract(_DECODER.decode(message), config)
        signal.setitimer(signal.ITIMER_REAL, 0)
        write_message(replies, msgspec.msgpack.encode(extracted))
    shutil.rmtree(folder, ignore_errors=True)


def _limit_memory() -> None:
    """Limit what this process may take; no file of it is left behind when it crashes."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _make_config() -> ExtractionConfig:
    """Ask for text alone: no recognition of images, no cache, no further threads."""
    from kreuzberg import ConcurrencyConfig, ExtractionConfig

    return ExtractionConfig(
        use_cache=False,
        enable_quality_processing=False,
        output_format="plain",
        concurrency=ConcurrencyConfig(max_threads=1),
    )


def extract(job: Job, config: ExtractionConfig) -> Extracted:
    """Extract the text of one file, or say why there is none."""
    from kreuzberg import extract_bytes_sync

    fault = find_fault(job.data, job.media_type)
    if fault:
        return Extracted(fault=fault)
    try:
        result = extract_bytes_sync(job.data, job.media_type, config)
    except MemoryError:
        return Extracted(fault="needs too much memory to be read")
    except Exception as error:  # noqa: BLE001 - whatever a broken file makes the library say
        said = str(error).lower()
        return Extracted(fault=next((ours for word, ours in _FAULTS if word in said), _DAMAGED))
    text = result.content[:LONGEST_TEXT].replace("\0", "\ufffd").replace("\r\n", "\n")
    facts = _find_facts(result.metadata)
    if not text.strip():
        return Extracted(facts=facts, fault="holds no text, only pictures of it or nothing")
    return Extracted(text, len(result.content), facts)


def _find_facts(metadata: Mapping[str, Any]) -> dict[str, str]:
    """Keep what a person would know a document by."""
    authors = metadata.get("authors")
    facts = {
        "title": metadata.get("title") or metadata.get("subject"),
        "author": ", ".join(map(str, authors)) if isinstance(authors, list) else None,
    }
    facts |= {name: metadata.get(field) for field, name in _COUNTS.items()}
    kept = {name: " ".join(str(value).split()) for name, value in facts.items() if value}
    return {name: value[:_LONGEST_FACT] for name, value in kept.items() if value}


if __name__ == "__main__":
    main()
