"""Names in Python answers: found, missing, of another version, or unknown."""

from cranfield.agents.python.resolve_request import ResolveRequest
from cranfield.agents.python.resolver import ask_resolver, resolve_answers, resolve_targets
from cranfield.agents.python.target_packages import TargetPackages, find_packages

__all__ = [
    "ResolveRequest",
    "TargetPackages",
    "ask_resolver",
    "find_packages",
    "resolve_answers",
    "resolve_targets",
]
