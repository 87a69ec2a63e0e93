"""Pages in a real browser: no error, nothing loaded, and everything works by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from tests.web.browsers import find_violations, in_every_look, start_browser, wait_until_ready
from tests.web.samples import HOSTILE, hostile_page, plain_page, two_class_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from start_browser()


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open a page from a file; the console stays empty and nothing is requested."""
    problems: list[str] = []
    requested: list[str] = []
    contexts = []

    def open_file(text: str, address: str = "", **settings: Any) -> Page:
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(f"console: {message.text}"))
        page.on("pageerror", lambda problem: problems.append(f"error: {problem}"))
        page.on("request", lambda each: requested.append(each.url))
        page.goto(f"{file.as_uri()}{address}")
        wait_until_ready(page)
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert problems == []
    assert [address for address in requested if not address.startswith("file:")] == []


def listed(page: Page) -> list[str]:
    return page.locator("#list tbody tr:not(.detail) td:first-child").all_inner_texts()


def test_queries_are_filtered_by_text_category_change_and_failure(
    visit: Callable[..., Page],
) -> None:
    page = visit(plain_page())
    assert page.inner_text("#count") == "40 of 40 queries"
    page.fill("#filter-text", "find 3")
    assert page.inner_text("#count") == "11 of 40 queries"
    page.select_option("#filter-category", "even")
    assert page.inner_text("#count") == "5 of 40 queries"
    page.fill("#filter-text", "")
    page.select_option("#filter-category", "")
    page.select_option("#filter-change", "removed from rank 1")
    assert listed(page) == ["how to find 7"]
    page.select_option("#filter-change", "")
    page.check("#filter-failed")
    assert listed(page) == ["how to find 3"]


def test_queries_are_filtered_by_class(visit: Callable[..., Page]) -> None:
    page = visit(two_class_page())
    assert page.inner_text("#count") == "8 of 8 queries"
    page.select_option("#filter-class", "acronym")
    assert page.inner_text("#count") == "3 of 8 queries"
    page.select_option("#filter-suite", "names")
    assert page.inner_text("#count") == "0 of 8 queries"


def test_what_got_worse_is_listed_first(visit: Callable[..., Page]) -> None:
    assert listed(visit(plain_page()))[:2] == ["how to find 7", "how to find 3"]


def test_a_hit_says_what_it_meets_and_the_page_counts_what_no_rule_knows(
    visit: Callable[..., Page],
) -> None:
    page = visit(two_class_page(), "#query=names%2Fq0")
    shown = page.locator("tr.detail").inner_text()
    assert "right, grade 1" in shown
    assert "meets ^doc-0$" in shown
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    counted = page.get_by_role("region", name="Hits that no rule knows").inner_text().split()
    assert counted[-4:] == ["short", "good", "3", "6"]


def test_a_column_sorts_up_and_down(visit: Callable[..., Page]) -> None:
    page = visit(plain_page())
    page.get_by_role("button", name="Show more").click()
    head = page.get_by_role("button", name="rank B")
    head.click()
    assert page.locator("th[aria-sort=ascending]").inner_text() == "rank B"
    assert listed(page)[-1] == "how to find 3"
    assert listed(page)[-2] == "how to find 7"
    head.click()
    assert listed(page)[0] == "how to find 7"


def test_a_query_opens_to_both_rankings_and_has_an_address(visit: Callable[..., Page]) -> None:
    page = visit(plain_page())
    page.get_by_role("button", name="how to find 7", exact=True).click()
    wait_until_ready(page)
    detail = page.locator("tr.detail")
    assert "A: poor" in detail.inner_text()
    assert "right, grade 1" in detail.inner_text()
    assert detail.locator("mark").first.inner_text() in ("how", "find")
    assert page.url.endswith(f"#query={quote('small/q7', safe='')}")
    again = visit(plain_page(), "#query=small%2Fq7")
    assert "Page 7" in again.locator("tr.detail").inner_text()
    again.get_by_role("link", name="how to find 7").click()
    assert again.locator("tr.detail").count() == 1


def test_everything_works_by_keyboard(visit: Callable[..., Page]) -> None:
    page = visit(plain_page())
    page.keyboard.press("/")
    page.keyboard.type("find 1")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("tr.detail").count() == 1
    assert page.evaluate("document.activeElement.textContent") == listed(page)[1]
    page.keyboard.press("Escape")
    assert page.locator("tr.detail").count() == 0


def test_a_term_explains_itself_on_hover(visit: Callable[..., Page]) -> None:
    page = visit(plain_page())
    term = page.locator("figcaption .term", has_text="95% interval")
    assert not term.locator(".meaning").is_visible()
    term.hover()
    assert term.locator(".meaning").is_visible()


def test_a_printed_page_has_everything_but_what_needs_a_hand(visit: Callable[..., Page]) -> None:
    page = visit(plain_page(), color_scheme="dark")
    page.emulate_media(media="print")
    assert not page.locator("#explorer").is_visible()
    assert page.locator("svg").first.is_visible()
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_a_term_explains_itself_on_focus(visit: Callable[..., Page]) -> None:
    page = visit(plain_page())
    page.locator("summary", has_text="Overview").or_(page.locator("details summary")).last.click()
    term = page.locator("footer .term").first
    term.focus()
    assert term.locator(".meaning").is_visible()


def test_hostile_text_stays_text(visit: Callable[..., Page]) -> None:
    page = visit(hostile_page())
    for place in range(len(HOSTILE)):
        page.locator("#list tbody tr:not(.detail) button").nth(place).click()
        wait_until_ready(page)
        assert page.locator("tr.detail").count() == 1
        shown = page.locator("#explorer").inner_text()
        assert "\x1b" not in shown
        assert "\u202e" not in shown
    assert page.evaluate("window.pwned") is None
    assert page.locator("a[href^='javascript']").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_line_of_a_million_characters_does_no_harm(visit: Callable[..., Page]) -> None:
    page = visit(hostile_page(("</script>" + "x" * 1_000_000,)))
    page.locator("#list tbody button").first.click()
    wait_until_ready(page)
    assert page.locator("tr.detail").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@in_every_look
def test_a_page_is_accessible_and_fits(visit: Callable[..., Page], scheme: str, width: int) -> None:
    viewport = {"width": width, "height": 900}
    page = visit(plain_page(), "#query=small%2Fq7", color_scheme=scheme, viewport=viewport)
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert find_violations(page) == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= width
