"""The exit codes of all commands."""

from __future__ import annotations

__all__ = [
    "EXIT_BY_CAUSE",
    "EXIT_FAILED",
    "EXIT_FAULT",
    "EXIT_INTERRUPTED",
    "EXIT_SYSTEM",
    "EXIT_UNANSWERED",
    "EXIT_UNGRADED",
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
EXIT_UNGRADED = 5
"""A comparison or a gate was made, but some answers could not be graded, or too few are judged."""
EXIT_BY_CAUSE = {"quality": EXIT_FAILED, "grading": EXIT_UNGRADED, "failures": EXIT_UNANSWERED}
"""The exit code of a gate that failed, by what failed it."""
EXIT_FAULT = 70
"""A defect of the program itself."""
EXIT_INTERRUPTED = 130
