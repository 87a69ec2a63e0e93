"""Grammars as packages carry them: imported when first used, and limited in what they read.

All parsing goes through `Grammar.parse`, so limits have one home. The end of the time is
an end of the text: the callback that tree-sitter 0.26.0 has for it ends the process instead.

On broken code the recovery of a grammar takes time with the length squared, or worse: 40 KB of
`|-|` lines take more than a minute. Time is that of the processor in this thread, so a busy
machine reads what an idle one reads.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from time import thread_time
from typing import TYPE_CHECKING

from stacks.errors import StacksError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Language, Node, Point

__all__ = [
    "PARSING_SECONDS",
    "Grammar",
    "ParsingLimit",
    "SlowCodeError",
    "get_parsing_limit",
    "limit_parsing",
]

# Real code is read about twice over. A parser that reads more goes round in circles: the text
# ends for it here.
_READS_PER_CHARACTER = 8
_READS_AT_LEAST = 10_000
# Recovery from errors takes time with the length squared; a file of this length is rare.
_LONGEST = 250_000

_NOT_ASCII = re.compile(r"[^\x01-\x7f]")
# No person writes such lines, and they take the most time.
_ENDLESS_LINE = re.compile(r"[^\n]{5000,}+")


PARSING_SECONDS = 5.0
"""The time for the code of a page, beside what the length of the code allows."""
# Code is parsed at a million characters a second; a page with much of it may take ten times that.
_SECONDS_PER_CHARACTER = 1e-5


@dataclass(frozen=True, slots=True)
class Grammar:
    """A grammar by the package that carries it and the function that hands it out.

    `stride` is how many characters the parser is given at a time. On broken code the recovery
    of some grammars never ends, which shows only in what they read again: these get one.
    """

    package: str
    function: str = "language"
    stride: int = 256

    def parse(self, code: str) -> Node:
        """Return the root of the syntax tree; every offset is an index into `code`.

        Only the first 250,000 characters are read. Raises `SlowCodeError` if the time that is
        left for the page does not suffice.
        """
        from tree_sitter import Parser

        data = _to_plain(code[:_LONGEST]).encode("ascii")
        stride = self.stride
        left = _READS_AT_LEAST + _READS_PER_CHARACTER * len(data)

        def read(offset: int, _point: Point) -> bytes:
            nonlocal left
            left -= 1
            is_over = left <= 0 or thread_time() > end
            return b"" if is_over else data[offset : offset + stride]

        parser = Parser(_load(self.package, self.function))
        with get_parsing_limit().spend(len(data)) as end:
            return parser.parse(read).root_node


@cache
def _load(package: str, function: str) -> Language:
    """Import a grammar; a package that is missing is an error that says what to install."""
    try:
        from tree_sitter import Language

        return Language(getattr(import_module(package), function)())
    except ImportError as error:
        raise StacksError(
            f"code cannot be parsed: the package {error.name or package} is not installed; "
            "install it with: pip install 'cranfield[stacks]'"
        ) from error


def _to_plain(code: str) -> str:
    """Replace characters by ASCII ones of their sort, and endless lines by blanks; offsets stay."""
    if not code.isascii() or "\0" in code:
        code = _NOT_ASCII.sub(lambda match: _sort_of(match.group()), code)
    return _ENDLESS_LINE.sub(lambda line: " " * len(line.group()), code)


@cache
def _sort_of(character: str) -> str:
    """Return the ASCII character that replaces another; few different ones are ever met."""
    if character == "\0" or character.isspace():
        return " "
    return "+" if unicodedata.category(character) == "Sm" else "x"


class SlowCodeError(Exception):
    """Code that takes too long to parse: its page is kept as text."""


class ParsingLimit:
    """The time that is left for the code of one page."""

    def __init__(self, seconds: float = PARSING_SECONDS) -> None:
        self._left = seconds

    @property
    def is_exceeded(self) -> bool:
        """Whether code of the page was given up."""
        return self._left <= 0

    @contextmanager
    def spend(self, characters: int) -> Iterator[float]:
        """Yield the moment of `thread_time` at which parsing that much code must end.

        Raises `SlowCodeError` afterwards if it did not end before, and at once if there is no
        time left.
        """
        if self.is_exceeded:
            raise SlowCodeError
        began = thread_time()
        self._left += characters * _SECONDS_PER_CHARACTER
        yield began + self._left
        self._left -= thread_time() - began
        if self.is_exceeded:
            raise SlowCodeError


_current: ContextVar[ParsingLimit | None] = ContextVar("parsing limit", default=None)


@contextmanager
def limit_parsing(seconds: float) -> Iterator[ParsingLimit]:
    """Parse all code in the block within one limit; without a block each parsing has its own."""
    limit = ParsingLimit(seconds)
    token = _current.set(limit)
    try:
        yield limit
    finally:
        _current.reset(token)


def get_parsing_limit() -> ParsingLimit:
    """Return the limit of the page that is being read, or a new one."""
    return _current.get() or ParsingLimit()
