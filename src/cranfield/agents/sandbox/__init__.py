"""A sandbox for code of others: no network, no files but its own, limits, and an end."""

from cranfield.agents.sandbox.interpreters import Interpreter, find_interpreter
from cranfield.agents.sandbox.sandbox import (
    SandboxLimits,
    SandboxReport,
    run_tests,
)

__all__ = [
    "Interpreter",
    "SandboxLimits",
    "SandboxReport",
    "find_interpreter",
    "run_tests",
]
