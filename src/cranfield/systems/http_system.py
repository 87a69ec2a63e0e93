"""Systems that are HTTP servers, answering in JSON or in text."""

from __future__ import annotations

import math
import socket
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from cranfield.errors import SystemUnusableError, UnknownNameError
from cranfield.model import Response, Status
from cranfield.systems.extraction import Extraction, ReadingSettings, keep_raw
from cranfield.systems.http_requests import (
    HttpClientError,
    HttpClientOptions,
    RequestTemplate,
    check_template,
)
from cranfield.systems.presets import PRESETS
from cranfield.systems.system import InitOption, System, SystemContext, SystemKind
from cranfield.systems.templates import refuse_unfilled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.model import Query
    from cranfield.systems.http_requests import HttpResponse
    from cranfield.systems.presets import Preset

__all__ = ["HTTP_SYSTEM"]

_METHODS = ("GET", "POST", "PUT")
_CONNECT_SECONDS = 10.0


class HttpSettings(ReadingSettings, kw_only=True):
    """How requests to a server are made.

    {query}, {k} and {filters.NAME} are filled in `url` (percent-encoded), `params` and `body`; a
    parameter or a value of the body is left out for a query without the filter it needs. ${NAME}
    in `url`, `params`, `body` and `headers` is an environment variable. A busy server (429, 503)
    gets up to `retries` further requests within the timeout; `rate` limits the requests a second.
    A `preset` adds what is not written, table by table.
    """

    url: str
    method: str = ""
    params: dict[str, Any] = msgspec.field(default_factory=dict)
    headers: dict[str, str] = msgspec.field(default_factory=dict)
    body: Any = None
    preset: str = ""
    retries: int = 3
    rate: float | None = None
    ca_file: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method and self.method not in _METHODS:
            raise ValueError(f"method = {self.method!r}; there are {', '.join(_METHODS)}")
        if self.retries < 0:
            raise ValueError(f"retries must be 0 or more, not {self.retries}")
        if self.rate is not None and not (self.rate > 0 and math.isfinite(self.rate)):
            raise ValueError(f"rate must be more than 0 requests a second, not {self.rate:g}")
        if self.ca_file and self.url.startswith("http:"):
            raise ValueError(
                "ca_file has certificates for https, and url is not https; take it out"
            )
        whole = self.completed()
        check_template(url=whole.url, params=whole.params, headers=whole.headers, body=whole.body)

    def completed(self) -> HttpSettings:
        """Return the settings with those of the preset added."""
        if not self.preset:
            return self
        try:
            preset = PRESETS.get(self.preset)
        except UnknownNameError as problem:
            raise ValueError(str(problem)) from None
        for name in preset.needed_params:
            if name not in self.params:
                raise ValueError(
                    f"the preset {preset.name} needs params.{name}; give it, such as "
                    f'params.{name} = "{preset.needed_params[name]}"'
                )
        reading = {} if self.pattern else preset.reading
        return msgspec.structs.replace(
            self,
            preset="",
            params={**preset.params, **self.params},
            body=_completed_body(self.body, preset),
            **{name: value for name, value in reading.items() if not getattr(self, name)},
        )


class HttpSystem(System):
    """Sends queries to a server. Redirects are not followed: the configured server is measured."""

    def __init__(self, settings: HttpSettings, context: SystemContext) -> None:
        from cranfield.systems.http_client import HttpClient  # loads asyncio

        settings = settings.completed()
        self._extraction = Extraction(settings)
        self._template = RequestTemplate(
            method=settings.method,
            url=settings.url,
            params=settings.params,
            headers=settings.headers,
            body=settings.body,
            variables=context.variables,
        )
        self._timeout = settings.timeout
        self._ca_file = context.folder / settings.ca_file if settings.ca_file else None
        self._client = HttpClient(
            HttpClientOptions(settings.timeout, settings.retries, settings.rate, self._ca_file)
        )

    def check(self) -> None:
        """Check that something listens at the address; no request is sent."""
        address = self._template.address
        port = address.port or (443 if address.scheme == "https" else 80)
        try:
            seconds = min(self._timeout, _CONNECT_SECONDS)
            with socket.create_connection((address.hostname, port), timeout=seconds):
                pass
        except (OSError, UnicodeError) as problem:
            reason = getattr(problem, "strerror", None) or problem
            raise SystemUnusableError(
                f"cannot connect to {address.hostname}:{port} ({reason}); "
                "start the server, or fix url"
            ) from None
        try:
            self._client.start()
        except OSError as problem:
            raise SystemUnusableError(
                f"the certificates in {self._ca_file} cannot be read ({problem.strerror}); "
                "fix ca_file"
            ) from None

    def search(self, query: Query, limit: int) -> Response:
        """Send the request for a query and read the answer."""
        try:
            answer = self._client.send(self._template.fill(query, limit))
        except HttpClientError as problem:
            response = Response.failed(problem.status, str(problem), raw=problem.raw)
        except (OSError, UnicodeEncodeError) as problem:
            response = Response.failed(Status.ERROR, f"cannot be queried: {problem}")
        else:
            response = self._response(answer, limit)
        return response

    def check_queries(self, queries: Sequence[Query]) -> list[str]:
        """Refuse filters that the request does not pass on."""
        example = 'params.{name} = "{{filters.{name}}}", or put it into body'
        refuse_unfilled(queries, self._template.filled, "the request", example)
        return []

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _response(self, answer: HttpResponse, limit: int) -> Response:
        if 200 <= answer.code < 300:
            return self._extraction.from_bytes(answer.body, limit)
        message = f"answered {answer.code} {_phrase(answer.code)}".rstrip()
        if 300 <= answer.code < 400:
            where = urlsplit(answer.headers.get("location", ""))
            message += f", which leads to {where._replace(query='', fragment='').geturl()}; "
            message += "redirects are not followed, write that url"
        if answer.attempts > 1:
            message += f" to {answer.attempts} attempts"
        return Response.failed(Status.ERROR, message, raw=keep_raw(answer.body))


def _completed_body(body: Any, preset: Preset) -> Any:
    """Merge the user's body into the preset's by top-level keys; a list or text replaces it."""
    if body is None:
        return dict(preset.body) or None
    return {**preset.body, **body} if isinstance(body, dict) else body


def _phrase(code: int) -> str:
    try:
        return HTTPStatus(code).phrase
    except ValueError:
        return ""


HTTP_SYSTEM = SystemKind(
    name="http",
    summary="a server that is queried over HTTP",
    example='kind = "http"\nurl = "http://localhost:8080/search?q={query}&limit={k}"\n'
    'headers.authorization = "Bearer ${SEARCH_TOKEN}"\nhits = "results"\nid = "url"',
    settings=HttpSettings,
    open=HttpSystem,
    init=InitOption(
        option="--url",
        setting="url",
        example="http://localhost:8080/search?q={query}&limit={k}",
        needs_query=lambda settings: not settings.get("preset"),  # it says where {query} goes
    ),
)
