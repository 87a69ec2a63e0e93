"""What gates make of broken answers, as text for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.reports.facts import SCHEMA_VERSION, as_json
from cranfield.tables import align, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.gates.mutations import MutationReport, MutationResult

__all__ = ["render_mutations", "render_mutations_json"]


def render_mutations(reports: Sequence[MutationReport]) -> str:
    """Write one part a run: what the gate notices, from how many queries on, and what it misses."""
    return "\n".join(_report(each) for each in reports)


def _report(report: MutationReport) -> str:
    ways = len(report.results)
    head = (
        f"{report.suite}: the {report.queries} answers of run {report.run}, broken in {ways} ways "
        f"(seed {report.seed})\n"
    )
    parts = [
        printable(head.rstrip("\n")) + "\n",
        _already(report),
        _overall(report),
        _categories(report),
        "".join(f"{printable(_explain(each))}\n" for each in report.results),
        _verdict(report),
    ]
    return "\n".join(part for part in parts if part)


def _already(report: MutationReport) -> str:
    if not report.before:
        return ""
    rules = printable(", ".join(report.before))
    return f"warning: the run fails its gate unbroken, by {rules}; these rules can catch nothing\n"


def _overall(report: MutationReport) -> str:
    rows = [["mutation", "gate", "queries", "changed", "fewest", "typically"]]
    rows += [
        [
            each.name,
            _gate(each),
            str(each.applied),
            str(each.changed),
            _count(each.smallest),
            _count(each.typical),
        ]
        for each in report.results
    ]
    return align(rows, left=2)


def _gate(result: MutationResult) -> str:
    if not result.applied:
        return "–"
    if result.red in (0, result.draws):
        return "red" if result.red else "green"
    return f"red in {result.red} of {result.draws}"


def _count(count: int | None) -> str:
    return "–" if count is None else str(count)


def _categories(report: MutationReport) -> str:
    names = dict.fromkeys(name for each in report.results for name in each.per_category)
    if not names:
        return ""
    rows = [["fewest in", *names]]
    rows += [
        [each.name, *(_count(each.per_category.get(name)) for name in names)]
        for each in report.results
        if each.applied
    ]
    return align(rows)


def _explain(result: MutationResult) -> str:
    told = f"{result.name}: {result.description}; "
    if not result.applied:
        return f"{told}not applicable: {result.reason}"
    if not result.changed:
        return f"{told}no measure of the suite shows it"
    if not result.by:
        return f"{told}noticed by no rule"
    return f"{told}noticed by {', '.join(result.by)}"


def _verdict(report: MutationReport) -> str:
    """Name what the gate never catches, and what it catches only at times or from more on."""
    blind = report.blind
    partly = [each for each in report.missed if each not in blind]
    lines = []
    if blind:
        lines.append(f"the gate never catches, however many queries break: {_names(blind)}\n")
    if partly:
        lines.append(f"the gate does not always catch: {_names(partly)}\n")
    if not lines and any(each.applied for each in report.results):
        more = " besides what fails already" if report.before else ""
        lines.append(f"the gate catches everything that could be broken{more}\n")
    return "".join(lines) or "nothing could be broken\n"


def _names(results: Iterable[MutationResult]) -> str:
    return printable(", ".join(each.name for each in results))


def render_mutations_json(reports: Sequence[MutationReport]) -> str:
    """Write all reports; ids of runs are under `volatile` and nowhere else."""
    written = {
        "kind": "mutations",
        "schema_version": SCHEMA_VERSION,
        "volatile": [{"id": each.run} for each in reports],
        "suites": [_as_data(each) for each in reports],
    }
    return as_json(written)


def _as_data(report: MutationReport) -> dict[str, Any]:
    return {
        "suite": report.suite,
        "queries": report.queries,
        "seed": report.seed,
        "fails_unbroken": list(report.before),
        "blind": [each.name for each in report.blind],
        "missed": [each.name for each in report.missed],
        "mutations": [
            {
                "name": each.name,
                "description": each.description,
                "applied": each.applied,
                "changed": each.changed,
                "caught": each.caught,
                "red": each.red,
                "draws": each.draws,
                "by": list(each.by),
                "smallest": each.smallest,
                "typical": each.typical,
                "per_category": dict(each.per_category),
                "not_applicable": each.reason,
            }
            for each in report.results
        ],
    }
