"""A real browser, and what it finds hard to use on a page."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

__all__ = ["find_violations", "in_every_look", "start_browser", "visiting", "wait_until_ready"]

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
SWITCHES = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
SERIOUS = {"serious", "critical"}

in_every_look = pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("dark", 390),
        pytest.param("dark", 1200, marks=pytest.mark.thorough),
        pytest.param("light", 390, marks=pytest.mark.thorough),
        pytest.param("light", 1200, marks=pytest.mark.thorough),
    ],
)
"""The scheme of colours that is harder to read and the width that is harder to fit, or each."""


def start_browser() -> Iterator[Browser]:
    """Yield a browser; skip if none is installed."""
    if not CHROMIUM:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playing:
        started = playing.chromium.launch(executable_path=CHROMIUM, args=list(SWITCHES))
        yield started
        started.close()


@contextmanager
def visiting(
    browser: Browser, url: str, first: str, *, minds_console: bool = True
) -> Iterator[Callable[..., Page]]:
    """Offer a function that opens a page of a server, each in a session of its own.

    Whatever a script of a page reports as an error fails the test at the end, whatever is asked of
    another server, and whatever the console says unless it is not minded: a lost connection is
    reported there.
    """
    problems: list[str] = []
    requested: list[str] = []
    contexts = []

    def open_page(path: str = first, **settings: Any) -> Page:
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        if minds_console:
            page.on("console", lambda message: problems.append(f"console: {message.text}"))
        page.on("pageerror", lambda problem: problems.append(f"error: {problem}"))
        page.on("request", lambda each: requested.append(each.url))
        page.goto(url + path)
        wait_until_ready(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []
    assert [address for address in requested if not address.startswith(url)] == []


def wait_until_ready(page: Page) -> None:
    """Wait until the scripts of a page have run, its queries are listed and its answers shown.

    The queries are unpacked after the page counts as loaded, and the answers after a click.
    """
    page.wait_for_load_state()
    if page.locator("#explorer").count():
        page.locator("#explorer:not([hidden])").wait_for(state="attached")
    page.locator("[aria-busy=true]").wait_for(state="detached")


def find_violations(page: Page) -> dict[str, str]:
    """Return what axe finds serious on a page, each with an example."""
    from axe_playwright_python.sync_playwright import Axe

    wait_until_ready(page)
    found = Axe().run(page).response["violations"]
    return {each["id"]: each["nodes"][0]["html"] for each in found if each["impact"] in SERIOUS}
