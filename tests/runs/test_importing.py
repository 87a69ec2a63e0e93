"""Runs of several stores brought together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.runs.samples import right_first, right_second, small_suite

from cranfield.runs import Run, audit_run, import_runs, open_store, run_suite, summarise

if TYPE_CHECKING:
    from pathlib import Path


def test_runs_of_another_store_are_taken_in_once(tmp_path: Path) -> None:
    here, there = open_store(tmp_path / "here.db"), open_store(tmp_path / "there.db")
    run_suite(small_suite(3), right_first, store=here)
    first = run_suite(small_suite(1200), right_second, store=there)
    copied, left = import_runs(here, there)
    assert ([each.id for each in copied], left) == ([first.header.id], [])
    brought = Run(here.header(first.header.id), here)
    assert summarise(brought) == summarise(first)
    assert audit_run(brought) == []
    copied, left = import_runs(here, there)
    assert (copied, [each.id for each in left]) == ([], [first.header.id])
