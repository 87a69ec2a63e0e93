"""Child processes, run to their end or time limit, with bounded output and no survivors."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Self

from cranfield.systems.process.process_groups import forget_group, start_group

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["ChildProcess", "ExitReason", "FinishedProcess", "ProcessRunner", "describe_code"]

_MOST_OUTPUT = 16 << 20
_MOST_ERRORS = 64 << 10
_CHUNK = 1 << 16
_LINGER_SECONDS = 0.2
"""How long output is still read after the process ended, if a child of it holds the pipe open."""

_POLL_SECONDS = 0.01
_REAP_SECONDS = 5.0
"""How long to wait for a killed process; one that is blocked on a dead disk may never end."""


class ExitReason(Enum):
    """Why a process ended."""

    EXITED = "exited"
    TIMEOUT = "timeout"
    FLOODED = "flooded"


@dataclass(frozen=True, slots=True)
class FinishedProcess:
    """The result of a process that ended."""

    reason: ExitReason
    code: int
    output: bytes
    errors: bytes


class ChildProcess:
    """A child process in a session of its own, so that all it starts can be killed with it.

    It is not reaped before `end`: until then its number belongs to nobody else, and killing by
    that number is safe from any thread. Children that make a session of their own escape the
    kill, but are not waited for. If this process ends first, it is killed as well.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        stdin: int = subprocess.DEVNULL,
        output: int = subprocess.PIPE,
        errors: int | None = subprocess.PIPE,
    ) -> None:
        self.process = start_group(
            list(command),
            cwd=folder,
            env=environment,
            stdin=stdin,
            stdout=output,
            stderr=errors,
            bufsize=0,
        )
        self._lock = threading.Lock()
        self._ended = False

    def code(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs. Does not reap it."""
        try:
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            seen = os.waitid(os.P_PID, self.process.pid, options)
        except (
            AttributeError,
            ChildProcessError,
        ):  # no such call on this system, or already reaped
            return self.process.poll()
        if seen is None:
            return None
        return seen.si_status if seen.si_code == os.CLD_EXITED else -seen.si_status

    def wait(self) -> int:
        """Wait until it ends, and return the exit code. Does not reap it."""
        while (code := self.code()) is None:
            time.sleep(_POLL_SECONDS)
        return code

    def kill(self) -> None:
        """Kill it and all that it started."""
        self._send(signal.SIGKILL)

    def stop(self, seconds: float) -> None:
        """Ask it and all that it started to end, and give it some seconds to clean up."""
        self._send(signal.SIGTERM)
        until = time.monotonic() + seconds
        while self.code() is None and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)

    def _send(self, number: signal.Signals) -> None:
        with self._lock, contextlib.suppress(ProcessLookupError, PermissionError):
            if not self._ended:
                os.killpg(self.process.pid, number)

    def end(self) -> int:
        """Kill it, close its pipes and return its exit code."""
        self.kill()
        with self._lock:
            forget_group(self.process.pid)
            try:
                code = self.process.wait(_REAP_SECONDS)
            except subprocess.TimeoutExpired:
                code = -signal.SIGKILL
            self._ended = True
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        return code


class ProcessRunner:
    """Runs commands, and can stop all running ones."""

    def __init__(self) -> None:
        self._running: set[ChildProcess] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def run(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        timeout: float,
        most_output: int = _MOST_OUTPUT,
    ) -> FinishedProcess:
        """Run a command without a shell. It and all its children are gone on return."""
        deadline = time.monotonic() + timeout
        child = ChildProcess(command, folder=folder, environment=environment)
        try:
            with self._lock:
                self._running.add(child)
                if self._stopped:
                    child.kill()
            with _Reader(child, most_output) as reader:
                reason = reader.read_until(deadline)
        finally:
            with self._lock:
                self._running.discard(child)
            code = child.end()
        return FinishedProcess(reason, code, bytes(reader.output), bytes(reader.errors))

    def stop(self) -> None:
        """Kill all running processes; later ones are killed at once."""
        with self._lock:
            self._stopped = True
            for child in self._running:
                child.kill()


def describe_code(code: int) -> str:
    """Describe how a process ended."""
    return f"ended with code {code}" if code >= 0 else f"was ended by signal {-code}"


class _Reader:
    """Reads both pipes of a process until it ends."""

    def __init__(self, child: ChildProcess, most_output: int) -> None:
        self.output, self.errors = bytearray(), bytearray()
        self._child = child
        self._most_output = most_output
        self._open = 0
        self._handle = _process_handle(child.process.pid)
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        process = self._child.process
        for stream, kept in ((process.stdout, self.output), (process.stderr, self.errors)):
            if stream is not None:
                self._selector.register(stream, selectors.EVENT_READ, kept)
                self._open += 1
        if self._handle is not None:
            self._selector.register(self._handle, selectors.EVENT_READ, None)
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()
        if self._handle is not None:
            os.close(self._handle)

    def read_until(self, deadline: float) -> ExitReason:
        """Read until the process ended and both pipes are closed, or until the deadline."""
        while self._child.code() is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return ExitReason.TIMEOUT
            self._read_some(left if self._handle is not None else min(left, _POLL_SECONDS))
            if len(self.output) > self._most_output:
                return ExitReason.FLOODED
        # A grandchild that still holds the pipes delays us no longer than this.
        deadline = time.monotonic() + _LINGER_SECONDS
        while self._open and (left := deadline - time.monotonic()) > 0:
            self._read_some(left)
            if len(self.output) > self._most_output:
                return ExitReason.FLOODED
        return ExitReason.EXITED

    def _read_some(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            if key.data is None:
                self._selector.unregister(key.fileobj)
                continue
            chunk = os.read(key.fd, _CHUNK)
            if not chunk:
                self._selector.unregister(key.fileobj)
                self._open -= 1
            elif key.data is self.output or len(self.errors) < _MOST_ERRORS:
                key.data.extend(chunk)


def _process_handle(process: int) -> int | None:
    """Return a handle that becomes readable when the process ends; None if there is no such."""
    try:
        return os.pidfd_open(process)
    except (AttributeError, OSError):
        return None
