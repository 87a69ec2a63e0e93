"""What goes over HTTP and comes back, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cranfield.model import Status

__all__ = ["ExchangeError", "ExchangeOptions", "HttpAnswer", "HttpRequest"]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """What is sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What came back, after how many attempts. The body of a complaint is cut short."""

    code: int
    headers: Mapping[str, str]
    body: bytes
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class ExchangeOptions:
    """How requests are made: `rate` is how many a second at most, over all threads."""

    timeout: float
    retries: int = 3
    rate: float | None = None
    ca_file: Path | None = None


class ExchangeError(Exception):
    """No answer came; the status says whether that was for the time."""

    def __init__(self, status: Status, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.raw = raw
