"""`cranfield judge`: what people say about hits, one file a sub-command."""

from cranfield.cli.judge.group import judge

__all__ = ["judge"]
