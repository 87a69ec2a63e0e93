"""Every weight of the ranking, and what tells it from its absence.

A score is BM25, with a weight for each column, times one factor for each feature of a document
that applies to the query (`features.py` has the features). Figures are the headlines of the
bundled suites (docs/shipped.md) with the weight, and with 1 or nothing in its place;
benchmarks/RESULTS.md says how they were measured, and which are more than noise by verdict.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["WEIGHTS", "Weight"]


class Weight(NamedTuple):
    """A number in the score, and what chose it."""

    value: float
    because: str


WEIGHTS = {
    "column.title": Weight(10.0, "what a page is about: plain NFCorpus 0.329, without 0.326"),
    "column.symbols": Weight(5.0, "what it declares: F1 of chunks by words 0.291, without 0.285"),
    "column.summary": Weight(3.0, "what it is for: apple-cross-source 0.713, without 0.686"),
    "column.framework": Weight(2.0, "where it belongs: without it, cross-source needs names"),
    "column.symbol_components": Weight(1.5, "parts of names: python-fragments lose 0.010 without"),
    "title": Weight(12.0, "before all that only has it inside: 998 of 1,000 names, without 976"),
    "name": Weight(4.0, "a name outweighs any text: python-fragments 0.967, without 0.843"),
    "spelled": Weight(1.25, "`ZipFile` is not a module: python-canonical 0.995, without 0.945"),
    "type": Weight(1.5, "or a module, before members: python-deprecation 0.784, without 0.647"),
    "outdated": Weight(0.4, "deprecated, or a Swift page is there: apple-deprecation 0.94 to 0.46"),
    "depth": Weight(0.93, "for each step below the first: python-questions 0.385, without 0.331"),
    "around": Weight(0.2, "share of its framework's page or its file: apple-agent 0.533 to 0.501"),
    "declares": Weight(200.0, "above all text: apple-attributes 0.965, without 0.825"),
    "has_all_words": Weight(2.5, "files: 46 of 50 queries of home pass by words, without it 44"),
    "meaning": Weight(1 / 3, "its share: CoSQA 0.425, by words 0.402; NFCorpus 0.339, 0.330"),
    "meaning_documentation": Weight(0.25, "beside names: apple-prose 0.49, with a third 0.48"),
    "rrf_k": Weight(20.0, "of every rank fusion: python-questions 0.385, with 60 0.369"),
    "relevance_power": Weight(3.0, "of a rank in a source: apple-deprecation 0.94, with 1 0.90"),
    "archive_passed": Weight(0.25, "least share to pass an archive: apple-cross-source loses 0.01"),
}
"""The table; a search with `--explain` prints its rows for a hit."""
