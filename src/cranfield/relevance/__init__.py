"""Rules: what makes an answer right, from patterns and ids to passages and predicates."""

from cranfield.relevance import answer_rules as _answer_rules  # noqa: F401 - registers its rules
from cranfield.relevance import predicate_rules as _predicate_rules  # noqa: F401 - likewise
from cranfield.relevance.expectations import (
    RULES,
    Expectation,
    Rule,
    RuleContext,
    RuleKind,
    Target,
    checks_of,
    needs_database,
    read_as,
    read_expectation,
    resolve_expectation,
    without_system,
)
from cranfield.relevance.id_rules import hash_chunk
from cranfield.relevance.judged_rule import (
    HOLES_IRRELEVANT,
    HOLES_LEFT_OUT,
    hash_content,
    is_without_judgments,
    leaves_holes_out,
)
from cranfield.relevance.pattern_rules import TimedPattern, normalise
from cranfield.relevance.sql_queries import keep_reader, open_read_only

__all__ = [
    "HOLES_IRRELEVANT",
    "HOLES_LEFT_OUT",
    "RULES",
    "Expectation",
    "Rule",
    "RuleContext",
    "RuleKind",
    "Target",
    "TimedPattern",
    "checks_of",
    "hash_chunk",
    "hash_content",
    "is_without_judgments",
    "keep_reader",
    "leaves_holes_out",
    "needs_database",
    "normalise",
    "open_read_only",
    "read_as",
    "read_expectation",
    "resolve_expectation",
    "without_system",
]
