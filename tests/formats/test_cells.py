"""How each kind of value is written, in one place for all formats."""

from __future__ import annotations

import pytest
from tests.formats.samples import handmade

from cranfield.formats import Cell, CellKind, Table, printable, shorten
from cranfield.formats.cells import show_cell, show_row
from cranfield.model import Undefined


def test_every_kind_of_cell_has_one_text() -> None:
    [section] = handmade().sections
    table = section.blocks[1]
    assert isinstance(table, Table)
    assert {column.kind for column in table.columns} == set(CellKind)
    first, second = (show_row(table.columns, row) for row in table.rows)
    assert first[4:] == [
        "3", "0.2500", "+0.0000", "+2", "[-0.1000, +0.2000]", "[0.1000, 0.2000]",
        "<0.0001", "+0.50", "12.5", "7", "3/4", "12.3 ms", "plain", "RR@10 1.0000 → –", "1 → –",
    ]  # fmt: skip
    assert second[4:] == ["–"] * 15


@pytest.mark.parametrize("value", [None, Undefined("no data"), float("nan")])
def test_what_has_no_value_is_a_dash(value: object) -> None:
    assert show_cell(CellKind.VALUE, value) == "–"


def test_a_cell_may_be_of_another_kind_than_its_column() -> None:
    assert show_cell(CellKind.VALUE, Cell(12, CellKind.COUNT)) == "12"


def test_control_characters_are_replaced_and_long_texts_cut() -> None:
    assert printable("a\x1b[31m\x00\x9b") == "a�[31m��"
    assert shorten("a  long\n text", 8) == "a long …"
