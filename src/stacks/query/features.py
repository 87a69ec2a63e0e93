"""What a score has beside BM25: features of a document, and the documents around it.

A name that is the query outweighs any text; among documents of the same name a type goes before
members, a current page before a deprecated one, Swift before Objective-C, and a page near the top
of its framework before one deep inside. The weights of all are in `weights.py`.

A member of a framework seldom says what the framework is for: `copy2` does not speak of high-level
operations on files, the page of `shutil` does. So a question in words that finds the page of a
framework is a little more likely to be answered by what lies below it, by words and by meaning.

A question about code is seldom answered by one function alone: the words that it is asked in are
spread over a class, its methods and the functions beside them. So each chunk is given a share of
the best chunks of the same file.
"""

from __future__ import annotations

import json
from functools import lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from stacks.query.candidates import PARTS_IN_A_ROW, Factor
from stacks.query.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from stacks.query.candidates import Candidate
    from stacks.query.question import Question
    from stacks.storage import Database

__all__ = [
    "TITLE_FACTORS",
    "TWIN",
    "add_framework_scores",
    "find_file_scores",
    "find_roots",
    "find_twins",
    "level_names",
    "list_factors",
    "put_current_first",
    "weigh",
]

_TYPES = frozenset(("module", "package", "protocol", "class", "struct", "enum", "actor"))
"""The kinds of pages that have others below them."""


_BEST = 3
"""How many of the best chunks of a file count."""
_FEWEST_WORDS = 4
"""A shorter query looks for a name or a line, not for a file about something."""
_FILES = """
SELECT m.id, m.page_id FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.id = wanted.value
"""


def weigh(reason: str, weight: str) -> Factor:
    """Return the factor of a feature that a document has or has not, by its name in `WEIGHTS`."""
    return Factor(reason, WEIGHTS[weight].value, weight)


TITLE_FACTORS = (
    weigh("title is the query", "title"),
    weigh("title is nearly the query", "name"),
    weigh("a name is the query", "name"),
    weigh("the query is several parts of the title", "name"),
    weigh("the query is part of the title", "name"),
)
"""For each `Candidate.title_match`, from 0 on."""
TWIN = weigh("its Swift page is here", "outdated")
"""For an Objective-C page whose Swift page is found too."""
_SPELLED = weigh("spelled as typed", "spelled")
_DEPRECATED = weigh("deprecated", "outdated")


_FeatureValues: TypeAlias = tuple[str, "int | None", bool, bool, int]


class _Features(NamedTuple):
    """What is known of a page for a query; each feature has a weight."""

    kind: str
    title_match: int | None
    is_spelled: bool
    is_deprecated: bool
    steps: int


def list_factors(candidate: Candidate, typed: str) -> tuple[Factor, ...]:
    """List the factors that apply to a candidate for a query as it was typed."""
    before, _, after = candidate.uri.partition("://")
    path = after or before
    match = candidate.title_match
    # A plain tuple of the features: to name them takes longer than to look their factors up.
    features = (
        candidate.kind,
        match,
        match is not None and candidate.has_name and _is_spelled(candidate.title, typed),
        candidate.is_deprecated,
        path.count("/"),
    )
    factors = _weigh_features(features)
    if candidate.framework_score and candidate.bm25:
        share = candidate.framework_score / candidate.bm25
        return (*factors, Factor("its framework is found too", 1 + share, "around"))
    return factors


@lru_cache(maxsize=16_384)
def _weigh_features(known: _FeatureValues) -> tuple[Factor, ...]:
    """Return the factors of features; hundreds of candidates have few different ones."""
    features = _Features(*known)
    factors = []
    if features.kind in _TYPES:
        factors.append(weigh(f"kind {features.kind}", "type"))
    if features.title_match is not None:
        factors.append(TITLE_FACTORS[features.title_match])
    factors += [_SPELLED] if features.is_spelled else []
    factors += [_DEPRECATED] if features.is_deprecated else []
    if features.steps > 1:
        depth = WEIGHTS["depth"].value ** (features.steps - 1)
        factors.append(Factor(f"{features.steps} steps deep", depth, "depth"))
    return tuple(factors)


def _is_spelled(title: str, typed: str) -> bool:
    """Return whether a title, or its end, is spelled as typed or as the typed words joined.

    A title that is spelled as one of the words is as well: `ZipFile` of *ZipFile example*.
    """
    base = title.split("(", 1)[0]
    whole, words = _list_spellings(typed)
    return title in whole or base in whole or base in words or base.rsplit(".", 1)[-1] in whole


@lru_cache(maxsize=64)
def _list_spellings(typed: str) -> tuple[tuple[str, str], tuple[str, ...]]:
    """Return a query as it was typed and joined, and its words."""
    words = tuple(typed.split())
    return (typed, "".join(words)), words


def level_names(candidates: Sequence[Candidate]) -> dict[int, Factor]:
    """Return factors that give candidates that the query names the best BM25 score of all.

    How often a page repeats its name, and how short it is, says nothing about which of several
    pages of that name is meant. Nor do its words say how good a title is that is the query, or has
    it inside: those of `Swift` are in every page and count for nothing, and `View` with
    `Controller` is not `ViewController`.
    """
    named = [each for each in candidates if each.title_match is not None]
    if not named:
        return {}
    best = max(each.bm25 for each in candidates)
    return {
        each.id: Factor("level with the best", best / each.bm25)
        for each in named
        if (each.title_match or 0) <= PARTS_IN_A_ROW and 0 < each.bm25 < best
    }


def find_twins(candidates: Sequence[Candidate], typed: str) -> frozenset[int]:
    """Find the Objective-C pages whose Swift page is a candidate too.

    The URI of such a page is that of the Swift page with the language after a question mark. It
    says nothing that the Swift page does not, unless the query uses a name that only Objective-C
    has: `NSURLSession`.
    """
    if not any(each.language == "objc" for each in candidates):
        return frozenset()
    titles = {each.uri: each.title for each in candidates if each.language != "objc"}
    words = typed.casefold().replace(".", " ").split()
    return frozenset(
        each.id
        for each in candidates
        if each.language == "objc"
        and (current := titles.get(each.uri.partition("?")[0])) is not None
        and not _is_named_by(words, each.title, current)
    )


def _is_named_by(words: Sequence[str], title: str, current: str) -> bool:
    """Return whether a word begins a title, and not that of the current page."""
    title, current = title.casefold(), current.casefold()
    return any(title.startswith(word) and not current.startswith(word) for word in words)


def put_current_first(ranked: list[Candidate]) -> list[Candidate]:
    """Put no deprecated or Objective-C page above a current page of the same title.

    Pages of the same title keep their places as a group; within it, current Swift pages come
    first. If the query is the whole name of an old page, that page is wanted and stays.
    """
    moving = {_concept(each.title) for each in ranked if _can_move(each)}
    if not moving:
        return ranked
    groups: dict[str, list[int]] = {}
    for position, candidate in enumerate(ranked):
        if (concept := _concept(candidate.title)) in moving:
            groups.setdefault(concept, []).append(position)
    result = list(ranked)
    for positions in groups.values():
        if len(positions) > 1:
            members = sorted(
                (ranked[position] for position in positions),
                key=lambda each: (not each.has_name, each.is_deprecated, each.language == "objc"),
            )
            for position, member in zip(positions, members, strict=True):
                result[position] = member
    return result


def _can_move(candidate: Candidate) -> bool:
    """Return whether a page is old or named: it may change places with others of its title."""
    return candidate.is_deprecated or candidate.language == "objc" or candidate.has_name


def _concept(title: str) -> str:
    """Return the folded title, without the Objective-C prefix of a type: `NSURLSession`."""
    if title[:2] == "NS" and title[2:3].isupper() and "(" not in title:
        title = title[2:]
    return title.casefold()


def find_roots(source: str, places: Collection[tuple[int, str, str]]) -> dict[int, int]:
    """Find the page of the framework that each document lies in, if that is among them.

    `places` are the number, the URI and the framework of documents of one source.
    """
    numbers = {uri: number for number, uri, _ in places}
    roots = {}
    for number, _, framework in places:
        root = numbers.get(f"{source}://{framework}", number)
        if root != number:
            roots[number] = root
    return roots


def add_framework_scores(scores: Mapping[int, float], roots: Mapping[int, int]) -> dict[int, float]:
    """Return what the page of its framework adds to each document, if that is found as well."""
    share = WEIGHTS["around"].value
    return {number: share * scores[root] for number, root in roots.items() if root in scores}


def find_file_scores(
    database: Database, scores: Mapping[int, float], question: Question
) -> dict[int, float]:
    """Return what the other chunks of its file add to the score of each chunk."""
    if not question.is_prose or len(question.query.words) < _FEWEST_WORDS:
        return {}
    files: dict[int, int] = dict(database.rows(_FILES, (json.dumps(list(scores)),)))
    grouped: dict[int, list[float]] = {}
    for number, file in files.items():
        grouped.setdefault(file, []).append(scores[number])
    share = WEIGHTS["around"].value
    best = {file: sum(nlargest(_BEST, found)) for file, found in grouped.items()}
    added = {number: share * (best[file] - scores[number]) for number, file in files.items()}
    return {number: score for number, score in added.items() if score > 0}
