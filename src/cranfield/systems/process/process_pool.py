"""A pool of processes kept alive between queries, as many as are used at the same time."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from cranfield.systems.process.line_process import LineProcessError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.model import Response

__all__ = ["FailedExchangeError", "ProcessPool"]


class _Closeable(Protocol):
    def close(self) -> None: ...


Pooled = TypeVar("Pooled", bound=_Closeable)
Result = TypeVar("Result")


class FailedExchangeError(Exception):
    """An exchange after which the process is no longer trusted, with the response to report."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.message)
        self.response = response


class ProcessPool(Generic[Pooled]):
    """Lends processes: a free one if there is any, or else a new one.

    A process is dropped if an exchange with it raised anything. One that answered before and then
    ended is replaced, and the exchange repeated: if this query made it end, its successor ends as
    well.
    """

    def __init__(self, start: Callable[[], Pooled]) -> None:
        self._start = start
        self._free: list[Pooled] = []
        self._lent: list[Pooled] = []
        self._lock = threading.Lock()
        self._closed = False

    def run(self, exchange: Callable[[Pooled], Result]) -> Result:
        """Run an exchange with a process, and keep the process if that went well."""
        while True:
            process, is_new = self._take()
            try:
                result = exchange(process)
            except LineProcessError:
                self._drop(process)
                if is_new:
                    raise
            except BaseException:
                self._drop(process)
                raise
            else:
                self._give_back(process)
                return result

    def close(self) -> None:
        """End all processes, lent ones included."""
        with self._lock:
            self._closed = True
            processes = [*self._free, *self._lent]
            self._free.clear()
        for process in processes:
            process.close()

    def _take(self) -> _Taken[Pooled]:
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

    def _give_back(self, process: Pooled) -> None:
        with self._lock:
            self._lent.remove(process)
            if not self._closed:
                self._free.append(process)
                return
        process.close()

    def _drop(self, process: Pooled) -> None:
        with self._lock:
            self._lent.remove(process)
        process.close()

    def _refuse_closed(self) -> None:
        if self._closed:
            raise LineProcessError("the system is closed")


class _Taken(NamedTuple, Generic[Pooled]):
    process: Pooled
    is_new: bool
