"""After an index is built again, unchanged content keeps its grade; what changed is a diff."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judging.samples import listed_run, unjudged_suite

from cranfield.judging.pool import make_pool
from cranfield.judging.queue import JudgingQueue
from cranfield.judging.shown_texts import LineState, diff_lines
from cranfield.judgments import JudgedBy, JudgedItem, JudgmentState, JudgmentStore, judge_runs
from cranfield.model import Hit
from cranfield.runs.store import open_store

SUITE = unjudged_suite(1)
ASKED = SUITE.queries[0].text
BEFORE = [Hit("a", text="one\ntwo\nthree"), Hit("b", text="kept as it is"), Hit("c", text="")]
AFTER = [
    Hit("a", text="one\nTWO\nthree"),
    Hit("moved", text="kept  as it is"),
    Hit("d", text="new"),
]


@pytest.fixture
def judged() -> JudgmentStore:
    """A store in which all hits of the first run are judged 1."""
    store = JudgmentStore(open_store())
    run = listed_run(SUITE, {ASKED: BEFORE}, store.store)
    queue = JudgingQueue(make_pool([run]), store)
    while (shown := queue.next("ann")) is not None:
        queue.judge("ann", JudgedItem(shown.hit.query, shown.hit.item), 1)
    return store


def test_only_what_is_new_or_changed_comes_back(judged: JudgmentStore) -> None:
    queue = JudgingQueue(make_pool([listed_run(SUITE, {ASKED: AFTER}, judged.store)]), judged)
    asked = []
    while (shown := queue.next("ann")) is not None:
        asked.append(shown.hit.document)
        queue.judge("ann", JudgedItem(shown.hit.query, shown.hit.item), 0)
    assert sorted(asked) == ["a", "d"]


def test_unchanged_content_keeps_its_grade_under_another_id(judged: JudgmentStore) -> None:
    run = listed_run(SUITE, {ASKED: AFTER[1:2]}, judged.store)
    (regraded,) = judge_runs([run], judged.store, JudgedBy())
    assert regraded.outcomes().first_ranks == (1,)


def test_changed_content_comes_with_the_text_that_was_judged(judged: JudgmentStore) -> None:
    queue = JudgingQueue(make_pool([listed_run(SUITE, {ASKED: AFTER}, judged.store)]), judged)
    changes = {}
    while (shown := queue.next("bob")) is not None:
        changes[shown.hit.document] = queue.change(shown)
        queue.judge("bob", JudgedItem(shown.hit.query, shown.hit.item), 0)
    assert changes["d"] is None
    assert changes["a"] is not None
    assert (changes["a"].judgment.rater, changes["a"].judgment.grade) == ("ann", 1)
    assert changes["a"].lines == (
        (LineState.KEPT, "one"),
        (LineState.REMOVED, "two"),
        (LineState.ADDED, "TWO"),
        (LineState.KEPT, "three"),
    )


def test_a_grade_that_was_taken_back_is_not_shown_with_a_change(judged: JudgmentStore) -> None:
    queue = JudgingQueue(make_pool([listed_run(SUITE, {ASKED: AFTER}, judged.store)]), judged)
    first = next(each for each in judged.judgments() if each.document == "a")
    judged.add([replace(first, state=JudgmentState.WITHDRAWN, grade=None)])
    item = next(JudgedItem(hit.query, hit.item) for hit in queue.pool.hits if hit.document == "a")
    queue.progress()
    assert queue.shown(item).earlier is None


LINES = st.lists(st.sampled_from(["a", "b", "", "c d"]), max_size=8).map("\n".join)


@given(LINES, LINES)
def test_a_diff_holds_both_texts(before: str, after: str) -> None:
    lines = diff_lines(before, after)
    old = [line.text for line in lines if line.state is not LineState.ADDED]
    new = [line.text for line in lines if line.state is not LineState.REMOVED]
    assert (old, new) == (before.splitlines(), after.splitlines())


@given(LINES)
def test_equal_texts_have_nothing_added_or_removed(text: str) -> None:
    assert all(line.state is LineState.KEPT for line in diff_lines(text, text))


def test_texts_too_long_to_compare_are_replaced_but_for_their_ends() -> None:
    before = "\n".join(["head", *(f"old {number}" for number in range(3000)), "tail"])
    after = "head\nnew\ntail"
    lines = diff_lines(before, after)
    assert lines[0] == (LineState.KEPT, "head")
    assert lines[-2:] == ((LineState.ADDED, "new"), (LineState.KEPT, "tail"))
    assert len(lines) == 3003
