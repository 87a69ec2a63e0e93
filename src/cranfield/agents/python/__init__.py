"""Names in Python answers: found, missing, of another version, or unknown."""

from cranfield.agents.python.resolve_request import ResolveRequest
from cranfield.agents.python.resolver import (
    ask_resolver,
    forget_stubs,
    resolve_answers,
    resolve_targets,
)
from cranfield.agents.python.target_packages import TargetPackages, find_packages, list_versions

__all__ = [
    "ResolveRequest",
    "TargetPackages",
    "ask_resolver",
    "find_packages",
    "forget_stubs",
    "list_versions",
    "resolve_answers",
    "resolve_targets",
]
