"""Synonyms of programming: a question asks for a folder, and the documentation says directory.

The table is common knowledge (`programming_synonyms.toml`), and the corpus decides how much of it
counts: a synonym weighs as much as the corpus prefers it to the word of the query. It counts in
place of the word, not beside it, so a document that has the word gains nothing.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from cranfield_shared import parse_toml
from stacks.guidance import Expansion
from stacks.query.query_parser import quote
from stacks.query.weights import WEIGHTS
from stacks.text.natural import fold, stem_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stacks.query.lexical import LexicalSearch
    from stacks.query.question import Question

__all__ = ["find_synonyms"]

_LEAST_WEIGHT = 0.05
"""Synonyms of a lower weight change nothing."""


def find_synonyms(lexical: LexicalSearch, question: Question) -> tuple[Expansion, ...]:
    """Find what else a question in words is run with: the corpus's words for its own."""
    if not question.is_prose or not question.by_words:
        return ()
    words = tuple(dict.fromkeys(fold(word) for word in question.query.words))
    stems = stem_words(words)
    table, most = _read_table(), WEIGHTS["synonym"].value
    found = []
    for word, stem in zip(words, stems, strict=True):
        for synonym in table.get(stem, ()):
            if stem_words((synonym,))[0] in stems:
                continue
            used, preferred = (lexical.frequency(quote((each,))) for each in (word, synonym))
            weight = most * preferred / (used + preferred) if preferred else 0.0
            if weight >= _LEAST_WEIGHT:
                found.append(Expansion(synonym, round(weight, 3), word, instead=True))
    return tuple(found)


@cache
def _read_table() -> Mapping[str, tuple[str, ...]]:
    """Read the synonyms of each word, by its stem."""
    text = files("stacks.guidance").joinpath("programming_synonyms.toml").read_text("utf-8")
    return {stem_words((word,))[0]: tuple(others) for word, others in parse_toml(text).items()}
