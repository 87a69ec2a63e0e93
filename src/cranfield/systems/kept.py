"""Processes that are kept between queries: as many as are asked at the same time."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from cranfield.systems.lines import LineProcessError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.model import Response

__all__ = ["FailedExchangeError", "KeptProcesses"]


class _Closeable(Protocol):
    def close(self) -> None: ...


Kept = TypeVar("Kept", bound=_Closeable)
Answer = TypeVar("Answer")


class FailedExchangeError(Exception):
    """An exchange after which the process is not trusted any more, and what is answered instead."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.message)
        self.response = response


class KeptProcesses(Generic[Kept]):
    """Lends a process to whoever asks; one that is free is lent again, or else one is started.

    A process is not lent again once anything was raised while it was asked. One that answered
    before and then ended is replaced, and the question asked again: that it ended is not the
    doing of this question, or its successor ends as well.
    """

    def __init__(self, start: Callable[[], Kept]) -> None:
        self._start = start
        self._free: list[Kept] = []
        self._lent: list[Kept] = []
        self._lock = threading.Lock()
        self._closed = False

    def ask(self, exchange: Callable[[Kept], Answer]) -> Answer:
        """Ask a process something, and keep it if that went well."""
        while True:
            process, is_new = self._take()
            try:
                answer = exchange(process)
            except LineProcessError:
                self._drop(process)
                if is_new:
                    raise
            except BaseException:
                self._drop(process)
                raise
            else:
                self._give_back(process)
                return answer

    def close(self) -> None:
        """End all processes, those that are lent too."""
        with self._lock:
            self._closed = True
            processes = [*self._free, *self._lent]
            self._free.clear()
        for process in processes:
            process.close()

    def _take(self) -> _Taken[Kept]:
        with self._lock:
            self._refuse_closed()
            if self._free:
                self._lent.append(self._free.pop())
                return _Taken(self._lent[-1], is_new=False)
        process = self._start()
        try:
            with self._lock:
                self._refuse_closed()
                self._lent.append(process)
        except LineProcessError:
            process.close()
            raise
        return _Taken(process, is_new=True)

    def _give_back(self, process: Kept) -> None:
        with self._lock:
            self._lent.remove(process)
            if not self._closed:
                self._free.append(process)
                return
        process.close()

    def _drop(self, process: Kept) -> None:
        with self._lock:
            self._lent.remove(process)
        process.close()

    def _refuse_closed(self) -> None:
        if self._closed:
            raise LineProcessError("the system is closed")


class _Taken(NamedTuple, Generic[Kept]):
    process: Kept
    is_new: bool
