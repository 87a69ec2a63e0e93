"""Scored chunks in a SQLite file, as they stand."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cranfield.errors import InputError
from cranfield.measures import parse_measure
from cranfield.model import Hit, Response
from cranfield.relevance import read_expectation
from cranfield.suites import FindingSeverity, load_suite
from cranfield.suites.checks.suite_check import check_suite

if TYPE_CHECKING:
    from pathlib import Path

TABLES = """
CREATE TABLE Questions (questionId TEXT PRIMARY KEY, question TEXT);
CREATE TABLE Hashes (chunkHash TEXT PRIMARY KEY, chunkId TEXT);
CREATE TABLE Scores (questionId TEXT, chunkHash TEXT, score INTEGER, timestamp TEXT);
"""
ROWS = """
INSERT INTO Questions VALUES ('1', 'How are chunks hashed?'), ('2', 'Who calls whom?'),
                             ('3', 'Not scored yet');
INSERT INTO Hashes VALUES ('aa', '10'), ('bb', '11'), ('cc', '12'), ('dd', '13');
INSERT INTO Scores VALUES ('1', 'aa', 1, ''), ('1', 'bb', 0, ''), ('1', 'cc', 1, ''),
                          ('2', 'aa', 0, ''), ('2', 'gone', 0, '');
"""


HOPELESS = (
    "query '2' names only what is wrong, so no answer can be right; "
    "grade what is right with 1 or more"
)
LOST = "nothing can find them any more"


def write(folder: Path, script: str = TABLES + ROWS, name: str = "evals.db") -> Path:
    path = folder / name
    with closing(sqlite3.connect(path)) as opened, opened:
        opened.executescript(script)
    return path


def test_questions_come_with_every_chunk_that_was_scored(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path))
    assert (suite.id, suite.query_class) == ("evals", "chunks")
    assert [(query.id, query.text) for query in suite.queries] == [
        ("1", "How are chunks hashed?"),
        ("2", "Who calls whom?"),
    ]
    assert suite.queries[0].expect == {"chunks": {"aa": 1, "bb": 0, "cc": 1}}
    assert suite.description == "1 questions without a score are left out"


def test_precision_recall_and_f1_are_those_of_the_selected_chunks(tmp_path: Path) -> None:
    expectation = read_expectation(load_suite(write(tmp_path)).queries[0])
    grades = expectation.grade(Response.of((Hit("aa"), Hit("bb"), Hit("9", fields={"hash": "zz"}))))
    assert grades.ranked == (1, 0, None)
    assert parse_measure("P")(grades) == pytest.approx(1 / 3)
    assert parse_measure("R")(grades) == pytest.approx(1 / 2)
    assert parse_measure("F1")(grades) == pytest.approx(2 * (1 / 3 * 1 / 2) / (1 / 3 + 1 / 2))


def test_the_questions_text_may_be_called_text(tmp_path: Path) -> None:
    path = write(tmp_path, (TABLES + ROWS).replace("question TEXT", "text TEXT"))
    assert load_suite(path).queries[1].text == "Who calls whom?"


def test_a_database_is_known_by_its_content_too(tmp_path: Path) -> None:
    assert load_suite(write(tmp_path, name="evals.data")).id == "evals"


def test_hashes_are_not_needed(tmp_path: Path) -> None:
    path = write(tmp_path, TABLES + ROWS + "DROP TABLE Hashes;")
    assert len(load_suite(path).queries) == 2


def test_questions_without_a_right_chunk_and_lost_chunks_are_warned_of(tmp_path: Path) -> None:
    warnings = [
        (finding.query_id, finding.message)
        for finding in check_suite(write(tmp_path)).findings
        if finding.severity is FindingSeverity.WARNING
    ]
    assert warnings == [
        ("2", f"1 scored chunks of the question '2' are not in the table Hashes; {LOST}"),
        ("2", HOPELESS),
    ]


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_reading_changes_nothing_in_or_beside_the_file(tmp_path: Path, mode: str) -> None:
    path = write(tmp_path, f"PRAGMA journal_mode = {mode};" + TABLES + ROWS)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    load_suite(path)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("CREATE TABLE x (y)", "evals.db: has no table of questions; scored chunks have"),
        ("CREATE TABLE Questions (questionId, question)", "has no question"),
        (
            "CREATE TABLE Questions (questionId, question); INSERT INTO Questions VALUES (1, 'a')",
            "evals.db: has no table of scores",
        ),
    ],
)
def test_a_database_of_another_shape_is_refused(tmp_path: Path, script: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        load_suite(write(tmp_path, script))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("DELETE FROM Scores", "has no query to run"),
        (
            "INSERT INTO Scores VALUES ('1', 'dd', 'yes', '')",
            "question '1' has the score 'yes' for the chunk 'dd'; scores are whole numbers",
        ),
        ("INSERT INTO Scores VALUES ('1', 'dd', 0.5, '')", "the score 0.5"),
        ("INSERT INTO Scores VALUES ('1', 'dd', 9e999, '')", "the score inf"),
        ("INSERT INTO Scores VALUES ('1', 'dd', NULL, '')", "the score None"),
        ("INSERT INTO Scores VALUES ('1', 'dd', 500, '')", "the grade 500"),
        (
            "INSERT INTO Scores VALUES ('1', 'aa', 0, '')",
            "question '1' has two scores for the chunk 'aa'; keep one",
        ),
    ],
)
def test_scores_that_cannot_be_used_are_refused(tmp_path: Path, change: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        load_suite(write(tmp_path, TABLES + ROWS + change))
    assert message in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\x00" + b"x" * 200])
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "evals.db"
    path.write_bytes(content)
    with pytest.raises(InputError, match="scored chunks have the tables Questions"):
        load_suite(path)
