"""The `cranfield` command: parse, one library call, render."""

from cranfield.cli.main import main

__all__ = ["main"]
