"""The queries of a page in little space: every text once, hits as numbers, texts while they fit."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["PackedQueries", "count_unjudged", "list_fallen", "pack_answers", "pack_queries"]

_OF_A_QUERY = ("id", "text", "category", "change", "tone", "failed")
_OF_A_SIDE = ("status", "ungraded", "message", "route", "flags", "more", "failed")
_MOST_TEXT = 6_000_000
"""All texts of hits together may have so many characters; later ones are left out, and counted."""


class _Texts:
    """Texts by their number."""

    def __init__(self) -> None:
        self.listed: list[str] = []
        self._places: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        place = self._places.get(text)
        if place is None:
            place = self._places[text] = len(self.listed)
            self.listed.append(text)
        return place


class _Packing:
    """What was packed so far."""

    def __init__(self) -> None:
        self.texts = _Texts()
        self.left = _MOST_TEXT
        self.without_text = 0

    def answers(self, query: dict[str, Any]) -> dict[str, Any]:
        """Pack what was expected of a query, and answered to it; empty if that is not known."""
        kept = {"expected": query["expected"]} if query["expected"] else {}
        if any(query["sides"]):
            kept["sides"] = [side and self.side(side) for side in query["sides"]]
        return kept

    def side(self, side: dict[str, Any]) -> dict[str, Any]:
        """Pack one answer."""
        kept = {name: side[name] for name in _OF_A_SIDE}
        kept["seconds"] = _rounded(side["seconds"], 6)
        kept["hits"] = [self._hit(hit) for hit in side["hits"]]
        return {name: each for name, each in kept.items() if each}

    def _hit(self, hit: dict[str, Any]) -> list[Any]:
        packed = [self.texts(hit["id"]), hit["grade"], _rounded(hit["score"], 6)]
        packed += [self.texts(hit[name]) if hit[name] else None for name in ("title", "reason")]
        facts, text = hit["facts"], hit["text"]
        written = len(text) + sum(map(len, facts.values()))
        if written > self.left:
            self.without_text += 1
            written = 0
        if written:
            self.left -= written
            packed.append(self.texts(text) if text else None)
            packed.append({name: self.texts(value) for name, value in facts.items()})
        while packed[-1] is None:
            packed.pop()
        return packed


class PackedQueries(NamedTuple):
    """The list of queries, which a page shows at once, and their answers, in the same order.

    A page reads the answers when the first query is opened: they are most of it. None of queries
    whose answers are not read.
    """

    listed: dict[str, Any]
    answers: dict[str, Any] | None


def pack_queries(rankings: list[dict[str, Any]], source: str = "") -> PackedQueries:
    """Pack the rankings of a report for its script.

    `source` is the address at which the script finds the answers to a query, if they are not here.
    """
    packing = _Packing()
    queries = [(place, query) for place, suite in enumerate(rankings) for query in suite["queries"]]
    queries.sort(key=lambda each: _urgency(each[1]))
    answers = [packing.answers(query) for _, query in queries]
    named = ("suite", "class", "measure", "arms")
    listed = {
        "suites": [{name: suite[name] for name in named} for suite in rankings],
        "queries": [_pack_query(place, query) for place, query in queries],
        "without_text": packing.without_text,
        "source": source,
    }
    known = {"answers": answers, "texts": packing.texts.listed} if any(answers) else None
    return PackedQueries(listed, known)


def _pack_query(suite: int, query: dict[str, Any]) -> dict[str, Any]:
    """Pack a query; keys are short, and what is empty is left out."""
    kept = {name: query[name] for name in _OF_A_QUERY}
    kept |= {"ranks": query["ranks"], "values": [_rounded(each) for each in query["values"]]}
    return {"suite": suite, **{name: each for name, each in kept.items() if each}}


def _urgency(query: dict[str, Any]) -> tuple[int, float]:
    """Put what got worse first, then failures and gains, then the rest, the lowest value first."""
    if query["tone"] == "loss":
        return 0, query["difference"]
    if query["failed"]:
        return 1, 0.0
    return (2, -query["difference"]) if query["tone"] == "gain" else (3, query["values"][-1] or 0.0)


def pack_answers(answers: dict[str, Any]) -> dict[str, Any]:
    """Pack the answers to one query, to be sent alone."""
    packing = _Packing()
    sides = [side and packing.side(side) for side in answers["sides"]]
    return {**answers, "sides": sides, "texts": packing.texts.listed}


def count_unjudged(rankings: list[dict[str, Any]]) -> list[tuple[str, str, int, int]]:
    """Return for each suite and arm how many of the hits no rule knows, and of how many.

    Nothing of suites whose answers are not read.
    """
    counted = []
    for suite in rankings:
        for place, arm in enumerate(suite["arms"]):
            sides = [query["sides"][place] for query in suite["queries"] if query["sides"][place]]
            if sides:
                unjudged, hits = (
                    sum(each[name] for each in sides) for name in ("unjudged", "count")
                )
                counted.append((suite["suite"], arm, unjudged, hits))
    return counted


def list_fallen(rankings: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Return the queries that got worse, the largest fall first, with the key of their link."""
    fallen = [
        (query["difference"], place, suite, query)
        for place, suite in enumerate(rankings)
        for query in suite["queries"]
        if query["fell"]
    ]
    fallen.sort(key=lambda each: each[:2])
    return [
        {
            "key": f"{suite['suite']}/{query['id']}",
            "text": query["text"] or query["id"],
            "suite": suite["suite"],
            "moved": query["moved"],
            "change": query["change"],
        }
        for _, _, suite, query in fallen
    ]


def _rounded(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)
