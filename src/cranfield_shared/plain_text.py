"""Text of others, made harmless to show: the one place for terminals, logs and reports.

Queries, answers, file names and messages of systems come from others. They must not move the
cursor, turn the direction of a line, command the log of a build, or show a secret.
"""

from __future__ import annotations

import re

from cranfield_shared.secret_kinds import mask_secrets

__all__ = ["escape_json", "printable", "printable_lines"]

_REPLACEMENT = "\ufffd"
_CONTROLS = (*range(0x20), 0x7F, *range(0x80, 0xA0))
_SEPARATORS = (0x2028, 0x2029)
_REORDERING = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Marks that turn the direction of what follows, which could disguise a line."""
_INVISIBLE = (0xFEFF, *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080))
_REPLACED = (*_CONTROLS, *_SEPARATORS, *_REORDERING, *_INVISIBLE, *range(0xD800, 0xE000))
_PRINTABLE = dict.fromkeys(_REPLACED, _REPLACEMENT)
_WITH_TABS = {**_PRINTABLE, 0x09: "\t"}
# A build reads commands from its log: GitHub at the start of a line and anywhere after ##[, Azure
# and TeamCity after ## and their names.
_COMMAND = re.compile(
    r"\A\s*:(?=:[a-z][\w-]*(?:\s.*?)?::)|#(?=#(?:\[|vso\[|teamcity\[))", re.I | re.S
)
_RAW_IN_JSON = re.compile(
    "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]"
    "|[\U000e0000-\U000e007f]|#(?=#(?:\\[|vso\\[|teamcity\\[))",
    re.I,
)


def printable(text: str) -> str:
    """Return a line of text without controls, commands to a build, and secrets."""
    return _show(text, _PRINTABLE)


def _show(text: str, table: dict[int, str]) -> str:
    if not text.isprintable():
        text = text.translate(table)
    if "::" in text or "##" in text:
        text = _COMMAND.sub(lambda found: f"{found[0]} ", text)
    return mask_secrets(text)


def printable_lines(text: str) -> str:
    """Return a text of several lines likewise; its own line breaks and tabs stay."""
    return "\n".join(_show(line, _WITH_TABS) for line in mask_secrets(text).split("\n"))


def escape_json(written: str) -> str:
    """Write JSON so it can be shown: the same values, with escapes instead of controls."""
    return mask_secrets(_RAW_IN_JSON.sub(_escape, written))


def _escape(found: re.Match[str]) -> str:
    pair = found[0].encode("utf-16-be").hex()
    return "".join(f"\\u{pair[place : place + 4]}" for place in range(0, len(pair), 4))
