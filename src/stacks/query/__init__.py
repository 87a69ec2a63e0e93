"""How is a query answered? Words, aliases, filters, BM25F, corrections, fusion."""

from stacks.query.corrections import Factor
from stacks.query.examination import Finding, examine
from stacks.query.examples import Example
from stacks.query.explanation import Explanation, TermPart
from stacks.query.filters import Filters
from stacks.query.fusion import Fusion, Standing
from stacks.query.hints import (
    COMMANDS,
    Wording,
    explain_no_conformances,
    explain_no_document,
    explain_no_family,
    explain_no_hits,
    explain_no_symbols,
)
from stacks.query.inheritance import DIRECTIONS, Family, Relative
from stacks.query.opened import Index, open_index
from stacks.query.reading import FrameworkEntry, SampleEntry, SourceEntry, StoredDocument
from stacks.query.results import Hit, Results
from stacks.query.search import MODES, SearchOptions
from stacks.query.spelling import ask_near
from stacks.query.symbols import SymbolFilters, SymbolHit

__all__ = [
    "COMMANDS",
    "DIRECTIONS",
    "MODES",
    "Example",
    "Explanation",
    "Factor",
    "Family",
    "Filters",
    "Finding",
    "FrameworkEntry",
    "Fusion",
    "Hit",
    "Index",
    "Relative",
    "Results",
    "SampleEntry",
    "SearchOptions",
    "SourceEntry",
    "Standing",
    "StoredDocument",
    "SymbolFilters",
    "SymbolHit",
    "TermPart",
    "Wording",
    "ask_near",
    "examine",
    "explain_no_conformances",
    "explain_no_document",
    "explain_no_family",
    "explain_no_hits",
    "explain_no_symbols",
    "open_index",
]
