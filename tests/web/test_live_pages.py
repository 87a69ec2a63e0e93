"""Pages of the server in a real browser: runs, suites, comparisons by two clicks, progress."""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import httpx
import pytest
from tests.cli.projects import make_python_project
from tests.runs.samples import right_first, right_second, small_suite
from tests.web.browsers import (
    find_violations,
    in_every_look,
    start_browser,
    visiting,
    wait_until_ready,
)
from tests.web.samples import HOSTILE
from tests.web.servers import serving

from cranfield.model import Hit, Query, Response, Suite
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page
    from tests.web.servers import Served

    from cranfield.runs.store import Store

pytestmark = [pytest.mark.server, pytest.mark.process, pytest.mark.xdist_group("browser")]
NAMES = [text[:300] for text in HOSTILE]


def _echo(text: str, limit: int) -> Response:
    hit = Hit(text, 1.0, text, {"title": text, "explanation": text})
    return Response.of((hit,), route=text, flags=(text[:50],))


def fill(store: Store) -> None:
    suite = small_suite(20)
    run_suite(suite, right_second, RunOptions(label="before"), store=store)
    run_suite(suite, right_first, RunOptions(label="after"), store=store)
    queries = tuple(
        Query(f"q{place} {text[:200]}", text, {"ids": text}) for place, text in enumerate(HOSTILE)
    )
    for name in NAMES:
        for label in (name, f"{name} 2"):
            made = Suite(name, "canonical", queries[:3], description=name)
            run_suite(made, _echo, RunOptions(label=label), store=store)
    whole = Suite("../../hostile", "canonical", queries)
    for label in ("one", "two"):
        run_suite(whole, _echo, RunOptions(label=label), store=store)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = make_python_project(tmp_path_factory.mktemp("live"), 4)
    store = open_store(folder / ".cranfield" / "cranfield.db")
    fill(store)
    store.close()
    with serving(folder) as made:
        yield made
    assert made.reported == []


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from start_browser()


@pytest.fixture
def visit(browser: Browser, served: Served) -> Iterator[Callable[..., Page]]:
    with visiting(browser, served.url, "/") as open_page:
        yield open_page


def test_two_clicks_compare_two_runs(visit: Callable[..., Page]) -> None:
    page = visit("/")
    page.get_by_label("A is before, right_second").check()
    assert "Now mark B, another run of small" in page.inner_text("#chosen")
    assert page.get_by_label("B is before, right_second").is_disabled()
    assert page.get_by_label("B is one, _echo", exact=True).is_disabled()
    page.get_by_label("B is after, right_first").click()
    page.wait_for_url("**/compare?a=*&b=*")
    wait_until_ready(page)
    assert "better at lookups by name" in page.inner_text(".lead")
    assert page.inner_text("#count") == "20 of 20 queries"
    page.go_back()
    page.locator("#runs input:checked").wait_for(state="detached")


def test_a_run_and_a_suite_are_one_click_away(visit: Callable[..., Page]) -> None:
    page = visit("/")
    page.fill("#filter-runs", "small after")
    shown = page.locator("#runs tbody tr:visible")
    assert shown.count() == 1
    shown.get_by_role("link").first.click()
    page.wait_for_url("**/run?name=*")
    wait_until_ready(page)
    assert page.inner_text("#count") == "20 of 20 queries"
    page.get_by_role("link", name="Results").click()
    page.locator("#runs").get_by_role("link", name="small", exact=True).first.click()
    page.wait_for_url("**/suite?name=small")
    assert "RR@10 over the runs" in page.inner_text("main")
    assert page.locator("polyline").count() >= 2


def test_a_gate_judges_the_latest_runs_of_a_system(visit: Callable[..., Page]) -> None:
    page = visit("/")
    row = page.locator("table").first.locator("tr", has_text="right_first")
    row.get_by_role("link", name="gate").click()
    page.wait_for_url("**/gate?name=right_first")
    assert "passed" in page.inner_text("h1")


def test_the_answers_of_a_large_comparison_are_loaded_when_a_query_is_opened(
    visit: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cranfield.web.live_pages._MOST_PACKED", 3)
    store_ids = visit("/run?name=after")
    assert store_ids.locator("#list tbody tr").count() == 20
    page = visit("/compare?a=before&b=after&large")
    page.locator("#list tbody button").first.click()
    wait_until_ready(page)
    shown = page.locator("tr.detail").inner_text()
    assert "right, grade 1" in shown
    assert "expects" in shown
    assert "A: before" in shown


def test_a_page_that_has_not_changed_is_not_sent_again(served: Served) -> None:
    first = httpx.get(served.url)
    again = httpx.get(served.url, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def addresses() -> list[str]:
    pages = ["/", f"/compare?{urlencode({'a': 'one', 'b': 'two'})}", "/run?name=two"]
    pages += [f"/suite?{urlencode({'name': name})}" for name in (*NAMES[:4], "../../hostile")]
    pages += [
        f"/run?{urlencode({'name': NAMES[0]})}",
        f"/run?{urlencode({'name': 'no ' + NAMES[2]})}",
    ]
    pages += [f"/{path}?{urlencode(dict.fromkeys('ab', NAMES[1]))}" for path in ("compare", "x")]
    return pages


@pytest.mark.parametrize("path", addresses())
def test_hostile_text_is_shown_as_text(
    visit: Callable[..., Page], served: Served, path: str
) -> None:
    text = httpx.get(served.url + path).text
    assert "<script>window" not in text
    assert "<img" not in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert 'href="javascript:' not in text
    if httpx.get(served.url + path).status_code == 200:
        page = visit(path)
        for button in page.locator("#list tbody button").all()[:8]:
            button.click()
            wait_until_ready(page)
        assert page.evaluate("window.pwned") is None
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@in_every_look
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/suite?name=small",
        "/run?name=after",
        "/compare?a=before&b=after",
        "/gate?name=right_first",
    ],
)
def test_pages_are_accessible_and_fit(
    visit: Callable[..., Page], path: str, scheme: str, width: int
) -> None:
    page = visit(path, color_scheme=scheme, viewport={"width": width, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert find_violations(page) == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_run_that_another_process_makes_shows_its_progress(
    visit: Callable[..., Page], served: Served
) -> None:
    """It appears by itself, moves on, and becomes an ordinary run when it ends."""
    page = visit("/")
    half, end = Event(), Event()

    def halting(text: str, limit: int) -> list[str]:
        if text == "word10":
            half.set()
            end.wait(30)
        return right_first(text, limit)

    store = open_store(served.folder / ".cranfield" / "cranfield.db")
    options = RunOptions(label="under way")
    making = Thread(
        target=run_suite, args=(small_suite(20), halting, options), kwargs={"store": store}
    )
    making.start()
    try:
        assert half.wait(30)
        row = page.locator("#runs tr", has_text="under way")
        row.get_by_text("10 of 20").wait_for()
        assert row.locator("progress").count() == 1
        alone = visit("/run?name=under+way")
        alone.locator("[data-run] progress").wait_for()
    finally:
        end.set()
        making.join()
        store.close()
    page.locator("#runs tr", has_text="under way").get_by_text("complete").wait_for()
