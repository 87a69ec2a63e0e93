"""The playground in a real browser: two systems side by side, marked, kept in a suite."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import make_python_project
from tests.web.browsers import (
    find_violations,
    in_every_look,
    start_browser,
    visiting,
    wait_until_ready,
)
from tests.web.samples import HOSTILE
from tests.web.servers import serving

from cranfield.suites import load_suite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page
    from tests.web.servers import Served

pytestmark = [pytest.mark.server, pytest.mark.process, pytest.mark.xdist_group("browser")]

SYSTEMS = """

def explained(text, limit):
    from cranfield.model import Hit, Response
    named = {"title": f"About {text}", "explanation": f"the title has {text}"}
    hits = (Hit("doc-x", 2.5, f"Read {text}", named), Hit(text, 1.0, text, {text: text}))
    return Response.of(hits, route=text, flags=(text,))


def failing(text, limit):
    raise RuntimeError(f"cannot answer {text}")
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = make_python_project(tmp_path_factory.mktemp("playground"), 4)
    search = folder / "search.py"
    search.write_text(search.read_text() + SYSTEMS)
    config = folder / "cranfield.toml"
    added = [f'\n[systems.{name}]\nkind = "python"\ncall = "search.py:{name}"\n'
             for name in ("explained", "failing")]  # fmt: skip
    config.write_text(config.read_text() + "".join(added))
    with serving(folder) as made:
        yield made
    assert made.reported == []


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from start_browser()


@pytest.fixture
def visit(browser: Browser, served: Served) -> Iterator[Callable[..., Page]]:
    with visiting(browser, served.url, "/playground") as open_page:
        yield open_page


def ask(page: Page, query: str, a: str, b: str) -> None:
    page.fill("input[name=query]", query)
    page.select_option("select[name=a]", a)
    page.select_option("select[name=b]", b)
    page.get_by_role("button", name="Search").click()
    page.locator("#add").wait_for()
    wait_until_ready(page)


def test_two_systems_are_marked_and_the_query_is_added(
    visit: Callable[..., Page], served: Served
) -> None:
    page = visit()
    ask(page, "word7", "explained", "new")
    first = page.get_by_role("region", name="A: explained")
    assert "About word7" in first.inner_text()
    assert "score 2.5" in first.inner_text()
    assert "rank 2 in B" in first.inner_text()
    assert "the title has word7" in first.inner_text()
    first.get_by_role("checkbox").first.check()
    second = page.get_by_role("region", name="B: new")
    assert second.get_by_role("checkbox").nth(1).is_checked()  # the same hit, doc-x
    second.get_by_role("checkbox").first.check()
    page.fill("input[name=category]", "odd")
    page.get_by_role("button", name="Add").click()
    assert "Added to small.toml" in page.get_by_role("status").inner_text()
    query = load_suite(served.folder / "small.toml").queries[-1]
    assert (query.id, query.text, query.category) == ("word7", "word7", "odd")
    assert query.expect == {"ids": ["doc-x", "doc-7"]}


def test_what_cannot_be_added_is_said_and_the_marks_stay(visit: Callable[..., Page]) -> None:
    page = visit()
    ask(page, "word1", "old", "new")
    page.get_by_role("region", name="B: new").get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Add").click()
    assert "asks this already, as 'q1'" in page.get_by_role("alert").inner_text()
    wait_until_ready(page)
    assert page.locator("input[name=right]:checked").count() == 2


def test_a_system_that_fails_says_why_beside_the_other(visit: Callable[..., Page]) -> None:
    page = visit()
    ask(page, "word1", "failing", "new")
    assert "cannot answer word1" in page.get_by_role("region", name="A: failing").inner_text()
    assert "doc-1" in page.get_by_role("region", name="B: new").inner_text()


def test_an_address_fills_the_form_and_asks_nothing(visit: Callable[..., Page]) -> None:
    page = visit("/playground?query=word3&a=failing")
    assert page.input_value("input[name=query]") == "word3"
    assert page.input_value("select[name=a]") == "failing"
    assert page.locator("#add").count() == 0


@pytest.mark.parametrize("text", [each[:1900] for each in HOSTILE])
def test_hostile_text_is_shown_as_text(visit: Callable[..., Page], text: str) -> None:
    page = visit()
    ask(page, text, "explained", "failing")
    assert page.evaluate("window.pwned") is None
    assert page.locator("main img, main script").count() == 0
    shown = page.inner_text("main")
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_no_other_system_and_no_other_file_can_be_named(served: Served) -> None:
    small = (served.folder / "small.toml").read_text()
    with served.client() as client:
        found = re.search(r'name="proof" value="(\w+)"', client.get("/playground").text)
        assert found
        sent = {"proof": found[1], "query": "word2", "a": "old", "b": "new", "right": "doc-2"}
        headers = {"origin": served.url}
        for name in ("rm -rf /", "search.py:old", "../old"):
            answer = client.post("/playground", data={**sent, "a": name}, headers=headers)
            assert answer.status_code == 400
            assert "system" in answer.text
        for name in ("../small.toml", "/etc/passwd", "cranfield.toml"):
            answer = client.post("/playground/add", data={**sent, "suite": name}, headers=headers)
            assert "lists no suite" in answer.text
        answer = client.post("/playground", data={**sent, "query": "x" * 2001}, headers=headers)
        assert answer.status_code == 400
    assert (served.folder / "small.toml").read_text() == small


@in_every_look
def test_it_is_accessible_and_fits(visit: Callable[..., Page], scheme: str, width: int) -> None:
    page = visit(color_scheme=scheme, viewport={"width": width, "height": 900})
    ask(page, "word2", "explained", "new")
    page.get_by_role("checkbox").first.check()
    assert find_violations(page) == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= width
