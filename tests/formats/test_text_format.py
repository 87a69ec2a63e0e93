"""Plain text: as much as was asked for, in aligned columns, with nothing that moves a cursor."""

from __future__ import annotations

import re
from dataclasses import replace

from tests.formats.samples import NASTY, handmade

from cranfield.formats import (
    FORMATS,
    CellKind,
    Column,
    Detail,
    Line,
    Report,
    Section,
    Table,
    Tone,
    render,
)


def text_of(table: Table, detail: Detail = Detail.ALL) -> str:
    return render(Report("any", "title", (Section(blocks=(table,)),), detail=detail))


def test_a_report_is_its_sections_then_what_they_come_to_then_how_to_read_them() -> None:
    text = render(handmade())
    assert text.startswith(
        "first: plain: FAILED\nfine: plain\nwarning: careful (q1, plain)\n\ncells of plain\n"
    )
    assert text.endswith("\nreceived:\nplain\n\noutcome plain\n\nlegend plain\n")
    assert "only in documents" not in text
    assert "title" not in text
    assert "a chart" not in text


def test_with_nothing_to_show_there_is_no_text() -> None:
    assert render(handmade(detail=Detail.NONE)) == ""


def test_a_summary_takes_the_place_of_rows() -> None:
    assert "\n1 a\n" in render(handmade())


def test_a_stacked_table_has_figures_on_one_line_and_texts_on_their_own() -> None:
    text = render(handmade())
    assert "  q1\n    rank 1\n    got plain\n" in text
    assert "  q2\n" in text
    assert "  q3\n" not in text
    assert "… and 1 more; elsewhere\n" in text


def test_labels_are_aligned_to_the_left_and_the_rest_to_the_right() -> None:
    columns = (Column("name"), Column("n", CellKind.COUNT))
    assert text_of(Table(columns, (("a", 1), ("long", 200)))) == (
        "name    n\na       1\nlong  200\n"
    )


def test_columns_and_tables_of_more_detail_are_left_out() -> None:
    columns = (Column("a"), Column("b", detail=Detail.AUDIT), Column("the long c", short="c"))
    table = Table(columns, (("1", "2", "3"),), labels=3)
    assert text_of(table) == "a  c\n1  3\n"
    assert text_of(replace(table, detail=Detail.CHANGED), Detail.MEASURES) == ""


def test_a_section_of_more_detail_is_left_out_whole() -> None:
    sections = (Section("seen"), Section("unseen", detail=Detail.CHANGED))
    report = Report("any", "title", sections, detail=Detail.MEASURES)
    assert render(report) == "seen\n"
    assert render(replace(report, detail=Detail.CHANGED)) == "seen\n\nunseen\n"


def test_a_turnable_table_that_is_too_wide_is_turned() -> None:
    names = [f"a run with a long name, number {number}" for number in range(6)]
    columns = (Column("measure"), *(Column(name, CellKind.VALUE) for name in names))
    table = Table(columns, (("RR", *[0.5] * 6),), is_turnable=True)
    assert text_of(table).splitlines()[0].split() == ["measure", "RR"]
    assert text_of(replace(table, is_turnable=False)).splitlines()[0].startswith("measure  a run")


def test_control_characters_do_not_reach_the_terminal() -> None:
    text = render(handmade(NASTY))
    assert "\x1b" not in text
    assert text.replace("\n", "").isprintable()


def test_colour_adds_nothing_but_colour() -> None:
    report = handmade()
    coloured = str(FORMATS.get("text").render(report, in_colour=True))
    assert "first: plain: \x1b[31mFAILED\x1b[0m\n" in coloured
    assert "\x1b[33mwarning\x1b[0m: careful (q1, plain)\n" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == render(report)


def test_an_escape_in_a_coloured_line_is_replaced() -> None:
    line = Line("\x1b[2Jfine", Tone.GOOD)
    report = Report("any", "title", (), (line,))
    assert FORMATS.get("text").render(report, in_colour=True) == "\x1b[32m�[2Jfine\x1b[0m\n"
