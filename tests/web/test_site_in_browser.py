"""Every kind of page of a site in a real browser: no error, accessible, and text stays text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.runs.samples import right_first, right_second, small_suite
from tests.web.browsers import find_violations, in_every_look, start_browser, wait_until_ready
from tests.web.samples import HOSTILE

from cranfield.model import Hit, Query, Response, Suite
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.store import open_store
from cranfield.web.site import write_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("browser")]
KINDS = ("index.html", "suites", "runs", "comparisons", "gates")


def echo(text: str, limit: int) -> Response:
    hit = Hit(text, 1.0, text, {"title": text, "explanation": text})
    return Response.of((hit,), route=text, flags=(text[:50],))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from start_browser()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    store = open_store(folder / "cranfield.db")
    suite = small_suite(20)
    for label in ("v1.0", "v1.1"):
        run_suite(suite, right_second, RunOptions(label=label), store=store)
        run_suite(suite, right_first, RunOptions(label=label), store=store)
    queries = tuple(
        Query(f"q{place} {text[:200]}", text, {"ids": text}, category=text[:90])
        for place, text in enumerate(each[:2000] for each in HOSTILE)
    )
    for text in HOSTILE[:3]:
        strange = Suite(text[:90], "canonical", queries, description=text[:300])
        for label in (text[:90], f"{text[:90]} 2"):
            run_suite(strange, echo, RunOptions(label=label), store=store)
    write_site(store, folder / "pages")
    store.close()
    return folder / "pages"


def pages_of(site: Path, kind: str) -> list[Path]:
    return [site / kind] if kind.endswith(".html") else sorted((site / kind).glob("*.html"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_page_opens_without_an_error_and_text_stays_text(
    browser: Browser, site: Path, kind: str
) -> None:
    problems: list[str] = []
    page = browser.new_page()
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    for path in pages_of(site, kind):
        page.goto(path.as_uri())
        wait_until_ready(page)
        for button in page.locator("#list tbody button").all()[:3]:
            button.click()
            wait_until_ready(page)
        assert page.evaluate("window.pwned") is None
        assert page.locator("img, a[href^='javascript']").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path.name
        shown = page.inner_text("body")
        assert "\x1b" not in shown
        assert "\u202e" not in shown
    page.close()
    assert problems == []


@pytest.mark.parametrize("kind", KINDS)
@in_every_look
def test_a_page_of_each_kind_is_accessible_and_fits(
    browser: Browser, site: Path, kind: str, scheme: str, width: int
) -> None:
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})  # type: ignore[arg-type]
    page.goto(pages_of(site, kind)[-1].as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert find_violations(page) == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()
