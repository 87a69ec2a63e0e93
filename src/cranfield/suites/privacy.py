"""What in a query points at a person. In doubt a query is personal: losing one costs nothing."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import unquote

from cranfield.suites.personal_numbers import (
    has_account,
    has_birthday,
    has_card,
    has_long_number,
    has_phone,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["find_personal"]

_LONGEST = 200
# Without any of these signs, plain letters are not looked at further.
_SUSPECT = re.compile(r"[\d@%:()\[\]{}=\\]|[A-Z][a-z]|\bmr|/home/|BEGIN")
_HIDDEN = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_USER_IN_ADDRESS = re.compile(
    r"\w://[^/\s?#]*@|[?&](?:user(?:_?name|_?id)?|login|e-?mail|account)=[^&\s]"
    r"|\b(?:ssh|scp|sftp|rsync|mosh)\b.*?[\w.-]@[a-z]",
    re.I,
)
# Names of folders that are everybody's.
_USER_IN_PATH = re.compile(
    r"(?:/Users/|/home/|\\Users\\)(?!(?:Shared|Public|Default|All Users|me|you|user|username|name|"
    r"runner|ubuntu|linuxbrew)\b)[\w.-]*\w"
)
_MAIL = re.compile(
    r"[^\s@]\s*(?:@|[(\[{]\s*at\s*[)\]}])\s*[\w-]+\s*(?:\.|[(\[{]\s*dot\s*[)\]}])\s*[^\W\d]", re.I
)
_NETWORK_WORD = re.compile(r"[0-9A-Fa-f:.]*[.:][0-9A-Fa-f:.]+")
_VERSION = re.compile(r"\b(?:version|ver|release|v)\.?\s*\d+(?:\.\d+)+", re.I)
_LONG_WORD = re.compile(r"[\w+/=-]{32,}")
_FEWEST_CHANGES = 4
_LEAST_DIGITS = 0.25
_MARKED_KEY = re.compile(
    r"\b(?:gh[opusr]_|github_pat_|glpat-|xox[abopsr]-|[prs]k_(?:live|test)_|AKIA|ASIA|AIza|ya29\.|"
    r"hf_|npm_|pypi-|SG\.|sk-(?=\w{20}|\w+-\w{20}))(?=[\w.-]*\d)[\w.-]{14,}|\beyJ[\w-]{8,}\.[\w-]{8,}"
    r"|BEGIN [A-Z ]*PRIVATE KEY"
    r"|\b(?:password|passwd|pwd|passwort|contrase[nñ]a|mot de passe|api[_-]?key|secret|token|"
    r"bearer)(?:\s*[=:]\s*|\s+is\s+)(?=\S*\d)\S{6,}",
    re.I,
)
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
    return any(_is_network_address(word) for word in _NETWORK_WORD.findall(_VERSION.sub(" ", text)))


def _is_network_address(word: str) -> bool:
    # Names of C++ can look like an address of version 6, but few have digits.
    if not any(map(str.isdigit, word)):
        return False
    trimmed = word.strip(".")
    for written in (trimmed, trimmed.rpartition(":")[0]):
        try:
            address = ipaddress.ip_address(written)
        except ValueError:
            continue
        return not _is_everybodys(address)
    return False


def _is_everybodys(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether it is that of every machine, of any, of a group or a mask: nobody's."""
    is_mask = str(address).startswith("255.")
    return address.is_loopback or address.is_unspecified or address.is_multicast or is_mask


def _has_key(text: str) -> bool:
    found = _MARKED_KEY.search(text) is not None
    return found or any(_looks_drawn(word) for word in _LONG_WORD.findall(text))


def _looks_drawn(word: str) -> bool:
    """Tell a word of chance from a long name, in which digits are few and stand together."""
    digits = sum(sign.isdigit() for sign in word)
    if digits in (0, len(word)):
        return False
    changes = sum(
        one.isalnum() and other.isalnum() and one.isdigit() != other.isdigit()
        for one, other in pairwise(word)
    )
    return changes >= _FEWEST_CHANGES or digits >= _LEAST_DIGITS * len(word)


def _has(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.search(text) is not None


def _has_street(text: str) -> bool:
    return any(pattern.search(text) for pattern in _STREETS)


_STREETS = (
    # 12 Maple Street; what a drive or a place is otherwise has to be written as a name.
    re.compile(
        r"\b\d{1,5}[a-z]?,?\s+(?!(?:way|lane)\b)(?:[^\W\d][\w'’.-]*\s+){1,3}"
        r"(?:street|avenue|boulevard|road|blvd|ave|rd|st\.)(?!\w)",
        re.I,
    ),
    re.compile(
        r"\b\d{1,5}[a-z]?,?\s+(?:[A-Z][\w'’.-]*\s+){1,3}"
        r"(?:Drive|Lane|Court|Place|Way|Square|Terrace|Close|Crescent|Dr|Ln|Ct|Pl|St)(?!\w)"
    ),
    # Hauptstraße 12, Musterstr. 5, Am Alten Markt 3a
    re.compile(
        r"[^\W\d_]{3,}[\s-]?(?:stra(?:ß|ss)e|str\.|gasse|weg|allee|platz|chaussee)\s+\d{1,4}\s?[a-z]?\b",
        re.I,
    ),
    re.compile(r"\b(?:Am|An der|Im|In der|Zum|Zur|Auf dem)\s+[A-ZÄÖÜ][\w-]+\s+\d{1,4}\s?[a-z]?$"),
    # 12 bis, rue de la Paix; words that are English too need an article behind them
    re.compile(
        r"\b\d{1,4}(?:\s?(?:bis|ter|quater))?,?\s+(?:(?:rue|all[eé]e|impasse|chemin|quai|bd|avenue|"
        r"boulevard)\s+\w|(?:place|cours|route|passage|square)\s+(?:de|du|des|d['’]))",
        re.I,
    ),
    # Calle Mayor, 12
    re.compile(
        r"\b(?:calle|avenida|avda\.?|paseo|plaza|carretera)\s+(?:[^\W\d][\w'’.-]*,?\s+){1,5}"
        r"(?:n\.?[ºo°]\.?\s*)?\d{1,5}\b",
        re.I,
    ),
)

_KINDS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("an address with a user", _has(_USER_IN_ADDRESS)),
    ("an e-mail address", _has(_MAIL)),
    ("a folder of a user", _has(_USER_IN_PATH)),
    ("a network address", _has_network_address),
    ("a bank account", has_account),
    ("a card number", has_card),
    ("a date of birth", has_birthday),
    ("a key or token", _has_key),
    ("a long number", has_long_number),
    ("a telephone number", has_phone),
    ("a street address", _has_street),
    ("a name with a title", _has(_TITLE)),
)
