"""The report of what suites can show: the spread, the detectable difference, the queries needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.formats import (
    CellKind,
    Column,
    Line,
    Lines,
    Report,
    Section,
    Table,
    Tone,
    count_of,
    tabulate,
)
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION, pick
from cranfield.statistics import ALPHA

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.comparisons import MeasurePower, SuitePower

__all__ = ["report_power"]

_LEGEND = """\
sd is the standard deviation of the differences between two runs, query by query
detectable is the smallest mean difference that these queries show four times in five, by the
two-sided paired t-test of one measure alone at 0.05, guarded against changes too rare to have been
seen; compare corrects over all that it tests at once and needs somewhat more
"""
_GUESS = """\
* guessed from one run: √2 times the standard deviation of its own values, as if two builds had
nothing in common; two builds of one system mostly need fewer queries
"""


def report_power(suites: Sequence[SuitePower]) -> Report:
    """Report what suites can show, one section each."""
    guessed = any(each.is_guess for suite in suites for each in suite.measures)
    return Report(
        kind="power",
        title="What suites can show",
        sections=tuple(_section(suite) for suite in suites),
        notes=tuple((_LEGEND + (_GUESS if guessed else "")).splitlines()),
        subject=tuple(suites),
        make_data=lambda: _data(suites),
    )


def _section(suite: SuitePower) -> Section:
    queries = count_of(suite.queries, "query", "queries")
    title = f"{suite.suite_id}, {queries} of the class {suite.query_class}"
    if not suite.is_known:
        missing = "no complete run is stored that asked it; `cranfield run` makes one"
        return Section(title, (Lines((Line(missing, Tone.WARNING),)),))
    return Section(title, (Lines(tuple(map(Line, _basis(suite)))), _measures(suite)))


def _basis(suite: SuitePower) -> list[str]:
    runs = f"{count_of(len(suite.runs), 'run')} of {', '.join(suite.systems)}"
    if suite.pairs:
        lines = [f"{runs}, {count_of(suite.pairs, 'pair')} to compare"]
    else:
        lines = [runs, "no two builds to compare yet: run another build, and this gets sharper"]
    if any(each.pairs < suite.pairs for each in suite.measures):
        lines.append("left out of a measure: pairs whose differences in it have no spread")
    if suite.repeats:
        what = "is one build" if suite.repeats == 1 else "are one build each"
        lines.append(f"left out: {count_of(suite.repeats, 'pair')} that {what} asked twice")
    if suite.unasked:
        lines.append(f"not counted: {count_of(suite.unasked, 'query', 'queries')} not run yet")
    if suite.unanswered:
        failed = count_of(suite.unanswered, "query", "queries")
        lines.append(f"not counted: {failed} that the newest run failed to answer")
    return lines


def _measures(suite: SuitePower) -> Table:
    columns: dict[Column, Callable[[MeasurePower], Any]] = {
        Column("measure"): lambda each: str(each.measure),
        Column("queries", CellKind.COUNT): lambda each: each.queries,
        Column("from"): _origin,
        Column("sd", CellKind.VALUE): lambda each: each.sd,
        Column("detectable", CellKind.VALUE): lambda each: each.detectable,
        Column(f"for {suite.delta:g}", CellKind.COUNT): lambda each: each.needed,
        Column("more", CellKind.COUNT): lambda each: each.more,
    }
    notes = tuple(f"{each.measure}: {each.reason}" for each in suite.measures if each.reason)
    return Table(*tabulate(suite.measures, columns), notes=notes)


def _origin(each: MeasurePower) -> str | None:
    if each.pairs:
        return count_of(each.pairs, "pair")
    return "1 run *" if each.is_guess else None


def _data(suites: Sequence[SuitePower]) -> dict[str, Any]:
    return {
        "kind": "power",
        "schema_version": REPORT_SCHEMA_VERSION,
        "alpha": ALPHA,
        "power": 0.8,
        "suites": [_suite_data(suite) for suite in suites],
    }


def _suite_data(suite: SuitePower) -> dict[str, Any]:
    return {
        "id": suite.suite_id,
        "class": suite.query_class,
        **pick(suite, "queries", "unasked", "unanswered", "delta", "systems"),
        "runs": len(suite.runs),
        **pick(suite, "pairs", "repeats"),
        "measures": [
            {
                "measure": str(each.measure),
                **pick(each, "queries", "pairs"),
                "guessed": each.is_guess,
                **pick(each, "sd", "detectable", "needed", "more", "reason"),
            }
            for each in suite.measures
        ],
    }
