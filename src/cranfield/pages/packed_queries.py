"""The queries of a page in little space: every text once, hits as numbers, texts while they fit."""

from __future__ import annotations

from typing import Any

from cranfield.formats import show_rank

__all__ = ["list_fallen", "pack_queries"]

_MOST_TEXT = 2_000_000
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

    def query(self, suite: int, query: dict[str, Any]) -> dict[str, Any]:
        """Pack a query; keys are short, and what is empty is left out."""
        kept = {name: query[name] for name in ("id", "text", "category", "change", "expected")}
        kept |= {"ranks": query["ranks"], "values": [_rounded(each) for each in query["values"]]}
        kept["tone"] = "loss" if query["is_loss"] else "gain" if query["is_gain"] else ""
        kept["sides"] = [side and self._side(side) for side in query["sides"]]
        return {"suite": suite, **{name: each for name, each in kept.items() if each}}

    def _side(self, side: dict[str, Any]) -> dict[str, Any]:
        kept = {name: side[name] for name in ("status", "message", "route", "flags", "more")}
        kept |= {"failed": side["failed"], "seconds": _rounded(side["seconds"], 6)}
        kept["hits"] = [self._hit(hit) for hit in side["hits"]]
        return {name: each for name, each in kept.items() if each}

    def _hit(self, hit: dict[str, Any]) -> list[Any]:
        packed = [self.texts(hit["id"]), hit["grade"], _rounded(hit["score"], 6)]
        packed += [self.texts(hit["title"]) if hit["title"] else None]
        written = sum(map(len, (hit["text"], *hit["facts"].values())))
        if written > self.left:
            self.without_text += 1
            written = 0
        if written:
            self.left -= written
            facts = {name: self.texts(value) for name, value in hit["facts"].items()}
            packed += [self.texts(hit["text"]) if hit["text"] else None, facts]
        while packed[-1] is None:
            packed.pop()
        return packed


def pack_queries(rankings: list[dict[str, Any]]) -> dict[str, Any]:
    """Pack the rankings of a report for its script."""
    packing = _Packing()
    queries = [
        packing.query(place, query)
        for place, suite in enumerate(rankings)
        for query in suite["queries"]
    ]
    named = ("suite", "class", "measure", "arms")
    return {
        "suites": [{name: suite[name] for name in named} for suite in rankings],
        "queries": queries,
        "texts": packing.texts.listed,
        "without_text": packing.without_text,
    }


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
            "moved": " → ".join(map(show_rank, query["ranks"])),
            "change": query["change"],
        }
        for _, _, suite, query in fallen
    ]


def _rounded(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)
