"""Judging in a terminal. Needs Textual (the extra `judge`); import it only where it is used."""
