"""Typical faults of search systems, as changes of one stored answer (gate_sensitivity.py)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cranfield.model import Response, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random

    from cranfield.model import Hit, Query

__all__ = ["MUTATIONS", "Mutation", "Others", "Scene", "gather_others"]

_SWAPPED = 4


@dataclass(frozen=True, slots=True)
class Others:
    """The run around an answer: its most frequent source, and the answers by category.

    `source` is None if the hits name no source, or all the same one: losing that one would leave
    no hits at all.
    """

    source: str | None
    by_category: Mapping[str, tuple[Response, ...]]


@dataclass(frozen=True, slots=True)
class Scene:
    """An answer to be broken; `right` says for each hit whether it was graded relevant."""

    query: Query
    response: Response
    right: tuple[bool, ...]
    others: Others


@dataclass(frozen=True, slots=True)
class Mutation:
    """A fault. `change` returns the broken answer, or None if this answer cannot have it.

    `needs` says what an answer must have, for a report if none has it. A fault that affects only
    a part of the queries has that `share`.
    """

    name: str
    description: str
    needs: str
    change: Callable[[Scene, Random], Response | None]
    share: float = 1.0


def gather_others(answers: Iterable[tuple[Query, Response]]) -> Others:
    """Collect what mutations need from other answers of a run."""
    sources: Counter[str] = Counter()
    by_category: dict[str, list[Response]] = {}
    for query, response in answers:
        sources.update(_source(hit) for hit in response.hits)
        if response.hits:
            by_category.setdefault(query.category, []).append(response)
    # The name breaks ties, so the order of the answers does not matter.
    named = sorted((name for name in sources if name), key=lambda name: (-sources[name], name))
    return Others(
        named[0] if named and len(sources) > 1 else None,
        {name: tuple(some) for name, some in sorted(by_category.items())},
    )


def _source(hit: Hit) -> str:
    """Return the source of a hit: its field, or the scheme of its id; empty if unknown."""
    if given := hit.fields.get("source"):
        return str(given)
    scheme, mark, _ = hit.id.partition("://")
    return scheme if mark else ""


def _with(response: Response, hits: Sequence[Hit]) -> Response:
    return replace(response, hits=tuple(hits), status=Status.OK if hits else Status.EMPTY)


def _drop_right(scene: Scene, _: Random) -> Response | None:
    if not any(scene.right):
        return None
    pairs = zip(scene.response.hits, scene.right, strict=True)
    return _with(scene.response, [hit for hit, right in pairs if not right])


def _swap(scene: Scene, _: Random) -> Response | None:
    hits = list(scene.response.hits)
    if len(hits) < _SWAPPED:
        return None
    hits[0], hits[_SWAPPED - 1] = hits[_SWAPPED - 1], hits[0]
    return _with(scene.response, hits)


def _lose_source(scene: Scene, _: Random) -> Response | None:
    lost = scene.others.source
    kept = [hit for hit in scene.response.hits if _source(hit) != lost]
    if lost is None or len(kept) == len(scene.response.hits):
        return None
    return _with(scene.response, kept)


def _empty(scene: Scene, _: Random) -> Response | None:
    return _with(scene.response, ()) if scene.response.hits else None


def _fail(scene: Scene, _: Random) -> Response | None:
    if scene.response.status.is_failure:
        return None
    return Response.failed(Status.TIMEOUT, "no answer in time")


def _reverse(scene: Scene, _: Random) -> Response | None:
    hits = scene.response.hits
    return _with(scene.response, hits[::-1]) if len(hits) > 1 else None


def _duplicate(scene: Scene, _: Random) -> Response | None:
    # A run keeps the first of several hits with one id: this is what it would store.
    hits = scene.response.hits
    return _with(scene.response, hits[:1]) if len(hits) > 1 else None


def _answer_another(scene: Scene, random: Random) -> Response | None:
    by_category = scene.others.by_category
    others = [some for category, some in by_category.items() if category != scene.query.category]
    count = sum(len(some) for some in others)
    if scene.response.status.is_failure or not count:
        return None
    # Counted through the categories: listing all answers for every query would be quadratic.
    place = random.randrange(count)
    for some in others:
        if place < len(some):
            break
        place -= len(some)
    return _with(scene.response, some[place].hits)


_RARE = 0.05

MUTATIONS = {
    each.name: each
    for each in (
        Mutation("drop-right", "the right hits are gone", "right hits", _drop_right),
        Mutation("swap-1-4", "ranks 1 and 4 are swapped", "four hits", _swap),
        Mutation(
            "lose-source",
            "all hits of the most frequent source are gone",
            "hits of one source among several",
            _lose_source,
        ),
        Mutation("empty", "5 % of the queries have no result", "hits", _empty, _RARE),
        Mutation("fail", "5 % of the queries are not answered", "an answer", _fail, _RARE),
        Mutation("reverse", "the last hit comes first", "two hits", _reverse),
        Mutation("duplicate", "the first hit stands at every rank", "two hits", _duplicate),
        Mutation(
            "wrong-category",
            "hits of a query of another category",
            "another category to take hits from",
            _answer_another,
        ),
    )
}
