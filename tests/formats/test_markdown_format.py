"""Markdown: the whole report, in tables that no text can break."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.formats.samples import NASTY, handmade

from cranfield.formats import Detail, render


def test_a_document_is_whole_at_any_level_of_detail() -> None:
    text = render(handmade(detail=Detail.NONE), "markdown")
    assert text.startswith("# title plain\n\n- outcome plain\n\n## first: plain: failed\n")
    assert "only in documents" in text
    assert "### Cells\n" in text
    assert "| a | 1 |\n" in text
    assert text.count("| plain |\n") == 4
    assert "legend plain" in text


def test_an_undefined_value_is_a_dash() -> None:
    assert "| plain | plain | plain | plain |" + " – |" * 13 in render(handmade(), "markdown")


def test_no_text_adds_a_cell_or_a_line() -> None:
    library: Any = pytest.importorskip("markdown_it", reason="needs markdown-it-py to render")
    page = (
        library.MarkdownIt("commonmark").enable("table").render(render(handmade(NASTY), "markdown"))
    )
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.S)
    assert {len(re.findall("<t[hd]", row)) for row in rows} == {19, 2, 3}
    assert "\x1b" not in page
