"""Source code: a folder of files, each cut into chunks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from stacks.errors import SourceError
from stacks.model import Document, Page
from stacks.sources.code_blocks import find_summary
from stacks.sources.code_chunks import Chunk, chunk_code
from stacks.sources.folders import read_files
from stacks.sources.paths import (
    decode_text,
    get_corpus_name,
    is_binary,
    make_slug,
    quote_path,
    quote_segment,
)
from stacks.sources.samples import BUILD_FOLDERS
from stacks.sources.secrets import find_secret, holds_private_key, holds_variables
from stacks.sources.source import PageError, Source, SourceKind, register_source
from stacks.text import find_identifiers, language_of_file, source_extensions, stored_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["CodeSource"]

_GENERATED = (
    ".swiftinterface",
    ".bundle.js",
    ".min.js",
    ".min.mjs",
    ".pb.go",
    ".pb.swift",
    "_pb2.py",
    "_pb2_grpc.py",
)
_FOREIGN_FOLDERS = BUILD_FOLDERS | {
    "__pypackages__",
    "bower_components",
    "htmlcov",
    "jspm_packages",
    "site-packages",
    "target",
}
_LARGEST = 2**20  # bytes; a larger file is data or made by a program
_LONGEST_LINE = 5_000  # characters; likewise
_MOST_IDENTIFIERS = 300


class CodeSource(Source):
    """A folder or an archive of source files.

    Hidden folders, those of build tools and package managers, and generated files are left out.
    """

    def __init__(self, location: str) -> None:
        self.location = location
        self.corpus = get_corpus_name(location)

    def pages(self) -> Iterator[Page | PageError]:
        """Yield the source files; a location without any is an error."""
        is_empty = True
        for page in read_files(
            self.location, suffixes=source_extensions(), largest=_LARGEST, without=_FOREIGN_FOLDERS
        ):
            is_empty = False
            if isinstance(page, PageError) or not page.key.lower().endswith(_GENERATED):
                yield page
        if is_empty:
            raise SourceError(
                f"{self.location} has no source files; "
                f"these have one of the extensions {', '.join(source_extensions())}"
            )

    def read(self, page: Page) -> Iterable[Document]:
        """Make a document of each chunk; a file without content of its own has none."""
        if is_binary(page.data):
            raise PageError("is not text")
        text = decode_text(page.data)
        path = tuple(page.key.split("/"))
        if find_secret(path) or holds_variables(path[-1]) or holds_private_key(text):
            raise PageError("may hold keys or passwords")
        longest = max(map(len, text.split("\n")))
        if longest > _LONGEST_LINE:
            raise PageError(
                f"has a line of {longest:,} characters, so it was generated; "
                f"lines of at most {_LONGEST_LINE:,} are read"
            )
        chunks = chunk_code(text, language_of_file(page.key), page.key)
        addresses = _make_addresses(chunks, page.key)
        return [
            self._make_document(chunk, address)
            for chunk, address in zip(chunks, addresses, strict=True)
        ]

    def _make_document(self, chunk: Chunk, address: str) -> Document:
        """Make the document of a chunk."""
        return Document(
            uri=f"code://{quote_segment(self.corpus)}/{address}",
            title=_make_title(chunk),
            content=chunk.text,
            framework=make_slug(self.corpus) or quote_segment(self.corpus),
            module=self.corpus,
            language=stored_language(chunk.language),
            kind=chunk.kind,
            summary=find_summary(chunk.documentation),
            declaration=chunk.signature,
            names=_list_names(chunk),
            identifiers=find_identifiers(chunk.text, _MOST_IDENTIFIERS),
            symbols=chunk.symbols,
            facts={
                "hash": chunk.hash,
                "file": chunk.file,
                "lines": f"{chunk.start_line}-{chunk.end_line}",
                "parents": " ".join(chunk.parents),
            },
        )


def _make_addresses(chunks: Sequence[Chunk], file: str) -> list[str]:
    """Give each chunk a path of the names around it; the second of one name ends in `~2`."""
    base = quote_path(file)
    addresses: list[str] = []
    taken: Counter[str] = Counter()
    opened: list[tuple[int, str]] = []
    for chunk in chunks:
        while opened and opened[-1][0] < chunk.start_line:
            opened.pop()
        around = opened[-1][1] if opened else base
        address = _number(f"{around}/{quote_segment(chunk.name)}", taken) if chunk.parents else base
        addresses.append(address)
        if chunk.parents:
            opened.append((chunk.end_line, address))
    return addresses


def _number(address: str, taken: Counter[str]) -> str:
    """Give an address that is taken the next free number."""
    numbered = address
    while taken[numbered]:
        taken[address] += 1
        numbered = f"{address}~{taken[address]}"
    taken[numbered] += 1
    return numbered


def _make_title(chunk: Chunk) -> str:
    """Return the name of a chunk within its module."""
    if chunk.signature:
        return ".".join((*chunk.parents[1:], chunk.name))
    name = chunk.file.rpartition("/")[2]
    return f"{name}:{chunk.name}" if chunk.parents else name


def _list_names(chunk: Chunk) -> tuple[str, ...]:
    """List the names that a chunk is looked up by: its own, and the one that other files use."""
    if chunk.signature:
        return (chunk.name, ".".join((*chunk.parents, chunk.name)))
    return (*chunk.parents[:1], chunk.file) if chunk.parents else (chunk.name, chunk.file)


register_source(
    SourceKind(
        name="code",
        description="source code: modules, types, functions and methods",
        example="code=src",
        open=CodeSource,
        database="code",
        ranking="code",
        embeds=True,
        prefers_symbols=True,
    )
)
