"""What may be answered, and in whose words? Routing rules and a vocabulary, read from files."""

from stacks.guidance.phrase_patterns import PhraseIndex, PhrasePattern, WordLists
from stacks.guidance.routes import SEARCH, Decision, Floor, Routing, read_routing
from stacks.guidance.vocabulary import Expansion, Vocabulary, read_vocabulary

__all__ = [
    "SEARCH",
    "Decision",
    "Expansion",
    "Floor",
    "PhraseIndex",
    "PhrasePattern",
    "Routing",
    "Vocabulary",
    "WordLists",
    "read_routing",
    "read_vocabulary",
]
