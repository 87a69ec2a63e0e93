"""How does a corpus become an index? `builder.save` is the whole way."""

from stacks.index.builder import Saved, save
from stacks.index.index_file import staging_path
from stacks.index.requests import NoProgress, ProgressReporter, Request, SaveOptions
from stacks.index.save_audit import EVENTS, Audit, Event

__all__ = [
    "EVENTS",
    "Audit",
    "Event",
    "NoProgress",
    "ProgressReporter",
    "Request",
    "SaveOptions",
    "Saved",
    "save",
    "staging_path",
]
