"""What is assumed if nobody says otherwise: each decision once, for commands and library alike."""

__all__ = ["HITS", "MARGIN", "POOL_DEPTH", "SEED", "TOLERATED_ERROR"]

HITS = 10
"""The number of hits that a system is asked for."""

MARGIN = 0.02
"""Differences of means that surely lie within this margin are equivalent."""

POOL_DEPTH = 10
"""The number of first hits of each run that are judged."""

SEED = 1967
"""The seed of whatever is drawn at random: the year of the Cranfield report."""

TOLERATED_ERROR = 0.05
"""How often decisive judging may settle on another verdict than all judgments would give."""
