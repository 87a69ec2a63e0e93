"""Text of others is harmless in every format: no control, no command to a build, no formula."""

from __future__ import annotations

import csv
import io
import json

import pytest

from cranfield.formats import Column, as_json, render, write_csv
from cranfield.formats.document import Line, Report, Section, Table, TestCase, TestSuite, Verbatim

HOSTILE = "::error::x\n::error::boo \x1b[31m\x9b31m\u202egnp.exe\u2028\r::warning::y ##[error]z"
TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"  # noqa: S105 - nobody's


def hostile() -> Report:
    """Make a report all of whose texts come from somebody hostile."""
    text = f"{HOSTILE} {TOKEN}"
    table = Table((Column("query"), Column(text)), ((text, text),), caption=text, notes=(text,))
    section = Section(text, (table, Verbatim(text, text)))
    case = TestCase(text, text, message=text, outcome="failure", detail=text)
    return Report(
        "gate",
        text,
        (section,),
        (Line(text, queries=(text,)),),
        (text,),
        make_records=lambda: Table((Column("query"),), ((text,),)),
        make_tests=lambda: (TestSuite(text, (case,)),),
        make_data=lambda: {"query": text},
    )


@pytest.mark.parametrize("name", ["text", "json", "markdown", "csv", "junit", "github", "comment"])
def test_no_format_lets_a_hostile_text_through(name: str) -> None:
    written = render(hostile(), name)
    assert "boo" in written
    assert not set("\x1b\x9b\u202e\u2028\r") & set(written)
    assert not [line for line in written.splitlines() if line.lstrip().startswith("::")]
    assert "##[" not in written
    assert TOKEN not in written


def test_json_keeps_every_character() -> None:
    assert json.loads(as_json({"a": HOSTILE})) == {"a": HOSTILE}


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        (" =1", "' =1"),
        ("\t=1", "'\t=1"),
        (-0.25, "-0.25"),
        (-3, "-3"),
        ("-0.25", "-0.25"),
        ("+1e-05", "+1e-05"),
        ("a=b", "a=b"),
        ("plain", "plain"),
        (None, ""),
    ],
)
def test_no_cell_of_csv_begins_like_a_formula_and_numbers_stay_numbers(
    value: object, written: str
) -> None:
    [_, row] = csv.reader(io.StringIO(write_csv(["a", "b"], [[value, "x"]])))
    assert row == [written, "x"]
