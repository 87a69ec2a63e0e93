"""Where ids may be in plain text: a line each, a column, an address, a path."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cranfield.systems.probing.proposals import Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["propose_patterns"]

_MOST_LINES = 200
_LONGEST_LINE = 2000
"""As much of a text as tells its form; patterns may be slow on what is no text at all."""
_NUMBER = r"[(\[]?-?\d[\d.,e+-]*[.:)\]]*"
_BETWEEN_NUMBERS = (
    rf"(?m)^[ \t]*(?:{_NUMBER}[ \t]+){{0,2}}(?P<id>\S*[^\W\d_]\S*)(?:[ \t]+{_NUMBER})?[ \t\r]*$"
)


class _Form(NamedTuple):
    """A form of text: its name, and patterns of the ids in it, the simplest first.

    The last pattern is the exact one; a simpler one that finds the same is easier to live with.
    """

    name: str
    patterns: tuple[str, ...]
    in_every_line: bool


_FORMS = (
    _Form(
        "one id a line",
        (r"(?m)^\S+$", r"(?m)^[ \t]*(?P<id>\S+)[ \t\r]*$"),
        in_every_line=True,
    ),
    _Form(
        "addresses in text",
        (
            r"https?://\S+",
            r"\w+://\S+",
            r"\b[a-z][a-z0-9+.-]*://[^\s\"\x27`<>()\[\]]*[^\s\"\x27`<>()\[\].,;:!?]",
        ),
        in_every_line=False,
    ),
    _Form("file and line, as grep prints them", (r"(?m)^(?P<id>[^\s:]+):\d+:",), True),
)
_NAMES = _Form(
    "a name between numbers on each line",
    (
        r"(?m)^\s*\d+[.)]\s+(?P<id>\S+)",
        r"(?m)^(?P<id>\S+)\s+[\d.]+$",
        r"(?m)^[\d.]+\s+(?P<id>\S+)$",
        _BETWEEN_NUMBERS,
    ),
    in_every_line=True,
)
_PATHS = _Form("paths in text", (r"(?<![\w/])(?:[\w.~@+-]*/)+[\w@+-][\w.@+-]*\.\w+",), False)


def propose_patterns(lines: Sequence[str]) -> Iterator[Proposal]:
    """Propose patterns that find ids in lines of text, the surest first."""
    shown = [line[:_LONGEST_LINE] for line in lines[:_MOST_LINES]]
    if not shown:
        return
    for form in _FORMS:
        yield from _propose(form, shown)
    yield from _propose_column(shown)
    yield from _propose(_NAMES, shown)
    yield from _propose(_PATHS, shown)


def _propose(form: _Form, lines: Sequence[str]) -> Iterator[Proposal]:
    """Propose the simplest pattern of a form that finds what the exact one does."""
    exact = re.compile(form.patterns[-1])
    have = [exact.search(line) is not None for line in lines]
    is_cut = any(len(line) == _LONGEST_LINE for line in lines)
    if not any(have) or (form.in_every_line and (is_cut or not all(have))):
        return
    text = "\n".join(lines)
    ids = _find(exact.pattern, text)
    simplest = next(pattern for pattern in form.patterns if _find(pattern, text) == ids)
    yield Proposal(form.name, {"pattern": simplest})


def _find(pattern: str, text: str) -> list[str]:
    compiled = re.compile(pattern)
    group = "id" if "id" in compiled.groupindex else 0
    return [match[group] for match in compiled.finditer(text)]


def _propose_column(lines: Sequence[str]) -> Iterator[Proposal]:
    """Propose the first column between tabs that is no number and differs from line to line."""
    rows = [line.split("\t") for line in lines]
    if len(rows[0]) < 2 or len({len(row) for row in rows}) > 1:
        return
    for place, column in enumerate(zip(*rows, strict=True)):
        names = [cell.strip() for cell in column]
        if all(_is_name(name) for name in names) and len(set(names)) == len(names):
            before = rf"(?:[^\t\n]*\t){{{place}}}" if place else ""
            pattern = rf"(?m)^{before}(?P<id>[^\t\r\n]+)"
            yield Proposal(f"columns between tabs, ids in column {place + 1}", {"pattern": pattern})
            return


def _is_name(text: str) -> bool:
    return text != "" and re.fullmatch(_NUMBER, text) is None
