"""Suites as tables: CSV as people export it, with the mistakes that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.errors import InputError
from cranfield.suites import load_suite
from cranfield.suites.checks.suite_check import check_suite

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, text: str, name: str = "queries.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def expectations(path: Path) -> dict[str, object]:
    return {query.text: query.expect for query in load_suite(path).queries}


def test_a_query_and_its_expected_id_are_read_from_each_row(tmp_path: Path) -> None:
    path = write(tmp_path, "query,expected\nred shoes,doc-1\nblue hats,doc-2\n")
    suite = load_suite(path)
    assert (suite.id, suite.query_class) == ("queries", "judged")
    assert [query.id for query in suite.queries] == ["red-shoes", "blue-hats"]
    assert expectations(path) == {"red shoes": {"ids": ["doc-1"]}, "blue hats": {"ids": ["doc-2"]}}


@pytest.mark.parametrize(
    "text",
    [
        '\ufeffSearch Term;Expected URLs\r\n"Grüße; Öl";a|b\r\n',
        "question\texpected_id\nGrüße; Öl\ta;b\n",
        'Query,"Doc ID"\n"Grüße; Öl","a\nb"\n',
        "query,expected,expected_2\nGrüße; Öl,a,b\n",
        "query,expected\nGrüße; Öl,a\nGrüße; Öl,b\n",
        'query,ids\nGrüße; Öl,"[""a"", ""b""]"\n',
        "\n\nQ | Answers\nGrüße; Öl | a,b\n",
    ],
)
def test_spreadsheets_of_all_sorts_are_read_alike(tmp_path: Path, text: str) -> None:
    assert expectations(write(tmp_path, text)) == {"Grüße; Öl": {"ids": ["a", "b"]}}


def test_grades_ids_categories_and_languages_are_read(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "qid,query,doc,grade,category,lang\nq1,one,a,2,lookup,en\nq1,one,b,0,,\nq2,zwei,c,1,,de\n",
    )
    first, second = load_suite(path).queries
    assert (first.id, first.category, first.language) == ("q1", "lookup", "en")
    assert first.expect == {"ids": {"a": 2, "b": 0}}
    assert second.expect == {"ids": {"c": 1}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("query,doc,grade\none,a,2\none,b,1\none,a,0\n",
         "csv:4: document 'a' is judged twice for query 'one', 2 and 0; keep one row"),
        ("query,doc,grade\none,a,2\none,b|a,\n",
         "csv:3: document 'a' is judged twice for query 'one', 2 and 1; keep one row"),
        ("query,doc,category\none,a,lookup\none,b,howto\n",
         "csv:3: query 'one' has two categories, 'lookup' and 'howto'; keep one"),
        ("id,query,doc,lang\nq,one,a,en\nq,one,b,\nq,one,c,de\n",
         "csv:4: query 'one' has two languages, 'en' and 'de'; keep one"),
    ],
)  # fmt: skip
def test_rows_of_a_query_that_contradict_each_other_are_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        load_suite(write(tmp_path, text))


def test_a_repeated_row_is_read_once(tmp_path: Path) -> None:
    path = write(tmp_path, "query,doc,grade,lang\none,a,2,en\none,a,2,en\n")
    assert expectations(path) == {"one": {"ids": {"a": 2}}}


def test_an_id_with_a_comma_can_be_written(tmp_path: Path) -> None:
    path = write(tmp_path, 'query,expected\none,"[""Smith, John.pdf""]"\ntwo,"a, b"\n')
    assert expectations(path)["one"] == {"ids": ["Smith, John.pdf"]}
    [note] = [each.message for each in check_suite(path).findings if "comma" in each.message]
    assert note.startswith("1 cells of expected ids have commas and are read as several ids")


def test_every_mistake_is_found_at_once_with_its_line(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "query,expected,grade,catgory\none,a,2,x\n,b,1,x\ntwo,,1,x\nthree,c,good,x\nfour,[d,1,x\n",
    )
    found = [f"{each.line}: {each.message}" for each in check_suite(path).findings]
    for message in (
        "1: 'catgory' is no column that is read: did you mean category?",
        "3: this row has no query",
        "4: query 'two' expects nothing",
        "5: the grade 'good' is no whole number",
        "6: '[d' is not a list of ids",
    ):
        assert any(each.startswith(message) for each in found), message


def test_a_row_with_too_many_cells_is_a_mistake_and_empty_ones_are_none(tmp_path: Path) -> None:
    path = write(tmp_path, "query,expected\none,a,,\nred, blue,b\n")
    with pytest.raises(InputError, match=r"csv:3: this row has 3 cells, and the first line 2; put"):
        load_suite(path)


def test_a_column_of_no_interest_can_be_accepted(tmp_path: Path) -> None:
    path = write(tmp_path, "query,expected,Volume\none,a,12\n")
    with pytest.raises(InputError, match=r"'Volume' is no column .*write \[accept\]"):
        load_suite(path)


def test_a_table_without_queries_says_what_it_has(tmp_path: Path) -> None:
    path = write(tmp_path, "Suchwort,expected\none,a\n")
    with pytest.raises(InputError, match=r"no column of queries.*'Suchwort', 'expected'"):
        load_suite(path)


def test_an_open_quotation_mark_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, 'query,expected\n"one,a\ntwo,b\n')
    with pytest.raises(InputError, match=r"csv:2: is not valid CSV: .*is a quote left open"):
        load_suite(path)


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes("query,expected\nGrüße,a\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.csv:2: is not UTF-8"):
        load_suite(path)


def test_a_table_without_expected_ids_is_a_list_of_queries(tmp_path: Path) -> None:
    path = write(tmp_path, "query\none\ntwo\n")
    suite = load_suite(path)
    assert suite.query_class == "unjudged"
    assert "nothing says which hits of the 2 queries are right" in str(check_suite(path).findings)


def test_ids_stay_the_same_if_rows_are_sorted(tmp_path: Path) -> None:
    rows = ["zwei Wörter,a", "Äpfel,b", "日本語,c", "!,d", "?,e"]
    first = load_suite(write(tmp_path, "query,expected\n" + "\n".join(rows)))
    again = load_suite(write(tmp_path, "query,expected\n" + "\n".join(rows[:3][::-1]), "b.csv"))
    ids = {query.text: query.id for query in first.queries}
    assert ids == {
        "zwei Wörter": "zwei-wörter", "Äpfel": "äpfel", "日本語": "日本語",
        "!": "query", "?": "query-2",
    }  # fmt: skip
    assert all(ids[query.text] == query.id for query in again.queries)


@pytest.mark.parametrize(
    "text", [",,\n", "\n \n;;\n", "query\n", "query,expected\n,,\n",
             "query,expected\n" + "x" * 200_000 + ",a,b\n", '"', "query,expected\n\"a\"b,c\n"]
)  # fmt: skip
def test_a_table_without_a_usable_query_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        load_suite(write(tmp_path, text))
