"""The templates of pages: what they may call, and which terms they explain."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from cranfield.formats import (
    Cell,
    CellKind,
    Chart,
    Lines,
    Table,
    Verbatim,
    name_queries,
    printable,
    show_row,
)
from cranfield.measures import FAMILIES
from cranfield.web.chart_shapes import slug
from cranfield.web.charts import draw_chart, key_of

if TYPE_CHECKING:
    from jinja2 import Environment

    from cranfield.formats import Block

__all__ = [
    "explain_terms",
    "make_environment",
]

_KINDS = {Table: "table", Lines: "lines", Verbatim: "verbatim", Chart: "chart"}
_STATES = ("better", "worse", "equivalent", "cannot tell", "strong", "mixed", "weak")
_NUMERIC = frozenset(
    ["COUNT", "VALUE", "DIFFERENCE", "COUNT_DIFFERENCE", "P", "EFFECT", "SCORE", "RANK", "SECONDS"]
)


def make_environment(*packages: str) -> Environment:
    """Make what renders templates: ours, and those of further packages; all text is escaped."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=ChoiceLoader([PackageLoader(each) for each in (*packages, "cranfield.web")]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {
        "explained": explain_terms,
        "drawn": draw_chart,
        "slug": slug,
        "named": name_queries,
        "shown": printable,
        "short": _short,
        "verbatim": _verbatim,
        "kind": _kind,
    }
    made.globals |= {
        "rows": _rows,
        "is_number": _is_number,
        "is_own": _is_own,
        "states": _STATES,
        "key_of": key_of,
    }
    return made


def _short(title: str) -> str:
    """Return what stands before the first comma of a title."""
    return title.partition(",")[0]


def _verbatim(text: str) -> str:
    return "\n".join(map(printable, text.splitlines()))


def _kind(block: Block) -> str:
    return _KINDS[type(block)]


@dataclass(frozen=True, slots=True)
class _ShownCell:
    """A cell as it is written; an address if it is a link."""

    text: str
    address: str = ""


def _rows(table: Table, most: int | None = None) -> list[list[_ShownCell]]:
    return [
        [
            _ShownCell(text, value.value[1] if _is_link(value) else "")
            for text, value in zip(show_row(table.columns, row), row, strict=True)
        ]
        for row in table.rows[:most]
    ]


def _is_link(value: Any) -> bool:
    return isinstance(value, Cell) and value.kind is CellKind.LINK


def _is_number(column: Any) -> bool:
    return column.kind.name in _NUMERIC


def _is_own(column: Any) -> bool:
    """Return whether the words of a column are ours, so terms in it are explained."""
    return column.kind not in (CellKind.ID, CellKind.QUERY, CellKind.MESSAGE)


_TERMS = {
    "Holm": "Holm's correction: the more is compared at once, the smaller a p must be to count.",
    "Wilcoxon": "Wilcoxon's signed-rank test: do the larger changes go mostly one way?",
    "McNemar": "McNemar's test: of the queries that only one arm got right, do most favour one?",
    "sign test": "Counts how many queries went up and how many down, whatever the amount.",
    "sign-flip": "Flips the sign of each difference at random: how often is the mean as large?",
    "cannot tell": "The difference is no larger than chance could make it with so few queries, or "
    "too many of them were not answered or not judged.",
    "equivalent": "The difference surely lies within the margin that counts as no difference.",
    "95% interval": "The range that holds the true mean difference in 95 of 100 such experiments.",
    "p corrected": "The p after correction for everything that was compared at once.",
    "effect": "The mean difference in standard deviations of the differences.",
    "secondary": "A measure beside the headline: reported, but it decides nothing.",
    "queries needed": "With so many queries like these, a verdict could be expected.",
    "unchanged at rank 1": "Both arms have a right hit first.",
    "removed from rank 1": "A right hit was first in A and is lower in B.",
    "kappa": "Agreement beyond what chance alone would give: 1 is full agreement, 0 is chance.",
    "baseline": "The accepted outcome that this run is held against.",
    "fingerprint": "A hash of a file: the same content has the same one.",
}
_WHOLE_TERMS = {
    "better": "The mean rose by more than chance explains, with an error of at most 5 %.",
    "worse": "The mean fell by more than chance explains, with an error of at most 5 %.",
    "never found": "Neither arm found a right hit.",
    "not answered": "An arm timed out or failed, so the query is in no figure.",
    "not judged": "Nobody judged the hits that decide, so the query is in no verdict.",
    "degraded": "The first right hit is lower in B, or the value fell.",
    "fixed": "The first right hit was lower in A and is first in B.",
    "added": "Not found in A, found in B.",
    "lost": "Found in A, not found in B.",
    "model alone": "The mean of what the model says, which may be biased.",
    "people alone": "The mean over the queries that people judged, without the model.",
    "by rules": "The stored figure, by what the suite expects, without the model.",
    "corrected": "The model's mean, plus what people say beyond the model on a random sample.",
}
"""Words that are terms only if nothing stands beside them, as are measures without a cutoff."""


@cache
def _known() -> dict[str, str]:
    families = {each.name: each.summary for each in FAMILIES.values()}
    return {**{name: f"{text}." for name, text in families.items()}, **_TERMS}


@cache
def _pattern() -> re.Pattern[str]:
    """Match a term as a word of its own; a measure with its settings and cutoff."""
    named = sorted(_TERMS, key=len, reverse=True)
    measures = sorted((each.name for each in FAMILIES.values()), key=len, reverse=True)
    texts = "|".join(map(re.escape, named))
    families = "|".join(map(re.escape, measures))
    measure = rf"(?P<family>{families})(?:\([^()]*\)@\d+|\([^()]*\)|@\d+)"
    return re.compile(rf"(?<![\w-])(?:(?P<term>{texts})|{measure})(?![\w-])")


def explain_terms(text: object) -> Markup:
    """Escape a text and explain each known term in it, the first time it stands there."""
    written, parts, at = str(text), [], 0
    if meaning := _WHOLE_TERMS.get(written) or _known().get(written):
        return _explained(written, meaning)
    seen: set[str] = set()
    for found in _pattern().finditer(written):
        name = found["term"] or found["family"]
        if name in seen:
            continue
        seen.add(name)
        parts.append(escape(written[at : found.start()]))
        parts.append(_explained(found[0], _known()[name]))
        at = found.end()
    return Markup("").join([*parts, escape(written[at:])])


def _explained(text: str, meaning: str) -> Markup:
    return Markup(
        '<span class="term" tabindex="0">{}<span class="meaning" role="tooltip">{}</span></span>'
    ).format(text, meaning[0].upper() + meaning[1:])
