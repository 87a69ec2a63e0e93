"""What BM25 does not know: which of the pages that match is the one a person means.

Every correction is a factor on the score. A name that is the query's outweighs any text; among
namesakes a type goes before its members, a current page before a deprecated one, Swift before
Objective-C, and a page near the top of its framework before one deep inside.
"""

from __future__ import annotations

from functools import lru_cache
from math import log10
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "ANOTHER",
    "FACTORS_OF_KIND",
    "NEARLY",
    "OF_NAME",
    "PART_OF_TITLE",
    "REPEATED",
    "RUN_OF_TITLE",
    "TWIN",
    "Candidate",
    "Factor",
    "correct",
    "is_named",
    "level",
    "put_current_first",
]

FACTORS_OF_KIND: Mapping[str, float] = {
    "module": 1.4,
    "package": 1.3,
    "protocol": 1.3,
    "class": 1.3,
    "struct": 1.3,
    "enum": 1.3,
    "actor": 1.3,
    "macro": 1.15,
    "function": 1.15,
    "typealias": 1.0,
    "proposal": 1.0,
    "article": 1.0,
    "sample": 1.0,
    "property": 0.9,
    "method": 0.9,
    "initializer": 0.85,
    "case": 0.85,
    "subscript": 0.85,
    "associatedtype": 0.85,
    "operator": 0.8,
    "extension": 0.8,
    "collection": 0.6,
}
FACTORS_OF_NAME = (8.0, 5.0, 4.0, 3.0, 2.5)
"""For a title that is the query, nearly the query, another name, a run in a title, a part of it."""
NEARLY = 1
"""The nearness of a title that ends in the query after a dot, or is it with its owner before it."""
ANOTHER = 2
"""The nearness of a document with another name that is the query."""
RUN_OF_TITLE = 3
"""The nearness of a document with the query as several parts of its title in a row."""
PART_OF_TITLE = 4
"""The nearness of a document with the query among the parts of its title."""
LANGUAGES_THEMSELVES = {"swift": 1.1, "builtins": 1.1}
"""For what every program has without importing anything."""
DEPRECATED = 0.5
OBJECTIVE_C = 0.6
TWIN = 0.3
"""For an Objective-C page whose Swift page is found too, besides being Objective-C."""
REASONS = (
    "title is the query",
    "title is nearly the query",
    "a name is the query",
    "the query is several parts of the title",
    "the query is part of the title",
)
PROMINENCE = 0.1
"""For each tenfold of the pages below a page, or beside one that has none below."""
FRAMEWORK_SIZE = 0.05
"""For each tenfold of the pages in its framework."""
STEP_DOWN = 0.93
"""For each step of a page's path below its framework, from the second."""
SPELLED = 1.25
"""For a name spelled as typed: `ZipFile` is the class, `zipfile` the module."""
REPEATED = 0.85
"""For each page of the same title that stands above one: twenty `!=(_:_:)` say no more than one."""


class Candidate(NamedTuple):
    """A document that may be an answer.

    `nearness` is how near its name is to the query, `wholeness` how much of the query it has
    together: 1 all words, 2 all beside each other; `given` is added to its score by its framework.
    """

    id: int
    uri: str
    title: str
    kind: str
    language: str
    is_deprecated: bool
    prominence: int
    framework_size: int
    bm25: float
    nearness: int | None
    wholeness: int = 0
    given: float = 0.0


class Factor(NamedTuple):
    """One correction, and its reason."""

    reason: str
    factor: float


OF_NAME = tuple(map(Factor, REASONS, FACTORS_OF_NAME))
"""The correction for each nearness of a name."""
_SPELLED = Factor("spelled as typed", SPELLED)
_DEPRECATED = Factor("deprecated", DEPRECATED)
_OBJECTIVE_C = Factor("Objective-C", OBJECTIVE_C)


def correct(candidate: Candidate, typed: str) -> list[Factor]:
    """List the corrections that apply to a candidate for a query as it was typed."""
    factors = [_weigh_kind(candidate.kind)]
    if candidate.nearness is not None:
        factors.append(OF_NAME[candidate.nearness])
    if is_named(candidate) and typed in _spellings(candidate.title):
        factors.append(_SPELLED)
    if candidate.given and candidate.bm25:
        factors.append(Factor("its framework is found too", 1 + candidate.given / candidate.bm25))
    if candidate.is_deprecated:
        factors.append(_DEPRECATED)
    if candidate.language == "objc":
        factors.append(_OBJECTIVE_C)
    factors.append(_weigh_pages(candidate.prominence, "below or beside it", PROMINENCE))
    factors.append(_weigh_pages(candidate.framework_size, "in its framework", FRAMEWORK_SIZE))
    framework, *steps = candidate.uri.split("://", 1)[-1].split("/")
    if framework in LANGUAGES_THEMSELVES:
        factors.append(Factor("the language itself", LANGUAGES_THEMSELVES[framework]))
    if len(steps) > 1:
        factors.append(_weigh_steps(len(steps)))
    return [factor for factor in factors if factor.factor != 1.0]


# A query corrects hundreds of candidates, and an index has few kinds, sizes and depths.


@lru_cache(maxsize=256)
def _weigh_kind(kind: str) -> Factor:
    return Factor(f"kind {kind}", FACTORS_OF_KIND.get(kind, 1.0))


@lru_cache(maxsize=4096)
def _weigh_pages(pages: int, where: str, share: float) -> Factor:
    return Factor(f"{pages} pages {where}", 1 + share * log10(1 + pages))


@lru_cache(maxsize=256)
def _weigh_steps(count: int) -> Factor:
    return Factor(f"{count} steps deep", STEP_DOWN ** (count - 1))


def _spellings(title: str) -> tuple[str, ...]:
    base = title.split("(", 1)[0]
    return title, base, base.rsplit(".", 1)[-1]


def level(candidates: Sequence[Candidate]) -> dict[int, Factor]:
    """Put those that the query names as well as another on a level with each other.

    How often a page repeats its name, and how short it is, says nothing of namesakes. Nor do its
    words say how good a title is that is the query, or has it inside: those of `Swift` are in
    every page and count for nothing, and `View` with `Controller` is not `ViewController`. So
    titles are on a level with the best of all candidates, other names with the best of theirs.
    """
    groups: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.nearness is not None and candidate.nearness <= RUN_OF_TITLE:
            groups.setdefault(candidate.nearness, []).append(candidate)
    factors = {}
    for nearness, group in groups.items():
        whom, beside = ("the best", candidates) if nearness != ANOTHER else ("namesakes", group)
        best = max(candidate.bm25 for candidate in beside)
        for candidate in group:
            if 0 < candidate.bm25 < best:
                factors[candidate.id] = Factor(f"level with {whom}", best / candidate.bm25)
    return factors


def is_named(candidate: Candidate) -> bool:
    """Tell whether the query is a whole name of the candidate."""
    return candidate.nearness is not None and candidate.nearness < RUN_OF_TITLE


def put_current_first(ranked: list[Candidate]) -> list[Candidate]:
    """Let no deprecated or Objective-C page stand above a current namesake.

    Namesakes keep the places they have as a group; within them current Swift goes first. Who
    types the old name in full wants the old page.
    """
    groups: dict[str, list[int]] = {}
    for position, candidate in enumerate(ranked):
        groups.setdefault(_concept(candidate.title), []).append(position)
    result = list(ranked)
    for positions in groups.values():
        if len(positions) > 1:
            members = sorted((ranked[position] for position in positions), key=_age)
            for position, member in zip(positions, members, strict=True):
                result[position] = member
    return result


def _concept(title: str) -> str:
    """The title; of a type without the prefix of its Objective-C form: NSURLSession."""
    if title[:2] == "NS" and title[2:3].isupper() and "(" not in title:
        title = title[2:]
    return title.casefold()


def _age(candidate: Candidate) -> tuple[bool, bool, bool]:
    return not is_named(candidate), candidate.is_deprecated, candidate.language == "objc"
