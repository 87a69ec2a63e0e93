"""Files that no grammar reads: whole, or in pieces between blank lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LONGEST_PIECE", "Piece", "cut_lines"]

LONGEST_PIECE = 80
"""How many lines a piece has at most."""


class Piece(NamedTuple):
    """Lines from `first` to before `end`, counted from 0, the first and last of them not blank."""

    first: int
    end: int


def cut_lines(lines: Sequence[str]) -> tuple[Piece, ...]:
    """Cut lines into as few pieces as paragraphs allow.

    Only a paragraph that is longer than a piece is cut in itself. Blank lines between pieces
    belong to none.
    """
    pieces: list[Piece] = []
    for paragraph in _find_paragraphs(lines):
        if pieces and paragraph.end - pieces[-1].first <= LONGEST_PIECE:
            pieces[-1] = Piece(pieces[-1].first, paragraph.end)
            continue
        starts = range(paragraph.first, paragraph.end, LONGEST_PIECE)
        pieces += [Piece(start, min(start + LONGEST_PIECE, paragraph.end)) for start in starts]
    return tuple(pieces)


def _find_paragraphs(lines: Sequence[str]) -> list[Piece]:
    """Find the runs of lines that are not blank."""
    found: list[Piece] = []
    for row, line in enumerate(lines):
        if not line.strip():
            continue
        if found and found[-1].end == row:
            found[-1] = Piece(found[-1].first, row + 1)
        else:
            found.append(Piece(row, row + 1))
    return found
