"""Text from documents, extracted in another process that may hang or crash.

The process is started when the first file needs it and kept for those that follow. One that takes
too long or dies with a file is replaced for the next file. It ends with the extractor that
started it, and by itself when the process that started it is gone.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import weakref
from contextlib import suppress
from threading import Event, Lock, Timer
from typing import IO, TYPE_CHECKING, NamedTuple

import msgspec

from stacks.errors import SourceError
from stacks.sources.files.messages import READY, Extracted, Job, read_message, write_message

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Extractor"]

# Without the present folder among the places of modules: it may be one of strangers' files.
_COMMAND = (sys.executable, "-P", "-m", "stacks.sources.files.worker")
_SECONDS_TO_START = 60
_DECODER = msgspec.msgpack.Decoder(Extracted)


class _Process(NamedTuple):
    """A running process, the ends of its pipes, and what ends it if nobody else does."""

    popen: subprocess.Popen[bytes]
    requests: IO[bytes]
    replies: IO[bytes]
    finalizer: weakref.finalize[..., Extractor]


class Extractor:
    """Extracts text, one file at a time, each in at most `seconds`."""

    def __init__(self, seconds: float, command: Sequence[str] = _COMMAND) -> None:
        self.seconds = seconds
        self.command = tuple(command)
        self._process: _Process | None = None
        self._lock = Lock()

    def extract(self, data: bytes, media_type: str) -> Extracted:
        """Extract the text of a file; a file that cannot be read is a reason, not an error.

        Raises `SourceError` where no text at all can be extracted on this machine.
        """
        with self._lock:
            process = self._get_process()
            late = Event()
            job = msgspec.msgpack.encode(Job(media_type, data))
            reply = None
            try:
                reply = _ask(process, job, self.seconds, late)
            finally:
                # Also after an interrupt: half an answer may be on its way.
                if reply is None:
                    self._stop()
            if reply is not None:
                return reply
            if late.is_set():
                return Extracted(fault=f"takes longer than {self.seconds:g} s to read")
            return Extracted(fault=_explain_death(process.popen.returncode))

    def close(self) -> None:
        """End the process, if there is one; it starts anew if another file needs it."""
        with self._lock:
            self._stop()

    def _get_process(self) -> _Process:
        """Return a process that runs; one that ended between two files is no file's fault."""
        if self._process is not None and self._process.popen.poll() is not None:
            self._stop()
        return self._process or self._start()

    def _start(self) -> _Process:
        """Start the process and wait until it is ready."""
        folder = tempfile.mkdtemp(prefix="stacks-")
        popen = subprocess.Popen(  # noqa: S603 - our own module, run by our own interpreter
            [*self.command, str(self.seconds), folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        finalizer = weakref.finalize(self, _end, popen, folder)
        if popen.stdin is None or popen.stdout is None:
            raise SourceError("the process that extracts text has no pipes")
        self._process = _Process(popen, popen.stdin, popen.stdout, finalizer)
        with _killing_after(popen, _SECONDS_TO_START, Event()):
            greeting = read_message(popen.stdout)
        if greeting != READY:
            self._stop()
            said = greeting.decode("utf-8", "replace") if greeting else "it does not start"
            raise SourceError(
                f"text is extracted from documents with kreuzberg: "
                f"pip install 'cranfield[stacks]' ({said})"
            )
        return self._process

    def _stop(self) -> None:
        if self._process is not None:
            self._process.finalizer()
            self._process = None


class _killing_after:  # noqa: N801 - used like a function
    """Kill a process unless the block ends in time; `late` says whether that happened."""

    def __init__(self, popen: subprocess.Popen[bytes], seconds: float, late: Event) -> None:
        self._timer = Timer(seconds, self._kill, (popen, late))
        self._timer.daemon = True

    @staticmethod
    def _kill(popen: subprocess.Popen[bytes], late: Event) -> None:
        late.set()
        popen.kill()

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._timer.join()  # so that afterwards `late` is right and nothing is killed any more


def _ask(process: _Process, job: bytes, seconds: float, late: Event) -> Extracted | None:
    """Send a file and wait for its text; None where the process is of no more use."""
    reply = None
    with _killing_after(process.popen, seconds, late), suppress(OSError):
        write_message(process.requests, job)
        reply = read_message(process.replies)
    if reply is None or late.is_set():
        return None
    try:
        return _DECODER.decode(reply)
    except msgspec.MsgspecError:
        return None


def _end(popen: subprocess.Popen[bytes], folder: str) -> None:
    """End a process whatever it is doing, and remove what it wrote."""
    popen.kill()
    for pipe in (popen.stdin, popen.stdout):
        if pipe is not None:
            # What was not sent yet cannot be sent any more.
            with suppress(OSError):
                pipe.close()
    popen.wait()
    shutil.rmtree(folder, ignore_errors=True)


def _explain_death(code: int) -> str:
    """Say in one line what became of a process that did not answer."""
    how = f"it ended with {code}"
    if code < 0:
        with suppress(ValueError):
            how = signal.Signals(-code).name
    return f"makes its reader fail ({how}): it is damaged, hostile or needs too much memory"
