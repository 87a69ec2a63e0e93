"""An HTTP client for all threads, with a deadline for each exchange as a whole.

HTTP clients limit each single read, so a server which sends a byte a second never times out.
This one runs in an event loop of its own, where the whole exchange is cancelled at its deadline:
name lookup, connection, waiting and reading.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cranfield.model import Status
from cranfield.systems.extraction import keep_raw
from cranfield.systems.http_requests import HttpClientError, HttpResponse
from cranfield_shared.packed_bodies import (
    ACCEPTED_PACKINGS,
    BodyUnpacker,
    PackedBodyError,
    read_retry_after,
)

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

    from cranfield.systems.http_requests import HttpClientOptions, HttpRequest

__all__ = ["HttpClient"]

_MOST_BODY = 16 << 20
_MOST_ERROR_BODY = 64 << 10
_BUSY = (429, 503)
_FIRST_DELAY = 0.5
_IDLE_SECONDS = 2.0
"""How long an unused connection is kept: shorter than servers keep theirs."""


class HttpClient:
    """Sends requests for any number of threads."""

    def __init__(self, options: HttpClientOptions) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client: httpx.AsyncClient | None = None
        self._next_start = 0.0

    def start(self) -> None:
        """Start the event loop; raises OSError if the certificates cannot be read."""
        with self._lock:
            self._start()

    def send(self, request: HttpRequest) -> HttpResponse:
        """Send a request, and again while the server is busy and there is time."""
        with self._lock:
            if self._closed:
                raise HttpClientError(Status.ERROR, "the system is closed")
            loop, client = self._start()
            future = asyncio.run_coroutine_threadsafe(
                self._send_with_retries(client, request), loop
            )
        try:
            return future.result()
        except CancelledError:
            raise HttpClientError(Status.ERROR, "the system was closed") from None
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancel all requests and close all connections."""
        with self._lock:
            self._closed = True
            loop, thread, client = self._loop, self._thread, self._client
            self._loop = None
        if loop is None or thread is None or client is None:
            return
        asyncio.run_coroutine_threadsafe(_cancel_all(client), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def _start(self) -> tuple[asyncio.AbstractEventLoop, httpx.AsyncClient]:
        if self._loop is None or self._client is None:
            self._client = _make_client(self._options.ca_file)
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(
                target=self._loop.run_forever, name="http-client", daemon=True
            )
            self._thread.start()
        return self._loop, self._client

    async def _send_with_retries(
        self, client: httpx.AsyncClient, request: HttpRequest
    ) -> HttpResponse:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._options.timeout
        attempts = 0
        while True:
            # Waiting for our own rate limit does not count against the server.
            deadline += await self._wait_for_turn()
            attempts += 1
            answer = await self._once(client, request, deadline, attempts)
            if answer.code not in _BUSY or attempts > self._options.retries:
                return answer
            delay = read_retry_after(answer.headers.get("retry-after", ""))
            if delay is None:
                delay = _FIRST_DELAY * 2 ** (attempts - 1)
            if loop.time() + delay >= deadline:
                return answer
            await asyncio.sleep(delay)

    async def _wait_for_turn(self) -> float:
        """Wait until the rate allows another request; return how long that took."""
        if self._options.rate is None:
            return 0.0
        now = asyncio.get_running_loop().time()
        start = max(now, self._next_start)
        self._next_start = start + 1 / self._options.rate
        await asyncio.sleep(start - now)
        return start - now

    async def _once(
        self, client: httpx.AsyncClient, request: HttpRequest, deadline: float, attempts: int
    ) -> HttpResponse:
        import httpx

        body = bytearray()
        try:
            async with asyncio.timeout_at(deadline):
                return await _exchange(client, request, body, attempts)
        except TimeoutError:
            message = f"no answer within {self._options.timeout:g} s"
            raise HttpClientError(Status.TIMEOUT, message, keep_raw(bytes(body))) from None
        except PackedBodyError as problem:
            message = f"the answer cannot be unpacked: {problem}"
            raise HttpClientError(Status.ERROR, message, keep_raw(bytes(body))) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as problem:
            reason = str(problem) or type(problem).__name__
            message = f"no answer from {urlsplit(request.url).netloc}: {reason}"
            raise HttpClientError(Status.ERROR, message, keep_raw(bytes(body))) from None


def _make_client(ca_file: Path | None) -> httpx.AsyncClient:
    """Make the client. Proxies of the environment are ignored: they are not for local servers."""
    import ssl

    import httpx

    known = ssl.create_default_context(cafile=ca_file) if ca_file else True
    return httpx.AsyncClient(
        timeout=None,  # noqa: S113 - the deadline of the whole exchange is ours
        limits=httpx.Limits(max_connections=None, keepalive_expiry=_IDLE_SECONDS),
        headers={"accept-encoding": ACCEPTED_PACKINGS},
        follow_redirects=False,
        trust_env=False,
        verify=known,
    )


async def _exchange(
    client: httpx.AsyncClient, request: HttpRequest, body: bytearray, attempts: int
) -> HttpResponse:
    """Make one request; what arrives is added to `body`, and kept if the rest never comes."""
    async with client.stream(
        request.method, request.url, headers=dict(request.headers), content=request.content
    ) as response:
        most = _MOST_BODY if response.is_success else _MOST_ERROR_BODY
        unpacker = BodyUnpacker(response.headers.get("content-encoding", ""), most)
        async for chunk in response.aiter_raw():
            body += unpacker.unpack(chunk)
            if len(body) > most:
                break
        if response.is_success and len(body) > most:
            message = f"the answer has more than {most >> 20} MiB; ask for fewer hits or fields"
            raise HttpClientError(Status.ERROR, message, keep_raw(bytes(body)))
        return HttpResponse(response.status_code, dict(response.headers), bytes(body), attempts)


async def _cancel_all(client: httpx.AsyncClient) -> None:
    others: list[asyncio.Task[Any]] = [
        task for task in asyncio.all_tasks() if task is not asyncio.current_task()
    ]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    with contextlib.suppress(Exception):
        await client.aclose()
    await asyncio.get_running_loop().shutdown_asyncgens()
