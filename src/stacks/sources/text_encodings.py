"""Text from the bytes of a file, whatever its encoding."""

from __future__ import annotations

import codecs

__all__ = ["decode_text", "is_binary"]

_MARKED = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # starts with UTF-16's mark, so it is checked first
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 8192  # bytes


def decode_text(data: bytes) -> str:
    r"""Decode text, with Unix line ends; what cannot be decoded or stored becomes `\ufffd`."""
    for mark, encoding in _MARKED:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, "replace")
            break
    else:
        text = data.decode(_guess_unmarked(data), "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def is_binary(data: bytes) -> bool:
    """Return whether bytes are not text: more than a stray NUL, and no encoding explains them."""
    if any(data.startswith(mark) for mark, _ in _MARKED):
        return False
    head = data[:_SAMPLE]
    return head.count(0) > len(head) / 100 and _guess_unmarked(data) == "utf-8"


def _guess_unmarked(data: bytes) -> str:
    """Recognise UTF-16 without a byte order mark by its NULs: every other byte of Latin text."""
    head = data[: _SAMPLE - _SAMPLE % 2]
    if head.count(0) < len(head) * 0.4 or not head:
        return "utf-8"
    even, odd = head[::2].count(0), head[1::2].count(0)
    if even == 0:
        return "utf-16-le"
    return "utf-16-be" if odd == 0 else "utf-8"
