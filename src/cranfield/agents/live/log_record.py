"""What the logs of Inspect say about an arm and a task beside the conversation itself."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from cranfield.systems import ToolReading  # noqa: TC001 - msgspec reads annotations at run time

__all__ = ["ArmRecord", "SampleRecord", "read_record", "write_record"]

_KEY = "cranfield"
Record = TypeVar("Record", bound=msgspec.Struct)


class ArmRecord(msgspec.Struct, frozen=True):
    """Which arm a log is of. `repeat` is None if the epochs of Inspect count repetitions."""

    arm: str
    key: str
    repeat: int | None = None
    system: str = ""
    tools: str = ""
    reading: ToolReading | None = None


class SampleRecord(msgspec.Struct, frozen=True):
    """Which prompt a task had, and the ids of hits that were pasted into it, if any were."""

    prompt: str
    pasted: tuple[str, ...] | None = None


def write_record(record: msgspec.Struct) -> dict[str, Any]:
    """Return the metadata that hold a record."""
    return {_KEY: msgspec.to_builtins(record)}


def read_record(metadata: Any, kind: type[Record]) -> Record | None:
    """Return the record in metadata; None if there is none, or one of another version."""
    try:
        return msgspec.convert((metadata or {}).get(_KEY), kind)
    except (msgspec.ValidationError, AttributeError):
        return None
