"""`cranfield score`: TREC runs measured, and compared with the first."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

__all__ = ["score"]

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "AP", "P@5", "R@100", "Judged@10")


class Format(StrEnum):
    """What the report is written as."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    TREC_EVAL = "trec_eval"


class Ties(StrEnum):
    """How hits with equal scores are ordered."""

    DOCUMENT = "document"
    GIVEN = "given"


class MissingQueries(StrEnum):
    """What becomes of judged queries without results."""

    ZERO = "zero"
    SKIP = "skip"
    ERROR = "error"


def score(
    qrels: Annotated[
        str, typer.Argument(metavar="QRELS", help="TREC qrels or a BEIR .tsv, plain or gzip.")
    ],
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN", help="TREC run files, plain or gzip; - is stdin."),
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
        MissingQueries, typer.Option(help="Judged queries that a run has no results for.")
    ] = MissingQueries.ZERO,
    ties: Annotated[
        Ties,
        typer.Option(
            help="Order of equal scores: by document id as in trec_eval, or by the rank column."
        ),
    ] = Ties.DOCUMENT,
    tie_bounds: Annotated[
        bool, typer.Option("--tie-bounds", help="Show the worst and best value over tie orders.")
    ] = False,
    output: Annotated[Format, typer.Option("--format", "-f", help="What to print.")] = Format.TABLE,
    margin: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="NUMBER",
            help="Call differences equivalent that surely lie within this much of 0.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, metavar="NUMBER", help="Seed of the randomised statistics.")
    ] = 1967,
) -> None:
    """Measure TREC runs; with several, compare each with the first.

    Values equal those of trec_eval -c to the last printed digit.

    \b
    cranfield score qrels.txt a.run -m nDCG@10 -m RR
    cranfield score qrels.tsv a.run b.run.gz
    cranfield score qrels.txt a.run --format trec_eval --per-query
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.compare import compare_runs
    from cranfield.measures import parse_measure
    from cranfield.reports import SCORE_FORMATS, TREC_EVAL_MEASURES, ScoreReport
    from cranfield.trec import Missing, TieRule, read_qrels, score_runs

    asked = [parse_measure(text) for text in measure or DEFAULT_MEASURES]
    if not measure and output is Format.TREC_EVAL:
        asked = list(TREC_EVAL_MEASURES)
    scored = score_runs(
        read_qrels(qrels),
        runs,
        list(dict.fromkeys(asked)),
        ties=TieRule(ties),
        missing=Missing(missing),
    )
    wants_comparison = len(scored) > 1 and output in {Format.TABLE, Format.JSON}
    comparisons = compare_runs(scored, seed=seed, margin=margin) if wants_comparison else []
    report = ScoreReport(scored, comparisons, per_query=per_query, tie_bounds=tie_bounds)
    typer.echo(SCORE_FORMATS.get(output)(report), nl=False)
    if output is not Format.JSON:
        for run in scored:
            for warned in run.warnings:
                typer.echo(f"warning: {run.name}: {warned.message}", err=True)
