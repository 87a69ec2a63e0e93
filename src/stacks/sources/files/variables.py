"""Files of environment variables: their names, never a value, and no comment that might tell one.

What cannot be told apart from a value is left out: a name too few can be lived with.
"""

from __future__ import annotations

import re

__all__ = ["list_variables"]

_ASSIGNMENT = re.compile(r"\s*(?:export\s+|set\s+)?(\w{1,80})\s*(?:=(?!=)|:\s)\s*(.*)", re.ASCII)
# A name is all capitals, all small letters, or has no digits; base64 is none of these for long.
_NAME = re.compile(r"[A-Z_][A-Z0-9_]*|[a-z_][a-z0-9_]*|[A-Za-z_]+")
_COMMENT = re.compile(r"\s*(?:#|//)")


def list_variables(text: str) -> str:
    """Write the names of the variables of a file, one a line."""
    lines: list[str] = []
    quote = ""
    is_continued = False
    for line in text.split("\n"):
        if quote or is_continued:
            quote = "" if quote and _ends_quote(line, quote) else quote
            is_continued = not quote and line.endswith("\\")
            continue
        if _COMMENT.match(line):
            continue
        assignment = _ASSIGNMENT.match(line)
        value = assignment[2].strip() if assignment else line
        quote = _get_open_quote(value)
        is_continued = not quote and line.endswith("\\")
        if assignment and _NAME.fullmatch(assignment[1]):
            lines.append(assignment[1])
    return "\n".join(lines)


def _get_open_quote(value: str) -> str:
    """Return the quote that does not end on its line; inside a value an apostrophe is none."""
    mark = value[:1]
    if mark in {'"', "'", "`"}:
        return "" if _ends_quote(value[1:], mark) else mark
    return '"' if len(re.findall(r'(?<!\\)"', value)) % 2 else ""


def _ends_quote(text: str, mark: str) -> bool:
    """Tell whether a quote ends in a text; behind a backslash it does not."""
    return re.search(rf"(?<!\\)(?:\\\\)*{mark}", text) is not None
