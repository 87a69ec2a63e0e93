"""The `stacks` command."""

from stacks.cli.main import main

__all__ = ["main"]
