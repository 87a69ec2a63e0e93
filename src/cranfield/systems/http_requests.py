"""HTTP requests, filled from a template for each query, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

import msgspec

from cranfield.errors import SystemUnusableError
from cranfield.systems.templates import (
    LEFT_OUT,
    check_placeholders,
    fill,
    fill_document,
    is_optional,
    placeholder_names,
    placeholder_values,
    refuse_placeholders,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from urllib.parse import SplitResult

    from cranfield.model import Query, Status
    from cranfield.systems.environment_variables import Variables

__all__ = [
    "HttpClientError",
    "HttpClientOptions",
    "HttpRequest",
    "HttpResponse",
    "RequestTemplate",
    "check_template",
]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request to send."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """What a server answered, after how many attempts. The body of an error is cut short."""

    code: int
    headers: Mapping[str, str]
    body: bytes
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class HttpClientOptions:
    """How requests are made: `rate` limits the requests a second, over all threads."""

    timeout: float
    retries: int = 3
    rate: float | None = None
    ca_file: Path | None = None


class HttpClientError(Exception):
    """No answer arrived: the status says whether it timed out or failed."""

    def __init__(self, status: Status, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.raw = raw


class RequestTemplate:
    """Makes the request for a query. Environment variables are filled in once, at the start.

    `filled` are the parts that have placeholders.
    """

    def __init__(
        self,
        *,
        method: str,
        url: str,
        params: Mapping[str, Any],
        headers: Mapping[str, str],
        body: Any,
        variables: Variables,
    ) -> None:
        self._method = method or ("GET" if body is None else "POST")
        self._url = variables.fill(url, "url")
        self._params = variables.fill_document(dict(params), "params")
        self._headers = _fill_headers(headers, variables)
        self._body = variables.fill_document(body, "body")
        self.filled = [url, dict(params), body]
        if body is not None:
            self._headers.setdefault("content-type", "application/json")
        self.address = _check_address(self._url)

    def fill(self, query: Query, limit: int) -> HttpRequest:
        """Make the request; raises UnicodeEncodeError for a query with lone surrogates."""
        values = placeholder_values(query, limit)
        # A placeholder in the address always has a value: optional ones are refused there.
        encoded = {name: quote(str(value), safe="") for name, value in values.items()}
        address = urlsplit(fill(self._url, encoded) or "")
        params = fill_document(self._params, values)
        pairs = [] if params is LEFT_OUT else list(_pairs(params))
        query_string = "&".join(filter(None, [address.query, urlencode(pairs, quote_via=quote)]))
        body = LEFT_OUT if self._body is None else fill_document(self._body, values)
        return HttpRequest(
            method=self._method,
            url=urlunsplit((address.scheme, address.netloc, address.path, query_string, "")),
            headers=self._headers,
            content=None if body is LEFT_OUT else msgspec.json.encode(body),
        )


def check_template(
    *, url: str, params: dict[str, Any], headers: Mapping[str, str], body: Any
) -> None:
    """Refuse a template that cannot be filled."""
    for template, where in ((url, "url"), (params, "params"), (body, "body")):
        check_placeholders(template, where)
    if "query" not in placeholder_names([url, params, body]):
        raise ValueError("nothing has {query}; put it into url, params or body")
    for name in filter(is_optional, placeholder_names(url)):
        raise ValueError(
            f"url: not every query has {{{name}}}; put it into params, which leave it out"
        )
    for name, value in params.items():
        if isinstance(value, dict):
            raise ValueError(f"params.{name} is a table; parameters are values or lists of them")  # noqa: TRY004 - becomes an error with its place
    refuse_placeholders(headers, "headers", "headers are the same for every query")


def _fill_headers(headers: Mapping[str, str], variables: Variables) -> dict[str, str]:
    filled = {
        name.lower(): variables.fill(value, f"headers.{name}") for name, value in headers.items()
    }
    for name, value in filled.items():
        if not (value.isascii() and value.isprintable()):
            raise SystemUnusableError(
                f"headers.{name} has characters that no header can have; does it end in a newline?"
            )
    return filled


def _check_address(url: str) -> SplitResult:
    try:
        address = urlsplit(url)
        port = address.port
    except ValueError as problem:
        raise SystemUnusableError(f"url cannot be read: {problem}") from None
    if address.scheme not in ("http", "https") or not address.hostname or port == 0:
        raise SystemUnusableError(
            "url needs a scheme and a host, such as http://localhost:8080/search?q={query}"
        )
    if address.username is not None:
        raise SystemUnusableError(
            "url holds a user name; give it as a header instead: "
            'authorization = "Basic ${NAME}", the variable being user:password in base64'
        )
    return address


def _pairs(params: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return parameters as pairs; a list becomes several pairs of one name."""
    return [
        (name, str(each).lower() if isinstance(each, bool) else str(each))
        for name, value in params.items()
        for each in (value if isinstance(value, list) else [value])
    ]
