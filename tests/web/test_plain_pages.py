"""Pages without results: nothing stored, nothing found, signing in; and lines of a megabyte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import httpx
import pytest
from tests.web.browsers import find_violations, in_every_look, start_browser, wait_until_ready
from tests.web.servers import serving

from cranfield.model import Hit, Query, Response, Suite
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.store import open_store
from cranfield.web.guard import Access
from cranfield.web.site import write_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser
    from tests.web.servers import Served

pytestmark = [pytest.mark.server, pytest.mark.process, pytest.mark.xdist_group("browser")]
LONG = "x" * 1_000_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from start_browser()


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("empty")
    (folder / "cranfield.toml").write_text("")
    with serving(folder) as made:
        yield made


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "cranfield.toml").write_text("")
    with serving(folder, Access("0.0.0.0", "secret-token")) as made:  # noqa: S104 - not listened on
        yield made


def look(browser: Browser, url: str, scheme: Any, width: int) -> str:
    """Return the text of a page that axe finds nothing serious on and that fits."""
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    page.goto(url)
    assert find_violations(page) == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shown = page.inner_text("body")
    page.close()
    return shown


@in_every_look
def test_pages_without_results_are_accessible_and_fit(
    browser: Browser, empty: Served, guarded: Served, scheme: str, width: int
) -> None:
    assert "Nothing is stored yet" in look(browser, empty.url + "/", scheme, width)
    assert "has no system yet" in look(browser, f"{empty.url}/playground", scheme, width)
    assert "nothing is stored" in look(browser, f"{empty.url}/run?name=x", scheme, width)
    assert "Token" in look(browser, guarded.url + "/", scheme, width)
    look(browser, f"{empty.url}/nowhere", scheme, width)
    look(browser, f"{empty.url}/judge", scheme, width)


def fill(folder: Path) -> None:
    """Store runs that have a line of a megabyte wherever somebody else's text can be."""
    store = open_store(folder / ".cranfield" / "cranfield.db")
    queries = (
        Query("short", LONG, {"ids": LONG}, category=LONG),
        Query(LONG, "short", {"ids": "y"}),
    )

    def echo(text: str, limit: int) -> Response:
        hit = Hit(LONG, 1.0, LONG, {"title": LONG, "explanation": LONG})
        return Response.of((hit,), route=LONG, flags=(LONG,))

    for label in (LONG, "plain"):
        run_suite(Suite(LONG, "canonical", queries), echo, RunOptions(label=label), store=store)
    store.close()


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("long")
    (folder / "cranfield.toml").write_text("")
    fill(folder)
    with serving(folder) as made:
        yield made
    assert made.reported == []


def test_lines_of_a_megabyte_fit_on_pages_of_the_server(browser: Browser, long: Served) -> None:
    store = open_store(long.folder / ".cranfield" / "cranfield.db")
    first, second = (each.id for each in store.entries())
    for path in ("/", f"/run?name={first}", f"/compare?{urlencode({'a': first, 'b': second})}"):
        assert httpx.get(long.url + path, timeout=60).status_code == 200
        page = browser.new_page(viewport={"width": 390, "height": 900})
        page.goto(long.url + path)
        wait_until_ready(page)
        for button in page.locator("#list tbody button").all()[:1]:
            button.click()
            page.wait_for_selector(".hits li")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
        page.close()


def test_lines_of_a_megabyte_fit_on_pages_of_a_site(
    browser: Browser, long: Served, tmp_path: Path
) -> None:
    store = open_store(long.folder / ".cranfield" / "cranfield.db")
    write_site(store, tmp_path)
    for path in sorted(tmp_path.rglob("*.html")):
        assert len(path.name.encode()) <= 255
        page = browser.new_page(viewport={"width": 390, "height": 900})
        page.goto(path.as_uri())
        wait_until_ready(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path.name
        page.close()
