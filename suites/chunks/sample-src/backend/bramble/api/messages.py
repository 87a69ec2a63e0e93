"""Requests and responses, as far as the handlers need to know them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from bramble.errors import Invalid
from bramble.members.sessions import Session


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    client: str = ""
    session: Session | None = None

    @classmethod
    def from_environ(cls, environ: dict[str, Any]) -> Request:
        length = int(environ.get("CONTENT_LENGTH") or 0)
        query = {name: values[-1] for name, values in parse_qs(environ["QUERY_STRING"]).items()}
        headers = {
            name[5:].replace("_", "-").lower(): value
            for name, value in environ.items()
            if name.startswith("HTTP_")
        }
        return cls(
            environ["REQUEST_METHOD"],
            environ["PATH_INFO"],
            query,
            headers,
            environ["wsgi.input"].read(length),
            environ.get("REMOTE_ADDR", ""),
        )

    def json(self) -> dict[str, Any]:
        try:
            value = json.loads(self.body or b"{}")
        except ValueError:
            raise Invalid("the body is no JSON") from None
        if not isinstance(value, dict):
            raise Invalid("the body must be an object")
        return value


@dataclass(frozen=True)
class Response:
    payload: Any = None
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()

    def encode(self) -> bytes:
        return json.dumps(self.payload, ensure_ascii=False, default=str).encode()
