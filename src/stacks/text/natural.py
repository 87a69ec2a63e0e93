"""Natural languages: what search knows of each, and which one a text is in."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from cranfield_shared.registry import Registry
from stacks.errors import StacksError
from stacks.text.words import find_words, fold, stem_words, unify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "ENGLISH",
    "HINDI",
    "NATURAL_LANGUAGES",
    "SPANISH",
    "NaturalLanguage",
    "detect_language",
    "find_natural_language",
]


_ENGLISH_STOP_WORDS = """
    a about also am an and any are as at be been being but by can could did do does for from had
    has have having he her here him his how i if in into is it its itself just may me might must
    my no not of on or our ours shall she should so some such than that the their theirs them
    then there these they this those to too us was we were what when where which while who whom
    whose why will with would you your yours
"""
_SPANISH_STOP_WORDS = """
    a acá ahí al algo alguien algún alguna algunas alguno algunos allá allí ante antes aquel
    aquella aquellas aquello aquellos aquí así aún aunque bajo cada casi como cómo con conmigo
    contigo contra cosa cosas cual cuál cuales cuáles cualquier cuando cuándo cuanto cuánto
    cuanta cuánta cuantos cuántos cuantas cuántas de debe debemos deben debería debo del desde
    dice dicen dijo dime dígame donde dónde dos durante e él el ella ellas ello ellos en
    entonces entre era eran eras eres es esa esas ese eso esos esta está estaba estado están
    estar estas estás este esto estos estoy explica explícame favor fue fueron fui gracias ha
    haber había hace hacer hacia hago han has hasta hay haz he hemos hola la las le les lo los
    más me menos mi mí mía mías mientras mío míos mis mucha muchas mucho muchos muy ni ningún
    ninguna ninguno no nos nosotras nosotros nuestra nuestras nuestro nuestros o os otra otras
    otro otros para pero poco podemos podría puede pueden puedes puedo pues por porque porqué
    pudo que qué querer quería quiere quieres quiero quién quien quienes quiénes quisiera sabe
    saber se sé sea ser si sí sido siendo sin sobre sois somos son soy su sus tal también
    tampoco tan tanta tanto te tener tengo ti tiene tienen tienes toda todas todavía todo todos
    tú tu tus tuya tuyo un una unas uno unos usted ustedes va vamos van veces vez vosotros voy
    vuestra vuestro y ya yo
"""
_SHARED_WORDS = "a dice era has he me no sin son tan van"
_PRONOUNS = re.compile(r"(?:(?<=[aei]r)|(?<=ndo))(?:me|te|se|nos|os)?(?:l[aoe]s?)?$")
_PLURAL = re.compile(r"(?<=[dlnr])es$")
_SPANISH_SUFFIX_WORDS = """
    acion aciones adora adoras ador adores amiento amientos imiento imientos
    ar er ir ando iendo yendo ado ada ados adas ido ida idos idas
    amos emos imos aste asteis iste isteis aron ieron aba abas abamos aban
    ia ias iamos ian io are aras ara aremos aran ere eras era eremos eran ire iras ira iremos iran
    aria arias ariamos arian eria erias eriamos erian iria irias iriamos irian
    iera ieras ieran iese ieses iesen ase ases asen an en es ces z
"""
_SPANISH_SUFFIXES = sorted(_SPANISH_SUFFIX_WORDS.split(), key=len, reverse=True)
_SPANISH_SHORTEST = 4
_HINDI_STOP_WORDS = """
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
_HINDI_SUFFIX_WORDS = """
    ा ि ी ु ू े ै ो ौ ों ें ां ीं ओं ियों ियां ियो ुओं ूओं ाओं ाएं ाओ ाए ाये ाई ाया ाइए ाकर
    ीय ीया एं
    ेगा ेगी ेगे ेंगे ेंगी ूंगा ूंगी ोगे ोगी ाएगा ाएगी ाएंगे
"""
_VERB_SUFFIX_WORDS = "ना ने नी ता ते ती तीं कर ाना ाने ानी ाता ाते ाती"
_HINDI_SHORTEST = 3
_HINDI_SUFFIXES = (
    (sorted(_VERB_SUFFIX_WORDS.split(), key=len, reverse=True), _HINDI_SHORTEST + 1),
    (sorted(_HINDI_SUFFIX_WORDS.split(), key=len, reverse=True), _HINDI_SHORTEST),
)
"""Suffixes, longest first, and how many characters must remain."""
_NASAL = str.maketrans({"ँ": "ं"})


@dataclass(frozen=True, slots=True)
class NaturalLanguage:
    """What search knows of a language.

    - `code` is its ISO 639-1 code, `english_name` its name in English, `script` the name of its
      letters as the Unicode names of characters start with it.
    - `stop_words` carry no topic; in lower case, with and without their diacritics.
    - `stem` cuts a word of a query down to what its forms have in common: always a prefix of the
      folded word, and as an FTS5 prefix query always one that finds the word itself.
    - `shortest_prefix` is the minimum number of characters for a prefix query; None if the index
      itself stems the language, so words are looked up whole.
    - `letters` are characters that set it apart from other languages in the same script.
    - `shared_words` are stop words that mean something else in another language, so they are no
      evidence of the language of a text.
    """

    code: str
    english_name: str
    stop_words: frozenset[str]
    stem: Callable[[str], str]
    script: str = "LATIN"
    shortest_prefix: int | None = None
    letters: frozenset[str] = frozenset()
    shared_words: frozenset[str] = frozenset()

    def find_prefix(self, word: str) -> str:
        """Return the prefix that finds a word's forms; empty if it is looked up whole.

        A stem of minimum length that the index would make of the word anyway adds only false
        matches: `alma*` finds *almacén*, while *alma* and *almas* have the same stem already.
        """
        if self.shortest_prefix is None:
            return ""
        stem = self.stem(word)
        reached, whole = stem_words((stem, fold(word)))
        needed = self.shortest_prefix + (reached == whole)
        return stem if len(reached) >= needed else ""


NATURAL_LANGUAGES: Registry[NaturalLanguage] = Registry(
    "natural language", NaturalLanguage, group="stacks.natural_languages", error=StacksError
)
"""Every language by its ISO 639-1 code."""


def find_natural_language(name: str) -> NaturalLanguage | None:
    """Return the language of a code, a tag or an English name: `es`, `es-MX`, `Spanish`."""
    folded = name.strip().casefold()
    code = folded.replace("_", "-").partition("-")[0]
    for each in filter(None, (code, folded)):
        with suppress(StacksError):
            return NATURAL_LANGUAGES.get(each)
    return None


def detect_language(text: str, among: Iterable[str]) -> str:
    """Return the code of the language of a text, or nothing if there is not enough evidence.

    The script of most words leaves those languages of `among` that are written in it; if there
    is one, it is the answer. Of several, the one with most evidence wins: each stop word and each
    letter of its own (ñ, ¿) counts one. A tie, or no evidence, is not an answer.
    """
    text = unify(text).casefold()
    words = Counter(find_words(text))
    script = _find_script(words)
    candidates = [
        language
        for code in sorted(among)
        if (language := find_natural_language(code)) is not None
        and language.code == code
        and language.script == script
    ]
    if len(candidates) == 1:
        return candidates[0].code
    shared = frozenset[str]().union(*(language.shared_words for language in candidates))
    distinctive = Counter({word: count for word, count in words.items() if word not in shared})
    characters = Counter(text)
    scores = {
        language.code: _count_evidence(language, distinctive, characters) for language in candidates
    }
    best = max(scores.values(), default=0)
    winners = [code for code, score in scores.items() if score == best]
    return winners[0] if best > 0 and len(winners) == 1 else ""


def _find_script(words: Counter[str]) -> str:
    """Name the script that most words start with; of a tie, the first by name."""
    scripts: Counter[str] = Counter()
    for word, count in words.items():
        scripts[_get_script(word[0])] += count
    del scripts[""]
    return min(scripts, key=lambda script: (-scripts[script], script), default="")


@lru_cache(maxsize=4096)
def _get_script(character: str) -> str:
    """Return the script of a letter, the first word of its Unicode name; others have none."""
    return unicodedata.name(character, "").partition(" ")[0] if character.isalpha() else ""


def _count_evidence(
    language: NaturalLanguage, words: Counter[str], characters: Counter[str]
) -> int:
    """Count the stop words and the letters that are evidence for a language."""
    found = sum(count for word, count in words.items() if word in language.stop_words)
    return found + sum(characters[letter] for letter in language.letters)


ENGLISH = NaturalLanguage(
    code="en", english_name="English", stop_words=frozenset(_ENGLISH_STOP_WORDS.split()), stem=str
)
"""English; `stem` returns the word itself."""

NATURAL_LANGUAGES.register("en", ENGLISH, aliases=("english",))


@lru_cache(maxsize=4096)
def _stem_spanish(word: str) -> str:
    """Cut a word down to what its forms have in common.

    It is folded (*á* is *a*, *ñ* is *n*); then are removed, in this order,

    1. `-mente` if five letters stay (*espiritualmente*), pronouns after an infinitive or a gerund
       if six stay (*meditarlo*), `-es` after d, l, n, r if four stay (*corazones*);
    2. the longest suffix of a verb or of a noun derived from one (`-ando`, `-aron`, `-ación`,
       `-imiento` …), or the `-z` that becomes `-ces` (*feliz*, *felices*), if four letters stay;
    3. if there is none, the plural `-s` if four letters stay, and then a final vowel if five stay.

    The stem is lengthened again if the index's own stemming would spoil it as a prefix (see
    `stacks.text.words`): `mied*` would be looked up as `mi*`, so *miedo* stays whole.

    Not conflated: *casa* and *caso*, *libro* and *libre*, *santo* and *santa* (too short for a
    vowel to go), forms whose root changes (*pienso*, *pensar*), and *luz*, *luces* (three letters
    in common). Conflated though different: *puerto* and *puerta*, *sentir* and *sentencia*,
    *feliz* and *felino*.
    """
    whole = fold(word)
    singular = _cut_singular(whole)
    target = _cut_suffix(singular)
    prefixes = [whole[:length] for length in range(len(target), len(whole))]
    kept, reached, *stems = stem_words((whole, singular, *prefixes))
    is_stemmed = singular not in {whole, reached} and kept.startswith(reached)
    if is_stemmed and len(reached) >= _SPANISH_SHORTEST:
        return singular  # as the index stems it: *espiritual* is stored as `espiritu`
    for prefix, stem in zip(prefixes, stems, strict=True):
        if stem.startswith(target) and kept.startswith(stem):
            return prefix
    return whole


def _cut_singular(word: str) -> str:
    """Remove what is appended to a word: `-mente`, pronouns, the plural `-es`."""
    if len(word) > 9:
        word = word.removesuffix("mente")
    bare = _PRONOUNS.sub("", word)
    word = bare if len(bare) >= 6 else word  # *fuerte* and *muerte* hold no infinitive
    is_plural = len(word) >= _SPANISH_SHORTEST + 2 and _PLURAL.search(word)
    return word[:-2] if is_plural else word


def _cut_suffix(word: str) -> str:
    """Remove the longest suffix of a folded word; short words have none."""
    for suffix in _SPANISH_SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SPANISH_SHORTEST:
            return word[: -len(suffix)]
    if word.endswith("s") and len(word) > _SPANISH_SHORTEST:
        word = word[:-1]
    return word[:-1] if len(word) > _SPANISH_SHORTEST + 1 and word[-1] in "aeio" else word


SPANISH = NaturalLanguage(
    code="es",
    english_name="Spanish",
    stop_words=frozenset({*_SPANISH_STOP_WORDS.split(), *map(fold, _SPANISH_STOP_WORDS.split())}),
    stem=_stem_spanish,
    shortest_prefix=_SPANISH_SHORTEST,
    letters=frozenset("áéíóúñ¿¡"),
    shared_words=frozenset(_SHARED_WORDS.split()),
)
"""Spanish, written with its accents or without."""

NATURAL_LANGUAGES.register("es", SPANISH, aliases=("spanish",))


def _spell_all(words: str) -> frozenset[str]:
    """Return words with chandrabindu and with anusvara, with a nukta and without."""
    found = {unify(word) for word in words.split()}
    found |= {word.translate(_NASAL) for word in found}
    return frozenset(found | {word.replace("़", "") for word in found})


@lru_cache(maxsize=4096)
def _stem_hindi(word: str) -> str:
    """Cut a word down to what its forms have in common.

    The word is composed, and loses the longest suffix that leaves enough: vowel signs with or
    without a nasal sign (`शांति`, `शांतियों`; `हृदय`, `हृदयों`; `प्रेम`, `प्रेमी`) leave three
    characters, verb suffixes that start with a consonant (`-ना`, `-ता`, `-ने`) four, since many
    nouns end alike (`साधना` is not a form of `साध`). If no suffix is removed, a final nasal sign
    is, so `यहाँ` and `यहां` are one. Chandrabindu and anusvara are the same in a suffix.

    A prefix cannot reach spellings that differ earlier in the word: `शान्ति` and `शांति`, `ज़िंदगी` and
    `जिंदगी` are different words here. `मन` has two characters, is never cut and is looked up
    whole, so it does not find `मनुष्य`.
    """
    word = fold(word)
    plain = word.translate(_NASAL)  # of the same length
    for suffixes, shortest in _HINDI_SUFFIXES:
        for suffix in suffixes:
            if plain.endswith(suffix) and len(plain) - len(suffix) >= shortest:
                return word[: -len(suffix)]
    is_nasal = plain.endswith("ं") and len(plain) > _HINDI_SHORTEST
    return word[:-1] if is_nasal else word


HINDI = NaturalLanguage(
    code="hi",
    english_name="Hindi",
    stop_words=_spell_all(_HINDI_STOP_WORDS),
    stem=_stem_hindi,
    script="DEVANAGARI",
    shortest_prefix=_HINDI_SHORTEST,
)
"""Hindi in Devanagari."""

NATURAL_LANGUAGES.register("hi", HINDI, aliases=("hindi",))
