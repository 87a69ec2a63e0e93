"""Code cut into chunks: a module, its types, functions and methods, each text once.

A chunk is whole lines as they were written, with the decorators and the documenting comments
above it. Of a chunk inside another, the outer one keeps the line that names it, followed by `...`.
So each line of a file belongs to exactly one chunk.

The hash of a chunk stays the same when lines are moved, when other chunks change, and when the file
is cut again. Chunks with the same text, file and parents have the same hash.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import md5
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from stacks.model import SYMBOL_KINDS
from stacks.sources.code_blocks import (
    CodeBlock,
    find_blocks,
    find_docstring,
    find_first_comment,
    find_symbol,
    read_comments,
)
from stacks.text import COMMENTS, SlowCodeError, find_language, first_row, last_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from stacks.model import Symbol
    from stacks.text import Chunking, Language

__all__ = ["Chunk", "chunk_code", "hash_chunk"]

_LONGEST_PIECE = 80  # lines
_ELISION = " ..."


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a source file; lines are counted from 1, the last one belongs to it.

    `parents` are the names of the chunks around it, the module first; a module has none.
    `signature` is its head on one line, and `symbols` holds what that declares. Both are empty
    for a module; a namespace, which is a module as well, has a signature.
    """

    name: str
    kind: str
    parents: tuple[str, ...]
    text: str
    signature: str
    documentation: str
    start_line: int
    end_line: int
    hash: str
    file: str
    language: str
    symbols: tuple[Symbol, ...] = ()


def hash_chunk(file: str, parents: Sequence[str], text: str) -> str:
    """Return the MD5 of `# <file>`, `# <parents>` and the text, each on lines of their own.

    `file` is the path below the root with slashes; a module has no parents, so its second line
    is `# ` alone.
    """
    hashed = f"# {file}\n# {' '.join(parents)}\n{text}"
    return md5(hashed.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def chunk_code(text: str, language: str, file: str) -> tuple[Chunk, ...]:
    """Cut code into chunks, the module first, then the others in the order of their lines.

    A module that holds nothing but imports, comments and other chunks is left out, unless it
    has a docstring. Broken code gives what can be read, at least the module, which also
    keeps what lies behind the first 250,000 characters. A language that cannot be
    parsed, and code that takes too long to parse, gives one chunk, or pieces of at most 80 lines.
    """
    code = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = code.split("\n")
    origin = _Origin(file, language, PurePosixPath(file).stem, lines)
    known = find_language(language)
    if not code.strip():
        return ()
    if known is None:
        return _make_pieces(origin)
    try:
        root = known.parse(code)
    except SlowCodeError:
        return _make_pieces(origin)
    blocks = find_blocks(code, root, known.chunking)
    module = _make_module(code, root, blocks, known.chunking, origin)
    return (*module, *_make_chunks(code, blocks, known, origin))


class _Origin(NamedTuple):
    """The file that chunks come from."""

    file: str
    language: str
    stem: str
    lines: Sequence[str]

    def make_module(self, first: int, end: int, text: str, documentation: str = "") -> Chunk:
        """Make the chunk of a whole file."""
        return Chunk(
            name=self.stem,
            kind="module",
            parents=(),
            text=text,
            signature="",
            documentation=documentation,
            start_line=first + 1,
            end_line=end,
            hash=hash_chunk(self.file, (), text),
            file=self.file,
            language=self.language,
        )


def _make_pieces(origin: _Origin) -> tuple[Chunk, ...]:
    """Make one chunk of a short file, and pieces named by their lines of a long one."""
    pieces = _cut_lines(origin.lines)
    first, end = pieces[0].first, pieces[-1].end
    if end - first <= _LONGEST_PIECE:
        return (origin.make_module(first, end, "\n".join(origin.lines[first:end])),)
    parents = (origin.stem,)
    texts = ["\n".join(origin.lines[piece.first : piece.end]) for piece in pieces]
    return tuple(
        Chunk(
            name=f"{piece.first + 1}-{piece.end}",
            kind="module",
            parents=parents,
            text=text,
            signature="",
            documentation="",
            start_line=piece.first + 1,
            end_line=piece.end,
            hash=hash_chunk(origin.file, parents, text),
            file=origin.file,
            language=origin.language,
        )
        for piece, text in zip(pieces, texts, strict=True)
    )


def _make_module(
    code: str, root: Node, blocks: Sequence[CodeBlock], chunking: Chunking, origin: _Origin
) -> tuple[Chunk, ...]:
    """Make the chunk of the module, if it has content of its own."""
    outer = [block for block in blocks if block.parent < 0]
    if chunking.is_documented_inside:
        documentation = find_docstring(code, root)
    else:
        comments = find_first_comment(code, root)
        is_taken = comments and outer and outer[0].first <= first_row(comments[0])
        documentation = "" if is_taken else read_comments(code, comments)
    if not documentation and not _has_own(root, outer, chunking, origin.lines):
        return ()
    filled = [row for row, line in enumerate(origin.lines) if line.strip()]
    first, end = filled[0], filled[-1] + 1
    text = _write_text(origin.lines, first, end, outer)
    return (origin.make_module(first, end, text, documentation),)


def _has_own(
    root: Node, outer: Sequence[CodeBlock], chunking: Chunking, lines: Sequence[str]
) -> bool:
    """Return whether a module holds more than imports, comments and the blocks in it."""
    taken = {row for block in outer for row in range(block.first, block.last + 1)}
    passed = set(taken)
    for child in root.named_children:
        rows = range(first_row(child), last_row(child) + 1)
        if child.type in chunking.imports or child.type in COMMENTS:
            passed.update(rows)
        elif not taken.issuperset(rows):
            return True
    # What the parser did not read has no node, but it is content.
    return any(line.strip() for row, line in enumerate(lines) if row not in passed)


def _make_chunks(
    code: str, blocks: Sequence[CodeBlock], language: Language, origin: _Origin
) -> list[Chunk]:
    """Make a chunk of each block."""
    inner: list[list[CodeBlock]] = [[] for _ in blocks]
    for block in blocks:
        if block.parent >= 0:
            inner[block.parent].append(block)
    chunks: list[Chunk] = []
    paths: list[tuple[str, ...]] = []
    for block, within in zip(blocks, inner, strict=True):
        parents = paths[block.parent] if block.parent >= 0 else (origin.stem,)
        paths.append((*parents, block.definition.name))
        chunks.append(_make_chunk(code, block, within, parents, language, origin))
    return chunks


def _make_chunk(
    code: str,
    block: CodeBlock,
    within: Sequence[CodeBlock],
    parents: tuple[str, ...],
    language: Language,
    origin: _Origin,
) -> Chunk:
    """Make the chunk of a block."""
    text = _write_text(origin.lines, block.first, block.last + 1, within)
    symbol = find_symbol(code, block, language)
    is_inside = language.chunking.is_documented_inside
    return Chunk(
        name=block.definition.name,
        kind=symbol.kind,
        parents=parents,
        text=text,
        signature=symbol.signature,
        documentation=(
            find_docstring(code, block.definition.body)
            if is_inside
            else read_comments(code, block.above)
        ),
        start_line=block.first + 1,
        end_line=block.last + 1,
        hash=hash_chunk(origin.file, parents, text),
        file=origin.file,
        language=origin.language,
        symbols=(symbol,) if symbol.kind in SYMBOL_KINDS else (),
    )


def _write_text(lines: Sequence[str], first: int, end: int, within: Sequence[CodeBlock]) -> str:
    """Write lines, with one line for each of the blocks in them."""
    written: list[str] = []
    row = first
    for block in within:
        written += lines[row : block.first]
        written.append(_elide(lines, block))
        row = block.last + 1
    written += lines[row:end]
    return "\n".join(written)


def _elide(lines: Sequence[str], block: CodeBlock) -> str:
    """Write the line that names a block, without a body on the same line."""
    line = lines[block.head]
    body = block.definition.body
    if body is not None and first_row(body) == last_row(body) == block.head:
        line = line[: body.start_point[1]]
    return line.rstrip() + _ELISION


class _LineRange(NamedTuple):
    """Lines from `first` to before `end`, counted from 0, the first and last of them not blank."""

    first: int
    end: int


def _cut_lines(lines: Sequence[str]) -> tuple[_LineRange, ...]:
    """Cut lines into as few pieces as paragraphs allow.

    Only a paragraph that is longer than a piece is cut. Blank lines between pieces belong to
    none.
    """
    pieces: list[_LineRange] = []
    for paragraph in _find_paragraphs(lines):
        if pieces and paragraph.end - pieces[-1].first <= _LONGEST_PIECE:
            pieces[-1] = _LineRange(pieces[-1].first, paragraph.end)
            continue
        starts = range(paragraph.first, paragraph.end, _LONGEST_PIECE)
        pieces += [
            _LineRange(start, min(start + _LONGEST_PIECE, paragraph.end)) for start in starts
        ]
    return tuple(pieces)


def _find_paragraphs(lines: Sequence[str]) -> list[_LineRange]:
    """Find the runs of lines that are not blank."""
    found: list[_LineRange] = []
    for row, line in enumerate(lines):
        if not line.strip():
            continue
        if found and found[-1].end == row:
            found[-1] = _LineRange(found[-1].first, row + 1)
        else:
            found.append(_LineRange(row, row + 1))
    return found
