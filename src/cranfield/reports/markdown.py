"""Tables in Markdown, and how a run is named in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.runs import Run

__all__ = ["markdown_table", "run_cells"]


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Write rows as a table, the first being its head; bars inside cells are escaped."""
    head, *body = [[_cell(cell) for cell in row] for row in rows]
    lines = [head, ["---"] * len(head), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def run_cells(run: Run) -> list[str]:
    """Name a run: system, id, start, queries and their hash, hits asked for, fingerprints."""
    header = run.header
    files = "; ".join(
        f"{name} {fingerprint.sha256[:12]}" for name, fingerprint in header.files.items()
    )
    queries = len(header.suite.queries)
    suite = f"{queries} ({hash_suite(header.suite)})"
    return [header.system, header.id, header.started, suite, str(header.limit), files or "–"]


def _cell(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())
