"""Right answers told by what they are."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import ExpectationError
from cranfield.measures import parse_measure
from cranfield.model import Grades, Hit, Query, Response, Undefined
from cranfield.relevance import RuleContext, read_expectation, resolve_expectation, without_system

SELECT = "SELECT uri FROM symbols WHERE is_async"


def grade(where: dict[str, Any], **fields: Any) -> Grades:
    query = Query("q", "text", {"where": where})
    return read_expectation(query).grade(Response.of((Hit("docs://a", fields=fields),)))


@pytest.mark.parametrize(
    ("where", "held"),
    [
        ({"kind": "property"}, True),
        ({"kind": "method"}, False),
        ({"kind": ["method", "property"]}, True),
        ({"missing": "x"}, False),
        ({"attributes": {"contains": "@MainActor"}}, True),
        ({"attributes": {"contains": "Main"}}, False),
        ({"signature": {"contains": "async"}}, True),
        ({"signature": {"contains": 5}}, False),
        ({"table": {"contains": ["unhashable"]}}, False),
        ({"table": {"contains": "key"}}, True),
        ({"attributes": {"matches": "^@Main"}}, True),
        ({"signature": {"matches": "^async"}}, False),
        ({"missing": {"matches": ""}}, False),
        ({"lines": {"at_least": 3, "at_most": 5}}, True),
        ({"lines": {"at_least": 6}}, False),
        ({"signature": {"at_least": 0}}, False),
        ({"id": {"matches": "^docs://"}}, True),
        ({"kind": "property", "lines": {"at_most": 3}}, False),
    ],
)
def test_every_condition_on_the_fields_has_to_hold(where: dict[str, Any], held: bool) -> None:
    grades = grade(
        where,
        kind="property",
        attributes=["@MainActor", "@objc"],
        signature="func f() async",
        lines=4,
        table={"key": 1},
    )
    assert grades.ranked == (1 if held else None,)


def test_nobody_knows_how_many_hits_fulfil_a_predicate() -> None:
    grades = grade({"kind": "property"}, kind="property")
    assert grades.judgments is None
    assert isinstance(parse_measure("R@10")(grades), Undefined)


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({}, "where: without a field every hit is right"),
        ({"kind": {}}, "where: kind has an empty condition"),
        ({"kind": {"equals": 1}}, "where: kind has no condition 'equals'; there are matches"),
        ({"kind": {"matches": "("}}, "'(' is not a regular expression"),
        ({"kind": {"at_least": "x"}}, "at_least: expected `float"),
    ],
)
def test_a_predicate_that_cannot_be_used_is_refused(where: dict[str, Any], message: str) -> None:
    with pytest.raises(ExpectationError) as refused:
        grade(where)
    assert message in str(refused.value)


def write_database(path: Path, *, wal: bool = False) -> Path:
    with closing(sqlite3.connect(path)) as opened, opened:
        if wal:
            opened.execute("PRAGMA journal_mode = WAL")
        opened.execute("CREATE TABLE symbols (uri, is_async)")
        opened.execute("INSERT INTO symbols VALUES ('docs://a', 1), ('docs://b', 0)")
    return path


def snapshot(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if not path.name.endswith("-shm")  # the index of a log in use changes with each reader
    }


@pytest.mark.process
@pytest.mark.parametrize("wal", [False, True])
def test_an_sql_query_names_the_right_ids_and_changes_nothing(tmp_path: Path, wal: bool) -> None:
    database = write_database(tmp_path / "index.db", wal=wal)
    before, names = snapshot(tmp_path), set(tmp_path.iterdir())
    query = Query("q", "text", {"sql": SELECT})
    expectation = read_expectation(query, RuleContext(database=database))
    assert [target.name for target in expectation.targets] == ["docs://a"]
    assert snapshot(tmp_path) == before
    assert set(tmp_path.iterdir()) == names


@pytest.mark.process
def test_changes_that_only_the_log_holds_are_seen_and_stay_there(tmp_path: Path) -> None:
    database = write_database(tmp_path / "index.db", wal=True)
    with closing(sqlite3.connect(database)) as writer:
        with writer:
            writer.execute("INSERT INTO symbols VALUES ('docs://c', 1)")
        before = snapshot(tmp_path)
        assert "index.db-wal" in before
        query = Query("q", "text", {"sql": SELECT})
        expectation = read_expectation(query, RuleContext(database=database))
        assert [target.name for target in expectation.targets] == ["docs://a", "docs://c"]
        assert snapshot(tmp_path) == before


@pytest.mark.process
@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM symbols",
        "DROP TABLE symbols",
        "INSERT INTO symbols VALUES ('x', 1) RETURNING uri",
        "CREATE TABLE more (x)",
        "SELECT nonsense FROM symbols",
        "not even SQL",
    ],
)
@pytest.mark.parametrize("wal", [False, True])
def test_what_is_not_a_question_is_refused_and_the_database_stays(
    tmp_path: Path, statement: str, wal: bool
) -> None:
    database = write_database(tmp_path / "index.db", wal=wal)
    before = snapshot(tmp_path)
    query = Query("q", "text", {"sql": statement})
    with pytest.raises(ExpectationError, match=r"sql: .*index\.db does not answer"):
        read_expectation(query, RuleContext(database=database))
    assert snapshot(tmp_path) == before


@pytest.mark.process
def test_a_database_may_be_named_beside_the_suite(tmp_path: Path) -> None:
    write_database(tmp_path / "truth.db")
    query = Query("q", "text", {"sql": {"query": SELECT, "database": "truth.db"}})
    assert read_expectation(query, RuleContext(folder=tmp_path)).targets[0].name == "docs://a"


@pytest.mark.process
def test_an_answer_once_given_needs_no_database(tmp_path: Path) -> None:
    database = write_database(tmp_path / "index.db")
    query = Query("q", "text", {"sql": SELECT, "route": "search"})
    resolved = resolve_expectation(query, RuleContext(database=database))
    database.unlink()
    assert resolved.expect["sql"] == {"query": SELECT, "ids": ["docs://a"]}
    grades = read_expectation(resolved).grade(Response.of((Hit("docs://a"), Hit("docs://b"))))
    assert grades.ranked == (1, None)
    assert without_system(query).expect == {"route": "search"}


@pytest.mark.parametrize(
    ("value", "context", "message"),
    [
        (SELECT, RuleContext(), "sql: there is no database to query; name one in the rule"),
        (SELECT, RuleContext(database=Path("nowhere.db")), "nowhere.db does not exist"),
        (5, RuleContext(), "sql: expected `str | object`, got `int`"),
    ],
)
def test_an_sql_rule_without_a_database_says_what_is_missing(
    value: Any, context: RuleContext, message: str
) -> None:
    with pytest.raises(ExpectationError) as refused:
        read_expectation(Query("q", "text", {"sql": value}), context)
    assert message in str(refused.value)
