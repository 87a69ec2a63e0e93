"""What is read of judgments: those that are asked for, in the order they were given."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from cranfield.judgments import Judgment, JudgmentStore, query_key
from cranfield.model import Query
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

QUERIES = [Query(f"q{number}", f"query {number}") for number in range(1200)]
KEYS = [query_key(query) for query in QUERIES]


def judged_store() -> JudgmentStore:
    judged = JudgmentStore(open_store())
    given = [Judgment(key, "d", rater, 1) for rater in ("ann", "bob") for key in KEYS]
    judged.add(given, QUERIES, {key: f"text of {key}" for key in KEYS})
    return judged


def test_judgments_of_many_queries_come_in_the_order_they_were_given() -> None:
    judged = judged_store()
    found = judged.judgments(KEYS[1:])
    assert [each.number for each in found] == sorted(each.number or 0 for each in found)
    assert [each.query for each in found] == [*KEYS[1:], *KEYS[1:]]
    assert [each.rater for each in judged.judgments(KEYS[:1])] == ["ann", "bob"]
    assert judged.judgments([]) == []


def test_judgments_after_one_are_those_given_later() -> None:
    judged = judged_store()
    [first, last] = judged.judgments(KEYS[:1])
    assert judged.judgments(KEYS[:1], after=first.number) == [last]


def test_texts_are_those_of_the_contents_asked_for() -> None:
    judged = judged_store()
    wanted = [*KEYS[5:1100], "unknown"]
    assert judged.texts(wanted) == {key: f"text of {key}" for key in KEYS[5:1100]}


def test_only_what_is_asked_for_is_read(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with closing(open_store(path)) as store:
        JudgmentStore(store).add([Judgment(key, "d", "ann", 1) for key in KEYS[:2]], QUERIES[:2])
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE judgments SET grade = 'high' WHERE query = ?", KEYS[1:2])
    with closing(open_store(path)) as store:
        [found] = JudgmentStore(store).judgments(KEYS[:1])
    assert found.grade == 1


def test_an_older_read_only_store_has_no_judgments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path / "store.db")
    monkeypatch.setattr(
        store, "_missing_tables", frozenset({"judgments", "preferences", "judged_contents"})
    )
    judged = JudgmentStore(store)
    assert judged.judgments() == judged.judgments(KEYS) == []
    assert judged.preferences() == []
    assert (judged.count(), judged.texts(KEYS)) == (0, {})
