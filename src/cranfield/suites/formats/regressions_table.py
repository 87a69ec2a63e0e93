"""The table of regression rules, as suites and projects write it down."""

from __future__ import annotations

from typing import Annotated

import msgspec

from cranfield.model import RegressionRules

__all__ = ["PERCENTILE", "RegressionsTable"]

PERCENTILE = "^p([1-9][0-9]?|100)$"
"""The name of a percentile of the response time."""


class RegressionsTable(msgspec.Struct):
    """`[regressions]` of a suite, or of a project for a suite."""

    at_most: Annotated[int, msgspec.Meta(ge=0)] | None = None
    protected: list[str] = msgspec.field(default_factory=list)
    watched: list[str] = msgspec.field(default_factory=list)
    most_failures: Annotated[int, msgspec.Meta(ge=0)] | None = None
    accept_at: Annotated[int, msgspec.Meta(ge=1)] | None = None
    promote_after: Annotated[int, msgspec.Meta(ge=2)] | None = None
    latency: dict[
        Annotated[str, msgspec.Meta(pattern=PERCENTILE)], Annotated[float, msgspec.Meta(gt=0)]
    ] = msgspec.field(default_factory=dict)

    def rules(self) -> RegressionRules:
        """Return the rules that the table sets."""
        return RegressionRules(
            at_most=self.at_most,
            protected=tuple(self.protected),
            watched=tuple(self.watched),
            most_failures=self.most_failures,
            accept_at=self.accept_at,
            promote_after=self.promote_after,
            latency=self.latency,
        )
