"""Ending early without leaving anything behind."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

__all__ = ["stoppable"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_EXIT_SIGNAL = 128
"""What a shell adds to the number of a signal for the exit code."""


class _Stopped(BaseException):
    """Raised where the work stands, so that everything opened for it is put away."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def stoppable() -> Iterator[None]:
    """Turn signals that end a process into one message, once the work has cleaned up.

    A signal that is ignored stays so: a save under `nohup` outlives its terminal.
    """
    heard = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
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
    for each in _SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise _Stopped(number)
