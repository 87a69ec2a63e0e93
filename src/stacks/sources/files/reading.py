"""The text of a file from its bytes, or the reason why only its name is indexed."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stacks.sources.files.messages import LONGEST_TEXT
from stacks.sources.files.notebooks import read_notebook
from stacks.sources.files.variables import list_variables
from stacks.sources.secrets import holds_private_key, holds_variables
from stacks.sources.text_encodings import decode_text, is_binary
from stacks.text import TextAccess

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stacks.sources.files.extractor import Extractor
    from stacks.text import FileType

__all__ = ["NO_TEXT", "Content", "read_content"]

NO_TEXT = "is binary, or text in an unknown encoding"

_LOOKED_AT = 8192
_MOST_NOISE = 0.3  # of the characters; random bytes have more, text in Latin letters less
_NOISE = re.compile("[\ufffd\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w:.-]{1,40})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Content:
    """What is indexed of a file besides its name.

    - `extent` says how much of it that is: `whole`, `names of variables`, `first … characters`.
    - `reason` says why it is nothing; then there is no text.
    """

    text: str = ""
    extent: str = "whole"
    facts: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""


def read_content(name: str, kind: FileType, data: bytes, extractor: Extractor) -> Content:
    """Read the bytes of a file as its name says; a file without bytes is read whole."""
    if not data:
        return Content()
    content = _HOW[_choose(name, kind)](kind, data, extractor)
    if holds_private_key(content.text):
        return Content(reason="holds a private key")
    return content


def _choose(name: str, kind: FileType) -> str:
    return "variables" if holds_variables(name) else kind.access


def _decode(kind: FileType, data: bytes, _: Extractor) -> Content:
    """Decode a text, of a known kind or found to be one."""
    if _is_no_text(data, is_strict=kind.access is TextAccess.SNIFF):
        return Content(reason=NO_TEXT)
    return _cut(decode_text(data))


def _read_notebook(kind: FileType, data: bytes, extractor: Extractor) -> Content:
    """Read the cells of a notebook; what is none is the text that it is."""
    content = _decode(kind, data, extractor)
    if content.reason:
        return content
    text = read_notebook(decode_text(data))
    return content if text is None else _cut(text)


def _read_variables(kind: FileType, data: bytes, _: Extractor) -> Content:
    """Read the names of variables; a key among the values is looked for before they are gone."""
    if _is_no_text(data, is_strict=kind.access is TextAccess.SNIFF):
        return Content(reason=NO_TEXT)
    text = decode_text(data)
    if holds_private_key(text):
        return Content(reason="holds a private key")
    return Content(list_variables(text)[:LONGEST_TEXT], "names of variables")


def _extract(kind: FileType, data: bytes, extractor: Extractor) -> Content:
    """Have the text extracted."""
    if kind.media_type == "text/html":
        if not data.strip():
            return Content()
        data = _decode_html(data).encode("utf-8", "replace")
    extracted = extractor.extract(data, kind.media_type)
    if extracted.fault:
        return Content(facts=extracted.facts, reason=extracted.fault)
    return _cut(extracted.text, extracted.length, extracted.facts)


_HOW: dict[str, Callable[[FileType, bytes, Extractor], Content]] = {
    TextAccess.DECODE: _decode,
    TextAccess.EXTRACT: _extract,
    TextAccess.NOTEBOOK: _read_notebook,
    TextAccess.SNIFF: _decode,
    "variables": _read_variables,
}


def _cut(text: str, length: int | None = None, facts: Mapping[str, str] | None = None) -> Content:
    """Keep the beginning of a text that is too long, and say so."""
    length = len(text) if length is None else length
    if length <= LONGEST_TEXT:
        return Content(text, facts=facts or {})
    if holds_private_key(text):
        return Content(reason="holds a private key")
    extent = f"first {LONGEST_TEXT:,} of {length:,} characters"
    return Content(text[:LONGEST_TEXT], extent, facts or {})


def _is_no_text(data: bytes, *, is_strict: bool) -> bool:
    """Tell bytes from text; where nothing is known of them, a single NUL is enough."""
    head = data[:_LOOKED_AT]
    if is_binary(head):
        return True
    text = decode_text(head)
    noise = len(_NOISE.findall(text))
    # A NUL that is left after decoding is none of UTF-16's.
    return noise > len(text) * _MOST_NOISE or (is_strict and 0 in head and "\ufffd" in text)


def _decode_html(data: bytes) -> str:
    """Decode a page: by its mark, as UTF-8, as it says itself, as browsers do otherwise."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return decode_text(data)
    declared = _CHARSET.search(data[:_LOOKED_AT])
    if declared is None or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return decode_text(data)
    try:
        return data.decode(declared[1].decode("ascii"), "replace")
    except (LookupError, UnicodeError):
        return data.decode("cp1252", "replace")
