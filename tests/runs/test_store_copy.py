"""A store copied to another place: all of it arrives, once, whatever kind of place it is."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select
from tests.runs.samples import right_first, right_second, small_suite

from cranfield.judging.models.answer_store import AnswerStore, StoredAnswer
from cranfield.judgments import (
    JudgedItem,
    Judgment,
    JudgmentStore,
    Preference,
    PreferredAnswer,
    query_key,
)
from cranfield.model import Query
from cranfield.runs import store_schema
from cranfield.runs.records import RunState
from cranfield.runs.regrading import audit_store
from cranfield.runs.runner import run_suite
from cranfield.runs.store import open_store
from cranfield.runs.transfer import copy_store

if TYPE_CHECKING:
    from pathlib import Path

    from tests.databases import PostgresServer

    from cranfield.runs.store import Store

NOTE = "zero \0 byte, \ue000 and \ue0000, ünïcode"


def fill(store: Store) -> None:
    """Store two runs, a third that is unfinished, judgments, preferences and a model's answer."""
    run_suite(small_suite(30), right_first, store=store)
    second = run_suite(small_suite(30), right_second, store=store).header
    run_suite(small_suite(5), right_second, store=store)
    query = Query("q1", "a \0 question", filters={"kind": ["a"]})
    key = query_key(query)
    judged = JudgmentStore(store)
    same = Judgment(key, "doc", "Ann", 1, note=NOTE, given="2026-01-01T00:00:00.000+00:00")
    judged.add([same, same, replace(same, grade=0)], [query], {"abc": NOTE})
    judged.add_preference(Preference(key, "x", "y", PreferredAnswer.FIRST, "Ann", note=NOTE), query)
    AnswerStore(store).add(StoredAnswer("k", "m", "d", key, "i", NOTE, None, "why", 1, 2, "now"))
    with store.changing() as connection:
        last = store_schema.answers.c.place >= 20
        of_run = store_schema.answers.c.run == second.id
        connection.execute(store_schema.answers.delete().where(of_run, last))
    store.update(replace(second, state=RunState.RUNNING, finished=""))


def dump(store: Store) -> dict[str, list[Any]]:
    """Return all rows of all tables but reservations."""
    with store.reading() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in store_schema.metadata.sorted_tables
            if table.name != "claims"
        }


def test_everything_is_copied_once(tmp_path: Path) -> None:
    source, target = open_store(tmp_path / "a.db"), open_store(tmp_path / "b.db")
    fill(source)
    first = copy_store(source, target)
    assert first.added == {
        "suites": 2, "runs": 3, "answers": 55, "judged_queries": 1, "judged_contents": 1,
        "model_answers": 1, "judgments": 3, "preferences": 1,
    }  # fmt: skip
    assert dump(target) == dump(source)
    assert (copy_store(source, target).total, dump(target)) == (0, dump(source))
    source.close()
    target.close()


def test_an_unfinished_run_is_completed_by_a_later_copy(tmp_path: Path) -> None:
    source, target = open_store(tmp_path / "a.db"), open_store(tmp_path / "b.db")
    run = run_suite(small_suite(30), right_first, store=source)
    rows = dump(source)["answers"]
    with source.changing() as connection:
        of_later = store_schema.answers.c.place >= 10
        connection.execute(store_schema.answers.delete().where(of_later))
    source.update(replace(run.header, state=RunState.RUNNING, finished=""))
    assert copy_store(source, target).added["answers"] == 10
    names = [column.name for column in store_schema.answers.columns]
    source.add(run.header.id, [dict(zip(names, row, strict=True)) for row in rows if row[1] >= 10])
    source.update(run.header)
    assert copy_store(source, target).added["answers"] == 20
    assert dump(target) == dump(source)
    assert audit_store(target).passed
    source.close()
    target.close()


def test_what_only_the_target_has_stays(tmp_path: Path) -> None:
    source, target = open_store(tmp_path / "a.db"), open_store(tmp_path / "b.db")
    mine = run_suite(small_suite(4), right_second, store=target)
    fill(source)
    copy_store(source, target)
    assert target.header(mine.header.id) == mine.header
    assert len(target.headers()) == 4
    source.close()
    target.close()


def test_a_run_that_contradicts_one_of_its_id_is_named_and_left(tmp_path: Path) -> None:
    source, target = open_store(tmp_path / "a.db"), open_store(tmp_path / "b.db")
    run = run_suite(small_suite(4), right_first, store=source)
    copy_store(source, target)
    source.update(replace(run.header, system="another"))
    done = copy_store(source, target)
    assert (done.total, done.contradicting) == (0, (run.header.id,))
    assert target.header(run.header.id) == run.header
    source.close()
    target.close()


@pytest.mark.process
@pytest.mark.server
@pytest.mark.xdist_group("postgres")
def test_a_file_becomes_a_database_and_a_file_again(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    source, back = open_store(tmp_path / "a.db"), open_store(tmp_path / "b.db")
    database = open_store(postgres.make_database("copied"))
    fill(source)
    copy_store(source, database)
    assert dump(database) == dump(source)
    assert copy_store(source, database).total == 0
    copy_store(database, back)
    assert dump(back) == dump(source)
    assert [each.note for each in JudgmentStore(database).judgments()] == [NOTE] * 3
    for store in (source, back, database):
        store.close()


@pytest.mark.process
@pytest.mark.server
@pytest.mark.xdist_group("postgres")
def test_judgments_are_given_and_reserved_on_a_server(postgres: PostgresServer) -> None:
    """Eight raters at once: what needs one judgment is reserved for one of them."""
    store = open_store(postgres.make_database("judged"))
    fill(store)
    judged = JudgmentStore(store)
    assert [(each.grade, each.note) for each in judged.judgments()] == [
        (1, NOTE), (1, NOTE), (0, NOTE),
    ]  # fmt: skip
    assert [each.is_swapped for each in judged.preferences()] == [False]
    assert judged.texts(["abc"]) == {"abc": NOTE}
    needed = {JudgedItem("k", f"item {number}"): 1 for number in range(8)}
    claimed: list[JudgedItem | None] = []
    raters = [
        threading.Thread(target=lambda name: claimed.append(judged.claim(name, needed, 60)),
                         args=[f"rater {number}"])
        for number in range(8)
    ]  # fmt: skip
    for rater in raters:
        rater.start()
    for rater in raters:
        rater.join()
    assert set(claimed) == set(needed)
    store.close()
