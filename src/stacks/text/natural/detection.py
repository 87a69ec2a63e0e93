"""Which language is a text in? Told by its script and its small words alone."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from stacks.text.natural.folding import find_words, unify
from stacks.text.natural.registry import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Collection

    from stacks.text.natural.language import Language

__all__ = ["detect_language"]


def detect_language(text: str, among: Collection[str]) -> str:
    """Return the code of the language that a text is in, or nothing where that cannot be told.

    The script that most words are written in leaves the languages of `among` that are written in
    it; if it is one, that is the answer. Of several, the one with most evidence wins: a stop
    word counts one, as does a letter of its own (ñ, ¿). A tie, or no evidence, is no answer.
    """
    text = unify(text).casefold()
    words = Counter(find_words(text))
    script = _find_script(words)
    candidates = [
        language
        for code, language in sorted(LANGUAGES.items())
        if code in among and language.script == script
    ]
    if len(candidates) == 1:
        return candidates[0].code
    shared = frozenset[str]().union(*(language.shared_words for language in candidates))
    telling = Counter({word: count for word, count in words.items() if word not in shared})
    signs = Counter(text)
    scores = {language.code: _weigh(language, telling, signs) for language in candidates}
    best = max(scores.values(), default=0)
    winners = [code for code, score in scores.items() if score == best]
    return winners[0] if best > 0 and len(winners) == 1 else ""


def _find_script(words: Counter[str]) -> str:
    """Name the script that most words begin in; the first by name where two have as many."""
    scripts: Counter[str] = Counter()
    for word, count in words.items():
        scripts[_get_script(word[0])] += count
    del scripts[""]
    return min(scripts, key=lambda script: (-scripts[script], script), default="")


@lru_cache(maxsize=4096)
def _get_script(sign: str) -> str:
    """Name the script of a letter, as its Unicode name begins; other signs have none."""
    return unicodedata.name(sign, "").partition(" ")[0] if sign.isalpha() else ""


def _weigh(language: Language, words: Counter[str], signs: Counter[str]) -> int:
    """Count the evidence for a language."""
    heard = sum(count for word, count in words.items() if word in language.stop_words)
    return heard + sum(signs[letter] for letter in language.letters)
