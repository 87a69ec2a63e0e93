"""What the `porter` tokenizer of SQLite makes of a word.

Every word of a table is stemmed as English, whatever language it is in, and so is every word of
a query, prefixes too: `compasión` is stored as `compas`, and `"hered" *` looks for `her…`. Who
makes prefixes has to know. M. F. Porter, *An algorithm for suffix stripping*, 1980; on UTF-8
bytes, as SQLite has it.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["stem_as_index"]

_SHORTEST, _LONGEST = 3, 64  # bytes; SQLite leaves other words alone

_STEP_2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "logi": "log",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
}
_STEP_3 = {
    "icate": "ic",
    "ative": "",
    "alize": "al",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
}
_STEP_4_ENDINGS = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize"
_STEP_4 = dict.fromkeys(_STEP_4_ENDINGS.split(), "")
_TIDIED = {"at": "ate", "bl": "ble", "iz": "ize"}
_VOWEL_THEN_CONSONANT = re.compile("v+c+")


@lru_cache(maxsize=16_384)
def stem_as_index(word: str) -> str:
    """Return what the index keeps of a folded word."""
    data = word.encode("utf-8", "surrogatepass")
    if not _SHORTEST <= len(data) <= _LONGEST:
        return word
    text = data.decode("latin-1")  # one sign a byte
    text = _end_in_i(_drop_tense(_drop_plural(text)))
    text = _replace(text, _STEP_2, more_than=0)
    text = _replace(text, _STEP_3, more_than=0)
    text = _tidy_end(_replace(text, _STEP_4, more_than=1))
    return text.encode("latin-1").decode("utf-8", "replace")


def _shape(text: str) -> str:
    """Write `c` for each consonant and `v` for each vowel; y is a vowel behind a consonant."""
    shape = ""
    for sign in text:
        is_vowel = sign in "aeiou" or (sign == "y" and shape.endswith("c"))
        shape += "v" if is_vowel else "c"
    return shape


def _measure(text: str) -> int:
    """Count how often a consonant follows a vowel."""
    return len(_VOWEL_THEN_CONSONANT.findall(_shape(text)))


def _is_short(text: str) -> bool:
    """Tell whether the end is consonant, vowel, consonant, as in `hop`."""
    return _shape(text).endswith("cvc") and text[-1] not in "wxy"


def _drop_plural(text: str) -> str:
    """Step 1a."""
    if text.endswith(("sses", "ies"), 1):  # a word that is the ending has lost it below
        return text[:-2]
    return text[:-1] if text.endswith("s") and not text.endswith("ss") else text


def _drop_tense(text: str) -> str:
    """Step 1b."""
    if text.endswith("eed", 1):
        return text[:-1] if _measure(text[:-3]) > 0 else text
    ending = next((ending for ending in ("ed", "ing") if text.endswith(ending)), "")
    rest = text[: len(text) - len(ending)]
    if not ending or "v" not in _shape(rest):
        return text
    if rest[-2:] in _TIDIED:
        return rest[:-2] + _TIDIED[rest[-2:]]
    if rest[-2:-1] == rest[-1] and rest[-1] not in "aeioulsz":
        return rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _is_short(rest) else rest


def _end_in_i(text: str) -> str:
    """Step 1c."""
    return text[:-1] + "i" if text.endswith("y") and "v" in _shape(text[:-1]) else text


def _replace(text: str, endings: dict[str, str], *, more_than: int) -> str:
    """Steps 2 to 4: replace the longest ending where enough is left before it."""
    ending = max((ending for ending in endings if text.endswith(ending)), key=len, default="")
    rest = text[: len(text) - len(ending)]
    if not ending or _measure(rest) <= more_than:
        return text
    if ending == "ion" and not rest.endswith(("s", "t")):
        return text
    return rest + endings[ending]


def _tidy_end(text: str) -> str:
    """Step 5."""
    if text.endswith("e"):
        measure = _measure(text[:-1])
        if measure > 1 or (measure == 1 and not _is_short(text[:-1])):
            text = text[:-1]
    return text[:-1] if text.endswith("ll") and _measure(text[:-1]) > 1 else text
