"""Child processes, run to their end or time limit, with bounded output and no survivors."""

from __future__ import annotations

import atexit
import contextlib
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "ChildProcess",
    "ExitReason",
    "FinishedProcess",
    "ProcessRunner",
    "describe_code",
    "forget_group",
    "start_group",
]

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
    """A child process in a session of its own, so all it starts can be killed with it.

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


_WATCHDOG = Path(__file__).with_name("watchdog.py")


def start_group(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process that leads a group and a session of its own; `options` are those of Popen.

    It is our own until `forget_group`, and is killed with its group if we end before.
    """
    if threading.current_thread() is not threading.main_thread():
        return _GROUPS.start(command, options)
    # A handler of signals may raise at any point of the main thread: also after a process was
    # started, and before anybody knows its number.
    started: Future[subprocess.Popen[bytes]] = Future()

    def start() -> None:
        try:
            started.set_result(_GROUPS.start(command, options))
        except BaseException as problem:  # noqa: BLE001 - raised again in the other thread
            started.set_exception(problem)

    threading.Thread(target=start, name="process-start").start()
    try:
        return started.result()
    except BaseException:
        started.add_done_callback(_end_abandoned)
        raise


def forget_group(leader: int) -> None:
    """Take note that a group was killed; its number may soon be another process's."""
    _GROUPS.forget(leader)


def _end_abandoned(started: Future[subprocess.Popen[bytes]]) -> None:
    if started.exception() is None:
        leader = started.result()
        _kill_group(leader.pid)
        _GROUPS.forget(leader.pid)
        leader.wait()


def _kill_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


class _StartedGroups:
    """The leaders of running groups, as we and the watchdog know them."""

    def __init__(self) -> None:
        self._running: set[int] = set()
        self._lock = threading.Lock()
        self._watchdog: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def start(self, command: list[str], options: dict[str, Any]) -> subprocess.Popen[bytes]:
        # Under the lock: nothing is started that `end_all` does not see.
        with self._lock:
            if self._owner != os.getpid():
                self._begin()
            leader = subprocess.Popen(command, start_new_session=True, **options)  # noqa: S603 - running the user's command is the purpose
            self._running.add(leader.pid)
            self._note(b"+%d\n" % leader.pid)
            return leader

    def forget(self, leader: int) -> None:
        with self._lock:
            self._running.discard(leader)
            self._note(b"-%d\n" % leader)

    def end_all(self) -> None:
        """Kill all that still runs, unless this is a fork of the process that started it."""
        with self._lock:
            if self._owner == os.getpid():
                for leader in self._running:
                    _kill_group(leader)

    def _begin(self) -> None:
        """Start the watchdog of this process: a fork has its own, and its own groups."""
        self._owner = os.getpid()
        self._running.clear()
        self._watchdog = None
        atexit.register(self.end_all)
        with contextlib.suppress(OSError):
            self._watchdog = subprocess.Popen(  # noqa: S603 - our own program, run by our own Python
                [sys.executable, "-I", "-S", str(_WATCHDOG)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
                bufsize=0,
            )
            if self._watchdog.stdin is not None:
                os.set_blocking(self._watchdog.stdin.fileno(), False)

    def _note(self, line: bytes) -> None:
        # Without its watchdog, a run goes on.
        if self._watchdog is not None and self._watchdog.stdin is not None:
            with contextlib.suppress(OSError):
                os.write(self._watchdog.stdin.fileno(), line)


_GROUPS = _StartedGroups()
