"""A document as pieces that are short enough for one vector to stand for each."""

from __future__ import annotations

from stacks.text.identifiers import split_identifier

__all__ = ["MOST_PIECES", "cut_pieces"]

WORDS = 100
"""In a piece. Measured on NFCorpus: shorter is a little better still, and costs as much more."""
OVERLAP = 10
MOST_PIECES = 64
"""Of one document: what a longer one is about is said by then."""


def cut_pieces(title: str, summary: str, content: str, *, is_named: bool = True) -> list[str]:
    """Cut a document into pieces: its name alone, then its text under its name.

    A title that is not its own, as passages have their chapter's, is no piece by itself.
    """
    head = _spell_out(title)
    words = f"{summary} {content}".split()
    starts = range(0, max(1, len(words) - OVERLAP), WORDS - OVERLAP)[: MOST_PIECES - 1]
    pieces = [f"{head}. {' '.join(words[start : start + WORDS])}" for start in starts if words]
    return list(dict.fromkeys([head, *pieces] if is_named or not pieces else pieces))


def _spell_out(title: str) -> str:
    """Write a name by its words: a model of language has read more of them than of names."""
    return " ".join(" ".join(split_identifier(word)) or word for word in title.split())
