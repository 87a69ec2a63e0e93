"""Judging in a real browser: keys, reload, several raters, undo, a lost connection."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from tests.judging.samples import listed_run, unjudged_suite
from tests.web.browsers import find_violations, in_every_look, start_browser, visiting
from tests.web.samples import HOSTILE
from tests.web.servers import serving

from cranfield.judgments import (
    Judgment,
    JudgmentState,
    JudgmentStore,
    PreferredAnswer,
    query_key,
    settle,
)
from cranfield.model import Hit
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page
    from tests.web.servers import Served

    from cranfield.judgments import Preference

pytestmark = [pytest.mark.server, pytest.mark.process, pytest.mark.xdist_group("browser")]

QUERIES, HITS = 30, 10


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from start_browser()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    (tmp_path / "cranfield.toml").write_text("suites = []\n")
    (tmp_path / ".cranfield").mkdir()
    store = open_store(tmp_path / ".cranfield" / "cranfield.db")
    suite = unjudged_suite(QUERIES)
    for start in (0, 1):
        listed_run(suite, {each.text: _hits(each.text, start) for each in suite.queries}, store)
    store.close()
    with serving(tmp_path) as made:
        yield made
    assert made.reported == []


def _hits(text: str, start: int) -> list[Hit]:
    return [
        Hit(
            f"{text}/{place}.md",
            text=f"Page {place} answers {text}.",
            fields={"title": f"P{place}"},
        )
        for place in range(start, start + HITS - 1)
    ]


@pytest.fixture
def visit(browser: Browser, served: Served) -> Iterator[Callable[..., Page]]:
    with visiting(browser, served.url, "/judge", minds_console=False) as open_page:
        yield open_page


def runs_of(served: Served) -> list[str]:
    store = open_store(served.folder / ".cranfield" / "cranfield.db")
    try:
        return store.run_ids()
    finally:
        store.close()


def queue_address(served: Served, rater: str, page: str = "queue", **more: str) -> str:
    fields = [("run", run) for run in runs_of(served)] + [("rater", rater), *more.items()]
    return f"/judge/{page}?{urlencode(fields)}"


def judgments_of(served: Served) -> list[Judgment]:
    store = open_store(served.folder / ".cranfield" / "cranfield.db")
    try:
        return JudgmentStore(store).judgments()
    finally:
        store.close()


def preferences_of(served: Served) -> list[Preference]:
    store = open_store(served.folder / ".cranfield" / "cranfield.db")
    try:
        return JudgmentStore(store).preferences()
    finally:
        store.close()


def press(page: Page, key: str) -> None:
    """Press a key, and wait until the next hit, or the end, is shown."""
    answered = int(page.get_attribute("#desk[data-answers]", "data-answers") or 0)
    page.keyboard.press(key)
    page.locator(f"#desk[data-answers='{answered + 1}']").wait_for()


def test_300_pairs_are_judged_without_a_mouse(visit: Callable[..., Page], served: Served) -> None:
    page = visit()
    page.keyboard.press("Tab")
    page.fill("input[name=rater]", "ann")
    for box in page.get_by_role("checkbox").all():
        box.focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Judge hits").focus()
    page.keyboard.press("Enter")
    page.locator("#answer").wait_for()
    expected = {}
    for number in range(QUERIES * HITS):
        item = page.input_value("#answer [name=item]")
        expected[page.input_value("#answer [name=asked]"), item] = number % 2
        press(page, "ny"[number % 2])
    assert "Nothing is left for you to judge" in page.inner_text("h1")
    found = settle(judgments_of(served))
    assert {(key.query, key.item): each.grade for key, each in found.items()} == expected


def test_nothing_shows_which_system_found_a_hit(visit: Callable[..., Page], served: Served) -> None:
    page = visit(queue_address(served, "ann"))
    shown = page.content().replace(queue_address(served, "ann"), "")
    assert "Listed" not in shown
    visible = page.inner_text("main")
    assert not any(run in visible for run in runs_of(served))
    assert "rank" not in visible


def test_a_reload_shows_the_same_hit_and_loses_nothing(
    visit: Callable[..., Page], served: Served
) -> None:
    page = visit(queue_address(served, "ann"))
    press(page, "y")
    before = page.input_value("#answer [name=item]")
    page.reload()
    assert page.input_value("#answer [name=item]") == before
    assert len(judgments_of(served)) == 1


def test_two_raters_at_once_get_different_hits(visit: Callable[..., Page], served: Served) -> None:
    pages = [visit(queue_address(served, rater)) for rater in ("ann", "bob")]
    for _ in range(5):
        items = [page.input_value("#answer [name=item]") for page in pages]
        assert len(set(items)) == 2
        for page in pages:
            press(page, "y")
    given = judgments_of(served)
    assert len({(each.query, each.item) for each in given}) == len(given) == 10


def test_undo_later_skip_unrateable_and_a_note(visit: Callable[..., Page], served: Served) -> None:
    page = visit(queue_address(served, "ann"))
    first = page.input_value("#answer [name=item]")
    page.keyboard.press("c")
    page.keyboard.type("nice, yes?")
    page.keyboard.press("Escape")
    press(page, "y")
    press(page, "u")
    assert page.input_value("#answer [name=item]") == first
    press(page, "l")
    assert page.input_value("#answer [name=item]") != first
    press(page, "s")
    press(page, "x")
    given = judgments_of(served)
    assert [each.state for each in given] == [
        JudgmentState.GRADED,
        JudgmentState.WITHDRAWN,
        JudgmentState.SKIPPED,
        JudgmentState.UNRATEABLE,
    ]
    assert given[0].note == "nice, yes?"
    assert first not in {each.item for each in given[2:]}


def test_an_answer_without_connection_is_kept_and_sent_again(
    visit: Callable[..., Page], served: Served
) -> None:
    page = visit(queue_address(served, "ann"))
    item = page.input_value("#answer [name=item]")
    page.context.set_offline(True)
    page.keyboard.press("y")
    page.get_by_role("alert").wait_for()
    assert "No connection" in page.get_by_role("alert").inner_text()
    assert judgments_of(served) == []
    page.context.set_offline(False)
    page.locator("#desk[data-answers='1']").wait_for()
    assert [(each.item, each.grade) for each in judgments_of(served)] == [(item, 1)]


def test_an_answer_that_was_not_sent_survives_a_reload(
    visit: Callable[..., Page], served: Served
) -> None:
    page = visit(queue_address(served, "ann"))
    item = page.input_value("#answer [name=item]")
    page.route("**/judge/queue", lambda route: route.abort())
    page.keyboard.press("n")
    page.get_by_role("alert").wait_for()
    page.reload()
    page.unroute("**/judge/queue")
    page.locator("#desk[data-answers='1']").wait_for()
    assert [(each.item, each.grade) for each in judgments_of(served)] == [(item, 0)]


def test_guidelines_and_grades_are_those_of_the_suite_now(
    visit: Callable[..., Page], served: Served
) -> None:
    (served.folder / "open.toml").write_text(
        'id = "open"\nclass = "unjudged"\n[judging]\nhighest = 3\nguidelines = "rules.md"\n'
        '[[query]]\nid = "q0"\ntext = "question 0"\nexpect.anything = true\n'
    )
    (served.folder / "rules.md").write_text("Only pages in English.")
    (served.folder / "cranfield.toml").write_text('suites = ["open.toml"]\n')
    page = visit(queue_address(served, "ann"))
    page.keyboard.press("g")
    assert "Only pages in English." in page.inner_text(".guidelines")
    press(page, "3")
    assert [each.grade for each in judgments_of(served)] == [3]


def test_content_that_changed_since_it_was_judged_is_shown_as_a_diff(
    visit: Callable[..., Page], served: Served
) -> None:
    store = open_store(served.folder / ".cranfield" / "cranfield.db")
    query = unjudged_suite(1).queries[0]
    earlier = Judgment(query_key(query), f"{query.text}/3.md", "bob", 1, content="old")
    JudgmentStore(store).add([earlier], [query], {"old": "Page 3: an older text."})
    store.close()
    page = visit(queue_address(served, "ann", query=query.text, document="3.md"))
    assert "It has changed since bob gave it 1" in page.inner_text("main")
    assert page.inner_text(".change del") == "Page 3: an older text."
    assert page.inner_text(".change ins") == f"Page 3 answers {query.text}."


def test_an_answer_that_comes_twice_counts_once(visit: Callable[..., Page], served: Served) -> None:
    with served.client() as client:
        text = client.get(queue_address(served, "ann")).text
        fields = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text)
        sent = urlencode([*fields, ("action", "1")])
        headers = {"origin": served.url, "content-type": "application/x-www-form-urlencoded"}
        for _ in range(2):
            assert client.post("/judge/queue", content=sent, headers=headers).status_code == 303
    assert len(judgments_of(served)) == 1


@pytest.mark.parametrize("action", ["7", "-1", "yes", "", "1" * 4])
def test_a_grade_that_does_not_exist_is_refused(served: Served, action: str) -> None:
    with served.client() as client:
        text = client.get(queue_address(served, "ann")).text
        fields = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text)
        sent = urlencode([*fields, ("action", action)])
        headers = {"origin": served.url, "content-type": "application/x-www-form-urlencoded"}
        answer = client.post("/judge/queue", content=sent, headers=headers)
    assert answer.status_code == 400
    assert judgments_of(served) == []


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ("rater=&run=x", "say who judges"),
        ("rater=ann", "choose at least one run"),
        ("rater=ann&run=x&depth=0", "depth is a number from 1 to 1000"),
        ("rater=ann&run=no-such-run", "no-such-run"),
    ],
)
def test_a_task_that_cannot_be_done_says_why(served: Served, fields: str, reason: str) -> None:
    with served.client() as client:
        answer = client.get(f"/judge/queue?{fields}")
    assert answer.status_code in (400, 404)
    assert reason in answer.text


def test_answers_are_preferred_with_the_sides_balanced(
    visit: Callable[..., Page], served: Served
) -> None:
    page = visit(queue_address(served, "ann", "preferences"))
    for number in range(QUERIES):
        press(page, "asd"[number % 3])
    assert "You have compared all answers" in page.inner_text("h1")
    given = preferences_of(served)
    assert sum(each.is_swapped for each in given) == QUERIES // 2
    for number, each in enumerate(given):
        side = ("left", "neither", "right")[number % 3]
        if side == "neither":
            assert each.choice is PreferredAnswer.NEITHER
        else:
            is_first = (side == "left") != each.is_swapped
            assert each.choice is (PreferredAnswer.FIRST if is_first else PreferredAnswer.SECOND)


def test_the_page_of_progress_counts_what_is_judged(
    visit: Callable[..., Page], served: Served
) -> None:
    page = visit(queue_address(served, "ann"))
    press(page, "y")
    page.get_by_role("link", name="Progress and agreement").click()
    page.wait_for_url("**/judge/progress?*")
    assert f"1 judged, {QUERIES * HITS - 1} left" in page.inner_text("main")
    assert find_violations(page) == {}


@in_every_look
def test_the_pages_are_accessible_and_fit(
    visit: Callable[..., Page], served: Served, scheme: str, width: int
) -> None:
    page = visit(color_scheme=scheme, viewport={"width": width, "height": 900})
    addresses = ["/judge"] + [
        queue_address(served, "ann", each) for each in ("queue", "preferences")
    ]
    for address in addresses:
        page.goto(served.url + address)
        assert find_violations(page) == {}
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_content_is_shown_as_text(
    browser: Browser, tmp_path: Path, visit: Callable[..., Page]
) -> None:
    folder = tmp_path / "hostile"
    (folder / ".cranfield").mkdir(parents=True)
    (folder / "cranfield.toml").write_text("suites = []\n")
    store = open_store(folder / ".cranfield" / "cranfield.db")
    suite = unjudged_suite(1)
    hits = [Hit(text, text=f"{text} {place}", fields={"title": text, text[:50]: text})
            for place, text in enumerate(HOSTILE)]  # fmt: skip
    for turned in (hits, hits[::-1]):
        listed_run(suite, {suite.queries[0].text: turned}, store)
    store.close()
    with serving(folder) as made:
        page = browser.new_context().new_page()
        for kind in ("queue", "preferences"):
            page.goto(made.url + queue_address(made, HOSTILE[0], kind))
            for _ in range(len(hits) if kind == "queue" else 1):
                assert page.evaluate("window.pwned") is None
                assert page.locator("main img, main script").count() == 0
                assert "\x1b" not in page.inner_text("main")
                assert "\u202e" not in page.inner_text("main")
                press(page, "y" if kind == "queue" else "a")
        page.context.close()
