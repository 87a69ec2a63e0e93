"""Requests made from a template: address, parameters, headers and body, filled for each query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import msgspec

from cranfield.errors import SystemUnusableError
from cranfield.systems.http_messages import HttpRequest
from cranfield.systems.templates import (
    LEFT_OUT,
    check_places,
    fill,
    fill_document,
    may_be_missing,
    place_names,
    places,
)
from cranfield.systems.variables import SECRET_NAME, refuse_literals

if TYPE_CHECKING:
    from collections.abc import Mapping
    from urllib.parse import SplitResult

    from cranfield.model import Query
    from cranfield.systems.variables import Variables

__all__ = ["RequestTemplate", "check_template"]

_SECRET_HEADER = re.compile(r"auth|cookie|token|secret|password|api[-_]?key", re.I)


class RequestTemplate:
    """Makes the request for a query. Environment variables are filled in once, at the start."""

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
        self._params = {
            name: variables.fill(value, f"params.{name}") if isinstance(value, str) else value
            for name, value in params.items()
        }
        self._headers = _fill_headers(headers, variables)
        self._body = body
        if body is not None:
            self._headers.setdefault("content-type", "application/json")
        self.address = _check_address(self._url)

    def fill(self, query: Query, limit: int) -> HttpRequest:
        """Make the request; raises UnicodeEncodeError for a query that is no text."""
        values = places(query, limit)
        # A place in the address always has a value: others are refused.
        encoded = {name: quote(str(value), safe="") for name, value in values.items()}
        address = urlsplit(fill(self._url, encoded) or "")
        params = fill_document(self._params, values)
        pairs = [] if params is LEFT_OUT else list(_pairs(params))
        asked = "&".join(filter(None, [address.query, urlencode(pairs, quote_via=quote)]))
        body = LEFT_OUT if self._body is None else fill_document(self._body, values)
        return HttpRequest(
            method=self._method,
            url=urlunsplit((address.scheme, address.netloc, address.path, asked, "")),
            headers=self._headers,
            content=None if body is LEFT_OUT else msgspec.json.encode(body),
        )


def check_template(
    *, url: str, params: dict[str, Any], headers: Mapping[str, str], body: Any
) -> None:
    """Refuse what cannot be filled, and a secret that is written down."""
    for template, where in ((url, "url"), (params, "params"), (body, "body")):
        check_places(template, where)
    if "query" not in place_names([url, params, body]):
        raise ValueError("nothing has {query}; put it into url, params or body")
    for name in filter(may_be_missing, place_names(url)):
        raise ValueError(
            f"url: not every query has {{{name}}}; put it into params, which leave it out"
        )
    for name, value in params.items():
        if isinstance(value, dict):
            raise ValueError(f"params.{name} is a table; parameters are values or lists of them")  # noqa: TRY004 - becomes an error with its place
    refuse_literals("headers", headers, _SECRET_HEADER)
    refuse_literals("params", params, SECRET_NAME)
    refuse_literals("url", dict(parse_qsl(urlsplit(url).query)), SECRET_NAME)


def _fill_headers(headers: Mapping[str, str], variables: Variables) -> dict[str, str]:
    filled = {
        name.lower(): variables.fill(value, f"headers.{name}") for name, value in headers.items()
    }
    for name, value in filled.items():
        if not (value.isascii() and value.isprintable()):
            raise SystemUnusableError(
                f"headers.{name} holds signs that no header can have; is there a newline at its "
                "end?"
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
    """Return parameters one by one; a list is several of one name."""
    return [
        (name, str(each).lower() if isinstance(each, bool) else str(each))
        for name, value in params.items()
        for each in (value if isinstance(value, list) else [value])
    ]
