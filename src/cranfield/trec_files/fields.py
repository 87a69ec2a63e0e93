"""Where the fields of each line are, found for a whole block at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.errors import InputError
    from cranfield.trec_files.text_blocks import TextBlock

__all__ = ["FieldColumn", "Fields", "Layout", "split_fields"]

Positions: TypeAlias = NDArray[np.int64]

_TAB, _NEWLINE, _RETURN, _SPACE, _HASH = 9, 10, 13, 32, 35
_ALL_LINES = slice(None)
_NONE: Positions = np.empty(0, dtype=np.int64)


class FieldColumn(NamedTuple):
    """One field of every line: where it starts in its block, and how long it is."""

    start: Positions
    length: Positions

    @property
    def is_short(self) -> bool:
        """Whether no field has more than eight bytes."""
        return int(self.length.max(initial=0)) <= 8

    def at(self, rows: Positions) -> FieldColumn:
        """Return the same field of some of the lines."""
        return FieldColumn(self.start[rows], self.length[rows])


class Fields:
    """The fields of every line of a block; a column is worked out when it is asked for."""

    def __init__(
        self, starts: Positions | None, ends: Positions, spaced: Positions = _NONE
    ) -> None:
        self._starts = starts
        self._ends = ends
        self.spaced = spaced
        """The rows whose tabs show that a space is part of a field other than the last."""

    def __len__(self) -> int:
        return len(self._ends)

    def column(self, index: int, lines: slice = _ALL_LINES) -> FieldColumn:
        """Return the field at this position of every line, or of some of them."""
        start = self.start(index, lines)
        return FieldColumn(start, self._ends[lines, index] - start)

    def start(self, index: int, lines: slice = _ALL_LINES) -> Positions:
        """Return where that field starts."""
        if self._starts is not None:
            return self._starts[lines, index]
        if index:
            return self._ends[lines, index - 1] + 1
        start = np.empty(len(self), dtype=np.int64)
        start[0] = 0
        np.add(self._ends[:-1, -1], 1, out=start[1:])
        return start[lines]

    def without_first(self) -> Fields:
        """Return the fields of every line but the first, which is a header."""
        starts = [self.start(index)[1:] for index in range(self._ends.shape[1])]
        return Fields(np.stack(starts, axis=1), self._ends[1:])


@dataclass(frozen=True, slots=True)
class Layout:
    """What a line of a file consists of.

    Fields beyond the named ones are an error, or part of the last one if `open_ended`. Fields
    are separated by any white space, as in trec_eval, or by tabs alone if `tabs_only`.
    `lookalikes` says what a line with another number of fields may be.
    """

    names: tuple[str, ...]
    open_ended: bool = False
    tabs_only: bool = False
    lookalikes: Mapping[int, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join(self.names)


def split_fields(block: TextBlock, layout: Layout) -> Fields:
    """Find every field of every line; blank lines and `#` comment lines are skipped.

    Lines of only the named fields with one separator between them, as programs write them, take
    the fast path. Everything else takes the general one.
    """
    _check_characters(block)
    separator = _separators(block, layout)
    ends = np.flatnonzero(separator)
    if _is_regular(block, separator, ends, len(layout.names)):
        return Fields(None, ends.reshape(-1, len(layout.names)))
    return _split_any(block, separator, layout)


def _check_characters(block: TextBlock) -> None:
    text = block.text
    # Below the space, only tab and newline are ordinary; the difference wraps around for both.
    if text.min() < _TAB or np.any(text - np.uint8(_NEWLINE + 1) < _SPACE - _NEWLINE - 1):
        _check_controls(block)
    if text.max() >= 128:
        try:
            text.tobytes().decode("utf-8")
        except UnicodeDecodeError as problem:
            bad = f"byte 0x{text[problem.start]:02x}"
            raise block.error(
                problem.start, f"is not UTF-8 ({bad}); convert the file to UTF-8"
            ) from None


def _check_controls(block: TextBlock) -> None:
    text = block.text
    control = np.flatnonzero((text < _TAB) | ((text > _RETURN) & (text < _SPACE)))
    if len(control):
        kind = "looks like UTF-16; convert it to UTF-8" if 0 in text[:4] else "is this a text file?"
        raise block.error(int(control[0]), f"holds a control character; {kind}")
    returns = np.flatnonzero(text == _RETURN)
    alone = returns[text[returns + 1] != _NEWLINE]
    if len(alone):
        raise block.error(int(alone[0]), "has a carriage return inside; end lines with a newline")


def _separators(block: TextBlock, layout: Layout) -> NDArray[np.bool_]:
    text = block.text
    if layout.tabs_only:
        return np.isin(text, (_TAB, _NEWLINE, _RETURN))
    return np.less_equal(text, _SPACE)


def _is_regular(
    block: TextBlock, separator: NDArray[np.bool_], ends: Positions, width: int
) -> bool:
    text = block.text
    line_ends = ends[width - 1 :: width]
    line_starts = line_ends[:-1] + 1
    return bool(
        np.all(text[line_ends] == _NEWLINE)
        and np.count_nonzero(text == _NEWLINE) == len(line_ends)
        and not np.any(separator[1:] & separator[:-1])
        and text[0] != _HASH
        and not np.any(text[line_starts] == _HASH)
    )


def _split_any(block: TextBlock, separator: NDArray[np.bool_], layout: Layout) -> Fields:
    text, width = block.text, len(layout.names)
    # A field starts where a separator is followed by something else, and ends before the next one.
    turns = np.flatnonzero(np.diff(separator, prepend=True))
    starts, ends = turns[0::2], turns[1::2]
    line_ends = np.flatnonzero(text == _NEWLINE)
    fields = np.bincount(np.searchsorted(line_ends, starts), minlength=len(line_ends))
    first = np.cumsum(fields) - fields
    lines = np.flatnonzero(fields)
    lines = lines[text[starts[first[lines]]] != _HASH]
    wrong = fields[lines] < width if layout.open_ended else fields[lines] != width
    if np.any(wrong):
        line = lines[wrong][0]
        raise _wrong_count(block, layout, int(starts[first[line]]), int(fields[line]))
    at = first[lines][:, None] + np.arange(width)
    longer = np.flatnonzero(fields[lines] > width)
    spaced = longer[_have_spaces(block, starts, ends, first[lines[longer]], width)]
    return Fields(starts[at], ends[at], spaced)


def _have_spaces(
    block: TextBlock, starts: Positions, ends: Positions, first: Positions, width: int
) -> NDArray[np.bool_]:
    """Mark the lines whose tabs show that a space is part of a field other than the last.

    `first` is the first field of each line that has more fields than named. Without such a space,
    a line has either no tabs between its first fields, or one after each.
    """
    if len(first) == 0:
        return np.empty(0, dtype=bool)
    at = first[:, None] + np.arange(width - 1)
    tabs = np.cumsum(block.text == _TAB)
    between = tabs[starts[at + 1]] > tabs[ends[at] - 1]
    marked: NDArray[np.bool_] = between.any(axis=1) & ~between.all(axis=1)
    return marked


def _wrong_count(block: TextBlock, layout: Layout, place: int, got: int) -> InputError:
    more = " or more" if layout.open_ended else ""
    columns = "column" if got == 1 else "columns"
    hint = f"; {layout.lookalikes[got]}" if got in layout.lookalikes else ""
    return block.error(
        place, f"has {got} {columns}, expected {len(layout.names)}{more}: {layout}{hint}"
    )
