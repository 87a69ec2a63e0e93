"""The table [judging] of a suite or a project: how its hits are judged, and by whom graded."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from cranfield.model import JudgingSettings

__all__ = ["JudgingTable"]

_JUDGED_BY = msgspec.Meta(
    pattern="^(people(:.+)?|clicks|model:.+)$",
    examples=["people", "people:NAME", "model:NAME", "clicks"],
)


class JudgingTable(msgspec.Struct, frozen=True):
    """What [judging] may say; `settings` is the value that everything else reads."""

    highest: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    guidelines: str = ""
    overlap: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    raters: Annotated[int, msgspec.Meta(ge=1, le=3)] = 2
    judged_by: Annotated[str, _JUDGED_BY] | Literal[""] = ""
    holes: Literal["left out", "irrelevant"] = "left out"
    model: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def settings(self) -> JudgingSettings:
        """The settings of a suite."""
        return JudgingSettings(
            highest=self.highest,
            guidelines=self.guidelines,
            overlap=self.overlap,
            raters=self.raters,
            judged_by=self.judged_by,
            holes=self.holes,
            model=self.model,
        )
