"""What the slice `suggest` offers: the command `suggest`."""

from __future__ import annotations

from cranfield.slices import Slice

__all__ = ["SLICE"]

SLICE = Slice(
    offers={"cranfield.commands": {"suggest": "cranfield.suggest.command:suggest"}},
    commands={"suggest": "Suggest queries that people ask and no suite has."},
)
