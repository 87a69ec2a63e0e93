"""Text of others inside a prompt: a block that nothing inside it can close.

The values are JSON on one line between two lines with a mark. Line ends, angle brackets, and
characters that are invisible or change the direction of text are written as escapes of JSON: the
block holds one line, without the brackets that the mark and the control tokens of chat models are
written with. The mark is a hash of the values, so that nobody can write it into one of them. What
is outside the block is the same for every text.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import TYPE_CHECKING

import msgspec

from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["enclose", "open_block", "split_block"]

_BLOCK = re.compile(r'<data mark="([0-9a-f]{32})">\n([^\n<>]*)\n</data mark="\1">')
_BRACKETS = frozenset("<>")
_JOINERS = frozenset("\u200c\u200d")
"""Invisible, and a part of how Hindi and other languages are written."""
_HIDDEN = frozenset({"Cc", "Cf", "Zl", "Zp", "Co", "Cn", "Cs"})
_INSTRUCTION_TOKEN = re.compile(r"\[(?=/?(?:INST|SYS)\b)", re.I)


def enclose(values: Mapping[str, str]) -> str:
    """Write values as a block."""
    body = _escape(_as_json(values))
    mark = hashlib.sha256(body.encode()).hexdigest()[:32]
    return f'<data mark="{mark}">\n{body}\n</data mark="{mark}">'


def open_block(block: str) -> dict[str, str]:
    """Read the values of a block back."""
    found = _BLOCK.fullmatch(block)
    if found is None:
        raise CranfieldError("this is no data block: its two marks differ, or something is outside")
    return msgspec.json.decode(found[2], type=dict[str, str])


def split_block(text: str) -> tuple[str, str, str]:
    """Split a message into what is before its only block, the block, and what is after it."""
    found = list(_BLOCK.finditer(text))
    if len(found) != 1:
        raise CranfieldError(f"a message has one data block, not {len(found)}")
    return text[: found[0].start()], found[0][0], text[found[0].end() :]


def _as_json(values: Mapping[str, str]) -> str:
    # A lone surrogate is no text, and could not be sent.
    sound = {
        name: value.encode("utf-8", "replace").decode("utf-8") for name, value in values.items()
    }
    return msgspec.json.encode(sound).decode()


def _escape(encoded: str) -> str:
    plain = _INSTRUCTION_TOKEN.sub(r"\\u005b", encoded)
    return "".join(_escaped(each) if _is_special(each) else each for each in plain)


def _is_special(character: str) -> bool:
    if character.isascii():
        return character in _BRACKETS or not character.isprintable()
    return unicodedata.category(character) in _HIDDEN and character not in _JOINERS


def _escaped(character: str) -> str:
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
