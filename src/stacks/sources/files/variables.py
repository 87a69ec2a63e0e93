"""Files of environment variables: their names and comments, never a value.

What cannot be told apart from a value is left out: a name too few can be lived with.
"""

from __future__ import annotations

import re

__all__ = ["list_variables"]

_ASSIGNMENT = re.compile(r"\s*(?:export\s+|set\s+)?(\w{1,80})\s*(?:=(?!=)|:\s)\s*(.*)", re.ASCII)
# A name is all capitals, all small letters, or has no digits; base64 is none of these for long.
_NAME = re.compile(r"[A-Z_][A-Z0-9_]*|[a-z_][a-z0-9_]*|[A-Za-z_]+")
_COMMENT = re.compile(r"\s*(?:#|//)+(.*)")
_VALUE_BEGINS = re.compile(r"[=:]")
_LONGEST_WORD = 24  # a longer one is rather a key than a word
_SAFE_WORD = re.compile(
    r"[^\W\d]+(?:['’_./-][^\W\d]+)*[.,;!?)]*|\d{1,4}[.,)]?|[-–—(]+[^\W\d]*[),.]*"
)


def list_variables(text: str) -> str:
    """Write the names of the variables of a file, one a line, and its comments without values."""
    lines: list[str] = []
    quote = ""
    is_continued = False
    for line in text.split("\n"):
        if quote or is_continued:
            quote = "" if quote and _ends_quote(line, quote) else quote
            is_continued = not quote and line.endswith("\\")
            continue
        comment = _COMMENT.match(line)
        if comment:
            lines.append(_clean_comment(comment[1]))
            continue
        assignment = _ASSIGNMENT.match(line)
        value = assignment[2].strip() if assignment else line
        quote = _get_open_quote(value)
        is_continued = not quote and line.endswith("\\")
        if assignment and _NAME.fullmatch(assignment[1]):
            lines.append(assignment[1])
    return "\n".join(line for line in lines if line)


def _get_open_quote(value: str) -> str:
    """Return the quote that does not end on its line; inside a value an apostrophe is none."""
    mark = value[:1]
    if mark in {'"', "'", "`"}:
        return "" if _ends_quote(value[1:], mark) else mark
    return '"' if len(re.findall(r'(?<!\\)"', value)) % 2 else ""


def _ends_quote(text: str, mark: str) -> bool:
    """Tell whether a quote ends in a text; behind a backslash it does not."""
    return re.search(rf"(?<!\\)(?:\\\\)*{mark}", text) is not None


def _clean_comment(comment: str) -> str:
    """Keep the words of a comment up to where a value may begin."""
    said = _VALUE_BEGINS.split(comment, maxsplit=1)[0]
    words = said.split()
    kept = [word for word in words if len(word) <= _LONGEST_WORD and _SAFE_WORD.fullmatch(word)]
    return f"# {' '.join(kept)}" if kept else ""
