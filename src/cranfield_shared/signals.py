"""Signals that end a command: raised where the work is, so it cleans up on the way out."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from types import FrameType

__all__ = [
    "STOPPING_SIGNALS", "Stopped", "heard_signals", "kept_handlers", "loop_stoppable", "stoppable",
]  # fmt: skip

STOPPING_SIGNALS = (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))
"""The signals that ask a process to end: from the keyboard, from a supervisor, from a terminal that
was closed."""

_EXIT_SIGNAL = 128
"""A shell adds this to the number of a signal for the exit code."""
_MOST_CLEANING_SECONDS = 20
_REMINDING_SECONDS = 0.05


class Stopped(BaseException):
    """A signal asked this process to end; `code` is the exit code that says so."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = _EXIT_SIGNAL + number


class _Interrupted(Stopped, KeyboardInterrupt):
    """Stopped from the keyboard: also what Python raises then, for code that expects it."""


def heard_signals(numbers: Collection[signal.Signals]) -> list[signal.Signals]:
    """Return those signals that are not ignored: a command under `nohup` outlives its terminal."""
    return [each for each in dict.fromkeys(numbers) if signal.getsignal(each) != signal.SIG_IGN]


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise `Stopped` in the main thread at the first stopping signal, and ignore later ones.

    Cleaning up that takes longer than 20 s is ended by an alarm: an exception between any two
    instructions can leave a lock of Python's own library taken for ever.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with _reminded(), kept_handlers():
        for each in heard_signals(STOPPING_SIGNALS):
            signal.signal(each, _stop)
        try:
            yield
        finally:
            signal.alarm(0)


@contextmanager
def kept_handlers() -> Iterator[None]:
    """Put the handlers of stopping signals back at the end, whatever was set inside."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.getsignal(each) for each in STOPPING_SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def loop_stoppable() -> Iterator[None]:
    """Let the event loop that runs inside end by itself at a stopping signal, then raise `Stopped`.

    asyncio cancels its tasks at SIGINT, if the handler is Python's own; an exception in the middle
    of the loop would leave them waiting. Other signals are passed on to it as SIGINT.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []

    def pass_on(number: int, _: FrameType | None) -> None:
        received.append(number)
        signal.raise_signal(signal.SIGINT)

    with kept_handlers():
        for each in heard_signals(STOPPING_SIGNALS):
            interrupted = each == signal.SIGINT
            signal.signal(each, signal.default_int_handler if interrupted else pass_on)
        try:
            yield
        except KeyboardInterrupt:
            raise Stopped(received[0] if received else signal.SIGINT) from None


def _stop(number: int, _: FrameType | None) -> NoReturn:
    # A second signal must not interrupt the cleaning up.
    for each in STOPPING_SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    signal.alarm(_MOST_CLEANING_SECONDS)
    raise _Interrupted(number) if number == signal.SIGINT else Stopped(number)


@contextmanager
def _reminded() -> Iterator[None]:
    """Send a signal to the main thread again until its handler has run.

    Python runs handlers between instructions. A signal that comes after it looked, and before the
    main thread waits for a lock or a pipe, is noted and the thread waits for ever: on a busy
    machine one in ten.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    earlier = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_remind, args=(reader,), name="signals", daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(earlier)
        os.close(writer)


def _remind(reader: int) -> None:
    main = threading.main_thread().ident
    with open(reader, "rb", buffering=0) as received:
        while arrived := received.read(1):
            number = arrived[0]
            while main is not None and signal.getsignal(number) is _stop:
                time.sleep(_REMINDING_SECONDS)
                if signal.getsignal(number) is _stop:
                    signal.pthread_kill(main, number)
