"""Choices that the library and the command line share."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Missing", "TieRule"]


class Missing(StrEnum):
    """How judged queries without results in a run are scored."""

    ZERO = "zero"
    SKIP = "skip"
    ERROR = "error"


class TieRule(StrEnum):
    """How hits with equal scores are ordered."""

    DOCUMENT = "document"
    """By document id, highest first, as trec_eval does."""

    GIVEN = "given"
    """By the file's rank column, then by line."""
