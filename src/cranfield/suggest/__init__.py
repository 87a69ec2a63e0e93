"""Suggestions: queries of a log that no suite asks yet, for a person to review."""

from cranfield.suggest.log_columns import read_column_options
from cranfield.suggest.suggestions import (
    Suggestion,
    Suggestions,
    describe_suggestions,
    render_suggestions,
    suggest_queries,
)

__all__ = [
    "Suggestion",
    "Suggestions",
    "describe_suggestions",
    "read_column_options",
    "render_suggestions",
    "suggest_queries",
]
