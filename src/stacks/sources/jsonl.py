"""Passages, one JSON object on each line, as BEIR publishes its collections.

A page is a block of lines, so memory use is constant and a change re-reads only its block.
Invalid lines are reported while the file is cut into blocks.
"""

from __future__ import annotations

import codecs
import gzip
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from stacks.errors import SourceError
from stacks.model import Document, Page
from stacks.sources.archives import BombError, UnpackedLimit
from stacks.sources.paths import get_reason, make_slug, quote_segment
from stacks.sources.source import PageError, RestLostError, Source, SourceKind, register_source

if TYPE_CHECKING:
    import io
    from collections.abc import Iterable, Iterator

__all__ = ["JsonLinesSource"]

_CORPORA = ("corpus.jsonl", "corpus.jsonl.gz")
_SUFFIXES = (".jsonl", ".jsonl.gz")
_LINES, _BYTES = 500, 4 * 2**20  # where a block ends, whichever comes first
_LONGEST_LINE = 32 * 2**20
_MOST_FAULTS = 100  # before the first good line: a file of something else
_ALLOWED = 'a passage is {"_id": "…", "title": "…", "text": "…"}'


class _Line(NamedTuple):
    """A line of the file and its number; without its bytes if it is too long."""

    number: int
    data: bytes | None


class _Passage(msgspec.Struct, frozen=True):
    """One object of the file; other fields are ignored."""

    id: str | int = msgspec.field(name="_id")
    title: str | None = None
    text: str | None = None
    metadata: Any = None


_DECODER = msgspec.json.Decoder(_Passage)


class JsonLinesSource(Source):
    """A file of passages, or the folder that holds it as `corpus.jsonl`."""

    def __init__(self, location: str) -> None:
        self.path = _find_file(Path(location))
        stem = self.path.name.removesuffix(".gz").removesuffix(".jsonl")
        parent = self.path.resolve().parent.name
        self.corpus = parent if stem == "corpus" and parent else stem

    def pages(self) -> Iterator[Page | PageError]:
        """Yield blocks of valid lines, and an error for each invalid line."""
        block: list[_Line] = []
        size = 0
        for line in self._read_good_lines():
            if isinstance(line, PageError):
                yield line
                continue
            block.append(line)
            size += len(line.data or b"")
            if len(block) >= _LINES or size >= _BYTES:
                yield self._make_page(block)
                block, size = [], 0
        if block:
            yield self._make_page(block)

    def _make_page(self, block: list[_Line]) -> Page:
        """Make a page of lines, named by their numbers."""
        data = b"\n".join(line.data for line in block if line.data)
        return Page(f"{self.path.name}:{block[0].number}-{block[-1].number}", data)

    def _read_good_lines(self) -> Iterator[_Line | PageError]:
        """Yield the lines that are passages, and an error for each other line."""
        faults = 0
        has_passage = False
        for line in self._read_lines():
            fault = line if isinstance(line, PageError) else self._find_fault(line)
            if fault is not None:
                faults += 1
                yield fault
            elif isinstance(line, _Line) and line.data:
                has_passage = True
                yield line
            if faults == _MOST_FAULTS and not has_passage:
                raise SourceError(
                    f"{self.path} is not a file of passages; {_ALLOWED}, one on each line"
                )

    def _find_fault(self, line: _Line) -> PageError | None:
        """Return the error of a line that is not a passage; a blank line has none."""
        name = f"{self.path.name} line {line.number}"
        if line.data is None:
            return PageError(f"{name} has more than {_LONGEST_LINE:,} bytes")
        if not line.data:
            return None
        try:
            _decode(line.data)
        except PageError as error:
            return PageError(f"{name} {error}")
        return None

    def _read_lines(self) -> Iterator[_Line | PageError]:
        """Read the lines of the file, and an error where it is damaged."""
        number = 0
        try:
            limit = UnpackedLimit(self.path)
            with _open(self.path) as stream:
                while data := stream.readline(_LONGEST_LINE):
                    number += 1
                    limit.count(len(data))
                    is_whole = _skip_rest(stream, data, limit)
                    yield _Line(
                        number, data.removeprefix(codecs.BOM_UTF8).strip() if is_whole else None
                    )
        except BombError as error:
            yield RestLostError(str(error))
        except (OSError, EOFError, zlib.error) as error:
            if number == 0:
                raise SourceError(f"{self.path} cannot be read: {get_reason(error)}") from None
            yield RestLostError(
                f"{self.path.name} is damaged after line {number}, the rest of it is lost: "
                f"{get_reason(error)}"
            )

    def read(self, page: Page) -> Iterable[Document]:
        """Make a document of each line."""
        return [self._make_document(_decode(line)) for line in page.data.split(b"\n")]

    def _make_document(self, passage: _Passage) -> Document:
        """Make the document of a passage, with only what the passage states."""
        return Document(
            uri=f"jsonl://{quote_segment(self.corpus)}/{quote_segment(str(passage.id))}",
            title=passage.title or "",
            content=passage.text or "",
            framework=make_slug(self.corpus),
            module=self.corpus,
            kind="passage",
            facts=_find_facts(passage.metadata),
        )


def _find_file(location: Path) -> Path:
    """Find the file of passages at a location."""
    found = next((location / name for name in _CORPORA if (location / name).is_file()), location)
    if found.is_file() and found.name.endswith(_SUFFIXES):
        return found
    what = "is not there"
    if location.is_dir():
        what = f"holds no {' or '.join(_CORPORA)}"
    elif location.exists():
        what = "is not a .jsonl file"
    raise SourceError(f"{location} {what}; give a .jsonl or .jsonl.gz file, or the folder of one")


def _open(path: Path) -> gzip.GzipFile | io.BufferedReader:
    """Open the file, compressed or not."""
    return gzip.GzipFile(path) if path.name.endswith(".gz") else path.open("rb")


def _skip_rest(
    stream: gzip.GzipFile | io.BufferedReader, data: bytes, limit: UnpackedLimit
) -> bool:
    """Return whether a line was read whole; the rest of a longer one is skipped."""
    is_whole = data.endswith(b"\n") or len(data) < _LONGEST_LINE
    is_behind = is_whole
    while not is_behind:
        data = stream.readline(_LONGEST_LINE)
        limit.count(len(data))
        is_behind = not data or data.endswith(b"\n")
    return is_whole


def _decode(line: bytes) -> _Passage:
    """Decode one line, or raise `PageError`."""
    try:
        passage = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PageError(f"is not a passage: {get_reason(error)}; {_ALLOWED}") from None
    if not str(passage.id).strip():
        raise PageError(f"has an empty _id; {_ALLOWED}")
    if not passage.title and not passage.text:
        raise PageError(f"has neither title nor text; {_ALLOWED}")
    return passage


def _find_facts(metadata: object) -> dict[str, str]:
    """Keep the metadata with single values."""
    if not isinstance(metadata, dict):
        return {}
    facts = {
        str(name): str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in metadata.items()
        if isinstance(value, str | int | float)
    }
    return {name: value for name, value in facts.items() if value}


register_source(
    SourceKind(
        name="jsonl",
        description="passages, one JSON object a line (BEIR corpora)",
        example="jsonl=nfcorpus",
        open=JsonLinesSource,
        ranking="passages",
    )
)
