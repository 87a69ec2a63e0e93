"""The report of `cranfield score`, and the formats it can take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cranfield.registry import Registry
from cranfield.reports.score_csv import render_csv
from cranfield.reports.score_json import render_json
from cranfield.reports.score_table import render_table
from cranfield.reports.trec_eval import render_trec_eval

if TYPE_CHECKING:
    from cranfield.compare import RunComparison
    from cranfield.trec import ScoredRun

__all__ = ["SCORE_FORMATS", "ScoreFormat", "ScoreReport"]


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """Scored runs, and the comparison of each with the first where there are several."""

    runs: list[ScoredRun]
    comparisons: list[RunComparison]
    per_query: bool = False
    tie_bounds: bool = False


ScoreFormat: TypeAlias = Callable[[ScoreReport], str]

SCORE_FORMATS: Registry[ScoreFormat] = Registry("format", group="cranfield.score_formats")
SCORE_FORMATS.register("table", render_table)
SCORE_FORMATS.register("json", render_json)
SCORE_FORMATS.register("csv", render_csv)
SCORE_FORMATS.register("trec_eval", render_trec_eval)
