"""Reports as pages: one HTML file that needs nothing else, or a page of a server.

The template only lays out what the report says. All queries with their rankings are packed into
the page, and the script lists, filters and opens them. A file brings its style and script with it,
and a policy that forbids everything else.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from cranfield.formats import Detail, Format, printable
from cranfield.web.page_templates import make_environment

if TYPE_CHECKING:
    from jinja2 import Environment

    from cranfield.formats import Report, Section

__all__ = [
    "HTML",
    "PackedQueries",
    "count_unjudged",
    "list_fallen",
    "pack_answers",
    "pack_queries",
    "read_asset",
    "render_frame",
    "render_html",
    "render_report",
]

_EFFORT = 6
"""Of packing: 9 takes four times as long for 1 % less."""


def render_html(report: Report, home: str = "") -> str:
    """Write a page that can be mailed, opened from a disk, and printed.

    `home` is the address of the page that lists all, if this page is one of several.
    """
    return render_report(_environment(), report, "file.html", **_file_values(home))


def render_frame(report: Report) -> str:
    """Write the top of the page in a frame, for a notebook: its style stays inside."""
    top = replace(report, sections=(), notes=())
    fallen = list_fallen(report.make_rankings())
    page = (
        _environment()
        .get_template("report.html")
        .render(
            report=top,
            layout="file.html",
            packed="",
            count=0,
            fallen=fallen,
            unjudged=[],
            **_file_values(),
        )
    )
    frame = Markup(
        '<iframe srcdoc="{}" sandbox="" width="100%" height="620" title="{}" '
        'loading="lazy"></iframe>'
    )
    return str(frame.format(page, printable(report.title)))


HTML = Format("html", render_html, frame_writer=render_frame)


def _file_values(home: str = "") -> dict[str, Any]:
    """Return what a page that needs no other file consists of."""
    style, script = read_asset("report.css"), read_asset("report.js")
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    )
    return {
        "home": home,
        "policy": policy,
        "style": Markup(style),  # noqa: S704 - our own file
        "script": Markup(script),  # noqa: S704 - our own file
    }


def render_report(
    environment: Environment,
    report: Report,
    layout: str,
    template: str = "report.html",
    source: str = "",
    **values: Any,
) -> str:
    """Write a report into a layout, a template with room for its title, body, notes and scripts.

    `template` may be one that extends `report.html`; `values` are what both need. `source` is the
    address of answers that are not in the page.
    """
    report = replace(report, sections=tuple(sorted(report.sections, key=_is_for_auditors)))
    rankings = report.make_rankings()
    packed = pack_queries(rankings, source)
    return environment.get_template(template).render(
        report=report,
        layout=layout,
        packed=_compress(packed.listed) if packed.listed["queries"] else "",
        packed_answers=_compress(packed.answers) if packed.answers else "",
        count=len(packed.listed["queries"]),
        fallen=list_fallen(rankings),
        unjudged=count_unjudged(rankings),
        **values,
    )


def _compress(content: dict[str, Any]) -> str:
    import msgspec

    return b64encode(zlib.compress(msgspec.json.encode(content), _EFFORT)).decode()


def _is_for_auditors(section: Section) -> bool:
    return section.detail is Detail.AUDIT


@cache
def read_asset(name: str) -> str:
    """Return a style sheet or a script."""
    return (files("cranfield.web") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _environment() -> Environment:
    return make_environment()


_NOT_LISTED = ("sides", "expected", "fell", "moved", "difference", "language", "ranks", "values")
"""What the list of queries does without, or has in another form; every other fact is packed."""
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
    kept = {name: each for name, each in query.items() if name not in _NOT_LISTED}
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
