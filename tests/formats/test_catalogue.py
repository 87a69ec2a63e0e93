"""Formats by name: which there are, which suit a report, and how a wrong one is refused."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cranfield.cli.output import write_report
from cranfield.errors import CranfieldError, UnknownNameError
from cranfield.formats import FORMATS, Format, Report, find_format, list_formats, render
from cranfield.slices import load_slices

if TYPE_CHECKING:
    from pathlib import Path


def test_every_format_is_found_under_its_own_name() -> None:
    for each in FORMATS.values():
        assert FORMATS.get(each.name) is each


def test_an_unsuitable_format_is_refused_with_those_that_suit() -> None:
    with pytest.raises(CranfieldError, match=r"junit is not for a run report; choose csv, "):
        find_format("junit", "run")
    with pytest.raises(CranfieldError, match=r"not for a run report"):
        render(Report("run", "", ()), "trec_eval")


def test_an_unknown_format_suggests_a_near_one() -> None:
    with pytest.raises(UnknownNameError, match="markdown"):
        find_format("markdwon", "run")


def test_help_pages_list_what_suits() -> None:
    assert list_formats("power") == "text, json, markdown or html"
    assert list_formats("score") == "text, json, markdown, html, csv or trec_eval"
    assert "relevance-summary" in list_formats("run", "comparison")
    assert "recorded" not in list_formats("run", "comparison")


def test_slices_say_truly_what_their_formats_are_for() -> None:
    for each in load_slices().values():
        assert each.formats.keys() == each.offers.get(FORMATS.group, {}).keys()
        for name, kinds in each.formats.items():
            assert FORMATS.get(name).kinds == kinds


@pytest.mark.process
def test_listing_formats_imports_none_of_them() -> None:
    script = (
        "import re, sys, cranfield.formats as formats\n"
        "formats.list_formats('gate'), formats.list_formats('score')\n"
        "loaded = [name for name in sys.modules if name.startswith('cranfield.')]\n"
        "print(*(name for name in loaded if re.search('github|junit|reports|trec_eval', name)))\n"
    )
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert finished.stdout.strip() == b""


def test_a_format_may_write_bytes_into_a_file_and_is_not_taken_for_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = Format("packed", lambda report: report.title.encode("utf-16"))
    monkeypatch.setitem(FORMATS._things, "packed", packed)
    write_report(packed, Report("run", "ä", ()), str(tmp_path / "out.bin"))
    assert (tmp_path / "out.bin").read_bytes() == "ä".encode("utf-16")
    with pytest.raises(CranfieldError, match="the format packed is not text"):
        render(Report("run", "ä", ()), "packed")
