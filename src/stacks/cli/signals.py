"""Signals that end a command: it cleans up first."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

__all__ = ["ENDING_SIGNALS", "stoppable", "wait_for_signal"]

ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""The signals that end a server."""

_STOPPING_SIGNALS = (*ENDING_SIGNALS, signal.SIGHUP)
_EXIT_SIGNAL = 128
"""A shell adds this to the number of a signal for the exit code."""


class _Stopped(BaseException):
    """Raised in the middle of the work, so that it cleans up on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def stoppable() -> Iterator[None]:
    """Turn a signal that ends the process into one message, after the work has cleaned up.

    An ignored signal stays ignored: a save under `nohup` outlives its terminal.
    """
    heard = [each for each in _STOPPING_SIGNALS if signal.getsignal(each) is not signal.SIG_IGN]
    before = {number: signal.signal(number, _stop) for number in heard}
    try:
        yield
    except _Stopped as stopped:
        typer.echo("stacks: stopped; the index that was there is untouched", err=True)
        raise typer.Exit(_EXIT_SIGNAL + stopped.number) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    # A second signal must not interrupt the cleaning up.
    for each in _STOPPING_SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise _Stopped(number)


@contextmanager
def wait_for_signal() -> Iterator[Callable[[], None]]:
    """Block the signals that end a server, and yield a function that waits for one of them.

    After the first, they have their usual effect again: a second one ends the process at once.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING_SIGNALS)

    def wait() -> None:
        signal.sigwait(ENDING_SIGNALS)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    try:
        yield wait
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
