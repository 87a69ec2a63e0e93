"""Runs of several stores brought together."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from tests.runs.samples import right_first, right_second, small_suite

from cranfield.errors import StoreError
from cranfield.runs.regrading import audit_run
from cranfield.runs.runner import Run, run_suite
from cranfield.runs.store import open_store
from cranfield.runs.summaries import summarise
from cranfield.runs.transfer import import_runs, open_copy

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.corpus
def test_runs_of_another_store_are_taken_in_once(tmp_path: Path) -> None:
    here, there = open_store(tmp_path / "here.db"), open_store(tmp_path / "there.db")
    run_suite(small_suite(3), right_first, store=here)
    first = run_suite(small_suite(1200), right_second, store=there)
    copied, left, damaged = import_runs(here, there)
    assert ([each.id for each in copied], left, damaged) == ([first.header.id], (), {})
    brought = Run(here.header(first.header.id), here)
    assert summarise(brought) == summarise(first)
    assert audit_run(brought) == []
    copied, left, damaged = import_runs(here, there)
    assert (copied, [each.id for each in left], damaged) == ((), [first.header.id], {})


def test_another_store_is_read_with_its_log_and_not_touched(tmp_path: Path) -> None:
    there = open_store(tmp_path / "there.db")
    run = run_suite(small_suite(3), right_first, store=there)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    with open_copy(str(tmp_path / "there.db")) as other:
        assert [each.id for each in other.headers()] == [run.header.id]
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_a_file_that_is_no_store_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="has no table store_version"), open_copy(str(path)):
        pass
    assert path.read_bytes() == before
    path.write_text("no database at all, but long enough to be one" * 20)
    with pytest.raises(StoreError, match="is not a store of runs"), open_copy(str(path)):
        pass
