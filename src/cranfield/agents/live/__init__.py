"""Agents asked live, on Inspect. Asking and reading logs need the extra `agents`."""
