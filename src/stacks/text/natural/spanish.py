"""Spanish: stop words, and stems as short as is safe.

`stem` folds a word (*á* is *a*, *ñ* is *n*) and removes, in this order,

1. `-mente` if five letters stay (*espiritualmente*), pronouns after an infinitive or a gerund
   if six stay (*meditarlo*), `-es` after d, l, n, r if four stay (*corazones*);
2. the longest suffix of a verb or of a noun derived from one (`-ando`, `-aron`, `-ación`,
   `-imiento` …), or the `-z` that becomes `-ces` (*feliz*, *felices*), if four letters stay;
3. if there is none, the plural `-s` if four letters stay, and then a final vowel if five stay.

The stem is lengthened again if the index's own stemming would spoil it as a prefix (see
`normalization`): `mied*` would be looked up as `mi*`, so *miedo* stays whole.

Not conflated: *casa* and *caso*, *libro* and *libre*, *santo* and *santa* (too short for a vowel
to go), forms whose root changes (*pienso*, *pensar*), and *luz*, *luces* (three letters in
common). Conflated though different: *puerto* and *puerta*, *sentir* and *sentencia*, *feliz* and
*felino*.
"""

from __future__ import annotations

import re
from functools import lru_cache

from stacks.text.natural.natural_language import NATURAL_LANGUAGES, NaturalLanguage
from stacks.text.natural.normalization import fold, stem_words

__all__ = ["SPANISH"]

_STOP_WORDS = """
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
_SUFFIX_WORDS = """
    acion aciones adora adoras ador adores amiento amientos imiento imientos
    ar er ir ando iendo yendo ado ada ados adas ido ida idos idas
    amos emos imos aste asteis iste isteis aron ieron aba abas abamos aban
    ia ias iamos ian io are aras ara aremos aran ere eras era eremos eran ire iras ira iremos iran
    aria arias ariamos arian eria erias eriamos erian iria irias iriamos irian
    iera ieras ieran iese ieses iesen ase ases asen an en es ces z
"""
_SUFFIXES = sorted(_SUFFIX_WORDS.split(), key=len, reverse=True)
_SHORTEST = 4


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """Cut a word down to what its forms have in common; the module docstring has the rules."""
    whole = fold(word)
    singular = _cut_singular(whole)
    target = _cut_suffix(singular)
    prefixes = [whole[:length] for length in range(len(target), len(whole))]
    kept, reached, *stems = stem_words((whole, singular, *prefixes))
    is_stemmed = singular not in {whole, reached} and kept.startswith(reached)
    if is_stemmed and len(reached) >= _SHORTEST:
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
    is_plural = len(word) >= _SHORTEST + 2 and _PLURAL.search(word)
    return word[:-2] if is_plural else word


def _cut_suffix(word: str) -> str:
    """Remove the longest suffix of a folded word; short words have none."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST:
            return word[: -len(suffix)]
    if word.endswith("s") and len(word) > _SHORTEST:
        word = word[:-1]
    return word[:-1] if len(word) > _SHORTEST + 1 and word[-1] in "aeio" else word


SPANISH = NaturalLanguage(
    code="es",
    english_name="Spanish",
    stop_words=frozenset({*_STOP_WORDS.split(), *map(fold, _STOP_WORDS.split())}),
    stem=_stem,
    shortest_prefix=_SHORTEST,
    letters=frozenset("áéíóúñ¿¡"),
    shared_words=frozenset(_SHARED_WORDS.split()),
)
"""Spanish, written with its accents or without."""

NATURAL_LANGUAGES.register("es", SPANISH, aliases=("spanish",))
