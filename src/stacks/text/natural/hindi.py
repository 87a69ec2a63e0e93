"""Hindi: stop words, and stems without the vowel signs that mark case, number and gender.

`stem` composes a word and removes the longest suffix that leaves enough: vowel signs with or
without a nasal sign (`शांति`, `शांतियों`; `हृदय`, `हृदयों`; `प्रेम`, `प्रेमी`) leave three
characters, verb suffixes that start with a consonant (`-ना`, `-ता`, `-ने`) four, since many
nouns end alike (`साधना` is not a form of `साध`). If no suffix is removed, a final nasal sign is,
so that `यहाँ` and `यहां` are one. Chandrabindu and anusvara are the same in a suffix.

A prefix cannot reach spellings that differ earlier in the word: `शान्ति` and `शांति`, `ज़िंदगी` and
`जिंदगी` are different words here. `मन` has two characters, is never cut and is looked up whole, so
that it does not find `मनुष्य`.
"""

from __future__ import annotations

from functools import lru_cache

from stacks.text.natural.natural_language import NATURAL_LANGUAGES, NaturalLanguage
from stacks.text.natural.normalization import fold, unify

__all__ = ["HINDI"]

_STOP_WORDS = """
    अगर अत अधिक अन्य अपना अपनी अपने अब अभी आप आपका आपकी आपके आपको आपने इतना इतनी इतने इन इनका
    इनकी इनके इनको इनमें इनसे इन्हें इन्होंने इस इसका इसकी इसके इसको इसमें इसलिए इससे इसी इसे उन
    उनका उनकी उनके उनको उनमें उनसे उन्हें उन्होंने उस उसका उसकी उसके उसको उसने उसमें उससे उसी उसे
    एक एवं ऐसा ऐसी ऐसे और कई कब कभी कर करके करता करती करते करना करने करूँ करें करो कह कहते कहा
    कहाँ का काफ़ी कि कितना कितनी कितने किन किया किस किसका किसकी किसके किसको किसने किसी किसे की
    कुछ कृपया के कैसा कैसी कैसे को कोई कौन कौनसा क्या क्यों क्योंकि गई गए गया चाहता चाहती चाहते
    चाहिए चुका जब जब तक जहाँ जा जाए जाता जाती जाते जिन जिनका जिनके जिन्हें जिस जिसका जिसकी जिसके
    जिसको जिसने जिसमें जिससे जिसे जी जैसा जैसी जैसे जो तक तब तरह तुझे तुम तुम्हारा तुम्हारी तुम्हारे
    तुम्हें तू तो था थी थीं थे दिया दो द्वारा न नमस्ते नहीं ना ने पर पास फिर बताइए बताएँ बताओ बहुत
    बात बाद बारे भी मत मुझको मुझसे मुझे में मेरा मेरी मेरे मैं मैंने यदि यह यहाँ या ये रहता रहा
    रही रहे रहूँ लिए लिये ले लेकिन व वह वहाँ वाला वाली वाले वे वो सकता सकती सकते सब सभी साथ से हम
    हमने हमारा हमारी हमारे हमें ही हुआ हुई हुए हूँ हे है हैं हो होता होती होते होना होने
"""

_SUFFIX_WORDS = """
    ा ि ी ु ू े ै ो ौ ों ें ां ीं ओं ियों ियां ियो ुओं ूओं ाओं ाएं ाओ ाए ाये ाई ाया ाइए ाकर
    ीय ीया एं
    ेगा ेगी ेगे ेंगे ेंगी ूंगा ूंगी ोगे ोगी ाएगा ाएगी ाएंगे
"""
_VERB_SUFFIX_WORDS = "ना ने नी ता ते ती तीं कर ाना ाने ानी ाता ाते ाती"
_SHORTEST = 3
_SUFFIXES = (
    (sorted(_VERB_SUFFIX_WORDS.split(), key=len, reverse=True), _SHORTEST + 1),
    (sorted(_SUFFIX_WORDS.split(), key=len, reverse=True), _SHORTEST),
)
"""Suffixes, longest first, and how many characters must remain."""

_NASAL = str.maketrans({"ँ": "ं"})


def _spell_all(words: str) -> frozenset[str]:
    """Return words with chandrabindu and with anusvara, with a nukta and without."""
    found = {unify(word) for word in words.split()}
    found |= {word.translate(_NASAL) for word in found}
    return frozenset(found | {word.replace("़", "") for word in found})


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """Cut a word down to what its forms have in common; the module docstring has the rules."""
    word = fold(word)
    plain = word.translate(_NASAL)  # of the same length
    for suffixes, shortest in _SUFFIXES:
        for suffix in suffixes:
            if plain.endswith(suffix) and len(plain) - len(suffix) >= shortest:
                return word[: -len(suffix)]
    is_nasal = plain.endswith("ं") and len(plain) > _SHORTEST
    return word[:-1] if is_nasal else word


HINDI = NaturalLanguage(
    code="hi",
    english_name="Hindi",
    stop_words=_spell_all(_STOP_WORDS),
    stem=_stem,
    script="DEVANAGARI",
    shortest_prefix=_SHORTEST,
)
"""Hindi in Devanagari."""

NATURAL_LANGUAGES.register("hi", HINDI, aliases=("hindi",))
