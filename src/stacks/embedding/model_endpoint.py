"""JSON requests to a model's server, with time limits, retries and errors in one sentence.

The API key comes from an environment variable and goes into the header of a request, nowhere else:
it is removed from a server's messages before they are shown.
"""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec

from cranfield_shared.packed_bodies import (
    ACCEPTED_PACKINGS,
    BodyUnpacker,
    PackedBodyError,
    read_retry_after,
)
from stacks.embedding.model_kinds import require_package
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import httpx

__all__ = ["ModelEndpoint", "RetryPolicy", "send_in_parts"]

_MOST_BODY = 64 << 20
_MOST_ERROR_BODY = 64 << 10
_SHOWN = 200
_REMEDIES = {
    400: "fix the model's name or the options",
    401: "put a valid key into {variable}",
    403: "put a key that may use this model into {variable}",
    404: "fix the address or the model's name",
    413: "the text is longer than this server allows",
    422: "fix the model's name or the options",
    429: "wait, or ask for a higher limit",
}

_REASONS = {status.value: status.phrase for status in HTTPStatus}

Row = TypeVar("Row")


class RetryPolicy(NamedTuple):
    """How long to wait for an answer and how often to retry; times in seconds."""

    timeout: float = 60.0
    attempts: int = 4
    first_delay: float = 0.5
    longest_delay: float = 30.0


class TooLargeError(EmbeddingError):
    """A request that is too large for the server; a smaller one may succeed."""


class _BusyError(Exception):
    """A failure that may be temporary; `delay` is how long the server asks to wait."""

    def __init__(self, message: str, delay: float | None = None) -> None:
        super().__init__(message)
        self.delay = delay


class ModelEndpoint:
    """One address of a server; `ask` may be called from several threads."""

    def __init__(
        self, base: str, path: str, key_variable: str, retry_policy: RetryPolicy | None = None
    ) -> None:
        self.url = _make_url(base, path)
        self._host = urlsplit(self.url).netloc
        self._variable = key_variable
        self._key = _find_key(key_variable)
        self._retry_policy = retry_policy or RetryPolicy()
        self._client = self._make_client()

    def _make_client(self) -> httpx.Client:
        """Make the client, which takes secrets from the key variable and nowhere else."""
        require_package("httpx")
        import httpx

        headers = {"accept-encoding": ACCEPTED_PACKINGS}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        seconds = self._retry_policy.timeout
        return httpx.Client(
            headers=headers,
            timeout=httpx.Timeout(seconds, connect=min(seconds, 10.0)),
            follow_redirects=False,
            trust_env=False,
        )

    def ask(self, question: Mapping[str, Any]) -> bytes:
        """Send a question and return the body of the answer; retry while the server is busy."""
        content = msgspec.json.encode(question)
        attempt = 1
        while True:
            try:
                return self._ask_once(content)
            except _BusyError as busy:
                delay = busy.delay
                if delay is None:
                    delay = self._retry_policy.first_delay * 2 ** (attempt - 1)
                if (
                    attempt >= self._retry_policy.attempts
                    or delay > self._retry_policy.longest_delay
                ):
                    tries = f" (asked {attempt} times)" if attempt > 1 else ""
                    raise EmbeddingError(f"{busy}{tries}") from None
            time.sleep(delay)
            attempt += 1

    def _ask_once(self, content: bytes) -> bytes:
        """Send a question once; raises `_BusyError` where asking again may help.

        The client's own timeout is for a single read, and a server that sends a byte a second never
        exceeds it. So the exchange has a thread of its own, which is left alone at the deadline.
        """
        answer: Future[bytes] = Future()

        def exchange() -> None:
            try:
                answer.set_result(self._exchange(content))
            except BaseException as problem:  # noqa: BLE001 - raised again in the other thread
                answer.set_exception(problem)

        threading.Thread(target=exchange, name="model-endpoint", daemon=True).start()
        try:
            return answer.result(self._retry_policy.timeout)
        except FutureTimeoutError:
            raise self._make_timeout() from None

    def _exchange(self, content: bytes) -> bytes:
        import httpx

        headers = {"content-type": "application/json", "accept": "application/json"}
        try:
            with self._client.stream(
                "POST", self.url, content=content, headers=headers
            ) as response:
                body = self._read(response)
        except httpx.TimeoutException:
            raise self._make_timeout() from None
        except PackedBodyError as problem:
            message = f"{self._host} gave an answer that cannot be unpacked: {problem}"
            raise EmbeddingError(message) from None
        except (httpx.HTTPError, OSError) as error:
            reason = self._clean(str(error)) or type(error).__name__
            raise _BusyError(f"{self._host} cannot be reached: {reason}; is it running?") from None
        if response.is_success:
            return body
        raise self._make_error(response, body)

    def _read(self, response: httpx.Response) -> bytes:
        """Read an answer within its limits; the body of an error may be cut."""
        most = _MOST_BODY if response.is_success else _MOST_ERROR_BODY
        body = bytearray()
        unpacker = BodyUnpacker(response.headers.get("content-encoding", ""), most)
        for chunk in response.iter_raw():
            body += unpacker.unpack(chunk)
            if len(body) > most:
                if response.is_success:
                    raise EmbeddingError(
                        f"{self._host} answered with more than {most >> 20} MiB; "
                        "send fewer texts at once"
                    )
                break
        return bytes(body)

    def _make_timeout(self) -> EmbeddingError:
        """Make the error of an answer that did not come in time."""
        return EmbeddingError(
            f"{self._host} gave no answer within {self._retry_policy.timeout:g} s; "
            "raise timeout= or send fewer texts at once"
        )

    def _make_error(self, response: httpx.Response, body: bytes) -> Exception:
        """Make the error of a failed request, with the server's own message."""
        code = response.status_code
        parts = [f"{self._host} answered {code} {_REASONS.get(code, '')}".rstrip()]
        if message := self._clean(_find_message(body)):
            parts.append(f": {message}")
        if 300 <= code < 400:
            parts.append("; redirects are not followed, give the address it leads to")
        elif code in _REMEDIES:
            parts.append(f"; {_REMEDIES[code].format(variable=self._variable)}")
        text = "".join(parts)
        if code == 429 or code >= 500:
            return _BusyError(text, read_retry_after(response.headers.get("retry-after", "")))
        return TooLargeError(text) if code == 413 else EmbeddingError(text)

    def _clean(self, text: str) -> str:
        """Return a server's message as one short line, without the key."""
        if self._key:
            text = text.replace(self._key, "***")
        line = " ".join("".join(each if each.isprintable() else " " for each in text).split())
        return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"

    def make_unusable(self, what: str) -> EmbeddingError:
        """Make the error of an answer that cannot be used."""
        return EmbeddingError(f"{self._host} {what}; is {self.url} the right address?")

    def close(self) -> None:
        """Close all connections."""
        self._client.close()


def send_in_parts(
    send: Callable[[Sequence[str]], Sequence[Row]], texts: Sequence[str], size: int
) -> list[Row]:
    """Send texts in parts of a size, and in smaller ones if the server finds them too large."""
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
    """Make the address of requests; refuse parts that could contain a secret."""
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
            f"the address of {address.hostname} must not contain a user name, ? or #; "
            "put a key into the environment"
        )
    stem = address.path.rstrip("/").removesuffix(path)
    return f"{address.scheme}://{address.netloc}{stem}{path}"


def _find_key(variable: str) -> str:
    """Read a key from the environment; one that no header can hold is refused, not shown."""
    key = os.environ.get(variable, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise EmbeddingError(f"{variable} contains characters that no key has; set it again")
    return key


def _find_message(body: bytes) -> str:
    """Find a server's message in the usual formats of an error; nothing in an HTML page."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        text = body.decode("utf-8", "replace")
        return "" if text.lstrip().startswith("<") else text
    for name in ("error", "detail", "message"):
        if isinstance(found, dict) and found.get(name):
            found = found[name]
    return found if isinstance(found, str) else ""
