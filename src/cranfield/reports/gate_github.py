"""Gates as GitHub shows them: a summary of the job, and a comment on the pull request.

What comes from a suite or a system is written so that it is text and nothing else there: no
table, link, markup or mention can be made of it.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from cranfield.gates import ChangeKind, Severity
from cranfield.reports.facts import gate_rows
from cranfield.reports.gate_facts import (
    choose_answer,
    compared_line,
    deciding_measure,
    group_changes,
    latency_line,
    show_expected,
    show_got,
    stale_lines,
)
from cranfield.reports.gates import GATE_FORMATS, GateFormat
from cranfield.reports.markdown import markdown_table
from cranfield.reports.run_text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.gates import Change, GatedRun, RuleResult
    from cranfield.reports.gates import GateReport

__all__ = ["MARKER", "escape", "render_gate_comment", "render_gate_summary"]

MARKER = "<!-- cranfield gate -->"
"""By this line a workflow finds its earlier comment."""
_MOST_IN_SUMMARY = 50
_MOST_IN_COMMENT = 10
_MOST_NAMED = 20
_LARGEST_SUMMARY = 900_000
_LARGEST_COMMENT = 60_000
"""In bytes, below what GitHub takes."""
_WIDTH = 80
_SIGNS = {Severity.FAIL: "❌", Severity.WARN: "⚠️", Severity.NOTE: "ℹ️"}
_HARMLESS = "-,;/()=%?"
_REORDERING = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Marks that turn the direction of what follows, which could disguise a line."""
# GitHub looks for names and numbers after @ and # in what is shown, where an entity is a plain
# character again: only something in between keeps them apart.
_PLAIN = {
    **{ord(sign): f"&#{ord(sign)};" for sign in string.punctuation if sign not in _HARMLESS},
    **{ord(sign): f"&#{ord(sign)};&#8203;" for sign in "@#"},
    **dict.fromkeys(_REORDERING, "�"),
}


def render_gate_summary(report: GateReport) -> str:
    """Write the summary of a job."""
    return _write("", report, _summary, _LARGEST_SUMMARY)


def render_gate_comment(report: GateReport) -> str:
    """Write a comment, with the runs that failed first; it begins with a hidden mark."""
    return _write(f"{MARKER}\n", report, _comment, _LARGEST_COMMENT)


def escape(text: str, width: int = 1000) -> str:
    """Write text that is shown as it is, in one line."""
    return shorten(text, width).translate(_PLAIN)


def _code(text: str, width: int = _WIDTH) -> str:
    return f"<code>{escape(text, width)}</code>" if text else ""


def _write(head: str, report: GateReport, write: Callable[[GatedRun], str], largest: int) -> str:
    if not report.runs:
        why = escape(report.skipped or "there was no run to judge")
        return f"{head}## ⏭️ Search quality: skipped\n\n{why}\n"
    outcome = "✅ Search quality: passed" if report.passed else "❌ Search quality: failed"
    parts = [write(each) for each in sorted(report.runs, key=lambda each: each.passed)]
    return "\n".join([f"{head}## {outcome}\n", *_fit(parts, largest)])


def _fit(parts: Sequence[str], largest: int) -> list[str]:
    """Keep what GitHub takes, and count the rest."""
    kept: list[str] = []
    for part in parts:
        largest -= len(part.encode())
        if largest < 0:
            more = len(parts) - len(kept)
            return [*kept, f"… and {more} more suites, too long to be shown here\n"]
        kept.append(part)
    return kept


def _summary(gated: GatedRun) -> str:
    parts = [
        _head(gated),
        _results(gated.results),
        _groups(gated),
        _changes(gated, _MOST_IN_SUMMARY),
        _thresholds(gated),
        f"{escape(latency_line(gated))}\n" if latency_line(gated) else "",
        _next(gated),
    ]
    return "\n".join(part for part in parts if part)


def _comment(gated: GatedRun) -> str:
    judged = [
        each for each in gated.results if each.severity is not Severity.NOTE or each.rule == "noise"
    ]
    parts = [_head(gated), _results(judged), _groups(gated), _changes(gated, _MOST_IN_COMMENT)]
    return "\n".join(part for part in parts if part)


def _head(gated: GatedRun) -> str:
    sign = "✅" if gated.passed else "❌"
    stale = "".join(f"> ⚠️ {escape(line)}\n>\n" for line in _warnings(gated)).removesuffix(">\n")
    title = f"### {sign} {escape(gated.run.header.suite.id)}\n\n{escape(compared_line(gated))}\n"
    return f"{title}\n{stale}" if stale else title


def _warnings(gated: GatedRun) -> list[str]:
    return [*stale_lines(gated), *gated.run.header.changes]


def _results(results: Sequence[RuleResult]) -> str:
    return "".join(f"- {_SIGNS[each.severity]} {_result(each)}\n" for each in results)


def _result(result: RuleResult) -> str:
    named = ", ".join(_code(query) for query in result.queries[:_MOST_NAMED])
    more = len(result.queries) - _MOST_NAMED
    named += f" and {more} more" if more > 0 else ""
    return f"{escape(result.message)}: {named}" if named else escape(result.message)


def _groups(gated: GatedRun) -> str:
    rows = [
        [
            escape(each.name, _WIDTH),
            str(each.queries),
            each.show(each.before),
            each.show(each.after),
            each.difference,
            str(each.regressed),
            str(each.improved),
        ]
        for each in group_changes(gated)
    ]
    measure = escape(deciding_measure(gated))
    head = ["", "queries", f"{measure} before", "after", "difference", "regressed", "improved"]
    if gated.regressions is None:
        rows = [[name, count, after] for name, count, _, after, *_ in rows]
        head = ["", "queries", measure]
    return markdown_table([head, *rows])


def _changes(gated: GatedRun, most: int) -> str:
    """Tell of the queries that changed, regressed ones first."""
    regressions = gated.regressions
    if regressions is None:
        return ""
    kinds = (ChangeKind.REGRESSED, ChangeKind.IMPROVED)
    changed = [change for kind in kinds for change in regressions.of_kind(kind)]
    if not changed:
        return "No query changed.\n" if regressions.changes else ""
    rows = [["", "query", "asked", "value", "rank", "expected", "got"]]
    rows += [_change(gated, change) for change in changed[:most]]
    table = markdown_table(rows)
    more = len(changed) - most
    return f"{table}\n… and {more} more of {len(changed)} changed\n" if more > 0 else table


def _change(gated: GatedRun, change: Change) -> list[str]:
    query, run = change.query, gated.run
    place = [each.id for each in gated.outcomes.queries].index(query.id)
    answer = choose_answer(list(run.store.answers(run.header.id, place)))
    values = ["–" if value is None else f"{value:.4f}" for value in (change.before, change.after)]
    ranks = ["–" if rank is None else str(rank) for rank in (change.rank_before, change.rank_after)]
    return [
        str(change.kind),
        _code(query.id),
        _code(query.text),
        " → ".join(values),
        " → ".join(ranks),
        _code(show_expected(query)),
        _code(show_got(answer)),
    ]


def _thresholds(gated: GatedRun) -> str:
    rows = gate_rows(gated)
    if not rows:
        return ""
    escaped = [[escape(cell) for cell in row] for row in rows]
    return markdown_table([["threshold", "of", "reached", "result"], *escaped])


def _next(gated: GatedRun) -> str:
    run = _code(gated.run.header.id)
    return f"Run {run}: <code>cranfield runs show RUN QUERY</code> shows one query.\n"


GATE_FORMATS.register("github", GateFormat("github", render_gate_summary))
GATE_FORMATS.register("comment", GateFormat("comment", render_gate_comment))
