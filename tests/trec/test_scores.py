"""Scored runs are compared with the first of them, if there are several and it is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.trec.scores import ScoreOptions, score

if TYPE_CHECKING:
    from pathlib import Path


def test_each_further_run_is_compared_with_the_first(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 1\nq2 0 b 1\n")
    names = []
    for name, first in {"one": "a", "two": "b", "three": "c"}.items():
        lines = [f"{query} Q0 {first} 1 1.0 {name}\n" for query in ("q1", "q2")]
        (tmp_path / name).write_text("".join(lines))
        names.append(tmp_path / name)
    for count in (1, 2, 3):
        scores = score(tmp_path / "qrels", names[:count], ["RR"])
        assert [run.name for run in scores.runs] == ["one", "two", "three"][:count]
        assert len(scores.comparisons) == count - 1
    alone = score(tmp_path / "qrels", names, ["RR"], ScoreOptions(compare=False))
    assert alone.comparisons == ()
