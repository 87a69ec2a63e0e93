"""Factors on a BM25 score: what it does not know of documentation.

A name that is the query outweighs any text; among documents of the same name a type goes before
its members, a current page before a deprecated one, Swift before Objective-C, and a page near the
top of its framework before one deep inside.
"""

from __future__ import annotations

from functools import lru_cache
from math import log10
from typing import TYPE_CHECKING

from stacks.query.candidates import OTHER_NAME, PARTS_IN_A_ROW, Candidate, Factor

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "TITLE_FACTORS",
    "TWIN",
    "find_twins",
    "level_names",
    "list_factors",
    "put_current_first",
    "weigh_repetition",
]

_KINDS_BY_FACTOR = {
    1.4: "module",
    1.3: "package protocol class struct enum actor",
    1.15: "macro function",
    0.9: "property method",
    0.85: "initializer case subscript associatedtype",
    0.8: "operator extension",
    0.6: "collection",
}
_KIND_FACTORS = {kind: by for by, kinds in _KINDS_BY_FACTOR.items() for kind in kinds.split()}
"""For the kind of a page; 1 for a kind that is not listed."""
TITLE_FACTORS = (
    Factor("title is the query", 8.0),
    Factor("title is nearly the query", 5.0),
    Factor("a name is the query", 4.0),
    Factor("the query is several parts of the title", 3.0),
    Factor("the query is part of the title", 2.5),
)
"""For each `Candidate.title_match`, from 0 on."""
_SPELLED = Factor("spelled as typed", 1.25)
"""For a name spelled as typed: `ZipFile` is the class, `zipfile` the module."""
_DEPRECATED = Factor("deprecated", 0.5)
"""For a deprecated page."""
_OBJECTIVE_C = Factor("Objective-C", 0.6)
"""For a page about Objective-C."""
TWIN = Factor("its Swift page is here", 0.3)
"""For an Objective-C page whose Swift page is found too, in addition to `_OBJECTIVE_C`."""
_BUILT_IN_FACTORS = {"swift": 1.1, "builtins": 1.1}
"""For frameworks that every program has without importing anything."""
_PROMINENCE = 0.1
"""Added to 1 for each tenfold of the pages below a page, or beside one that has none below."""
_FRAMEWORK_SIZE = 0.05
"""Added to 1 for each tenfold of the pages in its framework."""
_STEP_DOWN = 0.93
"""For each step of a page's path below its framework, from the second."""
_REPEATED = 0.85
"""For each page of the same title above one: twenty `!=(_:_:)` say no more than one."""


def list_factors(candidate: Candidate, typed: str) -> list[Factor]:
    """List the factors that apply to a candidate for a query as it was typed."""
    factors = [_weigh_kind(candidate.kind)]
    if candidate.title_match is not None:
        factors.append(TITLE_FACTORS[candidate.title_match])
    if candidate.has_name and typed in _spellings(candidate.title):
        factors.append(_SPELLED)
    if candidate.framework_score and candidate.bm25:
        share = candidate.framework_score / candidate.bm25
        factors.append(Factor("its framework is found too", 1 + share))
    if candidate.is_deprecated:
        factors.append(_DEPRECATED)
    if candidate.language == "objc":
        factors.append(_OBJECTIVE_C)
    factors.append(_weigh_pages(candidate.prominence, "below or beside it", _PROMINENCE))
    factors.append(_weigh_pages(candidate.framework_size, "in its framework", _FRAMEWORK_SIZE))
    framework, *steps = candidate.uri.split("://", 1)[-1].split("/")
    if framework in _BUILT_IN_FACTORS:
        factors.append(Factor("the language itself", _BUILT_IN_FACTORS[framework]))
    if steps:
        factors.append(_weigh_steps(len(steps)))
    return [factor for factor in factors if factor.factor != 1.0]


# A query has hundreds of candidates, and an index few kinds, sizes and depths.


@lru_cache(maxsize=256)
def _weigh_kind(kind: str) -> Factor:
    return Factor(f"kind {kind}", _KIND_FACTORS.get(kind, 1.0))


@lru_cache(maxsize=4096)
def _weigh_pages(pages: int, where: str, share: float) -> Factor:
    return Factor(f"{pages} pages {where}", 1 + share * log10(1 + pages))


@lru_cache(maxsize=256)
def _weigh_steps(count: int) -> Factor:
    return Factor(f"{count} steps deep", _STEP_DOWN ** (count - 1))


def _spellings(title: str) -> tuple[str, ...]:
    base = title.split("(", 1)[0]
    return title, base, base.rsplit(".", 1)[-1]


def level_names(candidates: Sequence[Candidate]) -> dict[int, Factor]:
    """Return factors that give candidates of the same title match the same BM25 score.

    How often a page repeats its name, and how short it is, says nothing about which of several
    pages of that name is meant. Nor do its words say how good a title is that is the query, or has
    it inside: those of `Swift` are in every page and count for nothing, and `View` with
    `Controller` is not `ViewController`. So titles are raised to the best of all candidates, other
    names to the best of those.
    """
    groups: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.title_match is not None and candidate.title_match <= PARTS_IN_A_ROW:
            groups.setdefault(candidate.title_match, []).append(candidate)
    factors = {}
    for match, group in groups.items():
        whom, beside = ("the best", candidates) if match != OTHER_NAME else ("namesakes", group)
        best = max(candidate.bm25 for candidate in beside)
        for candidate in group:
            if 0 < candidate.bm25 < best:
                factors[candidate.id] = Factor(f"level with {whom}", best / candidate.bm25)
    return factors


def weigh_repetition(times: int) -> Factor:
    """Return the factor of a page whose title so many pages above it have."""
    return Factor(f"title repeated {times} times", _REPEATED**times)


def find_twins(candidates: Sequence[Candidate], typed: str) -> frozenset[int]:
    """Find the Objective-C pages whose Swift page is a candidate too.

    The URI of such a page is that of the Swift page with the language after a question mark. It
    says nothing that the Swift page does not, unless the query uses a name that only Objective-C
    has: `NSURLSession`.
    """
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
    groups: dict[str, list[int]] = {}
    for position, candidate in enumerate(ranked):
        groups.setdefault(_concept(candidate.title), []).append(position)
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


def _concept(title: str) -> str:
    """Return the folded title, without the Objective-C prefix of a type: `NSURLSession`."""
    if title[:2] == "NS" and title[2:3].isupper() and "(" not in title:
        title = title[2:]
    return title.casefold()
