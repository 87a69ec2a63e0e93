"""A conversation over pipes in which the end of input does not cut answers off.

The protocol's loop drops requests in progress when its input ends. A client that writes its
requests and closes its end (`printf … | stacks serve --mcp`) would get no answer to the last
ones, so the end is passed on only when every request has its answer.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self

import anyio
from mcp import types

if TYPE_CHECKING:
    from types import TracebackType

    from anyio.streams.memory import MemoryObjectSendStream
    from mcp.shared.message import SessionMessage

__all__ = ["Ledger", "NotingSender", "relay"]

LONGEST_FINISH = 30.0
"""Seconds that requests in progress have when the input has ended."""

_logger = logging.getLogger(__name__)


class Ledger:
    """Which requests wait for their answer."""

    def __init__(self) -> None:
        self._waiting: set[int | str] = set()
        self._changed = anyio.Event()

    def note(self, message: types.JSONRPCMessage) -> None:
        """Take note of a message in either direction."""
        if isinstance(message, types.JSONRPCRequest):
            self._waiting.add(message.id)
        elif isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._remove(message.id)
        elif message.method == "notifications/cancelled" and message.params:
            # What a client has cancelled is never answered.
            self._remove(message.params.get("requestId"))

    def _remove(self, request: object) -> None:
        self._waiting = {each for each in self._waiting if each != request}
        self._changed.set()
        self._changed = anyio.Event()

    async def settle(self) -> None:
        """Wait until every request is answered, but not for ever."""
        with anyio.move_on_after(LONGEST_FINISH):
            while self._waiting:
                await self._changed.wait()


class NotingSender:
    """Sends messages on, and notes which requests they answer."""

    def __init__(self, stream: Any, ledger: Ledger) -> None:
        self._stream = stream
        self._ledger = ledger

    async def send(self, item: SessionMessage, /) -> None:
        """Send, then note."""
        await self._stream.send(item)
        self._ledger.note(item.message)

    async def aclose(self) -> None:
        """Close what is behind."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()


async def relay(source: Any, target: MemoryObjectSendStream[Any], ledger: Ledger) -> None:
    """Pass messages on, leave out lines that are none, and hold the end back."""
    async with target, source:
        async for item in source:
            if isinstance(item, Exception):
                _logger.warning("a line of the input is no message of the protocol; left out")
                continue
            ledger.note(item.message)
            await target.send(item)
        await ledger.settle()
