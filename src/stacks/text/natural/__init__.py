"""What is known of natural languages: their small words, their endings, how to tell them?"""

from stacks.text.natural.detection import detect_language
from stacks.text.natural.folding import find_words, fold, unify
from stacks.text.natural.language import Language
from stacks.text.natural.porter import stem_as_index
from stacks.text.natural.registry import LANGUAGES, get_language

__all__ = [
    "LANGUAGES",
    "Language",
    "detect_language",
    "find_words",
    "fold",
    "get_language",
    "stem_as_index",
    "unify",
]
