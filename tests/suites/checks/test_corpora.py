"""What a suite expects has to exist in the index that is searched."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cranfield.suites.checks.suite_check import check_suite
from stacks.index import Request, save

if TYPE_CHECKING:
    from pathlib import Path

HEAD = 'id = "small"\nclass = "canonical"\n\n'


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("existence")
    (folder / "pages").mkdir()
    (folder / "pages" / "kettle.md").write_text("# Kettle\n\nIt boils.\n")
    (folder / "pages" / "cup.md").write_text("# Cup\n\nIt holds.\n")
    save([Request.parse(f"markdown={folder / 'pages'}")], folder / "index")
    return folder / "index" / "search.db"


def findings(tmp_path: Path, index: Path, expect: str, head: str = HEAD) -> list[tuple[str, str]]:
    suite = tmp_path / "small.toml"
    suite.write_text(f'{head}[[query]]\nid = "q"\ntext = "kettle"\n{expect}\n')
    checked = check_suite(suite, corpora=[index])
    return [
        (str(each.severity), each.message)
        for each in checked.findings
        if "no document" in each.message or "sql" in each.message
    ]


def test_what_exists_is_not_spoken_of(tmp_path: Path, index: Path) -> None:
    assert findings(tmp_path, index, "expect.matches = 'kettle$'") == []
    assert findings(tmp_path, index, 'expect.files = ["pages/cup"]') == []


def test_a_query_whose_answer_does_not_exist_is_an_error(tmp_path: Path, index: Path) -> None:
    [(severity, message)] = findings(tmp_path, index, "expect.matches = 'teapot$'")
    assert severity == "error"
    assert "query 'q' expects 'teapot$', which no document of" in message


def test_one_of_several_that_is_missing_is_a_warning(tmp_path: Path, index: Path) -> None:
    [(severity, message)] = findings(tmp_path, index, "expect.matches = ['kettle$', 'teapot$']")
    assert (severity, "teapot" in message, "kettle" in message) == ("warning", True, False)


def test_a_target_of_grade_0_need_not_exist(tmp_path: Path, index: Path) -> None:
    kettle = "markdown://pages/kettle"
    assert findings(tmp_path, index, f'expect.ids = {{ "{kettle}" = 1, "gone" = 0 }}') == []
    expect = f'expect.ids = {{ "{kettle}" = 0, gone = 1 }}'
    [(severity, message)] = findings(tmp_path, index, expect)
    assert (severity, "'gone'" in message, kettle in message) == ("error", True, False)


@pytest.mark.process
def test_sql_that_finds_nothing_or_fails_is_reported(tmp_path: Path, index: Path) -> None:
    head = HEAD.replace("canonical", "fragment")
    nothing = "expect.sql = \"SELECT uri FROM docs_metadata WHERE uri = 'x'\""
    [(severity, message)] = findings(tmp_path, index, nothing, head)
    assert severity == "error"
    assert "query 'q': sql: " in message
    assert "finds nothing" in message
    broken = 'expect.sql = "SELECT nothing FROM nowhere"'
    [(severity, message)] = findings(tmp_path, index, broken, head)
    assert (severity, "nowhere" in message) == ("error", True)


@pytest.mark.process
def test_sql_queries_the_database_of_the_suite_as_in_a_run(tmp_path: Path, index: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "truth.db")) as opened, opened:
        opened.execute("CREATE TABLE present AS SELECT 'markdown://pages/kettle' AS uri")
        opened.execute("CREATE TABLE absent AS SELECT 'gone' AS uri")
    head = 'database = "truth.db"\n' + HEAD.replace("canonical", "fragment")
    for table, found in (("present", []), ("absent", ["error"])):
        select = 'expect.sql = "SELECT uri FROM TABLE"'.replace("TABLE", table)
        shown = findings(tmp_path, index, select, head)
        assert [severity for severity, _ in shown] == found, shown


def test_a_file_that_is_no_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index.db").write_text("nothing of the kind" * 100)
    (tmp_path / "small.toml").write_text(
        f"{HEAD}[[query]]\nid = 'q'\ntext = 'k'\nexpect.matches = 'k'\n"
    )
    with pytest.raises(Exception, match="is no index of stacks"):
        check_suite(tmp_path / "small.toml", corpora=[tmp_path / "index.db"])
