"""Stop words, stemming and detection for English, Spanish and Hindi."""

from stacks.text.natural import english as _english  # noqa: F401 - registers itself
from stacks.text.natural import hindi as _hindi  # noqa: F401 - registers itself
from stacks.text.natural import spanish as _spanish  # noqa: F401 - registers itself
from stacks.text.natural.natural_language import (
    NATURAL_LANGUAGES,
    NaturalLanguage,
    detect_language,
    find_natural_language,
)
from stacks.text.natural.normalization import find_words, fold, stem_as_index, stem_words, unify

__all__ = [
    "NATURAL_LANGUAGES",
    "NaturalLanguage",
    "detect_language",
    "find_natural_language",
    "find_words",
    "fold",
    "stem_as_index",
    "stem_words",
    "unify",
]
