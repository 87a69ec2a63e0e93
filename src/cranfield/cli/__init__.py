"""The `cranfield` command: parse, one library call, render."""

from cranfield.cli.main import app, main

__all__ = ["app", "main"]
