"""Logging: one JSON object a line, without anything that identifies a reader."""

from __future__ import annotations

import contextvars
import json
import logging
import re
from contextlib import contextmanager
from typing import Iterator

_request: contextvars.ContextVar[str] = contextvars.ContextVar("request", default="-")
_CARD = re.compile(r"\bBR\d{8}\b")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+")


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": self.formatTime(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "request": _request.get(),
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class PrivacyFilter(logging.Filter):
    """Blots out card numbers and mail addresses before a handler sees them."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = scrub(record.getMessage())
        record.args = ()
        return True


def scrub(text: str) -> str:
    return _ADDRESS.sub("<mail>", _CARD.sub("<card>", text))


@contextmanager
def request_scope(identifier: str) -> Iterator[None]:
    """Mark every line that is logged inside with the request it belongs to."""
    token = _request.set(identifier)
    try:
        yield
    finally:
        _request.reset(token)


def configure_logging(debug: bool = False) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    handler.addFilter(PrivacyFilter())
    root = logging.getLogger("bramble")
    root.handlers[:] = [handler]
    root.setLevel(logging.DEBUG if debug else logging.INFO)
