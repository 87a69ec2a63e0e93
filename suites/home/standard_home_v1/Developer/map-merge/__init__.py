"""Merging maps drawn by different hands."""
