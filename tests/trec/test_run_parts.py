"""A run read in parts is graded as in one piece, whatever its order and its parts."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.measures import parse_measure
from cranfield.model import TieRule
from cranfield.trec import run_parts
from cranfield.trec.graded_run import grade_run
from cranfield.trec.scores import score_runs
from cranfield.trec_files.qrels import read_qrels
from cranfield.trec_files.text_blocks import TextSource

LONG = "a-document-with-a-long-name-"
MEASURES = [parse_measure(name) for name in ("AP", "nDCG", "RR", "NumRet")]


def split_into(patch: pytest.MonkeyPatch, part_rows: int, block_bytes: int) -> None:
    """Let parts and blocks be small."""
    patch.setattr(run_parts, "PART_ROWS", part_rows)
    patch.setattr(run_parts, "_MIXED_PARTS", 3)
    whole = TextSource.__init__
    patch.setattr(
        TextSource,
        "__init__",
        lambda self, path: whole(self, path, block_bytes=block_bytes),
    )


@st.composite
def runs(draw: st.DrawFn) -> list[tuple[str, str, int]]:
    """Draw rows of query, document and score: together, in order, or in any order."""
    documents = [*(f"d{n}" for n in range(6)), *(f"{LONG}{n}" for n in range(6))]
    queries = draw(st.lists(st.sampled_from(["q1", "q2", "q3", "q4", "u1"]), unique=True))
    rows = [
        (query, document, draw(st.integers(0, 3)))
        for query in ["q0", *queries]
        for document in draw(st.permutations(documents))[: draw(st.integers(1, 12))]
    ]
    if draw(st.booleans()):
        rows = draw(st.permutations(rows))
    return rows


@given(
    rows=runs(),
    part_rows=st.integers(1, 20),
    block_bytes=st.sampled_from([40, 100, 400]),
    ties=st.sampled_from(TieRule),
    mark=st.booleans(),
)
def test_parts_are_graded_like_the_whole(
    rows: list[tuple[str, str, int]], part_rows: int, block_bytes: int, ties: TieRule, mark: bool
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        run, judgments = Path(folder) / "run", Path(folder) / "qrels"
        lines = [f"{q} Q0 {d} {n} {score} tag\n" for n, (q, d, score) in enumerate(rows)]
        run.write_text("\ufeff" * mark + "".join(lines))
        judgments.write_text(
            "".join(f"q{n} 0 {d} {n % 3}\n" for n in range(5) for d in ("d1", "d2", f"{LONG}3"))
        )
        qrels = read_qrels(str(judgments))
        whole = grade_run(qrels, str(run), ties=ties)
        split_into(patch, part_rows, block_bytes)
        parts = grade_run(qrels, str(run), ties=ties)
    assert parts.columns.queries == whole.columns.queries
    for name in ("retrieved", "hit_query", "hit_rank", "hit_grade", "judgment_grade"):
        assert np.array_equal(getattr(parts.columns, name), getattr(whole.columns, name)), name
    assert np.array_equal(parts.tied.query, whole.tied.query)
    assert np.array_equal(parts.tied.worst.hit_rank, whole.tied.worst.hit_rank)
    assert (parts.unjudged, parts.missing) == (whole.unjudged, whole.missing)


ORDERS = ("together", "mixed")


def arrange(order: str, rows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Put a query's rows together, or all of one document."""
    return sorted(rows, key=lambda row: row[1] if order == "mixed" else row[0])


def write_files(folder: Path, rows: list[tuple[int, int]]) -> tuple[str, str]:
    (folder / "qrels").write_text("".join(f"q{n} 0 {LONG}{n} 1\n" for n in range(9)))
    (folder / "run").write_text("".join(f"q{q} Q0 {LONG}{d} 1 1 tag\n" for q, d in rows))
    return str(folder / "qrels"), str(folder / "run")


@pytest.mark.parametrize("order", ORDERS)
def test_a_document_twice_is_refused_with_its_line_in_any_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    rows = arrange(order, [(q, d) for q in range(9) for d in range(9)])
    at = rows.index((6, 4))
    rows.insert(at + 20, (6, 4)) if order == "mixed" else rows.insert(at + 3, (6, 4))
    qrels, run = write_files(tmp_path, rows)
    split_into(monkeypatch, 20, 300)
    line = rows.index((6, 4), at + 1) + 1
    with pytest.raises(InputError, match=f"{LONG}4.*twice") as caught:
        score_runs(read_qrels(qrels), [run], MEASURES)
    assert caught.value.line == line


@pytest.mark.parametrize("order", ORDERS)
def test_a_packed_run_in_parts_scores_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    import gzip

    qrels, run = write_files(tmp_path, arrange(order, [(q, d) for q in range(9) for d in range(9)]))
    packed = tmp_path / "run.gz"
    packed.write_bytes(gzip.compress(Path(run).read_bytes()))
    [whole] = score_runs(read_qrels(qrels), [run], MEASURES)
    split_into(monkeypatch, 20, 300)
    [parts] = score_runs(read_qrels(qrels), [str(packed)], MEASURES)
    assert [parts.value(each) for each in MEASURES] == [whole.value(each) for each in MEASURES]


@pytest.mark.parametrize("order", ORDERS)
def test_many_judged_rows_are_each_in_their_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    rows = arrange(order, [(query, document) for query in range(300) for document in range(100)])
    (tmp_path / "qrels").write_text("".join(f"q{q} 0 {LONG}{d} 1\n" for q, d in rows[::5]))
    lines = (f"q{q} Q0 {LONG}{d} 1 {1000 - d} tag\n" for q, d in rows)
    (tmp_path / "run").write_text("".join(lines))
    qrels, run = read_qrels(str(tmp_path / "qrels")), str(tmp_path / "run")
    whole = grade_run(qrels, run).columns
    split_into(monkeypatch, 9_000, 200_000)
    assert np.array_equal(grade_run(qrels, run).columns.hit_rank, whole.hit_rank)


def test_no_room_for_temporary_files_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, run = write_files(
        tmp_path, arrange("mixed", [(q, d) for q in range(9) for d in range(9)])
    )
    split_into(monkeypatch, 20, 300)

    def full_disk(prefix: str) -> None:
        with TemporaryFile(prefix=prefix):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(run_parts, "TemporaryFile", full_disk)
    with pytest.raises(
        InputError, match="No space left on device; sort it by query, or set TMPDIR"
    ):
        score_runs(read_qrels(qrels), [run], MEASURES)
