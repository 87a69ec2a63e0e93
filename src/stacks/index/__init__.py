"""How does a corpus become an index? Schema, door, rows, enrichment, and the file in flight."""

from stacks.index.audit import EVENTS, Audit, Event
from stacks.index.in_flight import in_flight_path
from stacks.index.requests import NoProgress, Progress, Request, SaveOptions
from stacks.index.saving import Saved, save

__all__ = [
    "EVENTS",
    "Audit",
    "Event",
    "NoProgress",
    "Progress",
    "Request",
    "SaveOptions",
    "Saved",
    "in_flight_path",
    "save",
]
