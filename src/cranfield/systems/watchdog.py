"""A program that ends process groups once the process that started them is gone.

It reads lines from that process, `+NUMBER` for a group that was started and `-NUMBER` for one that
has ended. The end of its input means that the process is gone, however it went; no handler of
signals could do this for SIGKILL. It imports nothing of ours, to start at once.
"""

import contextlib
import os
import signal
import sys

__all__ = ["main"]


def main() -> None:
    """Read until the other side is gone, then end what is left."""
    running: set[int] = set()
    for line in sys.stdin.buffer:
        change = running.add if line[:1] == b"+" else running.discard
        change(int(line[1:]))
    for group in running:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
