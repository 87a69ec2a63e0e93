"""Judging: which hits are judged next, by whom, and when there are enough."""
