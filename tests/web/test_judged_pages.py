"""Runs of judged suites on pages of the server and of a site: graded as commands grade them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.judging.samples import judge, listed_run, unjudged_suite

from cranfield.judgments import JudgmentStore
from cranfield.runs.store import open_store
from cranfield.web.live_pages import LivePages
from cranfield.web.site import write_site
from cranfield.web.workbench import Workbench

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

SUITE = unjudged_suite(3)
ORDER = {query.text: ("right", "wrong") for query in SUITE.queries}
OTHER = {query.text: ("wrong", "right") for query in SUITE.queries}
THRESHOLD = '\n[[thresholds]]\nsuite = "open"\nmeasure = "nDCG@10"\nat_least = 0.9\n'


@pytest.fixture
def stored(tmp_path: Path) -> tuple[Path, Store, list[Run]]:
    config = tmp_path / "cranfield.toml"
    config.write_text('[judging]\njudged_by = "people"\n')
    store = open_store(tmp_path / ".cranfield" / "cranfield.db")
    return config, store, [listed_run(SUITE, each, store) for each in (OTHER, ORDER)]


def judge_all(store: Store) -> None:
    grades = {"right": 1, "wrong": 0}
    JudgmentStore(store).add(
        [judge(query, item, grade) for query in SUITE.queries for item, grade in grades.items()],
        SUITE.queries,
    )


def test_pages_of_the_server_follow_the_judgments(stored: tuple[Path, Store, list[Run]]) -> None:
    config, store, runs = stored
    a, b = (run.header.id for run in runs)
    pages = LivePages(Workbench(str(config), None, {}))
    assert "no query of the suite open has been judged by people" in text_of(pages, "run", a)
    judge_all(store)
    assert "0.6309" in text_of(pages, "run", a)
    compared = text_of(pages, "comparison", a, b)
    assert "0.6309" in compared
    assert "has been judged by people" not in compared
    sides = pages.answers([a, b], "open", "q0")["sides"]
    assert [[hit[1] for hit in side["hits"]] for side in sides] == [[0, 1], [1, 0]]


def test_the_page_of_a_gate_says_what_the_gate_says(stored: tuple[Path, Store, list[Run]]) -> None:
    config, store, runs = stored
    judge_all(store)
    pages = LivePages(Workbench(str(config), None, {}))
    a, b = (run.header.id for run in runs)
    assert ">failed</span>" not in text_of(pages, "gate", a)
    config.write_text(config.read_text() + THRESHOLD)
    assert ">failed</span>" in text_of(pages, "gate", a)
    assert ">failed</span>" not in text_of(pages, "gate", b)


def test_the_page_of_a_gate_says_that_agents_are_left_to_the_command(
    stored: tuple[Path, Store, list[Run]],
) -> None:
    config, _, runs = stored
    agents = '[gate.agents]\ntasks = "tasks"\nbaseline = "a.jsonl"\ncandidate = "b.jsonl"\n'
    config.write_text(config.read_text() + agents)
    pages = LivePages(Workbench(str(config), None, {}))
    assert "[gate.agents] is not judged here" in text_of(pages, "gate", runs[0].header.id)


def test_pages_of_a_site_are_graded_by_judgments(
    stored: tuple[Path, Store, list[Run]], tmp_path: Path
) -> None:
    config, store, _ = stored
    judge_all(store)
    write_site(store, tmp_path / "site", project=Workbench(str(config), None, {}).project)
    written = [path for path in (tmp_path / "site").glob("*/*.html") if path.stem != "open"]
    assert {path.parent.name for path in written} == {"runs", "comparisons", "gates"}
    for path in written:
        assert "nDCG@10" in path.read_text(), path
        assert "has been judged by people" not in path.read_text(), path


def text_of(pages: LivePages, page: str, *names: str) -> str:
    content: bytes = getattr(pages, page)(*names).content
    return content.decode()
