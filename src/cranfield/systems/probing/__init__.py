"""Probing: one query to a system that nobody has written down yet, and a project made of it."""

from cranfield.systems.probing.entries import (
    ENTRIES,
    TypedSystem,
    add_settings,
    read_entry,
    relocate,
)
from cranfield.systems.probing.guessing import Guess, guess_reading
from cranfield.systems.probing.showing import show_hits, show_unread, show_written
from cranfield.systems.probing.trying import Trial, try_query
from cranfield.systems.probing.writing import (
    SUITE_NAME,
    Expected,
    refuse_existing,
    render_config,
    render_suite,
    write_project,
)

__all__ = [
    "ENTRIES",
    "SUITE_NAME",
    "Expected",
    "Guess",
    "Trial",
    "TypedSystem",
    "add_settings",
    "guess_reading",
    "read_entry",
    "refuse_existing",
    "relocate",
    "render_config",
    "render_suite",
    "show_hits",
    "show_unread",
    "show_written",
    "try_query",
    "write_project",
]
