"""What passes between a save and the process that extracts text for it.

A message is its length in four bytes, the highest first, and that many bytes of MessagePack.
"""

from __future__ import annotations

from typing import IO

import msgspec

__all__ = ["LONGEST_TEXT", "READY", "Extracted", "Job", "read_message", "write_message"]

LONGEST_TEXT = 2_000_000
"""How many characters of a file's text are kept."""

READY = b"ready"
"""The first message of a process that can begin."""

_LARGEST = 2**30  # bytes; more is noise, not a message


class Job(msgspec.Struct, frozen=True):
    """A file to extract the text of."""

    media_type: str
    data: bytes


class Extracted(msgspec.Struct, frozen=True):
    """The text of a file and what else it says of itself, or the reason why there is none.

    `length` is that of the whole text, of which `text` may be the beginning.
    """

    text: str = ""
    length: int = 0
    facts: dict[str, str] = {}
    fault: str = ""


def write_message(stream: IO[bytes], message: bytes) -> None:
    """Send a message."""
    stream.write(len(message).to_bytes(4, "big"))
    stream.write(message)
    stream.flush()


def read_message(stream: IO[bytes]) -> bytes | None:
    """Receive a message, or None where the other side has gone or sends something else."""
    head = stream.read(4)
    length = int.from_bytes(head, "big")
    if len(head) < 4 or length > _LARGEST:
        return None
    message = stream.read(length)
    return message if len(message) == length else None
