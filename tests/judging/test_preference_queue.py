"""Preferences between two answers: balanced sides, nothing lost, either way round."""

from __future__ import annotations

import pytest
from tests.judging.samples import listed_run, unjudged_suite

from cranfield.errors import CranfieldError
from cranfield.judging.preference_queue import PreferenceQueue
from cranfield.judgments import JudgmentStore, PreferredAnswer
from cranfield.runs.store import Store, open_store

ASKED = 9


@pytest.fixture
def store() -> Store:
    return open_store()


def make_queue(store: Store, *, turned: bool = False) -> PreferenceQueue:
    suite = unjudged_suite(ASKED)
    texts = [query.text for query in suite.queries]
    old = listed_run(suite, {text: ["x", "y"] for text in texts}, store)
    new = listed_run(
        suite, {text: ["y", "x"] for text in texts[:-1]} | {texts[-1]: ["x", "y"]}, store
    )
    runs = (new, old) if turned else (old, new)
    return PreferenceQueue(runs, JudgmentStore(store))


def judge_all(queue: PreferenceQueue, rater: str, choice: PreferredAnswer) -> list[bool]:
    swapped = []
    while (shown := queue.next(rater)) is not None:
        swapped.append(shown.is_swapped)
        queue.prefer(rater, shown.key, choice)
    return swapped


def test_each_side_has_each_run_equally_often(store: Store) -> None:
    swapped = judge_all(make_queue(store), "ann", PreferredAnswer.FIRST)
    assert sorted(swapped) == [False] * 4 + [True] * 4


def test_queries_that_both_runs_answer_alike_are_not_asked_about(store: Store) -> None:
    queue = make_queue(store)
    assert queue.progress().queries == ASKED - 1
    assert queue.progress().identical == 1


def test_the_left_side_shows_the_second_run_when_swapped(store: Store) -> None:
    queue = make_queue(store)
    shown = queue.next("ann")
    assert shown is not None
    second = [hit.id for hit in shown.second]
    assert (
        [hit.id for hit in (shown.left if shown.is_swapped else shown.right)]
        == second
        == ["y", "x"]
    )


def test_preferences_hold_for_the_same_answers_the_other_way_round(store: Store) -> None:
    judge_all(make_queue(store), "ann", PreferredAnswer.SECOND)
    turned = make_queue(store, turned=True).progress()
    assert (turned.first, turned.second, turned.left) == (8, 0, 0)
    assert turned.test.p_two_sided == pytest.approx(2 / 2**8)


def test_the_majority_of_raters_counts_and_a_tie_is_neither(store: Store) -> None:
    queue = make_queue(store)
    judge_all(queue, "ann", PreferredAnswer.SECOND)
    judge_all(queue, "bob", PreferredAnswer.FIRST)
    assert queue.progress().neither == 8
    judge_all(queue, "eve", PreferredAnswer.SECOND)
    assert (queue.progress().second, queue.progress("eve").mine) == (8, 8)


def test_undo_takes_the_last_preference_back_and_shows_it_again(store: Store) -> None:
    queue = make_queue(store)
    first = queue.next("ann")
    assert first is not None
    queue.prefer("ann", first.key, PreferredAnswer.NEITHER)
    assert queue.undo("ann") == first.key
    assert queue.next("ann") == first
    assert queue.progress().judged == 0
    assert queue.undo("ann") is None


def test_answers_that_are_not_in_the_queue_are_refused(store: Store) -> None:
    with pytest.raises(CranfieldError, match="reload"):
        make_queue(store).prefer("ann", "unknown", PreferredAnswer.FIRST)
