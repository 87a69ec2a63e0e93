"""Personal data in queries. In doubt a query counts as personal: losing one costs nothing."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["find_personal"]

_LONGEST = 200
# Plain ASCII without any of these is not examined further.
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


# Numbers that belong to a person. Versions, error codes, dates of releases and round numbers are
# numbers of programs.
_MONTH = (
    r"(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|ene|abr|ago|dic|janv|f[eé]v|"
    r"avr|juin|juil|ao[uû]t|d[eé]c)\w*\.?"
)
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)")
_DAY_FIRST = re.compile(r"(?<![\d.])\d{1,2}([-/.])\d{1,2}\1((?:19|20)\d\d)(?![\d.])")
_COMPACT_DATE = re.compile(r"(?<!\w)20[1-9]\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\w)")
_ANY_DATE = (
    rf"(?:\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}|\d{{1,2}}\.?\s+(?:de\s+)?{_MONTH}"
    rf"\s+(?:de\s+)?\d{{4}}|{_MONTH}\s+\d{{1,2}},?\s+\d{{4}})"
)
_BIRTH = (
    r"\b(?:born|birth\w*|d\.?o\.?b\.?|geb(?:oren|urt\w*)?\.?|n[eé]e? le|naissance|nacid[oa]|"
    r"nacimiento|naci[oó]|cumplea\w*|anniversaire)"
)
_BORN = re.compile(rf"{_BIRTH}\W.{{0,20}}?{_ANY_DATE}|{_ANY_DATE}.{{0,10}}?{_BIRTH}", re.I)
_LAST_YEAR_OF_BIRTH = 2009
_EPOCH = 1970

_CODE = re.compile(r"\b0x[0-9a-f]+\b|\bKB\d{6,8}\b|\bCVE-\d{4}-\d+|(?<!\w)-2147\d{6}\b", re.I)
_LONG = re.compile(r"([^\W\d])?(\d{7,})")
_FOURS = re.compile(r"(?<![\w.])\d{4}(?:[ \u2010-\u2015-]\d{4}){3}(?![\w.])")
_YEARS = re.compile(r"(?:(?:19|20)\d\d\D?)+")
_POWERS = frozenset(1 << bits for bits in range(129))
_MOST_DIGITS_OF_A_NAME = 4

_INTERNATIONAL = r"(?:\+|(?<!\d)00)\s?[1-9](?:[ ().\u2010-\u2015/-]{0,3}\d){6,}"
_TRUNK = r"(?<![\w.:-])\(?0\d{1,5}\)?[ ./\u2010-\u2015-]{0,3}\d(?:[ .\u2010-\u2015/-]?\d){4,}"
_NORTH_AMERICAN = (
    r"(?<![\d.])\(?\d{3}\)?[ .\u2010-\u2015-]{0,2}\d{3}[ .\u2010-\u2015-]\d{4}(?![\d.])"
)
_LOCAL = r"(?<![\w.-])\d{3}[\u2010-\u2015-](?:\d\d[\u2010-\u2015-])?\d{4}(?![\w.-])"
_PAIRS = r"(?<![\w.])\d{2,3}(?:([ .\u2010-\u2015-])\d\d)(?:\1\d\d){2,3}(?![\w.])"
_SPANISH = r"(?<![\w.])[6-9]\d\d([ .-])\d{3}\1\d{3}(?![\w.])"
_INDIAN = r"(?<![\w.])[6-9]\d{4}[ -]\d{5}(?![\w.])"
_TOLD = (
    r"\b(?:call|phone|tel|telephone|mobile|cell|fax|whatsapp|handy|telefon\w*|tel[eé]fono|"
    r"t[eé]l[eé]phone|m[oó]vil|portable)\b\D{0,12}\d(?:[ ().\u2010-\u2015/-]{0,3}\d){6,}"
)
_PHONES = tuple(
    re.compile(each, re.I)
    for each in (
        _INTERNATIONAL, _TRUNK, _NORTH_AMERICAN, _LOCAL, _PAIRS, _SPANISH, _INDIAN, _TOLD,
    )
)  # fmt: skip
_CARD = re.compile(r"(?<![\w.])\d(?:[ \u2010-\u2015-]?\d){12,18}(?![\w.])")
_ACCOUNT = re.compile(r"\b([a-z]{2}\d\d)((?: ?[a-z0-9]{1,4}){3,8})\b", re.I)
_SHORTEST_ACCOUNT, _LONGEST_ACCOUNT = 15, 34


def find_personal(text: str) -> str | None:
    """Return what kind of personal data a text has, or None.

    Disguises (percent codes, wide letters, invisible characters) are removed first. Names without a
    title cannot be distinguished from other words.
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
    return found or any(_looks_random(word) for word in _LONG_WORD.findall(text))


def _looks_random(word: str) -> bool:
    """Return whether a word looks random: in a long name, digits are few and stand together."""
    digits = sum(character.isdigit() for character in word)
    if digits in (0, len(word)):
        return False
    changes = sum(
        one.isalnum() and other.isalnum() and one.isdigit() != other.isdigit()
        for one, other in pairwise(word)
    )
    return changes >= _FEWEST_CHANGES or digits >= _LEAST_DIGITS * len(word)


def _has(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.search(text) is not None


def _has_card(text: str) -> bool:
    """Whether digits have the check digit of a credit card (Luhn)."""
    return any(_passes_luhn(re.sub(r"\D", "", each)) for each in _CARD.findall(text))


def _passes_luhn(digits: str) -> bool:
    doubled = (
        int(digit) * 2 if place % 2 else int(digit) for place, digit in enumerate(digits[::-1])
    )
    return sum(each - 9 if each > 9 else each for each in doubled) % 10 == 0


def _has_account(text: str) -> bool:
    """Whether there is the number of a bank account, by its check digits (IBAN)."""
    return any(_is_account(match.group(1), match.group(2)) for match in _ACCOUNT.finditer(text))


def _is_account(head: str, rest: str) -> bool:
    """Try all beginnings of what follows: words may follow the number."""
    groups = rest.split(" ")
    for count in range(1, len(groups) + 1):
        number = "".join(groups[:count])
        if not _SHORTEST_ACCOUNT <= len(head + number) <= _LONGEST_ACCOUNT:
            continue
        if not (number + head).isascii():
            continue
        if int("".join(str(int(character, 36)) for character in number + head)) % 97 == 1:
            return True
    return False


def _has_birthday(text: str) -> bool:
    """Whether a date is said to be of a birth, or is a whole one long ago with the day first."""
    if _BORN.search(text):
        return True
    years = [int(year) for _, year in _DAY_FIRST.findall(text)]
    return any(year <= _LAST_YEAR_OF_BIRTH and year != _EPOCH for year in years)


def _has_long_number(text: str) -> bool:
    """Whether there are seven digits or more that are not a code, a date or a round number."""
    plain = _COMPACT_DATE.sub(" ", _CODE.sub(" ", text))
    # A card number with a typing error fails its check digit, and is as personal.
    if any(not _YEARS.fullmatch(each) for each in _FOURS.findall(plain)):
        return True
    return any(
        not _is_round(int(digits), in_a_name=bool(letter))
        for letter, digits in _LONG.findall(plain)
    )


def _is_round(number: int, *, in_a_name: bool) -> bool:
    """Powers of ten, and of two with one more or less: limits of programs, and of nobody.

    Behind a letter, as in `B1152000`, zeros alone are enough.
    """
    digits = str(number).rstrip("0")
    is_round = digits == "1" or (in_a_name and len(digits) <= _MOST_DIGITS_OF_A_NAME)
    return is_round or not _POWERS.isdisjoint((number - 1, number, number + 1))


def _has_phone(text: str) -> bool:
    """Whether digits are grouped like a telephone number of some country."""
    plain = _CODE.sub(" ", _DAY_FIRST.sub(" ", _DATE.sub(" ", text)))
    return any(pattern.search(plain) for pattern in _PHONES)


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
    ("a bank account", _has_account),
    ("a card number", _has_card),
    ("a date of birth", _has_birthday),
    ("a key or token", _has_key),
    ("a long number", _has_long_number),
    ("a telephone number", _has_phone),
    ("a street address", _has_street),
    ("a name with a title", _has(_TITLE)),
)
