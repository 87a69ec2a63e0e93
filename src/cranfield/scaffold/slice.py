"""What the slice `scaffold` offers: the command `init`."""

from __future__ import annotations

from cranfield.slices import Slice

__all__ = ["SLICE"]

SLICE = Slice(
    offers={"cranfield.commands": {"init": "cranfield.scaffold.command:init"}},
    commands={"init": "Create a project for your own search by sending it one query."},
)
