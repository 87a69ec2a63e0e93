"""Every weight of the ranking of documentation and code, and what chose it.

A score is BM25 times one factor for each feature of a document that applies to the query
(`features.py` has the features). A feature that is counted has its weight for each tenfold.
Benchmarks and suites are those of docs/shipped.md.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["WEIGHTS", "Weight"]


class Weight(NamedTuple):
    """A number in the score, and what chose it."""

    value: float
    because: str


WEIGHTS = {
    "title": Weight(8.0, "a title that is the query outweighs any text: canonical lookups"),
    "title_nearly": Weight(5.0, "below the title itself: the end of one, or the words joined"),
    "name": Weight(4.0, "another name of a page is less certain than its title"),
    "parts": Weight(3.0, "several parts of a title in a row: fragments fall if it is halved"),
    "part": Weight(2.5, "one part of a title says less than several"),
    "spelled": Weight(1.25, "`ZipFile` is the class and `zipfile` the module: canonical lookups"),
    "module": Weight(1.4, "a framework goes before members of its name: roots fall without it"),
    "type": Weight(1.3, "of namesakes a type goes before its members"),
    "member": Weight(0.9, "a member goes behind everything else of its name: deprecation"),
    "deprecated": Weight(0.4, "the deprecation suites: 0.5 is worse by three queries"),
    "twin": Weight(0.3, "an Objective-C page says nothing that its Swift page does not"),
    "built_in": Weight(1.1, "what every program has without an import: prose and agent suites"),
    "prominence": Weight(0.1, "for each tenfold of pages below or beside: roots fall without it"),
    "depth": Weight(0.93, "for each step below the first: prose about Python falls without it"),
    "framework": Weight(0.2, "the share of its framework's score in words: prose, agent suites"),
    "file": Weight(0.2, "the share of its file's other chunks: scored chunks, changes of source"),
    "declares": Weight(200.0, "no text comes near a page that declares what is described"),
    "shows": Weight(100.0, "half as much for a page that shows such a declaration in its code"),
    "in_language": Weight(1.3, "code in the language that is named, passages in the query's own"),
    "has_all_words": Weight(2.5, "in a launcher every word narrows the choice: the home suite"),
    "has_words_in_a_row": Weight(4.0, "words in a row are more than the same words anywhere"),
    "part_match": Weight(0.5, "parts of names count if whole words find too little: roots"),
    "correction": Weight(0.7, "a word that was perhaps meant is less than one that was typed"),
    "synonym": Weight(0.8, "a synonym of whose word the corpus has none: python-questions"),
    "meaning": Weight(1 / 3, "the share of meaning: dev queries of NFCorpus and CoSQA"),
    "meaning_documentation": Weight(0.25, "its share beside names and kinds: the prose suites"),
    "meaning_files": Weight(0.5, "its share in files, whose words are few: the home suite"),
    "blend_k": Weight(20.0, "the k of words with meaning: dev queries of NFCorpus and CoSQA"),
    "sources_k": Weight(60.0, "the k of sources: that of the paper; 20 and 200 change nothing"),
    "beside_name": Weight(0.8, "a file of that name goes before the best of other sources"),
    "relevance_power": Weight(3.0, "what a rank earns is scaled by this power: cross-source"),
    "archive_passed": Weight(0.25, "the share of an archived page's score that passes it"),
}
"""The table; a search with `--explain` prints its rows for a hit."""
