"""A format of one's own, in one file, shows any report: nothing but the report is there for it."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from tests.formats.samples import NASTY, SUBJECTS, handmade, make_subject

from cranfield.formats import FORMATS, Chart, Format, Lines, Table, Verbatim, render
from cranfield.formats.cells import show_row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cranfield.formats import Block, Line, Report


def render_html(report: Report) -> str:
    """Write a page: outcome, sections, records, notes; every text is escaped in `plain`."""
    sections = "".join(
        f"<section data-passed={section.passed}><h2>{plain(section.title)}</h2>"
        f"{''.join(map(block_html, section.blocks))}</section>"
        for section in report.sections
    )
    return (
        f"<title>{plain(report.title)}</title><ul>{''.join(map(line_html, report.lines))}</ul>"
        f"{sections}{table_html(report.records)}"
        f"{''.join(f'<p>{plain(note)}</p>' for note in report.notes)}"
    )


def plain(text: str) -> str:
    return html.escape(re.sub(r"[\x00-\x1f\x7f-\x9f]", "�", text))


def line_html(line: Line) -> str:
    queries = "".join(f"<code>{plain(query)}</code>" for query in line.queries)
    return f'<li class="{line.tone}">{plain(line.label)} {plain(line.text)}{queries}</li>'


def table_html(table: Table) -> str:
    rows = [[column.title for column in table.columns]]
    rows += [show_row(table.columns, row) for row in table.rows]
    cells = ["".join(f"<td>{plain(cell)}</td>" for cell in row) for row in rows]
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table><caption>{plain(table.title or table.caption)}</caption>{body}</table>"


def block_html(block: Block) -> str:
    if isinstance(block, Lines):
        return f"<ul>{''.join(map(line_html, block.lines))}</ul>"
    if isinstance(block, Table):
        return table_html(block)
    if isinstance(block, Verbatim):
        return f"<pre>{plain(block.text)}</pre>"
    assert isinstance(block, Chart)
    points = [point for series in block.series for point in series.points]
    bars = "".join(f'<i title="{plain(name)}">{values}</i>' for name, values in points)
    return f'<figure data-kind="{block.kind}">{plain(block.title)}{bars}</figure>'


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data + "\n"


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    FORMATS.register("html-proof", Format("html-proof", render_html))
    yield
    del FORMATS._things["html-proof"]


def read(report: Report) -> Page:
    page = Page()
    page.feed(render(report, "html-proof"))
    return page


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("subjects")


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_subject_is_shown_from_its_report_alone(name: str, folder: Path) -> None:
    report = make_subject(name, folder)
    page = read(report)
    for line in report.lines:
        assert line.text in page.text
    for section in report.sections:
        assert section.title in page.text
    for column in report.records.columns:
        assert f"\n{column.title}\n" in page.text


def test_a_comparison_brings_its_verdict_its_records_and_its_charts(folder: Path) -> None:
    report = make_subject("comparison", folder)
    page = read(report)
    assert "right_first against right_second: better" in page.text
    assert len(report.records.rows) == 12
    kinds = {
        block.kind
        for section in report.sections
        for block in section.blocks
        if isinstance(block, Chart)
    }
    assert kinds == {"intervals", "bars"}
    assert page.tags.count("figure") == 2


def test_no_text_of_a_suite_becomes_markup() -> None:
    page = read(handmade(NASTY))
    known = {"title", "ul", "li", "section", "h2", "table", "caption", "tr", "td"}
    assert set(page.tags) <= known | {"pre", "code", "figure", "i", "p"}
    assert "<script>alert('x')</script>" in page.text
    assert "\x1b" not in page.text
