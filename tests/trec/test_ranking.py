"""RankCounts is counted exactly, whatever the scores and however the rows are parted."""

from __future__ import annotations

import random
from math import nextafter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.trec import ranking
from cranfield.trec.judged_index import JudgedIndex
from cranfield.trec.ranking import _count_unordered
from cranfield.trec.run_parts import RunTotals, read_parts
from cranfield.trec_files.qrels import read_qrels
from cranfield.trec_files.text_blocks import TextSource

pytestmark = pytest.mark.corpus

ONE_AND_NEXT = (nextafter(1, 0), 1.0, nextafter(1, 2), nextafter(nextafter(1, 2), 2))
FAR_APART = (-1e308, -5e-324, -0.0, 0.0, 5e-324, 1e308)
"""So far apart that a query's number leaves no room for the last bits of a score."""

scores = st.one_of(
    st.lists(st.sampled_from(ONE_AND_NEXT + FAR_APART), min_size=1, max_size=20),
    st.lists(st.sampled_from(ONE_AND_NEXT), min_size=1, max_size=20),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20),
)


@given(st.lists(scores, min_size=1, max_size=9), st.integers(0, 999), st.booleans())
def test_every_judged_row_is_counted_among_the_rows_of_its_query(
    queries: list[list[float]], seed: int, small_parts: bool
) -> None:
    rows = [(query, row, score) for query, each in enumerate(queries)
            for row, score in enumerate(each)]  # fmt: skip
    random.Random(seed).shuffle(rows)  # noqa: S311 - not for secrets
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        if small_parts:
            patch.setattr(ranking, "_ROWS_A_PART", 3)
            patch.setattr(ranking, "_ROWS_A_JUDGED", 0)
            patch.setattr(ranking, "_ROWS_AT_ONCE", 2)
        judged, results = Path(folder) / "qrels", Path(folder) / "run"
        judged.write_text("".join(f"{query} 0 {row} 1\n" for query, row, _ in rows[::2]))
        results.write_text("".join(f"{query} Q0 {row} 1 {s!r} t\n" for query, row, s in rows))
        qrels = read_qrels(str(judged))
        source, totals = TextSource(str(results)), RunTotals(len(qrels.queries))
        [table] = read_parts(source, JudgedIndex(qrels), totals)
        counts = _count_unordered(table, qrels.query[table.judgment])
    for at, row in enumerate(table.judged_row.tolist()):
        query, _, score = rows[row]
        assert counts.above[at] == sum(other > score for other in queries[query])
        assert counts.tied[at] == queries[query].count(score)
