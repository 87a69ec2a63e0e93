"""CSV, JSON and JUnit: every digit and every text as it is."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET

from tests.formats.samples import NASTY, handmade

from cranfield.formats import Cell, CellKind, Column, Report, Table, render
from cranfield.model import Undefined


def test_csv_has_every_digit_and_leaves_out_what_has_no_value() -> None:
    rows = ((NASTY, 1 / 3, None), ("b", Undefined("no data"), Cell(2, CellKind.COUNT)))
    records = Table((Column("a"), Column("b", CellKind.VALUE), Column("c")), rows)
    text = render(Report("run", "", (), make_records=lambda: records), "csv")
    assert list(csv.reader(io.StringIO(text))) == [
        ["a", "b", "c"],
        [NASTY.replace("\x1b", "�").replace("\x07", "�"), repr(1 / 3), ""],
        ["b", "", "2"],
    ]


def test_json_is_the_data_of_the_report() -> None:
    assert json.loads(render(handmade(NASTY), "json")) == {
        "kind": "gate",
        "volatile": [],
        "text": NASTY,
    }


def test_junit_holds_any_text_but_what_xml_cannot() -> None:
    root = ET.fromstring(render(handmade(NASTY), "junit").encode())  # noqa: S314 - our own
    [case] = root.iter("testcase")
    assert case.get("name") == NASTY.replace("\x1b", "").replace("\x07", "")
    assert (root.get("failures"), case.get("time")) == ("1", "0.500000")


def test_what_no_format_asks_for_is_never_built() -> None:
    def fail() -> Table:
        raise AssertionError

    assert render(Report("run", "", (), make_records=fail), "json") == "{}\n"
