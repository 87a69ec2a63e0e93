"""The report of broken answers: what the gate notices, from how many queries on, what it misses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.formats import CellKind, Column, Line, Lines, Report, Section, Table, Tone, count_of
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION, pick

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.gates.mutations import MutationReport, MutationResult

__all__ = ["report_mutations"]


def report_mutations(checked: Sequence[MutationReport]) -> Report:
    """Report mutated runs, one section each."""
    return Report(
        kind="mutations",
        title="What gates notice",
        sections=tuple(_section(each) for each in checked),
        subject=tuple(checked),
        make_data=lambda: _data(checked),
    )


def _section(checked: MutationReport) -> Section:
    count = len(checked.results)
    explained = tuple(Line(_explain(each)) for each in checked.results)
    return Section(
        title=f"{checked.suite}: {count_of(checked.queries, 'answer')} of run {checked.run}, "
        f"broken in {count} ways (seed {checked.seed})",
        blocks=(
            Lines(_already_failing(checked)),
            _overall(checked),
            _categories(checked),
            Lines(explained),
            Lines(tuple(_verdict(checked))),
        ),
    )


def _already_failing(checked: MutationReport) -> tuple[Line, ...]:
    if not checked.before:
        return ()
    rules = ", ".join(checked.before)
    text = f"the run fails its gate unbroken, by {rules}; these rules can catch nothing"
    return (Line(text, Tone.WARNING, "warning"),)


def _overall(checked: MutationReport) -> Table:
    columns = (
        Column("mutation"),
        Column("gate"),
        *(Column(title, CellKind.COUNT) for title in ("queries", "changed", "fewest", "typically")),
    )
    rows = [
        (each.name, _gate(each), each.applied, each.changed, each.smallest, each.typical)
        for each in checked.results
    ]
    return Table(columns, tuple(rows), labels=2)


def _gate(result: MutationResult) -> str | None:
    if not result.applied:
        return None
    if result.red in (0, result.draws):
        return "red" if result.red else "green"
    return f"red in {result.red} of {result.draws}"


def _categories(checked: MutationReport) -> Table:
    names = dict.fromkeys(name for each in checked.results for name in each.per_category)
    rows = [
        (each.name, *(each.per_category.get(name) for name in names))
        for each in checked.results
        if each.applied and names
    ]
    columns = (Column("fewest in"), *(Column(name, CellKind.COUNT) for name in names))
    return Table(columns, tuple(rows))


def _explain(result: MutationResult) -> str:
    named = f"{result.name}: {result.description}; "
    if not result.applied:
        return f"{named}not applicable: {result.reason}"
    if not result.changed:
        return f"{named}no measure of the suite shows it"
    if not result.by:
        return f"{named}noticed by no rule"
    return f"{named}noticed by {', '.join(result.by)}"


def _verdict(checked: MutationReport) -> list[Line]:
    """Name what the gate never catches, and what it catches only at times or from more on."""
    blind = checked.blind
    partly = [each for each in checked.missed if each not in blind]
    lines = []
    if blind:
        text = f"the gate never catches, however many queries break: {_names(blind)}"
        lines.append(Line(text, Tone.BAD))
    if partly:
        lines.append(Line(f"the gate does not always catch: {_names(partly)}", Tone.WARNING))
    if not lines and any(each.applied for each in checked.results):
        more = " besides what fails already" if checked.before else ""
        lines.append(Line(f"the gate catches everything that could be broken{more}", Tone.GOOD))
    return lines or [Line("nothing could be broken")]


def _names(results: Iterable[MutationResult]) -> str:
    return ", ".join(each.name for each in results)


def _data(checked: Sequence[MutationReport]) -> dict[str, Any]:
    """Write all runs; their ids are under `volatile` and nowhere else."""
    return {
        "kind": "mutations",
        "schema_version": REPORT_SCHEMA_VERSION,
        "volatile": [{"id": each.run} for each in checked],
        "suites": [_suite_data(each) for each in checked],
    }


def _suite_data(checked: MutationReport) -> dict[str, Any]:
    return {
        **pick(checked, "suite", "queries", "seed"),
        "fails_unbroken": list(checked.before),
        "blind": [each.name for each in checked.blind],
        "missed": [each.name for each in checked.missed],
        "mutations": [
            {
                **pick(each, "name", "description", "applied", "changed", "caught", "red", "draws"),
                **pick(each, "by", "smallest", "typical", "per_category"),
                "not_applicable": each.reason,
            }
            for each in checked.results
        ],
    }
