"""Suggestions: queries of a log that no suite asks yet, for a person to review."""
