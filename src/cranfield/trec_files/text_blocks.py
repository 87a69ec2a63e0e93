"""Text files as blocks of whole lines, plain or gzip, ready for vectorised reading."""

from __future__ import annotations

import gzip
import stat
import sys
import zlib
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Generic, TypeVar, cast

import numpy as np

from cranfield.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import DTypeLike, NDArray

    from cranfield.trec_files.fields import FieldColumn

__all__ = ["GrowingArray", "TextBlock", "TextSource", "WholeText"]

Number = TypeVar("Number", bound=np.generic)

BLOCK_BYTES = 2 << 20
"""Small enough that a block's columns stay in the processor's cache."""

_FRONT = 24
"""Zero bytes before the text, so eight bytes can be loaded ending anywhere in it."""

_BACK = 16
"""Zero bytes after the text, so eight bytes can be loaded starting anywhere in it."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_MOST_LINE = 16 << 20
_GZIP_MAGIC = b"\x1f\x8b"
_NEWLINE = 10


class GrowingArray(Generic[Number]):
    """An array that grows while a file is read; the expected room is reserved at once, untouched.

    Touching fresh memory takes as long as reading the file, so nothing is copied to a larger
    array if its size can be foreseen.
    """

    def __init__(self, dtype: DTypeLike, expected_blocks: float) -> None:
        self._dtype = dtype
        self._expected_blocks = expected_blocks
        self._room: NDArray[Number] = np.empty(0, dtype=dtype)
        self._size = 0

    def append(self, values: NDArray[Number]) -> None:
        """Append values."""
        needed = self._size + len(values)
        if needed > len(self._room):
            room = max(2 * self._size, int(1.2 * self._expected_blocks * len(values)), needed)
            larger: NDArray[Number] = np.empty(room, dtype=self._dtype)
            larger[: self._size] = self._room[: self._size]
            self._room = larger
        self._room[self._size : needed] = values
        self._size = needed

    def array(self) -> NDArray[Number]:
        """Return all values, without copying them."""
        return self._room[: self._size]


class TextBlock:
    """Whole lines of one file, between padding; the last byte is always a newline."""

    def __init__(
        self, padded: bytes | NDArray[np.uint8], *, source: TextSource, offset: int
    ) -> None:
        self.source = source
        self.offset = offset
        self.text = np.frombuffer(
            padded, np.uint8, count=len(padded) - _FRONT - _BACK, offset=_FRONT
        )
        self._padded = padded

    def words_from(self, start: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Load the eight bytes from each start as one number, first byte lowest."""
        return self._words_from[start]

    def words_before(self, end: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Load the eight bytes before each end as one number, first byte lowest."""
        return self._words_before[end]

    @cached_property
    def _words_from(self) -> NDArray[np.uint64]:
        return self._words(_FRONT)

    @cached_property
    def _words_before(self) -> NDArray[np.uint64]:
        return self._words(_FRONT - 8)

    def _words(self, offset: int) -> NDArray[np.uint64]:
        """View the padded text as overlapping words, one for each byte from an offset."""
        count = len(self._padded) - offset - 7
        return np.ndarray((count,), dtype="<u8", buffer=self._padded, offset=offset, strides=(1,))

    def slice(self, start: int, length: int) -> bytes:
        """Return the bytes of one field."""
        return bytes(self._padded[_FRONT + start : _FRONT + start + length])

    def text_of(self, column: FieldColumn, row: int) -> bytes:
        """Return the bytes of a column's field."""
        return self.slice(int(column.start[row]), int(column.length[row]))

    def error(self, offset: int, message: str) -> InputError:
        """Make an error that points at the line around an offset in this block."""
        return self.source.error(self.offset + offset, message)


class WholeText:
    """All blocks of a file put together as one."""

    def __init__(self, source: TextSource) -> None:
        self._source = source
        self._padded = GrowingArray[np.uint8](np.uint8, source.expected_blocks)
        self._padded.append(np.zeros(_FRONT, dtype=np.uint8))

    def add(self, block: TextBlock) -> None:
        """Append the next block's lines."""
        self._padded.append(block.text)

    def block(self) -> TextBlock:
        """Return everything that was added."""
        self._padded.append(np.zeros(_BACK, dtype=np.uint8))
        return TextBlock(self._padded.array(), source=self._source, offset=0)


class TextSource:
    """A file that can be read again and again, block by block.

    A pipe (`-`, `<(…)`) is copied to a temporary file first, because ties between long document
    ids need a second look.
    """

    def __init__(self, path: str, *, block_bytes: int = BLOCK_BYTES) -> None:
        self.name = "standard input" if path == "-" else path
        self._block_bytes = block_bytes
        self._spooled: BinaryIO | None = None
        self._path = self._as_regular_file(path)

    @property
    def expected_blocks(self) -> float:
        """About how many blocks there will be; gzip data mostly unpacks to a few times its size."""
        return self._path.stat().st_size / self._block_bytes

    def blocks(self, offset: int = 0) -> Iterator[TextBlock]:
        """Yield the file's blocks, from where one starts; offsets count decompressed bytes."""
        _keep_freed_memory()
        carried: list[bytes | memoryview] = []
        size = 0
        for chunk in self._chunks(offset):
            cut = chunk.rfind(b"\n") + 1
            if cut:
                yield self._block([*carried, memoryview(chunk)[:cut]], offset)
                offset += size + cut
                carried, size = [], 0
            carried.append(memoryview(chunk)[cut:])
            size += len(chunk) - cut
            if size > _MOST_LINE:
                raise InputError(
                    f"a line has more than {_MOST_LINE >> 20} MiB, the limit; is this a TREC file?",
                    file=self.name,
                )
        if size:
            yield self._block([*carried, b"\n"], offset)

    def error(self, offset: int, message: str) -> InputError:
        """Make an error that points at the line which holds a byte offset."""
        return InputError(message, file=self.name, line=self.line_of(offset))

    def line_of(self, offset: int) -> int | None:
        """Return the number of the line which holds a byte offset."""
        line = 1
        for block in self.blocks():
            if offset < block.offset + len(block.text):
                before = block.text[: max(offset - block.offset, 0)]
                return line + int(np.count_nonzero(before == _NEWLINE))
            line += int(np.count_nonzero(block.text == _NEWLINE))
        return None

    def close(self) -> None:
        """Forget the copy of a pipe."""
        if self._spooled is not None:
            self._spooled.close()

    def _block(self, lines: list[bytes | memoryview], offset: int) -> TextBlock:
        padded = b"".join((bytes(_FRONT), *lines, bytes(_BACK)))
        return TextBlock(padded, source=self, offset=offset)

    def _chunks(self, offset: int) -> Iterator[bytes]:
        try:
            with self._open() as stream:
                is_marked = stream.read(len(_BYTE_ORDER_MARK)) == _BYTE_ORDER_MARK
                stream.seek(offset + is_marked * len(_BYTE_ORDER_MARK))
                while chunk := stream.read(self._block_bytes):
                    yield chunk
        except (EOFError, gzip.BadGzipFile, zlib.error) as problem:
            raise InputError(
                f"damaged gzip data ({problem}); copy the file again", file=self.name
            ) from None
        except OSError as problem:
            raise InputError(
                f"cannot be read: {problem.strerror or problem}", file=self.name
            ) from None

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        with self._path.open("rb", buffering=0) as plain:
            is_gzip = plain.read(2) == _GZIP_MAGIC
            plain.seek(0)
            if not is_gzip:
                yield cast("BinaryIO", plain)
                return
            with gzip.open(plain, "rb") as unpacked:
                yield cast("BinaryIO", unpacked)

    def _as_regular_file(self, path: str) -> Path:
        if path == "-":
            if sys.stdin is None or sys.stdin.closed:
                raise InputError("is closed; name a file", file=self.name)
            return self._spool(sys.stdin.buffer)
        file = Path(path)
        try:
            mode = file.stat().st_mode
            if stat.S_ISDIR(mode):
                raise InputError("is a folder; give the file inside it", file=path)
            if stat.S_ISREG(mode):
                return file
            with file.open("rb") as pipe:
                return self._spool(pipe)
        except OSError as problem:
            raise InputError(
                f"cannot be read: {problem.strerror}; check the path", file=path
            ) from None

    def _spool(self, stream: BinaryIO) -> Path:
        import shutil
        import tempfile

        spooled = tempfile.NamedTemporaryFile(prefix="cranfield-")  # noqa: SIM115 - closed by close()
        shutil.copyfileobj(stream, spooled)
        spooled.flush()
        self._spooled = cast("BinaryIO", spooled)
        return Path(spooled.name)


def _keep_freed_memory() -> None:
    """Let the C library keep freed arrays for the next block.

    glibc gives back large blocks of memory as soon as they are freed, and the page faults of
    getting them again double the time. Freeing one block of just under 32 MiB, the most it
    adapts to, makes it keep all smaller ones. Untouched, that block costs nothing.
    """
    np.empty(31 << 20, dtype=np.uint8)
