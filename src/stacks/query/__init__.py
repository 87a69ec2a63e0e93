"""How is a query answered? Parse, candidates by words, names and meaning, score, fusion, hits."""

from stacks.query.candidates import Factor, FusedRank
from stacks.query.expansions import ask_near
from stacks.query.filters import FILTER_NAMES, Filters
from stacks.query.fusion import Fusion
from stacks.query.hints import (
    COMMANDS,
    Wording,
    explain_no_conformances,
    explain_no_document,
    explain_no_family,
    explain_no_hits,
    explain_no_symbols,
)
from stacks.query.index_reader import Index, open_index
from stacks.query.question import MODES, PARTS, SearchOptions
from stacks.query.rankings import RANKINGS, Ranking, get_ranking
from stacks.query.results import Explanation, Hit, Results, TermPart
from stacks.query.stored_documents import (
    DocumentEntry,
    Example,
    FrameworkEntry,
    SampleEntry,
    SourceEntry,
    StoredDocument,
)
from stacks.query.symbol_search import DIRECTIONS, Relative, SymbolFilters, SymbolHit, TypeFamily
from stacks.query.weights import WEIGHTS

__all__ = [
    "COMMANDS",
    "DIRECTIONS",
    "FILTER_NAMES",
    "MODES",
    "PARTS",
    "RANKINGS",
    "WEIGHTS",
    "DocumentEntry",
    "Example",
    "Explanation",
    "Factor",
    "Filters",
    "FrameworkEntry",
    "FusedRank",
    "Fusion",
    "Hit",
    "Index",
    "Ranking",
    "Relative",
    "Results",
    "SampleEntry",
    "SearchOptions",
    "SourceEntry",
    "StoredDocument",
    "SymbolFilters",
    "SymbolHit",
    "TermPart",
    "TypeFamily",
    "Wording",
    "ask_near",
    "explain_no_conformances",
    "explain_no_document",
    "explain_no_family",
    "explain_no_hits",
    "explain_no_symbols",
    "get_ranking",
    "open_index",
]
