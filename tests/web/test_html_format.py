"""Any report as one HTML file: whole, alone, escaped, the same each time."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from tests.formats.samples import NASTY, SUBJECTS, handmade, make_subject
from tests.web.samples import hostile_page, plain_page

from cranfield.formats import CellKind, Chart, Column, Report, Section, Series, Table, render
from cranfield.web.charts import draw_chart
from cranfield.web.html_format import render_html
from cranfield.web.page_templates import explain_terms

if TYPE_CHECKING:
    from pathlib import Path


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("subjects")


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_subject_has_a_page_with_all_its_sections(name: str, folder: Path) -> None:
    report = make_subject(name, folder)
    page = Page(render(report, "html"))
    for section in report.sections:
        assert squeezed(section.title) in squeezed(page.text)
    assert page.tags.count("figure") == page.tags.count("svg")


def test_a_comparison_has_its_verdict_in_words_and_four_kinds_of_charts(folder: Path) -> None:
    report = make_subject("comparison", folder)
    page = Page(render(report, "html"))
    assert "right_first is better at lookups by name. No query got worse." in page.text
    assert {chart.kind for chart in report.charts} == {"intervals", "shares", "flows", "spans"}
    assert page.tags.count("svg") == 4


def test_a_page_needs_nothing_but_itself() -> None:
    page = Page(plain_page())
    loading = {"src", "srcset", "data", "action", "formaction", "poster", "background"}
    assert not [name for name, _ in page.attributes if name in loading]
    assert {"link", "iframe", "object", "embed", "base", "img"}.isdisjoint(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name == "style"]


def test_the_policy_allows_the_page_s_own_style_and_script_and_nothing_else() -> None:
    written = plain_page()
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', written)
    policy = policy.replace("&#39;", "'")
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        content = re.findall(rf"<{tag}>(.*?)</{tag}>", written, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_no_text_becomes_markup(folder: Path) -> None:
    plain = set(Page(render(handmade("plain"), "html")).tags)
    page = Page(render(handmade(NASTY), "html"))
    assert set(page.tags) <= plain
    assert "\x1b" not in page.text
    assert set(Page(hostile_page()).tags) <= set(Page(plain_page()).tags)
    assert "49" not in re.findall(r"<h1>(.*?)</h1>", hostile_page())[0]


def test_the_same_comparison_gives_the_same_bytes(folder: Path) -> None:
    report = make_subject("comparison", folder)
    assert render(report, "html") == render(report, "html")


def test_a_chart_says_its_numbers_and_escapes_its_labels() -> None:
    series = (Series("95%", (("<b>", (0.1, -0.05, 0.2)),)),)
    drawn = draw_chart(Chart("intervals", "t", series, band=(-0.02, 0.02), summary="in <words>"))
    assert "&lt;b&gt;" in drawn
    assert "<desc>in &lt;words&gt;</desc>" in drawn
    assert "+0.1000" in drawn
    assert draw_chart(Chart("bars", "nothing", ())) == ""


def test_terms_are_explained_once_and_the_rest_is_escaped() -> None:
    explained = explain_terms("<i> RR@10 after Holm, and Holm")
    assert explained.startswith("&lt;i&gt; ")
    assert explained.count('role="tooltip"') == 2
    assert "Counts how many" not in explained
    assert "tooltip" in explain_terms("better")
    assert "tooltip" not in explain_terms("3 improved, 1 worse")


def test_a_measure_without_a_cutoff_is_explained_if_it_stands_alone() -> None:
    assert "tooltip" in explain_terms("RPrec")
    assert "tooltip" not in explain_terms("grades P and R")


def test_words_of_others_are_not_explained() -> None:
    columns = (Column("query", CellKind.ID), Column("text", CellKind.QUERY), Column("verdict"))
    table = Table(columns, (("RPrec", "better", "better"),), labels=3)
    page = render_html(Report("run", "t", sections=(Section("s", (table,)),)))
    assert page.count('role="tooltip"') == 1


def test_a_table_does_not_repeat_the_heading_above_it() -> None:
    table = Table((Column("a"),), (("b",),), title="Overview")
    page = render_html(Report("run", "t", sections=(Section(blocks=(table,)),)))
    assert "<caption>" not in page
    assert "<h2>Overview</h2>" in page


@pytest.mark.corpus
def test_ten_thousand_queries_stay_below_five_megabytes() -> None:
    assert len(plain_page(10_000).encode()) < 5_000_000
