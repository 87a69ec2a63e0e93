"""How does a corpus become an index? Schema, door, rows, enrichment, and the file in flight."""

from stacks.index.audit import EVENTS, Audit, Event, read_audit
from stacks.index.in_flight import in_flight_path
from stacks.index.saving import (
    DATABASES,
    NoProgress,
    Progress,
    Request,
    Saved,
    SaveOptions,
    save,
)

__all__ = [
    "DATABASES",
    "EVENTS",
    "Audit",
    "Event",
    "NoProgress",
    "Progress",
    "Request",
    "SaveOptions",
    "Saved",
    "in_flight_path",
    "read_audit",
    "save",
]
