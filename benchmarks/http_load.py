"""Asks an HTTP server on this machine, as many clients in turn or at given times of arrival."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Answered", "ask_at", "ask_in_turn"]

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Answered(NamedTuple):
    """The status of an answer, 0 if there was none, and the seconds until it was there."""

    status: int
    seconds: float


def ask_in_turn(url: str, paths: Sequence[str], clients: int, seconds: float) -> list[Answered]:
    """Let each of some clients ask again as soon as it is answered, or as it is told to."""
    return asyncio.run(_ask_in_turn(url, paths, clients, seconds))


def ask_at(url: str, paths: Sequence[str], arrivals: Sequence[float]) -> list[Answered]:
    """Ask at given times; the time of an answer counts from then."""
    return asyncio.run(_ask_at(url, paths, arrivals))


async def _ask_in_turn(
    url: str, paths: Sequence[str], clients: int, seconds: float
) -> list[Answered]:
    end = time.perf_counter() + seconds

    async def ask_again(client: int) -> list[Answered]:
        connection = await _connect(url)
        answers = []
        number = client
        while (began := time.perf_counter()) < end:
            status, retry_after = await _get(connection, paths[number % len(paths)])
            answers.append(Answered(status, time.perf_counter() - began))
            number += clients
            if status == 503:
                await asyncio.sleep(min(retry_after, max(0.0, end - time.perf_counter())))
        connection[1].close()
        return answers

    found = await asyncio.gather(*(ask_again(client) for client in range(clients)))
    return [answer for answers in found for answer in answers]


async def _ask_at(url: str, paths: Sequence[str], arrivals: Sequence[float]) -> list[Answered]:
    free: list[Connection] = []
    began = time.perf_counter()

    async def ask(number: int, due: float) -> Answered:
        connection = free.pop() if free else await _connect(url)
        status, _ = await _get(connection, paths[number % len(paths)])
        free.append(connection)
        return Answered(status, time.perf_counter() - due)

    asking = []
    for number, arrival in enumerate(arrivals):
        due = began + arrival
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        asking.append(asyncio.create_task(ask(number, due)))
    answers = await asyncio.gather(*asking)
    for _, writer in free:
        writer.close()
    return answers


async def _connect(url: str) -> Connection:
    address = urlsplit(url)
    return await asyncio.open_connection(address.hostname, address.port)


async def _get(connection: Connection, path: str) -> tuple[int, float]:
    """Ask for a path; return the status and the seconds of Retry-After."""
    reader, writer = connection
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        await reader.readexactly(int(headers["content-length"]))
    except (OSError, EOFError):
        return 0, 0.0
    return int(lines[0].split()[1]), float(headers.get("retry-after", 0))
