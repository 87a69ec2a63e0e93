"""Scaffold: a new project, set up by sending one query to a system."""

from cranfield.scaffold.project_files import (
    SUITE_NAME,
    Expected,
    refuse_existing,
    render_config,
    render_suite,
    write_project,
)
from cranfield.scaffold.trial import Guess, Trial, guess_reading, try_query
from cranfield.scaffold.trial_report import describe_project, describe_trial, describe_unread
from cranfield.scaffold.typed_system import (
    TypedSystem,
    add_settings,
    list_options,
    read_typed,
    relocate,
)

__all__ = [
    "SUITE_NAME",
    "Expected",
    "Guess",
    "Trial",
    "TypedSystem",
    "add_settings",
    "describe_project",
    "describe_trial",
    "describe_unread",
    "guess_reading",
    "list_options",
    "read_typed",
    "refuse_existing",
    "relocate",
    "render_config",
    "render_suite",
    "try_query",
    "write_project",
]
