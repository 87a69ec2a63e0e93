"""Reports that list what there is: stored runs, what a deletion removes, baselines."""

from __future__ import annotations

from dataclasses import asdict
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
    count_queries,
    show_milliseconds,
    show_value,
    tabulate,
)
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION, pick
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from cranfield.formats import Block
    from cranfield.gates.baselines import Accepted, Baseline
    from cranfield.runs.records import RunHeader
    from cranfield.runs.transfer import Deletion

__all__ = [
    "report_baseline_history",
    "report_baselines",
    "report_deletion",
    "report_run_list",
]

_RUN_COLUMNS: dict[Column, Callable[[RunHeader], Any]] = {
    Column("run", CellKind.ID): lambda header: header.id,
    Column("suite"): lambda header: header.suite.id,
    Column("system"): lambda header: header.system,
    Column("label"): lambda header: header.label or None,
    Column("queries"): lambda header: str(len(header.suite.queries)),
    Column("state"): lambda header: str(header.state),
    Column("started"): lambda header: header.started[:19].replace("T", " "),
}


def report_run_list(headers: Sequence[RunHeader]) -> Report:
    """List stored runs."""
    table = Table(*tabulate(headers, _RUN_COLUMNS), labels=7)
    block: Block = table
    if not headers:
        block = Lines((Line("no run is stored yet; cranfield run makes one"),))
    return Report(
        kind="runs",
        title="Stored runs",
        sections=(Section(blocks=(block,)),),
        subject=tuple(headers),
        make_records=lambda: table,
        make_data=lambda: _document("runs", runs=[_header_data(each) for each in headers]),
    )


def _header_data(header: RunHeader) -> dict[str, Any]:
    return {
        **pick(header, "id", "system", "label", "started", "finished", "batch", "selection"),
        "suite": {
            "id": header.suite.id,
            "class": header.suite.query_class,
            "hash": hash_suite(header.suite),
            "queries": len(header.suite.queries),
        },
        "state": str(header.state),
        "k": header.limit,
        "repeats": header.repeats,
        "measures": list(header.measures),
        "warnings": list(header.warnings),
    }


def report_deletion(plan: Deletion) -> Report:
    """Say which runs would be deleted and what needs them, and which are kept for that reason."""
    blocks: list[Block] = []
    for headers, caption in (
        (plan.deleted, f"{count_of(len(plan.deleted), 'run')} to delete:"),
        (plan.kept, "kept, although chosen, because something needs them (name one to delete it):"),
    ):
        columns = dict(_RUN_COLUMNS)
        if any(header.id in plan.needs for header in headers):
            columns[Column("needed by")] = lambda header: plan.needs.get(header.id)
        table = Table(*tabulate(headers, columns), labels=8, caption=caption)
        blocks += [table] if headers else []
    needed = [header.id for header in plan.deleted if header.id in plan.needs]
    if needed:
        text = f"{', '.join(needed)}: something needs what is deleted, as listed above"
        blocks.append(Lines((Line(text, Tone.WARNING, "warning"),)))
    if not plan.deleted:
        blocks.append(Lines((Line("there is nothing to delete"),)))
    return Report("deletion", "Runs to delete", (Section(blocks=tuple(blocks)),), subject=plan)


def report_baselines(found: Mapping[Path, Baseline]) -> Report:
    """Show baselines: who accepted which run, when and why, and its means."""
    sections = []
    for path, each in found.items():
        about = f"{count_queries(len(each.queries))} by {each.system}, {each.limit} hits each"
        lines = [str(path), _describe(each.accepted), *_figures(each.accepted)]
        title = f"{each.suite}, baseline {each.name}: {about}"
        sections.append(Section(title, (Lines(tuple(Line(f"  {line}") for line in lines)),)))
    return Report(
        kind="baselines",
        title="Baselines",
        sections=tuple(sections),
        subject=dict(found),
        make_data=lambda: _document("baselines", baselines=_baselines_data(found)),
    )


def report_baseline_history(found: Mapping[Path, Baseline]) -> Report:
    """List all baselines so far, the oldest first."""
    sections = []
    for each in found.values():
        lines: list[str] = []
        for accepted in (*each.history, each.accepted):
            lines += [f"  {_describe(accepted)}", f"    {', '.join(_figures(accepted))}"]
        title = f"{each.suite}, baseline {each.name}"
        sections.append(Section(title, (Lines(tuple(map(Line, lines))),)))
    return Report(
        kind="baselines",
        title="History of baselines",
        sections=tuple(sections),
        subject=dict(found),
        make_data=lambda: _document("baselines", baselines=_baselines_data(found)),
    )


def _baselines_data(found: Mapping[Path, Baseline]) -> list[dict[str, Any]]:
    return [
        {
            "file": str(path),
            **pick(each, "suite", "suite_hash", "name", "system", "limit", "repeats"),
            "class": each.query_class,
            "measures": list(each.measures),
            "queries": len(each.queries),
            "files": dict(each.files),
            "accepted": asdict(each.accepted),
            "history": [asdict(accepted) for accepted in each.history],
        }
        for path, each in found.items()
    ]


def _figures(accepted: Accepted) -> list[str]:
    """Write the means and the times of a baseline."""
    means = [f"{measure} {show_value(mean)}" for measure, mean in accepted.means.items()]
    times = accepted.latency.items()
    return means + [f"{name} {show_milliseconds(seconds)}" for name, seconds in times]


def _describe(accepted: Accepted) -> str:
    commit = f", commit {accepted.commit[:12]}" if accepted.commit else ""
    author = accepted.author or "nobody known"
    return f"{accepted.date} {accepted.run} by {author}{commit}: {accepted.reason}"


def _document(kind: str, **content: Any) -> dict[str, Any]:
    """Write a document of what is listed; nothing in it is measured, so nothing is volatile."""
    return {"kind": kind, "schema_version": REPORT_SCHEMA_VERSION, **content}
