"""What a system answers: hits in rank order, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - msgspec reads annotations at run time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

__all__ = ["Hit", "Response", "Status"]


class Status(StrEnum):
    """The outcome of a query."""

    OK = "ok"
    EMPTY = "empty"
    TIMEOUT = "timeout"
    ERROR = "error"
    UNPARSEABLE = "unparseable"

    @property
    def is_failure(self) -> bool:
        """Whether the system did not answer; an empty answer is an answer."""
        return self not in (Status.OK, Status.EMPTY)


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. `text` and `fields` are there for rules that look inside."""

    id: str
    score: float | None = None
    text: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Response:
    """A system's answer to one query.

    `route` is where the system sent the query, `flags` what it noticed about it, if it says so.
    `message` says what went wrong; `raw` keeps output that could not be used. `seconds` is how
    long the answer took, filled in by the caller. `repeated` counts hits that were left out because
    a higher one has their id.
    """

    status: Status
    hits: tuple[Hit, ...] = ()
    route: str = ""
    flags: tuple[str, ...] = ()
    message: str = ""
    raw: str = ""
    seconds: float | None = None
    repeated: int = 0

    @classmethod
    def of(cls, hits: tuple[Hit, ...], *, route: str = "", flags: tuple[str, ...] = ()) -> Response:
        """Make the response of a system that answered, with or without hits."""
        return cls(Status.OK if hits else Status.EMPTY, hits, route, flags)

    @classmethod
    def failed(cls, status: Status, message: str, *, raw: str = "") -> Response:
        """Make the response of a system that did not answer."""
        return cls(status, message=message, raw=raw)
