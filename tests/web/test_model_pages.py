"""Figures that use a model, on pages of the server and of a site: as in every other report."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.judging.models.helpers import (
    drawn,
    grade_all,
    make_run,
    make_suite,
    model_says,
    people_say,
)

from cranfield.runs.store import open_store
from cranfield.web.live_pages import LivePages
from cranfield.web.site import write_site
from cranfield.web.workbench import Workbench

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

SECTION = "with a model by judge-1@1, corrected by people"


@pytest.fixture
def stored(tmp_path: Path) -> tuple[Workbench, Store, list[Run]]:
    (tmp_path / "cranfield.toml").write_text("")
    suite = make_suite(tmp_path, "", count=20, prompt=str(tmp_path / "prompt.txt"))
    store = open_store(tmp_path / ".cranfield" / "cranfield.db")
    runs = [make_run(replace(suite, measures=("P@1",)), store) for _ in range(2)]
    return Workbench(str(tmp_path / "cranfield.toml"), None, {}), store, runs


def judge(store: Store, run: Run, count: int) -> None:
    chosen = set(drawn(run.header.suite)[:count])
    grade_all(store, run, model_says, model=True)
    grade_all(store, run, people_say, queries=chosen)


def test_pages_of_the_server_show_them_as_soon_as_hits_are_judged(
    stored: tuple[Workbench, Store, list[Run]],
) -> None:
    workbench, store, (a, b) = stored
    pages = LivePages(workbench)
    first, second = a.header.id, b.header.id
    assert SECTION not in pages.run(first).content.decode()
    assert SECTION not in pages.comparison(first, second).content.decode()
    judge(store, a, 12)
    assert SECTION in pages.run(first).content.decode()
    compared = pages.comparison(first, second).content.decode()
    assert SECTION in compared
    assert "the first 12 of 20 queries" in compared
    assert pages.run(first) is pages.run(first)


def test_pages_of_a_site_show_them(
    stored: tuple[Workbench, Store, list[Run]], tmp_path: Path
) -> None:
    workbench, store, (a, _) = stored
    judge(store, a, 12)
    write_site(store, tmp_path / "site", project=workbench.project)
    for kind in ("runs", "comparisons"):
        for path in (tmp_path / "site" / kind).glob("*.html"):
            assert SECTION in path.read_text(), path.name


def test_the_page_of_a_gate_has_thresholds_on_corrected_figures(tmp_path: Path) -> None:
    (tmp_path / "cranfield.toml").write_text("")
    threshold = [{"measure": "P@1", "at_least": 0.99}]
    suite = make_suite(tmp_path, "", count=20, prompt=str(tmp_path / "prompt.txt"), gate=threshold)
    store = open_store(tmp_path / ".cranfield" / "cranfield.db")
    run = make_run(replace(suite, measures=("P@1",)), store)
    judge(store, run, 12)
    pages = LivePages(Workbench(str(tmp_path / "cranfield.toml"), None, {}))
    page = pages.gate(run.header.id).content.decode()
    assert " with judge-1@1, corrected by people: " in page
