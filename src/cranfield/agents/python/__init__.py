"""Names in Python answers: found, missing, of another version, or unknown."""

from cranfield.agents.python.references import (
    NameReference,
    ReferenceState,
    ResolvedAnswer,
    ResolveRequest,
)
from cranfield.agents.python.resolver import ask_resolver, resolve_answers
from cranfield.agents.python.target_packages import TargetPackages, find_packages

__all__ = [
    "NameReference",
    "ReferenceState",
    "ResolveRequest",
    "ResolvedAnswer",
    "TargetPackages",
    "ask_resolver",
    "find_packages",
    "resolve_answers",
]
