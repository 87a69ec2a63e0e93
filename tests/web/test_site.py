"""A site of a store: every page that is linked is there, and two times give the same bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import pytest
from tests.cli.projects import cranfield
from tests.runs.samples import right_first, right_never, right_second, small_suite

from cranfield.model import Query, Suite
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.store import open_store
from cranfield.web.site import write_site

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.runs.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    opened = open_store(tmp_path / "cranfield.db")
    suite = small_suite(20)
    for label, system in (("v1", right_second), ("v2", right_first)):
        run_suite(suite, system, RunOptions(label=label), store=opened)
        run_suite(suite, right_second, RunOptions(label=label), store=opened)
    strange = Suite("../../<b>pwned</b> 100%", "canonical", suite.queries)
    run_suite(strange, right_never, store=opened)
    return opened


def pages(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.html")}


def test_every_link_leads_to_a_page(store: Store, tmp_path: Path) -> None:
    count = write_site(store, tmp_path / "site")
    written = pages(tmp_path / "site")
    assert len(written) == count
    for name, text in written.items():
        here = (tmp_path / "site" / name).parent
        for address in re.findall(r'href="([^"#][^"]*)"', text):
            assert (here / unquote(address)).is_file(), f"{name} leads to {address}"
    assert not [path for path in tmp_path.rglob("*pwned*") if "site" not in path.parts]


def test_the_first_page_says_how_each_suite_stands_and_by_which_rule(
    store: Store, tmp_path: Path
) -> None:
    write_site(store, tmp_path / "site")
    index = (tmp_path / "site" / "index.html").read_text()
    assert "2 suites, 5 runs. By the latest runs: 1 strong, 1 mixed, 1 weak." in index
    assert "a suite is strong if its headline measure is 0.8 or more" in index
    assert "<b>pwned" not in index


def test_a_list_without_right_answers_is_not_called_strong(tmp_path: Path) -> None:
    opened = open_store(tmp_path / "cranfield.db")
    asked = tuple(Query(text, text, {"anything": True}) for text in ("red", "blue"))
    run_suite(Suite("asked", "unjudged", asked), right_first, store=opened)
    write_site(opened, tmp_path / "site")
    index = (tmp_path / "site" / "index.html").read_text()
    assert "1 suite, 1 run. By the latest runs: 1 unknown." in index


def test_a_suite_s_page_has_its_history_and_the_rank_of_each_query(
    store: Store, tmp_path: Path
) -> None:
    write_site(store, tmp_path / "site")
    page = (tmp_path / "site" / "suites" / "small.html").read_text()
    assert "RR@10 over the runs" in page
    assert page.count("<polyline") >= 2
    assert "word19" in page


def test_releases_are_marked_and_runs_of_one_label_stand_together(
    store: Store, tmp_path: Path
) -> None:
    run_suite(small_suite(20), right_first, RunOptions(label="v2.0"), store=store)
    run_suite(small_suite(20), right_first, RunOptions(label="nightly"), store=store)
    write_site(store, tmp_path / "site")
    page = (tmp_path / "site" / "suites" / "small.html").read_text()
    chart = page[page.index("<svg") : page.index("</svg>")]
    assert chart.count('class="release"') == 1
    assert ">v2.0</text>" in chart
    assert len(set(re.findall(r'<circle cx="([\d.]+)"', chart))) == 4


def test_the_first_page_leads_to_every_comparison_and_gate(store: Store, tmp_path: Path) -> None:
    write_site(store, tmp_path / "site")
    index = (tmp_path / "site" / "index.html").read_text()
    for kind in ("comparisons", "gates", "runs", "suites"):
        for path in (tmp_path / "site" / kind).glob("*.html"):
            assert f'href="{kind}/{quote(path.name)}"' in index
    assert "right_first (v2) against right_second (v2)" in index


def test_the_same_store_gives_the_same_bytes(store: Store, tmp_path: Path) -> None:
    write_site(store, tmp_path / "first")
    write_site(store, tmp_path / "second")
    assert pages(tmp_path / "first") == pages(tmp_path / "second")


@pytest.mark.process
def test_the_command_says_where_it_wrote(store: Store, tmp_path: Path) -> None:
    done = cranfield(
        tmp_path, "report", "--site", "pages", "--store", str(tmp_path / "cranfield.db")
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("pages/index.html: ")
    refused = cranfield(tmp_path, "report", "v1", "--site", "pages")
    assert refused.returncode == 2
    assert "takes no run" in refused.stderr + refused.stdout


@pytest.mark.process
def test_a_system_stands_for_its_latest_runs(store: Store, tmp_path: Path) -> None:
    place = ("--store", str(tmp_path / "cranfield.db"))
    done = cranfield(tmp_path, "report", "right_second", "v2", *place)
    assert done.returncode == 2
    assert "stands for runs by" in done.stderr
    done = cranfield(tmp_path, "report", "right_second", "right_first", "-o", "page.html", *place)
    assert (done.returncode, done.stdout) == (0, "page.html\n"), done.stderr
    page = (tmp_path / "page.html").read_text()
    assert "right_first (v2) against right_second (v2)" in page
    assert "right_first (v2) is better at lookups by name" in page
