"""Text from documents, extracted by a worker process that may hang or crash.

The worker is started when the first file needs it and kept for those that follow. One that takes
too long or dies with a file is replaced for the next file. It ends with the extractor that
started it, and by itself if the parent process is gone.

A message to or from the worker is its length in four bytes, big-endian, and that many bytes of
MessagePack.
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

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "LONGEST_TEXT",
    "READY",
    "Extracted",
    "Extractor",
    "Job",
    "read_message",
    "write_message",
]

LONGEST_TEXT = 2_000_000
"""The most characters of a file's text that are kept."""

READY = b"ready"
"""The first message of a worker that is ready."""

_LARGEST_MESSAGE = 2**30  # bytes; more is noise, not a message

# -P: modules are not imported from the working directory, which may hold untrusted files.
_COMMAND = (sys.executable, "-P", "-m", "stacks.sources.files.worker")
_SECONDS_TO_START = 60


class Job(msgspec.Struct, frozen=True):
    """A file whose text is to be extracted."""

    media_type: str
    data: bytes


class Extracted(msgspec.Struct, frozen=True):
    """The text of a file and its metadata, or the reason why there is none.

    `length` is that of the whole text; `text` may be only its beginning.
    """

    text: str = ""
    length: int = 0
    facts: dict[str, str] = {}
    fault: str = ""


def write_message(stream: IO[bytes], message: bytes) -> None:
    """Send a message."""
    stream.write(len(message).to_bytes(4, "big"))
    stream.write(message)
    stream.flush()


def read_message(stream: IO[bytes]) -> bytes | None:
    """Receive a message; None if the other side is gone or sends something else."""
    head = stream.read(4)
    length = int.from_bytes(head, "big")
    if len(head) < 4 or length > _LARGEST_MESSAGE:
        return None
    message = stream.read(length)
    return message if len(message) == length else None


_DECODER = msgspec.msgpack.Decoder(Extracted)


class _Process(NamedTuple):
    """A running worker, its pipes, and the finalizer that ends it."""

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
        """Extract the text of a file; a file that cannot be read has a `fault`.

        Raises `SourceError` if the worker cannot run on this machine.
        """
        with self._lock:
            process = self._get_process()
            late = Event()
            job = msgspec.msgpack.encode(Job(media_type, data))
            reply = None
            try:
                reply = _ask(process, job, self.seconds, late)
            finally:
                # Also after an interrupt: half a reply may be in the pipe.
                if reply is None:
                    self._stop()
            if reply is not None:
                return reply
            if late.is_set():
                return Extracted(fault=f"takes longer than {self.seconds:g} s to read")
            return Extracted(fault=_explain_death(process.popen.returncode))

    def close(self) -> None:
        """End the worker, if there is one; it starts again if another file needs it."""
        with self._lock:
            self._stop()

    def _get_process(self) -> _Process:
        """Return a running worker; one that ended between two files is not a file's fault."""
        if self._process is not None and self._process.popen.poll() is not None:
            self._stop()
        return self._process or self._start()

    def _start(self) -> _Process:
        """Start a worker and wait until it is ready."""
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
    """Kill a process unless the block ends in time; `late` is set if that happened."""

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
        self._timer.join()  # so `late` is final and nothing is killed afterwards


def _ask(process: _Process, job: bytes, seconds: float, late: Event) -> Extracted | None:
    """Send a file and wait for its text; None if the worker can no longer be used."""
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
    """Kill a process and remove the files it wrote."""
    popen.kill()
    for pipe in (popen.stdin, popen.stdout):
        if pipe is not None:
            # Closing flushes what can no longer be sent.
            with suppress(OSError):
                pipe.close()
    popen.wait()
    shutil.rmtree(folder, ignore_errors=True)


def _explain_death(code: int) -> str:
    """Describe in one line how a worker died."""
    how = f"it ended with {code}"
    if code < 0:
        with suppress(ValueError):
            how = signal.Signals(-code).name
    return f"makes its reader fail ({how}): it is damaged, hostile or needs too much memory"
