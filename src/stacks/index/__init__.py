"""How does a corpus become an index? `builder.save` is the whole way."""

from stacks.index.builder import Saved, save
from stacks.index.bundles import Bundle, BundledFile, install_bundle, make_bundle
from stacks.index.index_file import staging_path
from stacks.index.requests import (
    EVENTS,
    Audit,
    Event,
    NoProgress,
    ProgressReporter,
    Request,
    SaveOptions,
)

__all__ = [
    "EVENTS",
    "Audit",
    "Bundle",
    "BundledFile",
    "Event",
    "NoProgress",
    "ProgressReporter",
    "Request",
    "SaveOptions",
    "Saved",
    "install_bundle",
    "make_bundle",
    "save",
    "staging_path",
]
