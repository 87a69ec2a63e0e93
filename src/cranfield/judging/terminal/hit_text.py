"""A hit as coloured text: syntax, the words of the query, and what changed since it was judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.syntax import Syntax
from rich.text import Text

from cranfield.judging.content_changes import LineState
from cranfield.judging.matching_words import split_matches
from cranfield_shared.plain_text import printable, printable_lines

if TYPE_CHECKING:
    from cranfield.judging.content_changes import ContentChange
    from cranfield.judging.pool import PooledHit
    from cranfield.judging.queue import ShownHit

__all__ = ["diff_text", "document_text", "name_hit"]

_MATCH = "bold black on yellow"
_PLAIN = "default"
_MARKS = {LineState.REMOVED: ("-", "red"), LineState.ADDED: ("+", "green")}


def name_hit(hit: PooledHit) -> str:
    """Return the ids of a hit in a line."""
    return printable(" = ".join(hit.documents))


def document_text(shown: ShownHit) -> Text:
    """Return the text of a hit with syntax colours, and the words of its query marked."""
    hit = shown.hit
    text = printable_lines(hit.text) or "(no text; judge by the id above)"
    lexer = Syntax.guess_lexer(str(hit.fields.get("path") or hit.document))
    coloured = Text(text) if lexer == _PLAIN else Syntax(text, lexer).highlight(text)
    start = 0
    for part in split_matches(coloured.plain, shown.query.query.text):
        if part.matches:
            coloured.stylize(_MATCH, start, start + len(part.text))
        start += len(part.text)
    return coloured


def diff_text(change: ContentChange) -> Text:
    """Return the lines that changed in a text since it was judged, removed ones first."""
    coloured = Text()
    for line in change.lines:
        if line.state is not LineState.KEPT:
            mark, style = _MARKS[line.state]
            coloured.append(f"{mark}{printable(line.text)}\n", style)
    return coloured
