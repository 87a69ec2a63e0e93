"""Documents cut into pieces, each short enough to be embedded as one vector."""

from __future__ import annotations

from stacks.text.identifiers import split_identifier

__all__ = ["cut_pieces"]

_WORDS = 100
"""In words. On NFCorpus, shorter pieces rank slightly better and cost more in proportion."""
_OVERLAP = 10
_MOST_PIECES = 64
"""The most pieces of one document; by then its subject is clear."""


def cut_pieces(title: str, summary: str, content: str, *, is_named: bool = True) -> list[str]:
    """Cut a document into pieces: its name alone, then its text under its name.

    A title that is not the document's own (passages have their chapter's) is not a piece by itself.
    """
    head = _spell_out(title)
    words = f"{summary} {content}".split()
    starts = range(0, max(1, len(words) - _OVERLAP), _WORDS - _OVERLAP)[: _MOST_PIECES - 1]
    pieces = [f"{head}. {' '.join(words[start : start + _WORDS])}" for start in starts if words]
    return list(dict.fromkeys([head, *pieces] if is_named or not pieces else pieces))


def _spell_out(title: str) -> str:
    """Spell a name as words: a language model has read more words than identifiers."""
    return " ".join(" ".join(split_identifier(word)) or word for word in title.split())
