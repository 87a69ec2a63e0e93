"""A hit as coloured text: syntax, the words of the query, and what changed since it was judged."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from rich.syntax import Syntax
from rich.text import Text

from cranfield_shared import printable, printable_lines

if TYPE_CHECKING:
    from cranfield.judging.pool import PooledHit
    from cranfield.judging.queue import ShownHit

__all__ = ["diff_text", "document_text", "name_hit"]

_MATCH = "bold black on yellow"
_PLAIN = "default"
_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def name_hit(hit: PooledHit) -> str:
    """Return the ids of a hit in a line."""
    return printable(" = ".join(hit.documents))


def document_text(shown: ShownHit) -> Text:
    """Return the text of a hit with syntax colours, and the words of its query marked."""
    hit = shown.hit
    text = printable_lines(hit.text) or "(no text; judge by the id above)"
    lexer = Syntax.guess_lexer(str(hit.fields.get("path") or hit.document))
    coloured = Text(text) if lexer == _PLAIN else Syntax(text, lexer).highlight(text)
    words = {word for word in re.findall(r"\w+", shown.query.query.text) if len(word) > 1}
    if words:
        pattern = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
        coloured.highlight_regex(rf"(?i)(?<!\w)(?:{pattern})(?!\w)", _MATCH)
    return coloured


def diff_text(before: str, now: str) -> Text:
    """Return what changed in a text, as a diff."""
    lines = difflib.unified_diff(
        printable_lines(before).splitlines(), printable_lines(now).splitlines(), lineterm="", n=1
    )
    coloured = Text()
    for line in list(lines)[2:]:
        coloured.append(f"{line}\n", _DIFF_STYLES.get(line[:1], ""))
    return coloured
