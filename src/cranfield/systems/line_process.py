"""A child process that stays alive and exchanges lines."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from cranfield.systems.child_process import ChildProcess, describe_code

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from cranfield.model import Response

__all__ = [
    "FailedExchangeError",
    "LineProcess",
    "LineProcessError",
    "ProcessPool",
]

_MOST_LINE = 16 << 20
_CHUNK = 1 << 16
_MOST_ERRORS = 2000
_EXIT_SECONDS = 1.0
_POLL_SECONDS = 0.01


class LineProcessError(Exception):
    """The process ended or sent an endless line, and can no longer be used.

    `errors` is the end of what it wrote to its error stream.
    """

    def __init__(self, message: str, errors: str = "") -> None:
        super().__init__(message)
        self.errors = errors


class LineProcess:
    """A child process that reads and writes lines; the end of its error stream is kept.

    After a timeout or an error it can no longer be used: close it and start another. `close` may
    be called from another thread than the one that waits for an answer.
    """

    def __init__(
        self, command: Sequence[str], *, folder: Path, environment: Mapping[str, str]
    ) -> None:
        self._child = ChildProcess(
            command, folder=folder, environment=environment, stdin=subprocess.PIPE
        )
        process = self._child.process
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise LineProcessError("it has no pipes")
        self._in = process.stdin.fileno()
        self._out, self._err = process.stdout.fileno(), process.stderr.fileno()
        for handle in (self._in, self._out, self._err):
            os.set_blocking(handle, False)
        self._selector = selectors.DefaultSelector()
        for handle in (self._out, self._err):
            self._selector.register(handle, selectors.EVENT_READ)
        self._received = bytearray()
        self._searched = 0
        self._errors = b""
        self._using = threading.Lock()
        self._closed = False

    def send(self, line: bytes, deadline: float) -> None:
        """Send one line; raises TimeoutError if the process does not read it in time."""
        with self._using:
            self._refuse_closed()
            self._selector.register(self._in, selectors.EVENT_WRITE)
            try:
                self._write(memoryview(line + b"\n"), deadline)
            finally:
                self._selector.unregister(self._in)

    def receive(self, deadline: float) -> bytes:
        """Return the next line; raises TimeoutError if it does not arrive in time."""
        with self._using:
            self._refuse_closed()
            while (end := self._received.find(b"\n", self._searched)) < 0:
                self._searched = len(self._received)
                self._wait_and_read(_left(deadline))
            line = bytes(self._received[:end])
            del self._received[: end + 1]
            self._searched = 0
            return line

    def has_more(self) -> bool:
        """Return whether there is output that nobody has read yet; a closed pipe is none."""
        with self._using:
            self._refuse_closed()
            with contextlib.suppress(TimeoutError, LineProcessError):
                self._wait_and_read(0.0)
            return bool(self._received)

    @property
    def errors(self) -> str:
        """The last lines that it wrote to its error stream."""
        return self._errors.decode(errors="backslashreplace")

    def close(self) -> None:
        """Kill the process and all that it started; whoever waits for it gets LineProcessError."""
        self._child.kill()
        with self._using:
            if not self._closed:
                self._closed = True
                self._selector.close()
                self._child.end()

    def _write(self, rest: memoryview, deadline: float) -> None:
        while rest:
            try:
                rest = rest[os.write(self._in, rest) :]
            except BlockingIOError:
                self._wait_and_read(_left(deadline))
            except OSError:
                raise self._ended() from None

    def _wait_and_read(self, seconds: float) -> None:
        """Wait until something can be read or written, and read what there is.

        Both outputs are read even while a line is sent: a process that waits for its output to be
        read would never read the line.
        """
        events = self._selector.select(seconds)
        if not events:
            raise TimeoutError
        for key, _ in events:
            if key.fd == self._err:
                self._read_errors()
            elif key.fd == self._out:
                self._read_output()

    def _read_output(self) -> None:
        chunk = os.read(self._out, _CHUNK)
        if not chunk:
            raise self._ended()
        self._received += chunk
        if len(self._received) > _MOST_LINE:
            message = f"it sent more than {_MOST_LINE >> 20} MiB at once"
            raise LineProcessError(message, self.errors)

    def _read_errors(self) -> None:
        chunk = os.read(self._err, _CHUNK)
        if not chunk:
            self._selector.unregister(self._err)
        self._keep_errors(chunk)

    def _keep_errors(self, chunk: bytes) -> None:
        self._errors = (self._errors + chunk)[-_MOST_ERRORS:]

    def _refuse_closed(self) -> None:
        if self._closed:
            raise LineProcessError("it was closed")

    def _ended(self) -> LineProcessError:
        """Make the error that describes how it ended, with the rest of its error stream."""
        until = time.monotonic() + _EXIT_SECONDS
        while (code := self._child.code()) is None and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)
        self._drain_errors()
        how = "it closed its output" if code is None else f"it {describe_code(code)}"
        return LineProcessError(how, self.errors)

    def _drain_errors(self) -> None:
        try:
            while chunk := os.read(self._err, _CHUNK):
                self._keep_errors(chunk)
        except BlockingIOError:
            return


def _left(deadline: float) -> float:
    """Return the seconds until a deadline; a process that writes endlessly times out here."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


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
