"""Questions in JSON to a model's server: limits of time, patience, and complaints in one sentence.

A key comes from an environment variable alone. It goes into the header of a request and nowhere
else: it is taken out of whatever a server says before that is shown.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import responses
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec

from stacks.embedding.loading import require
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import httpx

__all__ = ["Endpoint", "Patience", "TooLargeError", "send_in_parts"]

_MOST_BODY = 64 << 20
_MOST_COMPLAINT = 64 << 10
_SHOWN = 200
_REMEDIES = {
    400: "mend the model's name or the options",
    401: "put a valid key into {variable}",
    403: "put a key that may use this model into {variable}",
    404: "mend the address or the model's name",
    413: "the text is longer than this server takes",
    422: "mend the model's name or the options",
    429: "wait, or ask for a higher limit",
}

Row = TypeVar("Row")


class Patience(NamedTuple):
    """How long an answer is waited for and how often it is asked for again; times in seconds."""

    timeout: float = 60.0
    attempts: int = 4
    first_delay: float = 0.5
    longest_delay: float = 30.0


class TooLargeError(EmbeddingError):
    """A request that the server finds too large; a smaller one may pass."""


class _BusyError(Exception):
    """An answer that may be another one later; `delay` is what the server asks for."""

    def __init__(self, message: str, delay: float | None = None) -> None:
        super().__init__(message)
        self.delay = delay


class Endpoint:
    """One address of a server; `ask` may be called from several threads."""

    def __init__(
        self, base: str, path: str, key_variable: str, patience: Patience | None = None
    ) -> None:
        self.url = _make_url(base, path)
        self._host = urlsplit(self.url).netloc
        self._variable = key_variable
        self._key = _find_key(key_variable)
        self._patience = patience or Patience()
        self._client = self._make_client()

    def _make_client(self) -> httpx.Client:
        """Make the client; no file or variable but the one of the key is asked for secrets."""
        require("httpx")
        import httpx

        headers = {"authorization": f"Bearer {self._key}"} if self._key else {}
        seconds = self._patience.timeout
        return httpx.Client(
            headers=headers,
            timeout=httpx.Timeout(seconds, connect=min(seconds, 10.0)),
            follow_redirects=False,
            trust_env=False,
        )

    def ask(self, question: Mapping[str, Any]) -> bytes:
        """Send a question and return the answer's body; again while the server is busy."""
        content = msgspec.json.encode(question)
        attempt = 1
        while True:
            try:
                return self._ask_once(content)
            except _BusyError as busy:
                delay = busy.delay
                if delay is None:
                    delay = self._patience.first_delay * 2 ** (attempt - 1)
                if attempt >= self._patience.attempts or delay > self._patience.longest_delay:
                    tries = f" (asked {attempt} times)" if attempt > 1 else ""
                    raise EmbeddingError(f"{busy}{tries}") from None
            time.sleep(delay)
            attempt += 1

    def _ask_once(self, content: bytes) -> bytes:
        """Send a question once; raises `_BusyError` where asking again may help."""
        import httpx

        deadline = time.monotonic() + self._patience.timeout
        headers = {"content-type": "application/json", "accept": "application/json"}
        try:
            with self._client.stream(
                "POST", self.url, content=content, headers=headers
            ) as response:
                body = self._read(response, deadline)
        except httpx.TimeoutException:
            raise self._make_timeout() from None
        except (httpx.HTTPError, OSError) as error:
            reason = self._clean(str(error)) or type(error).__name__
            raise _BusyError(f"{self._host} cannot be reached: {reason}; is it running?") from None
        if response.is_success:
            return body
        raise self._make_error(response, body)

    def _read(self, response: httpx.Response, deadline: float) -> bytes:
        """Read an answer within its limits; a complaint need not be whole."""
        most = _MOST_BODY if response.is_success else _MOST_COMPLAINT
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            # The client's own limit is for a single read: a trickle would never meet it.
            if time.monotonic() > deadline:
                raise self._make_timeout()
            if len(body) > most:
                if response.is_success:
                    raise EmbeddingError(f"{self._host} answered more than {most >> 20} MiB")
                break
        return bytes(body)

    def _make_timeout(self) -> EmbeddingError:
        """Say that the answer did not come in time."""
        return EmbeddingError(
            f"{self._host} gave no answer within {self._patience.timeout:g} s; "
            "raise timeout= or send fewer texts at once"
        )

    def _make_error(self, response: httpx.Response, body: bytes) -> Exception:
        """Make the error of an answer that is none, with what the server says of it."""
        code = response.status_code
        parts = [f"{self._host} answered {code} {responses.get(code, '')}".rstrip()]
        if said := self._clean(_find_message(body)):
            parts.append(f": {said}")
        if 300 <= code < 400:
            parts.append("; redirects are not followed, write the address it leads to")
        elif code in _REMEDIES:
            parts.append(f"; {_REMEDIES[code].format(variable=self._variable)}")
        message = "".join(parts)
        if code == 429 or code >= 500:
            return _BusyError(message, _read_delay(response.headers.get("retry-after", "")))
        return TooLargeError(message) if code == 413 else EmbeddingError(message)

    def _clean(self, text: str) -> str:
        """Make one short line of a server's words, without the key."""
        if self._key:
            text = text.replace(self._key, "***")
        line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
        return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"

    def make_unusable(self, what: str) -> EmbeddingError:
        """Make the error of an answer that was given but is of no use."""
        return EmbeddingError(f"{self._host} {what}; is {self.url} the right address?")

    def close(self) -> None:
        """Close all connections."""
        self._client.close()


def send_in_parts(
    send: Callable[[Sequence[str]], Sequence[Row]], texts: Sequence[str], size: int
) -> list[Row]:
    """Send texts in parts of a size, and in ever smaller ones where the server finds them large."""
    rows: list[Row] = []
    while len(rows) < len(texts):
        part = texts[len(rows) : len(rows) + size]
        try:
            rows += send(part)
        except TooLargeError:
            if len(part) == 1:
                raise
            size = len(part) // 2
    return rows


def _make_url(base: str, path: str) -> str:
    """Make the address that questions go to; what could hold a secret is refused."""
    try:
        address = urlsplit(base)
        is_usable = address.scheme in ("http", "https") and bool(address.hostname)
        is_usable = is_usable and address.port != 0
    except ValueError:
        is_usable = False
    if not is_usable or not base.isascii() or not base.isprintable() or " " in base:
        raise EmbeddingError(
            "the address of a model's server has a scheme and a host, such as "
            "http=http://localhost:8080/v1"
        )
    if address.username is not None or address.query or address.fragment:
        raise EmbeddingError(
            f"the address of {address.hostname} may hold no user name, no ? and no #; "
            "a key goes into the environment"
        )
    stem = address.path.rstrip("/").removesuffix(path)
    return f"{address.scheme}://{address.netloc}{stem}{path}"


def _find_key(variable: str) -> str:
    """Read a key from the environment; a key that no header can hold is refused unseen."""
    key = os.environ.get(variable, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise EmbeddingError(f"{variable} holds signs that no key has; set it again")
    return key


def _find_message(body: bytes) -> str:
    """Find what a server says is wrong, in the forms that are usual; pages say nothing."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        text = body.decode("utf-8", "replace")
        return "" if text.lstrip().startswith("<") else text
    for name in ("error", "detail", "message"):
        if isinstance(found, dict) and found.get(name):
            found = found[name]
    return found if isinstance(found, str) else ""


def _read_delay(value: str) -> float | None:
    """Read how many seconds a server asks to wait: a number, or a date."""
    if value.strip().isdecimal():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - datetime.now(UTC)).total_seconds(), 0.0)
