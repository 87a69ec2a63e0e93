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
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from cranfield.formats import Detail, printable
from cranfield.pages.packed_queries import count_unjudged, list_fallen, pack_queries
from cranfield.pages.page_templates import make_environment

if TYPE_CHECKING:
    from jinja2 import Environment

    from cranfield.formats import Report, Section

__all__ = ["read_asset", "render_frame", "render_html", "render_report"]

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
    return (files("cranfield.pages") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _environment() -> Environment:
    return make_environment()
