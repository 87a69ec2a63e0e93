"""The report of `cranfield score`, and the formats it can take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.measures import parse_measure
from cranfield.registry import Registry
from cranfield.scores.as_csv import render_csv
from cranfield.scores.as_json import render_json
from cranfield.scores.table import render_table
from cranfield.scores.trec_eval import TREC_EVAL_MEASURES, render_trec_eval

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.measures import Measure
    from cranfield.scores.run_comparisons import RunComparison
    from cranfield.trec import ScoredRun

__all__ = ["SCORE_FORMATS", "ScoreFormat", "ScoreReport"]

DEFAULT_MEASURES = tuple(
    parse_measure(text) for text in ("nDCG@10", "RR@10", "AP", "P@5", "R@100", "Judged@10")
)


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """Scored runs, and the comparison of each with the first where there are several."""

    runs: list[ScoredRun]
    comparisons: list[RunComparison]
    per_query: bool = False
    tie_bounds: bool = False


@dataclass(frozen=True, slots=True)
class ScoreFormat:
    """A way to write a report: what it holds, and what it measures when nothing is asked."""

    render: Callable[[ScoreReport], str]
    holds_comparisons: bool = False
    holds_tie_bounds: bool = False
    holds_warnings: bool = False
    measures: tuple[Measure, ...] = DEFAULT_MEASURES


SCORE_FORMATS: Registry[ScoreFormat] = Registry(
    "format", ScoreFormat, group="cranfield.score_formats"
)
SCORE_FORMATS.register(
    "table", ScoreFormat(render_table, holds_comparisons=True, holds_tie_bounds=True)
)
SCORE_FORMATS.register(
    "json",
    ScoreFormat(render_json, holds_comparisons=True, holds_tie_bounds=True, holds_warnings=True),
)
SCORE_FORMATS.register("csv", ScoreFormat(render_csv))
SCORE_FORMATS.register("trec_eval", ScoreFormat(render_trec_eval, measures=TREC_EVAL_MEASURES))
