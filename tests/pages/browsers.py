"""A real browser, and what it finds hard to use on a page."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

__all__ = ["find_violations", "start_browser"]

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
SWITCHES = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
SERIOUS = {"serious", "critical"}


def start_browser() -> Iterator[Browser]:
    """Yield a browser; skip if none is installed."""
    if not CHROMIUM:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playing:
        started = playing.chromium.launch(executable_path=CHROMIUM, args=list(SWITCHES))
        yield started
        started.close()


def find_violations(page: Page) -> dict[str, str]:
    """Return what axe finds serious on a page, each with an example."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return {each["id"]: each["nodes"][0]["html"] for each in found if each["impact"] in SERIOUS}
