"""The `stacks` command."""

from stacks.cli.main import app, main

__all__ = ["app", "main"]
