"""A sandbox for code of others: no network, no files but its own, limits, and an end."""
