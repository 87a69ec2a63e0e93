"""Judging in a terminal. Needs Textual (the extra `judge`); import it only where it is used."""

from cranfield.judging.terminal.judging_app import JudgingApp

__all__ = ["JudgingApp"]
