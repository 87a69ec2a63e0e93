"""What the slice `sweeps` offers: the command `sweep`."""

from __future__ import annotations

from cranfield.slices import Slice

__all__ = ["SLICE"]

SLICE = Slice(
    offers={"cranfield.commands": {"sweep": "cranfield.sweeps.command:sweep"}},
    commands={"sweep": "Try settings, and check the best on unseen queries."},
)
