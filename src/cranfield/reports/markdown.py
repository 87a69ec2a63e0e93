"""Tables in Markdown, and how a run is named in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    """Name a run: system, id, start, number of queries, hits asked for, fingerprints of files."""
    header = run.header
    files = "; ".join(
        f"{name} {fingerprint.sha256[:12]}" for name, fingerprint in header.files.items()
    )
    queries = len(header.suite.queries)
    return [header.system, header.id, header.started, str(queries), str(header.limit), files or "–"]


def _cell(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())
