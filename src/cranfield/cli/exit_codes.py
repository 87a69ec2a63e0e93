"""The exit codes of all commands."""

from __future__ import annotations

__all__ = [
    "EXIT_FAILED",
    "EXIT_FAULT",
    "EXIT_INTERRUPTED",
    "EXIT_SYSTEM",
    "EXIT_UNANSWERED",
    "EXIT_USAGE",
]

EXIT_FAILED = 1
"""A gate or a comparison failed as asked."""
EXIT_USAGE = 2
"""A mistake of the user, explained in one message."""
EXIT_SYSTEM = 3
"""A system could not be run, or answered nothing."""
EXIT_UNANSWERED = 4
"""A comparison or a gate was made, but a system failed to answer some queries."""
EXIT_FAULT = 70
"""A defect of the program itself."""
EXIT_INTERRUPTED = 130
