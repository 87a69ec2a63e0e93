"""Clicks: what searchers clicked, as judgments that are kept apart from people's grades."""
