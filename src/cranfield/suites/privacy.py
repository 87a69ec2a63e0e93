"""What in a query points at a person. In doubt a query is personal: losing one costs nothing."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["find_personal"]

_LONGEST = 200
# Without any of these signs, plain letters are not looked at further.
_SUSPECT = re.compile(r"[\d@%:()\[\]{}]|[A-Z][a-z]|\bmr")
_HIDDEN = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)")
_USER_IN_ADDRESS = re.compile(r"\w://[^/\s?#]*@")
_MAIL = re.compile(
    r"[^\s@]\s*(?:@|[(\[{]\s*at\s*[)\]}])\s*[\w-]+\s*(?:\.|[(\[{]\s*dot\s*[)\]}])\s*\w", re.I
)
_LONG_NUMBER = re.compile(r"\d{7}")
# Seven digits or more with what people put between them.
_PHONE = re.compile(r"\d(?:[ ().\u2010-\u2015/-]{0,3}\d){6}")
_NETWORK_WORD = re.compile(r"[0-9A-Fa-f:.]*[.:][0-9A-Fa-f:.]+")
_KEY = re.compile(r"(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{32,}")
_TITLE = re.compile(
    r"\b(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau|Señora?|Sra?|Mme|Monsieur|Madame|Shri|Smt)"
    r"\.?\s+[^\W\d_a-z]\w+|mrs?\.?\s+[^\W\d_]{2,})"
)


def find_personal(text: str) -> str | None:
    """Say what in a text is personal, or None where nothing can be seen to be.

    Signs that are written to be overlooked (percent codes, wide letters, invisible marks) are
    seen through. Names without a title cannot be told from other words.
    """
    if len(text) > _LONGEST:
        return "a pasted text"
    if text.isascii() and _SUSPECT.search(text) is None:
        return None
    plain = unquote(text) if "%" in text else text
    if not plain.isascii():
        plain = _HIDDEN.sub("", unicodedata.normalize("NFKC", plain))
    return next((what for what, finds in _KINDS if finds(plain)), None)


def _has_network_address(text: str) -> bool:
    return any(_is_network_address(word) for word in _NETWORK_WORD.findall(text))


def _is_network_address(word: str) -> bool:
    # Names of C++ can look like an address of version 6, but few have digits.
    if not any(map(str.isdigit, word)):
        return False
    trimmed = word.strip(".")
    for written in (trimmed, trimmed.rpartition(":")[0]):
        try:
            ipaddress.ip_address(written)
        except ValueError:
            continue
        return True
    return False


def _has_phone(text: str) -> bool:
    return _PHONE.search(_DATE.sub(" – ", text)) is not None


def _has(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.search(text) is not None


_KINDS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("an address with a user", _has(_USER_IN_ADDRESS)),
    ("an e-mail address", _has(_MAIL)),
    ("a network address", _has_network_address),
    ("a long number", _has(_LONG_NUMBER)),
    ("a telephone number", _has_phone),
    ("a key or token", _has(_KEY)),
    ("a name with a title", _has(_TITLE)),
)
