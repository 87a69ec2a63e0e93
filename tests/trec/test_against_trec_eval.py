"""Every value that trec_eval printed for its own tests and for real runs, to the last digit."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from cranfield.formats import render
from cranfield.trec.score_report import report_scores
from cranfield.trec.scores import score_runs
from cranfield.trec.trec_eval_format import TREC_EVAL_MEASURES
from cranfield.trec_files.qrels import read_qrels

if TYPE_CHECKING:
    from pathlib import Path

SUMMARY_LINES = 99
DL19 = ["BM25", "D_BERT_KD_TASB", "SPLADE_P_P_ENSEMBLE_DISTIL"]


def printed_by_us(qrels: Path, run: Path, *, per_query: bool) -> list[str]:
    scored = score_runs(read_qrels(str(qrels)), [run], TREC_EVAL_MEASURES)
    return render(report_scores(scored, per_query=per_query), "trec_eval").splitlines()


@pytest.mark.parametrize(
    ("expected", "qrels", "run", "per_query"),
    [
        ("out.test.aq", "qrels.test", "results.test", True),
        ("out.test.aqc", "qrels.test", "results.trunc", True),
        ("out.test.a", "qrels.test", "results.test", False),
        ("out.test.aq", "qrels.test.with-comments", "results.test", True),
    ],
)
def test_all_trec_output_is_reproduced_line_for_line(
    collections: Path, expected: str, qrels: str, run: str, per_query: bool
) -> None:
    folder = collections / "trec_eval"
    ours = printed_by_us(folder / qrels, folder / run, per_query=per_query)
    assert ours == (folder / expected).read_text().splitlines()
    assert sum("\tall\t" in line for line in ours) == SUMMARY_LINES


def test_documents_with_a_hash_sign_are_not_comments(collections: Path) -> None:
    folder = collections / "trec_eval"
    ours = printed_by_us(
        folder / "qrels.comment.test", folder / "results.comment.test", per_query=False
    )
    expected = (folder / "out.comment.test").read_text().splitlines()
    assert len(expected) == 30
    names = {line.split("\t")[0] for line in expected}
    assert [line for line in ours if line.split("\t")[0] in names] == expected


@pytest.mark.parametrize("system", DL19)
def test_real_runs_are_reproduced_line_for_line(collections: Path, system: str) -> None:
    folder = collections / "runs"
    ours = printed_by_us(
        folder / "qrels.dl19-passage.txt", folder / f"run.dl19.{system}.txt", per_query=True
    )
    with gzip.open(folder / f"run.dl19.{system}.all_trec.qc.txt.gz", "rt") as expected:
        assert ours == expected.read().splitlines()
