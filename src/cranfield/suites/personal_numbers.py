"""Numbers that belong to a person: of telephones, cards and accounts, and days of birth.

Versions, error codes, dates of releases and round numbers are numbers of programs.
"""

from __future__ import annotations

import re

__all__ = ["has_account", "has_birthday", "has_card", "has_long_number", "has_phone"]

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


def has_card(text: str) -> bool:
    """Whether digits have the check digit of a credit card (Luhn)."""
    return any(_passes_luhn(re.sub(r"\D", "", each)) for each in _CARD.findall(text))


def _passes_luhn(digits: str) -> bool:
    doubled = (
        int(digit) * 2 if place % 2 else int(digit) for place, digit in enumerate(digits[::-1])
    )
    return sum(each - 9 if each > 9 else each for each in doubled) % 10 == 0


def has_account(text: str) -> bool:
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
        if int("".join(str(int(sign, 36)) for sign in number + head)) % 97 == 1:
            return True
    return False


def has_birthday(text: str) -> bool:
    """Whether a date is said to be of a birth, or is a whole one long ago with the day first."""
    if _BORN.search(text):
        return True
    years = [int(year) for _, year in _DAY_FIRST.findall(text)]
    return any(year <= _LAST_YEAR_OF_BIRTH and year != _EPOCH for year in years)


def has_long_number(text: str) -> bool:
    """Whether there are seven digits or more that are no code, no date and no round number."""
    plain = _COMPACT_DATE.sub(" ", _CODE.sub(" ", text))
    # A card's number with a slip has no check digit that holds, and is as personal.
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
    told = str(number).rstrip("0")
    is_round = told == "1" or (in_a_name and len(told) <= _MOST_DIGITS_OF_A_NAME)
    return is_round or not _POWERS.isdisjoint((number - 1, number, number + 1))


def has_phone(text: str) -> bool:
    """Whether digits stand as those of a telephone number do in some country."""
    plain = _CODE.sub(" ", _DAY_FIRST.sub(" ", _DATE.sub(" ", text)))
    return any(pattern.search(plain) for pattern in _PHONES)
