"""Rules: what makes an answer right, from patterns and ids to passages and predicates."""

from cranfield.relevance import answers as _answers  # noqa: F401 - registers its rules
from cranfield.relevance import identities as _identities  # noqa: F401 - registers its rules
from cranfield.relevance import patterns as _patterns  # noqa: F401 - registers its rules
from cranfield.relevance import predicates as _predicates  # noqa: F401 - registers its rules
from cranfield.relevance.databases import open_read_only
from cranfield.relevance.expectations import (
    DEFAULT_PASS_RANK,
    Expectation,
    read_expectation,
    resolve_expectation,
    without_system,
)
from cranfield.relevance.identities import chunk_hash
from cranfield.relevance.passages import Passage, normalise
from cranfield.relevance.regexes import Pattern, PatternTimeoutError
from cranfield.relevance.rules import RULES, Context, Rule, RuleKind, Target, read_as

__all__ = [
    "DEFAULT_PASS_RANK",
    "RULES",
    "Context",
    "Expectation",
    "Passage",
    "Pattern",
    "PatternTimeoutError",
    "Rule",
    "RuleKind",
    "Target",
    "chunk_hash",
    "normalise",
    "open_read_only",
    "read_as",
    "read_expectation",
    "resolve_expectation",
    "without_system",
]
