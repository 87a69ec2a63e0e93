"""Rows of CSV tables, as suites, judgments and logs have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.csv_tables import describe_width, find_delimiter, read_rows, split_row
from cranfield.errors import InputError

PATH = Path("table.csv")


def rows_of(text: str) -> list[tuple[list[str], int]]:
    return [(row.cells, row.line) for row in read_rows(text, PATH)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_first_row_says_what_separates_cells(delimiter: str) -> None:
    text = f"query{delimiter}expected\none, two; three{delimiter}a\n"
    text = text.replace("one, two; three", '"one, two; three"')
    assert rows_of(text) == [(["query", "expected"], 1), (["one, two; three", "a"], 2)]


def test_what_is_in_quotes_does_not_separate_cells() -> None:
    assert find_delimiter('"a, b, c";query') == ";"
    assert find_delimiter("query") == ","


def test_a_row_is_at_the_line_where_it_begins() -> None:
    text = '\nquery,notes\r\none,"first\nsecond"\n,\n\ntwo,x\n'
    assert [line for _, line in rows_of(text)] == [2, 3, 7]
    assert rows_of(text)[1][0] == ["one", "first\nsecond"]


def test_a_line_separator_inside_a_cell_does_not_end_its_row() -> None:
    assert rows_of("query,expected\none\u2028two,a\n")[1] == (["one\u2028two", "a"], 2)


def test_an_open_quote_is_named_with_the_line_where_it_is_opened() -> None:
    rows = read_rows('query,expected\n"one,a\ntwo,b\n', PATH)
    assert next(rows).cells == ["query", "expected"]
    with pytest.raises(InputError, match=r"^table\.csv:2: is not valid CSV: .*; is a quote"):
        next(rows)


def test_a_cell_may_be_as_long_as_a_document() -> None:
    assert len(rows_of(f"query\n{'x' * 200_000}\n")[1][0][0]) == 200_000


def test_one_row_is_split_or_there_is_none() -> None:
    assert split_row(['a,"b\n', 'c"\n', "d,e\n"], ",") == ["a", "b\nc"]
    assert split_row(['a,"b\n'], ",") is None
    assert split_row([], ",") is None


def test_a_row_of_another_width_says_both_widths() -> None:
    assert describe_width(["a", "b", "c"], 2).startswith(
        "this row has 3 cells, and the first line 2;"
    )
