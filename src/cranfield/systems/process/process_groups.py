"""The process groups that we started: none outlives us, however we end.

What is still running is killed when Python exits. For ends that Python does not see (SIGKILL, a
crash, a signal in a program that handles none), a watchdog process knows all groups and kills them
once its pipe from us is closed. `PR_SET_PDEATHSIG` of Linux is no substitute: it is about the
thread that started a process, and about that process alone.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

__all__ = ["forget_group", "start_group"]

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
