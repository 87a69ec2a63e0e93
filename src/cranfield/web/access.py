"""Who may use the server: by which names it is reached, with which token, in which session."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import urlsplit

__all__ = ["Access", "is_loopback", "open_access"]

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
