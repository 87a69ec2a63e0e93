"""Markdown within a line: plain text and code spans.

Code is set aside first, because markup within it is literal.
All expressions are possessive or bounded: hostile text takes no longer than other text.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["HTML_TAG", "CodeShelf", "name_doc_link", "plain", "split_code_spans"]

HTML_TAG = re.compile(
    r"<(/?)(a|abbr|article|aside|b|blockquote|body|br|button|canvas|caption|center|cite|code|col"
    r"|colgroup|dd|del|details|div|dl|dt|em|figcaption|figure|font|footer|form|h[1-6]|head|header"
    r"|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|meta|nav|ol|optgroup|option|p"
    r"|picture|pre|q|rp|rt|ruby|s|samp|script|section|select|small|source|span|strike|strong|style"
    r"|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|time|tr|tt|u|ul|var|video|wbr)"
    r"(\s[^<>]{0,2000}+)?/?>"
)
"""A tag of HTML: its slash, its name and its attributes. `Array<Element>` is none."""

_OPEN, _CLOSE = "\ue000", "\ue001"  # of private use: no corpus means anything by them
_KEPT = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")
_STRAY = re.compile(f"[{_OPEN}{_CLOSE}]")
_MARKS = re.compile(r"`++")
_PARAGRAPH_END = re.compile(r"\n[ \t]*+(?=\n)")

_TARGET = r"\([^()\n]{0,2000}+(?:\([^()\n]{0,500}+\)[^()\n]{0,500}+){0,9}+\)"
_LINK = re.compile(rf"!?\[([^\[\]]*+)\](?:{_TARGET}|\[[^\[\]]{{0,200}}+\])")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]{1,40}+\](?!:)")
_DOC_LINK = re.compile(r"<doc:([^<>\s]{1,500}+)>")
_ADDRESS = re.compile(r"<((?:https?|mailto):[^<>\s]{1,2000}+)>")
# Strong emphasis first: what is within may be emphasised once more.
_EMPHASES = (
    re.compile(r"(?<!\\)\*\*(?=\S)((?:[^*]|\*(?!\*))++)(?<=\S)\*\*"),
    re.compile(r"(?<![\w\\])__(?=\S)((?:[^_]|_(?!_))++)(?<=\S)__(?!\w)"),
    re.compile(r"(?<![\w\\])\*(?=\S)([^*]++)(?<=\S)\*"),
    re.compile(r"(?<![\w\\])_(?=\S)([^_]++)(?<=\S)_(?!\w)"),
)
_STRUCK = re.compile(r"~~([^~]*+)~~")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~])")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def split_code_spans(text: str) -> Iterator[tuple[bool, str]]:
    """Split text into stretches of prose and of code; code keeps its backticks.

    A run of backticks is closed by the next run of the same length in the same paragraph.
    """
    if "`" not in text:
        yield False, text
        return
    start = 0
    for end in (*(match.start() for match in _PARAGRAPH_END.finditer(text)), len(text)):
        yield from _split_paragraph(text[start:end])
        start = end


def _split_paragraph(text: str) -> Iterator[tuple[bool, str]]:
    """Split one paragraph, looking at each run of backticks once."""
    runs = [match.span() for match in _MARKS.finditer(text)]
    closing: list[int | None] = [None] * len(runs)
    latest: dict[int, int] = {}
    for position in range(len(runs) - 1, -1, -1):
        start, end = runs[position]
        closing[position] = latest.get(end - start)
        latest[end - start] = position
    done = position = 0
    while position < len(runs):
        partner = closing[position]
        if partner is None or _is_escaped(text, runs[position][0]):
            position += 1
            continue
        start, end = runs[position][0], runs[partner][1]
        if start > done:
            yield False, text[done:start]
        yield True, text[start:end]
        done, position = end, partner + 1
    if done < len(text):
        yield False, text[done:]


def _is_escaped(text: str, position: int) -> bool:
    """Return whether a character is escaped by a single backslash."""
    before = text[max(position - 2, 0) : position]
    return before.endswith("\\") and before != "\\\\"


class CodeShelf:
    """Keeps code spans while the prose around them is changed."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def put(self, code: str) -> str:
        """Keep a piece of code and return its placeholder."""
        self._pieces.append(code)
        return f"{_OPEN}{len(self._pieces) - 1}{_CLOSE}"

    def put_spans(self, text: str) -> str:
        """Keep the code spans of a text and return it with placeholders."""
        return "".join(
            self.put(piece) if is_code else piece
            for is_code, piece in split_code_spans(_STRAY.sub("", text))
        )

    def take_back(self, text: str, read: Callable[[str], str] = str) -> str:
        """Replace the placeholders by the code, each piece passed through `read`."""
        return _KEPT.sub(lambda match: read(self._pieces[int(match.group(1))]), text)


def plain(inline: str) -> str:
    """Return Markdown as plain text on one line, as a reader sees it."""
    shelf = CodeShelf()
    prose = _read_prose(shelf.put_spans(inline))
    return " ".join(shelf.take_back(prose, lambda span: span.strip("`").strip() or span).split())


def _read_prose(text: str) -> str:
    """Remove the markup of links, emphasis and HTML from prose."""
    text = _DOC_LINK.sub(lambda match: name_doc_link(match.group(1)), text)
    text = _FOOTNOTE.sub("", _ADDRESS.sub(r"\1", text))
    text = HTML_TAG.sub("", text)
    # Twice, for the badge in a link.
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))
    for emphasis in _EMPHASES:
        text = emphasis.sub(r"\1", text)
    text = _STRUCK.sub(r"\1", text)
    return html.unescape(_ESCAPED.sub(r"\1", text))


def name_doc_link(target: str) -> str:
    """Turn the target of a DocC link into words: `TheBasics#Memory-Safety`."""
    page, _, section = target.rpartition("/")[2].partition("#")
    words = _CAMEL.sub(" ", page.replace("-", " "))
    return f"{words}: {section.replace('-', ' ')}" if section else words
