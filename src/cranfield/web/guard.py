"""The guard before every page: Host, Origin, session, size and proof are checked here alone.

    link ─► Host? ─► token or session? ─► page
    form ─► Host? ─► Origin? ─► size? ─► session? ─► proof? ─► page

Whatever a page answers gets the same strict headers.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import FormData, Headers, MutableHeaders, QueryParams
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = [
    "ASSETS",
    "FORM_LIMIT",
    "SIGN_IN",
    "Access",
    "Guard",
    "Refusal",
    "is_loopback",
    "open_access",
]

ASSETS = "/assets/"
SIGN_IN = "/sign-in"
FORM_LIMIT = 262_144
"""Bytes of a form: room for a long query and 1,000 marked hits."""
_MOST_FIELDS = 2000
_PROOF = "proof"
_HEADERS = {
    "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; style-src 'self'; script-src 'self'; connect-src 'self'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Refusal(NamedTuple):
    """Why a request is not answered; `asks_token` if a token would help."""

    status: HTTPStatus
    message: str
    asks_token: bool = False


class Guard:
    """Lets through what is allowed; pages find the form and the proof in the request's state."""

    def __init__(
        self, app: ASGIApp, access: Access, cookie: str, refuse: Callable[[Refusal], Response]
    ) -> None:
        self._app = app
        self._access = access
        self._cookie = cookie
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and pass it on or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = cookie_parser(Headers(scope=scope).get("cookie", "")).get(self._cookie, "")
        session = given if self._access.is_session(given) else ""
        sent = _with_headers(send)
        answer = await self._answer(scope, receive, session)
        if isinstance(answer, Refusal):
            answer = self._refuse(answer)
        if answer is not None:
            await answer(scope, receive, sent)
            return
        if not session and not self._access.token and not scope["path"].startswith(ASSETS):
            session = self._access.begin_session()
            sent = _with_headers(send, self._cookie_header(session))
        scope["state"]["proof"] = self._access.prove(session) if session else ""
        await self._app(scope, receive, sent)

    async def _answer(
        self, scope: Scope, receive: Receive, session: str
    ) -> Response | Refusal | None:
        """Return what to answer instead of a page; None if the page may answer."""
        scope.setdefault("state", {})
        refusal = _check_request(scope, self._access)
        if refusal is not None:
            return refusal
        if scope["method"] == "POST":
            return await self._answer_form(scope, receive, session)
        token = QueryParams(scope["query_string"]).get("token")
        if token is not None and self._access.token:
            return self._sign_in(token, _without_token(scope))
        is_open = session or not self._access.token or scope["path"].startswith(ASSETS)
        return None if is_open else _ask_token()

    async def _answer_form(
        self, scope: Scope, receive: Receive, session: str
    ) -> Response | Refusal | None:
        form = await _read_form(scope, receive)
        if isinstance(form, Refusal):
            return form
        if scope["path"] == SIGN_IN:
            return self._sign_in(str(form.get("token", "")), "/")
        if not session:
            return _ask_token() if self._access.token else _old_page()
        scope["state"]["form"] = form
        is_ours = self._access.accepts_proof(session, str(form.get(_PROOF, "")))
        return None if is_ours else _old_page()

    def _sign_in(self, token: str, address: str) -> Response | Refusal:
        if not self._access.accepts_token(token):
            return _ask_token("this token is not the one that the server printed when it started")
        answer = RedirectResponse(address, HTTPStatus.SEE_OTHER)
        answer.headers["set-cookie"] = self._cookie_header(self._access.begin_session())
        return answer

    def _cookie_header(self, session: str) -> str:
        # Lax: a link to a query that came by mail opens. Nothing is changed by following a link.
        return f"{self._cookie}={session}; HttpOnly; SameSite=Lax; Path=/"


def _check_request(scope: Scope, access: Access) -> Refusal | None:
    """Check what can be seen without reading the body."""
    headers = Headers(scope=scope)
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not access.answers_to(hosts[0]):
        return Refusal(
            HTTPStatus.FORBIDDEN,
            "this server does not answer to that name; use the address that it printed, or start "
            "it with --host and the name",
        )
    if scope["method"] not in ("GET", "HEAD", "POST"):
        return Refusal(HTTPStatus.METHOD_NOT_ALLOWED, "use GET, HEAD or POST")
    if scope["method"] == "POST" and not _is_own_origin(headers, hosts[0]):
        return Refusal(HTTPStatus.FORBIDDEN, "forms are accepted from this server's own pages only")
    length = headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > 9 or int(length) > FORM_LIMIT:
        return _too_large()
    return None


def _is_own_origin(headers: Headers, host: str) -> bool:
    """Return whether a form was sent by a page of this server: browsers always say so.

    As our pages give no referrer, browsers send their origin as null; then the header
    Sec-Fetch-Site, which no script can set, has to say that it is our own.
    """
    site, given = headers.get("sec-fetch-site"), headers.get("origin", "")
    if site is not None and site != "same-origin":
        return False
    if given == "null":
        return site == "same-origin"
    try:
        origin = urlsplit(given)
    except ValueError:
        return False
    return origin.scheme in ("http", "https") and origin.netloc.lower() == host.lower()


async def _read_form(scope: Scope, receive: Receive) -> FormData | Refusal:
    kind = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        return Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send a form, URL-encoded")
    content = b""
    more = True
    while more:
        message = await receive()
        content += message.get("body", b"")
        more = message["type"] == "http.request" and message.get("more_body", False)
        if len(content) > FORM_LIMIT:
            return _too_large()
    try:
        fields = parse_qs(
            content.decode(), True, max_num_fields=_MOST_FIELDS, errors="strict", separator="&"
        )
    except ValueError:
        return Refusal(HTTPStatus.BAD_REQUEST, "the form cannot be read; send it as UTF-8")
    return FormData([(name, value) for name, values in fields.items() for value in values])


def _without_token(scope: Scope) -> str:
    """Return the address of a request without the token, on this server whatever it says."""
    kept = [each for each in QueryParams(scope["query_string"]).multi_items() if each[0] != "token"]
    path = f"/{scope['path'].lstrip('/')}"
    return f"{path}?{urlencode(kept)}" if kept else path


def _with_headers(send: Send, cookie: str = "") -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
            if cookie:
                headers.append("set-cookie", cookie)
        await send(message)

    return sent


def _ask_token(message: str = "") -> Refusal:
    return Refusal(
        HTTPStatus.UNAUTHORIZED, message or "this server asks for its token", asks_token=True
    )


def _old_page() -> Refusal:
    return Refusal(
        HTTPStatus.FORBIDDEN,
        "this form is not from a page of this session, or the server was started again since; go "
        "back, load the page again and repeat",
    )


def _too_large() -> Refusal:
    return Refusal(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"the form is larger than {FORM_LIMIT:,} bytes; mark fewer hits or shorten the query",
    )


_TOKEN_BYTES = 24


@dataclass(frozen=True, slots=True)
class Access:
    """How a server may be reached.

    `host` is what it listens on. `token` is what a browser has to show once, empty if nothing.
    Sessions and their proofs are signed with `secret`: they end with the server.
    """

    host: str
    token: str = ""
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def answers_to(self, header: str) -> bool:
        """Return whether a request may name the server so in its header Host.

        A page of another site can have its own name lead here (DNS rebinding). So no name counts
        but the one that the server was told to listen on; an address cannot be rebound.
        """
        name = _host_name(header)
        if is_loopback(self.host):
            return is_loopback(name)
        return name == self.host.lower() or name == "localhost" or _is_address(name)

    def accepts_token(self, given: str) -> bool:
        """Return whether a token is the one that was printed."""
        return bool(self.token) and hmac.compare_digest(given.encode(), self.token.encode())

    def begin_session(self) -> str:
        """Return the content of a new session's cookie."""
        name = secrets.token_urlsafe(_TOKEN_BYTES)
        return f"{name}.{self._sign('session', name)}"

    def is_session(self, cookie: str) -> bool:
        """Return whether a cookie is one that this server has set."""
        name, _, signature = cookie.partition(".")
        expected = self._sign("session", name)
        return bool(name) and hmac.compare_digest(signature.encode(), expected.encode())

    def prove(self, cookie: str) -> str:
        """Return what a form of a session carries to show that it is from our own pages."""
        return self._sign("form", cookie)

    def accepts_proof(self, cookie: str, given: str) -> bool:
        """Return whether a form is from our own pages."""
        return hmac.compare_digest(given.encode(), self.prove(cookie).encode())

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self.secret, f"{purpose}:{text}".encode(), sha256).hexdigest()


def open_access(host: str, *, demand_token: bool = False) -> Access:
    """Make the access of a server: a token is demanded unless only this machine can reach it."""
    demanded = demand_token or not is_loopback(host)
    return Access(host, secrets.token_urlsafe(_TOKEN_BYTES) if demanded else "")


def is_loopback(name: str) -> bool:
    """Return whether a name or an address leads to this machine alone."""
    if name.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _host_name(header: str) -> str:
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""
