"""Judgments that are not as they were written: one message, whatever is damaged."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cranfield.errors import DamagedStoreError
from cranfield.judgments import (
    Judgment,
    JudgmentStore,
    Preference,
    PreferredAnswer,
    query_key,
)
from cranfield.model import Query
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

QUERY = Query("q1", "undo a commit", filters={"language": "en"})


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE judgments SET grade = 'high'",
        "UPDATE judgments SET state = 'lost'",
        "UPDATE judgments SET document = x'ff00'",
        "UPDATE preferences SET choice = 'both'",
        "UPDATE preferences SET rater = x'ff00'",
        "UPDATE judged_queries SET filters = '{\"language\": '",
        "UPDATE judged_queries SET filters = '[]'",
        "UPDATE judged_queries SET text = x'ff00'",
        "DROP TABLE judged_queries",
    ],
)
def test_a_damaged_judgment_is_told_and_left_as_it_is(tmp_path: Path, change: str) -> None:
    path = tmp_path / "store.db"
    with closing(open_store(path)) as store:
        judged = JudgmentStore(store)
        judged.add([Judgment(query_key(QUERY), "d1", "me", 2)], [QUERY])
        choice = PreferredAnswer.FIRST
        judged.add_preference(Preference(query_key(QUERY), "a", "b", choice, "me"), QUERY)
        assert judged.queries()[query_key(QUERY)].filters == QUERY.filters
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(change)
    before = path.read_bytes()
    with closing(open_store(path)) as store:
        judged = JudgmentStore(store)
        with pytest.raises(DamagedStoreError, match="damaged, and was left as it is"):
            (judged.judgments(), judged.preferences(), judged.queries())
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [0, -1, "two"])
def test_a_version_that_no_store_had_is_damage_and_no_reason_to_migrate(
    tmp_path: Path, version: object
) -> None:
    path = tmp_path / "store.db"
    open_store(path).close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE store_version SET version = ?", [version])
    before = path.read_bytes()
    with pytest.raises(DamagedStoreError, match="its version is"):
        open_store(path)
    assert path.read_bytes() == before
