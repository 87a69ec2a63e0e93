"""Signals that end a server."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cranfield_shared.signals import STOPPING_SIGNALS, heard_signals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["wait_for_signal"]


@contextmanager
def wait_for_signal() -> Iterator[Callable[[], None]]:
    """Block the signals that end a server, and yield a function that waits for one of them.

    After the first, they have their usual effect again: a second one ends the process at once.
    """
    heard = heard_signals(STOPPING_SIGNALS)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, heard)

    def wait() -> None:
        signal.sigwait(heard)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    try:
        yield wait
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
