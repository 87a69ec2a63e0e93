"""`cranfield score`: TREC runs measured, and compared with the first."""

from __future__ import annotations

import os

# NumPy would start threads for large products of matrices, of which there are none here, in a tenth
# of the time that a small run takes. Nothing is started from here that could inherit this.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from dataclasses import replace
from typing import Annotated

import typer

from cranfield.cli.options import OptionalSeed, format_option, refuse_comparison_options
from cranfield.cli.output import report as report_line
from cranfield.cli.output import write_report
from cranfield.formats import find_format
from cranfield.model import Missing, TieRule
from cranfield.trec.score_report import report_scores
from cranfield.trec.scores import ScoreOptions, default_measures
from cranfield.trec.scores import score as score_files

__all__ = ["score"]


def score(
    qrels: Annotated[
        str, typer.Argument(metavar="QRELS", help="TREC qrels or a BEIR .tsv, plain or gzip.")
    ],
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN", help="TREC run files, plain or gzip; - is stdin.")
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="MEASURE",
            help="Such as nDCG@10 or P(rel=2)@5; may be repeated. `cranfield measures` lists all.",
        ),
    ] = None,
    per_query: Annotated[
        bool, typer.Option("--per-query", "-q", help="Show every query, not only the means.")
    ] = False,
    missing: Annotated[
        Missing, typer.Option(help="How to score judged queries without results in a run.")
    ] = Missing.ZERO,
    ties: Annotated[
        TieRule,
        typer.Option(
            help="Order of equal scores: by document id as in trec_eval, or by the rank column."
        ),
    ] = TieRule.DOCUMENT,
    tie_bounds: Annotated[
        bool,
        typer.Option("--tie-bounds", help="Show the worst and best value over orders of ties."),
    ] = False,
    output: Annotated[str, format_option("score")] = "text",
    margin: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="NUMBER", help="Differences within this margin are equivalent."
        ),
    ] = None,
    seed: OptionalSeed = None,
) -> None:
    """Measure TREC runs; with several, compare each with the first.

    Values equal those of trec_eval -c to the last printed digit.

    \b
    cranfield score qrels.txt a.run -m nDCG@10 -m RR
    cranfield score qrels.tsv a.run b.run.gz
    cranfield score qrels.txt a.run --format trec_eval --per-query
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    written = find_format(output, "score")
    if tie_bounds and written.values_only:
        raise typer.BadParameter(f"the format {output} has no place for --tie-bounds")
    refuse_comparison_options(written, len(runs), margin=margin, seed=seed)
    options = ScoreOptions(ties, missing, margin, compare=not written.values_only)
    if seed is not None:
        options = replace(options, seed=seed)
    scores = score_files(qrels, runs, measure or default_measures(written.name), options)
    report = report_scores(
        scores.runs, scores.comparisons, per_query=per_query, tie_bounds=tie_bounds
    )
    write_report(written, report)
    if not written.has_warnings:
        for run in scores.runs:
            for warned in run.warnings:
                report_line(f"warning: {run.name}: {warned.message}")
