"""The terminal application, driven by its keys."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.judging.samples import listed_run, unjudged_suite
from textual.widgets import Input, Static

from cranfield.judging.judging_round import RoundOptions
from cranfield.judging.terminal_app import JudgingApp
from cranfield.judgments import JudgedItem, JudgmentState, JudgmentStore, settle
from cranfield.model import Hit
from cranfield.runs.runner import Run
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.pilot import Pilot

    from cranfield.runs.store import Store


def make_app(
    store: Store,
    queries: int = 3,
    *,
    highest: int = 1,
    rater: str = "ann",
    adjudicates: bool = False,
) -> JudgingApp:
    suite = unjudged_suite(queries, highest=highest)
    hits = {
        query.text: [
            Hit(f"src/{query.id}.py", text=f"def question():\n    return {query.id!r}"),
            Hit(f"docs/{query.id}.md", text=f"A question about {query.id}."),
        ]
        for query in suite.queries
    }
    run = store.headers() or [listed_run(suite, hits, store).header]
    options = RoundOptions(adjudicates=adjudicates)
    return JudgingApp([Run(run[0], store)], store, rater, options)


def drive(app: JudgingApp, steps: Callable[[Pilot[None]], Awaitable[None]]) -> None:
    async def run() -> None:
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.pause()
            await steps(pilot)

    asyncio.run(run())


def text_of(app: JudgingApp, name: str) -> str:
    return str(app.query_one(f"#{name}", Static).render())


def test_every_answer_is_stored_before_the_next_hit_is_shown() -> None:
    store = open_store()
    app = make_app(store)

    async def steps(pilot: Pilot[None]) -> None:
        for count in range(1, 7):
            await pilot.press("y" if count % 2 else "n")
            assert JudgmentStore(store).count() == count
        assert app.shown is None
        assert "Nothing is left" in text_of(app, "query")

    drive(app, steps)
    given = JudgmentStore(store).judgments()
    assert [each.grade for each in given] == [1, 0, 1, 0, 1, 0]
    assert len({each.item + each.query for each in given}) == 6
    assert all(each.rater == "ann" and each.guideline for each in given)


def test_skip_unrateable_later_and_undo() -> None:
    store = open_store()
    app = make_app(store)

    async def steps(pilot: Pilot[None]) -> None:
        first = app.shown
        await pilot.press("l")
        assert app.shown != first
        await pilot.press("s")
        await pilot.press("x")
        judged = app.shown
        await pilot.press("y")
        await pilot.press("u")
        assert app.shown == judged
        assert "taken back" in text_of(app, "status")
        await pilot.press("n", "n", "n")
        assert app.shown == first

    drive(app, steps)
    states = [each.state for each in JudgmentStore(store).judgments()]
    assert states[:4] == [
        JudgmentState.SKIPPED,
        JudgmentState.UNRATEABLE,
        JudgmentState.GRADED,
        JudgmentState.WITHDRAWN,
    ]


def test_grades_up_to_the_highest_have_a_key_each() -> None:
    store = open_store()
    app = make_app(store, highest=3)

    async def steps(pilot: Pilot[None]) -> None:
        await pilot.press("3", "0", "2", "4")
        assert "0–3 grade" in text_of(app, "keys")

    drive(app, steps)
    assert [each.grade for each in JudgmentStore(store).judgments()] == [3, 0, 2]


def test_a_note_is_stored_with_the_next_grade_alone() -> None:
    store = open_store()
    app = make_app(store)

    async def steps(pilot: Pilot[None]) -> None:
        await pilot.press("c")
        await pilot.press(*"odd", "enter")
        await pilot.pause()
        await pilot.press("y", "y")

    drive(app, steps)
    assert [each.note for each in JudgmentStore(store).judgments()] == ["odd", ""]


def test_many_hits_get_one_grade_after_they_were_shown_and_it_is_undone_at_once() -> None:
    store = open_store()
    app = make_app(store)

    async def bulk(pilot: Pilot[None], *, confirm: str) -> None:
        await pilot.press("b")
        await pilot.pause()
        app.screen.query(Input).first().value = "docs/*"
        await pilot.press("enter")
        await pilot.pause()
        assert "docs/q0.md" in str(app.screen.query_one("#bulk", Static).render())
        await pilot.press(confirm)
        await pilot.pause()

    async def steps(pilot: Pilot[None]) -> None:
        await bulk(pilot, confirm="escape")
        assert JudgmentStore(store).count() == 0
        await bulk(pilot, confirm="y")
        assert len(settle(JudgmentStore(store).judgments())) == 3
        assert app.shown is not None
        assert app.shown.hit.document.startswith("src/")
        await pilot.press("u")
        assert not settle(JudgmentStore(store).judgments())

    drive(app, steps)


def test_filters_show_some_hits_and_review_what_was_judged() -> None:
    store = open_store()
    app = make_app(store)

    async def choose(pilot: Pilot[None], name: str, value: str) -> None:
        await pilot.press("f")
        await pilot.pause()
        for field in app.screen.query(Input):
            field.value = value if field.id == f"field-{name}" else ""
        await pilot.press("enter")
        await pilot.pause()

    async def steps(pilot: Pilot[None]) -> None:
        await choose(pilot, "query", "question 1")
        assert app.shown is not None
        assert app.shown.query.query.id == "q1"
        await choose(pilot, "document", "*.md")
        assert app.shown.hit.document.endswith(".md")
        judged = app.shown
        await pilot.press("y")
        await choose(pilot, "since", "yesterday")
        assert "not 'yesterday'" in text_of(app, "status")
        await choose(pilot, "since", "2020-01-01")
        assert app.shown.hit == judged.hit
        await pilot.press("n")
        assert app.shown is None

    drive(app, steps)
    assert [each.grade for each in JudgmentStore(store).judgments()] == [1, 0]


def test_code_is_coloured_and_the_words_of_the_query_are_marked() -> None:
    app = make_app(open_store(), queries=1)

    async def steps(pilot: Pilot[None]) -> None:
        from cranfield.judging.terminal_app import document_text

        for _ in range(2):
            assert app.shown is not None
            text = document_text(app.shown)
            marked = {
                text.plain[span.start : span.end]
                for span in text.spans
                if "yellow" in str(span.style)
            }
            assert marked == {"question"}
            if app.shown.hit.document.endswith(".py"):
                assert len({str(span.style) for span in text.spans}) > 2
            await pilot.press("y")

    drive(app, steps)


def test_changed_content_comes_back_as_a_diff() -> None:
    store = open_store()
    suite = unjudged_suite(1)
    [query] = suite.queries
    old = listed_run(suite, {query.text: [Hit("a.md", text="one\ntwo")]}, store)
    drive(JudgingApp([old], store, "ann", RoundOptions()), lambda pilot: pilot.press("y"))
    new = listed_run(suite, {query.text: [Hit("a.md", text="one\nthree")]}, store)
    app = JudgingApp([new], store, "ann", RoundOptions())

    async def steps(pilot: Pilot[None]) -> None:
        shown = text_of(app, "before")
        assert "-two" in shown
        assert "+three" in shown
        assert "changed since it had the grade 1" in text_of(app, "status")

    drive(app, steps)


def test_what_raters_disagree_about_is_adjudicated() -> None:
    store = open_store()
    for rater, grade in (("ann", 1), ("bo", 0)):
        judging = make_app(store, 1, rater=rater).judging
        for query in judging.pool.queries.values():
            for hit in query.hits:
                judging.queue.judge(rater, JudgedItem(query.key, hit.item), grade)
    app = make_app(store, 1, rater="chief", adjudicates=True)

    async def steps(pilot: Pilot[None]) -> None:
        assert "ann: 1, bo: 0" in text_of(app, "status")
        await pilot.press("y", "y")
        assert app.shown is None

    drive(app, steps)
    settled = settle(JudgmentStore(store).judgments()).values()
    assert [(each.grade, each.is_disputed) for each in settled] == [(1, False), (1, False)]


@pytest.mark.parametrize("text", ["\x1b[31mred", "[bold]markup[/bold]"])
def test_text_of_others_is_shown_as_it_is(text: str) -> None:
    store = open_store()
    suite = unjudged_suite(1)
    run = listed_run(suite, {suite.queries[0].text: [Hit("a", text=text)]}, store)
    app = JudgingApp([run], store, "ann", RoundOptions())

    async def steps(pilot: Pilot[None]) -> None:
        assert "\x1b" not in text_of(app, "document")
        assert text.lstrip("\x1b") in text_of(app, "document")

    drive(app, steps)
