"""How is a query answered? Words, aliases, filters, BM25F, corrections, fusion."""

from stacks.query.examination import Finding, examine
from stacks.query.examples import Example
from stacks.query.explanation import Explanation, TermPart
from stacks.query.filters import Filters
from stacks.query.fusion import Fusion, Standing
from stacks.query.inheritance import DIRECTIONS, Family, Relative
from stacks.query.opened import Index, open_index
from stacks.query.ranking import Factor
from stacks.query.reading import FrameworkEntry, SampleEntry, SourceEntry, StoredDocument
from stacks.query.search import MODES, Hit, Results, SearchOptions
from stacks.query.symbols import SymbolFilters, SymbolHit

__all__ = [
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
    "examine",
    "open_index",
]
