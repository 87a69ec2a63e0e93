"""The `stacks` command."""

from stacks.cli.main import build_app, main

__all__ = ["build_app", "main"]
