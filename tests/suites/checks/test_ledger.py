"""Ids are never reused: the ledger beside a suite."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cranfield.suites import FindingSeverity
from cranfield.suites.checks.suite_check import SuiteCheck, check_suite

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "id = 'a'\nclass = 'canonical'\n"


def write(folder: Path, **texts: str) -> Path:
    path = folder / "suite.toml"
    queries = [
        f"[[query]]\nid = '{name}'\ntext = '''{text.removeprefix('old:')}'''\nexpect.ids = ['d']\n"
        f"deprecated = {str(text.startswith('old:')).lower()}\n"
        for name, text in texts.items()
    ]
    path.write_text(HEAD + "".join(queries), encoding="utf-8")
    return path


def ledger(folder: Path) -> Path:
    return folder / "suite.toml.ledger.json"


def found(check: SuiteCheck, severity: FindingSeverity) -> list[str]:
    return [finding.message for finding in check.findings if finding.severity is severity]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a suite of two queries and its ledger."""
    check = check_suite(write(tmp_path, q2="hash table", q1="शांति"), accept_ledger=True)
    assert check.passed
    return tmp_path


def test_a_ledger_is_written_only_when_asked_for(tmp_path: Path) -> None:
    check_suite(write(tmp_path, q1="x"))
    assert not ledger(tmp_path).exists()


def test_a_ledger_has_one_id_a_line_in_order(folder: Path) -> None:
    text = ledger(folder).read_text(encoding="utf-8")
    assert text == '{\n  "q1": "शांति",\n  "q2": "hash table"\n}\n'
    assert sorted(path.name for path in folder.iterdir()) == ["suite.toml", ledger(folder).name]


def test_nothing_changed_nothing_found_nothing_written(folder: Path) -> None:
    before = ledger(folder).stat().st_mtime_ns
    assert check_suite(write(folder, q1="शांति", q2="hash table")).findings == ()
    check_suite(folder / "suite.toml", accept_ledger=True)
    assert ledger(folder).stat().st_mtime_ns == before


def test_a_new_id_is_a_note_until_it_is_accepted(folder: Path) -> None:
    path = write(folder, q1="शांति", q2="hash table", q3="new")
    [note] = found(check_suite(path), FindingSeverity.NOTE)
    assert note == "1 query is not in the ledger yet; update it"
    check_suite(path, accept_ledger=True)
    assert json.loads(ledger(folder).read_text())["q3"] == "new"


def test_an_edited_text_is_a_warning_until_it_is_accepted(folder: Path) -> None:
    path = write(folder, q1="शांति", q2="hash tables")
    check = check_suite(path)
    assert check.passed
    [warning] = found(check, FindingSeverity.WARNING)
    assert warning.startswith("the text of query 'q2' was 'hash table'; results before and after")
    assert found(check_suite(path, accept_ledger=True), FindingSeverity.WARNING) == []
    assert check_suite(path).findings == ()


def test_another_question_under_an_old_id_is_an_error_that_cannot_be_accepted(folder: Path) -> None:
    path = write(folder, q1="शांति", q2="quicksort")
    before = ledger(folder).read_text()
    for accept in (False, True):
        check = check_suite(path, accept_ledger=accept)
        assert not check.passed
        [error] = found(check, FindingSeverity.ERROR)
        assert error.startswith("query 'q2' was 'hash table' and is 'quicksort' now; ids are never")
    assert ledger(folder).read_text() == before


def test_an_id_that_is_gone_has_to_be_kept_as_deprecated(folder: Path) -> None:
    path = write(folder, q1="शांति")
    for accept in (False, True):
        [error] = found(check_suite(path, accept_ledger=accept), FindingSeverity.ERROR)
        assert error.startswith("query 'q2' ('hash table') is gone; keep it with deprecated = true")
    assert "q2" in json.loads(ledger(folder).read_text())
    assert check_suite(write(folder, q1="शांति", q2="old:hash table")).passed


def test_an_id_that_comes_back_has_to_mean_what_it_meant(folder: Path) -> None:
    check_suite(write(folder, q1="शांति", q2="old:hash table"), accept_ledger=True)
    assert check_suite(write(folder, q1="शांति", q2="hash table")).passed
    assert not check_suite(write(folder, q1="शांति", q2="binary tree of words")).passed


def test_the_ledger_of_a_suite_with_errors_is_left_alone(folder: Path) -> None:
    path = write(folder, q1="शांति", q2="hash table", q3="new")
    path.write_text(path.read_text().replace("['d']", "[]"))
    check = check_suite(path, accept_ledger=True)
    assert not check.passed
    assert found(check, FindingSeverity.NOTE) == [
        "the ledger suite.toml.ledger.json was left alone, because there are errors"
    ]
    assert "q3" not in json.loads(ledger(folder).read_text())


@pytest.mark.parametrize("content", ["", "[]", '{"q1": 3}', "{", '{"q1": "\\ud800"}'])
def test_a_broken_ledger_is_an_error_with_its_remedy(folder: Path, content: str) -> None:
    ledger(folder).write_text(content)
    check = check_suite(folder / "suite.toml", accept_ledger=True)
    assert check.findings[0].file == str(ledger(folder))
    [error] = found(check, FindingSeverity.ERROR)
    assert error.startswith("is no ledger of ids and texts")
    assert error.endswith("restore it from version control")
    assert ledger(folder).read_text() == content


def test_long_texts_are_compared_in_no_time(tmp_path: Path) -> None:
    long = "a question that goes on and on " * 350
    check_suite(write(tmp_path, q1=long), accept_ledger=True)
    check = check_suite(write(tmp_path, q1=long + "?"))
    assert len(found(check, FindingSeverity.WARNING)) == 1


def test_a_folders_ledger_stands_beside_it(tmp_path: Path) -> None:
    collection = tmp_path / "tiny"
    (collection / "qrels").mkdir(parents=True)
    (collection / "queries.jsonl").write_text('{"_id": "1", "text": "one"}\n')
    (collection / "qrels" / "test.tsv").write_text("1\td\t1\n")
    assert check_suite(collection, accept_ledger=True).passed
    assert (tmp_path / "tiny.ledger.json").exists()
