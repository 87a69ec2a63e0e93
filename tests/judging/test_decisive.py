"""Judging for a verdict: what is certain stays certain, and nothing needless is asked."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.judging.samples import judge, listed_run, unjudged_suite

from cranfield.comparisons import compare
from cranfield.errors import CranfieldError
from cranfield.judging.decisive import DecisivePlan
from cranfield.judging.pool import make_pool
from cranfield.judging.queue import JudgingQueue
from cranfield.judging.queue_options import QueueOptions
from cranfield.judging.verdict_outlook import OutlookOptions
from cranfield.judgments import JudgedBy, JudgedItem, JudgmentStore, judge_runs, settle
from cranfield.runs.store import open_store
from cranfield.statistics import VerdictKind

if TYPE_CHECKING:
    from cranfield.judgments import Judgment
    from cranfield.runs.runner import Run

CERTAIN = OutlookOptions(error=0.0)


def two_runs(count: int, random: Random, *, highest: int = 1) -> tuple[Run, Run]:
    """Two systems with five hits a query, some of them the same."""
    suite = unjudged_suite(count, highest=highest)
    store = open_store()
    lists: list[dict[str, list[str]]] = [{}, {}]
    for query in suite.queries:
        for found in lists:
            documents = [f"{query.id}-{number}" for number in range(8)]
            found[query.text] = random.sample(documents, 5)
    return listed_run(suite, lists[0], store), listed_run(suite, lists[1], store)


def all_items(a: Run, b: Run) -> list[tuple[str, str]]:
    pool = make_pool([a, b])
    return [(query.query.id, hit.document) for query in pool.queries.values() for hit in query.hits]


def judgments_of(run: Run, grades: dict[tuple[str, str], int]) -> list[Judgment]:
    queries = {query.id: query for query in run.header.suite.queries}
    return [judge(queries[query], name, grade) for (query, name), grade in grades.items()]


def verdict_of(a: Run, b: Run, grades: dict[tuple[str, str], int]) -> VerdictKind:
    """The verdict of the comparison by these judgments alone."""
    store = JudgmentStore(open_store())
    store.add(judgments_of(a, grades), a.header.suite.queries)
    first, second = judge_runs([a, b], store.store, JudgedBy())
    return compare(first, second).verdict.kind


@given(st.integers(0, 10**6), st.integers(7, 16), st.sampled_from([0.0, 0.02, 0.1, 0.3]))
@settings(max_examples=40)
def test_a_certain_verdict_stays_whatever_the_holes_turn_out_to_be(
    seed: int, count: int, hidden: float
) -> None:
    random = Random(seed)  # noqa: S311 - seeded on purpose
    a, b = two_runs(count, random)
    bias = random.choice([0.0, 0.5, 0.9])

    def is_right(query: str, name: str) -> int:
        answer = next(x for x in b.store.answers(b.header.id, int(query[1:])))
        first = answer.response.hits[0].id == name
        return int(first if random.random() < bias else random.random() < 0.2)

    grades = {item: is_right(*item) for item in all_items(a, b)}
    known = {item: grade for item, grade in grades.items() if random.random() >= hidden}
    settled = settle(judgments_of(a, known)).values()
    plan = DecisivePlan(a, b, make_pool([a, b]), CERTAIN)
    for key in {each.query for each in settled}:
        plan.note(key, [each for each in settled if each.query == key])
    outlook = plan.state().outlook
    if outlook is None or not outlook.is_certain:
        return
    for _ in range(4):
        rate = random.random()
        filled = {item: known.get(item, int(random.random() < rate)) for item in grades}
        assert verdict_of(a, b, filled) is outlook.kind


def judged_until_settled(
    a: Run, b: Run, grades: dict[tuple[str, str], int], options: OutlookOptions
) -> tuple[int, JudgingQueue]:
    """Answer what the queue asks until it stops; return how many answers that took."""
    pool = make_pool([a, b])
    store = JudgmentStore(open_store())
    plan = DecisivePlan(a, b, pool, options)
    queue = JudgingQueue(pool, store, QueueOptions(seed=3), plan)
    count = 0
    while (shown := queue.next("ann")) is not None:
        grade = grades[shown.query.query.id, shown.hit.document]
        queue.judge("ann", JudgedItem(shown.query.key, shown.hit.item), grade)
        count += 1
    return count, queue


def clear_winner(count: int) -> tuple[Run, Run, dict[tuple[str, str], int]]:
    """B has the right hit first, A mostly second: RR decides long before all is judged."""
    suite = unjudged_suite(count)
    store = open_store()
    right = {query.text: f"{query.id}-right" for query in suite.queries}
    others = {query.text: [f"{query.id}-{n}" for n in range(4)] for query in suite.queries}
    first = {text: [*others[text][:3], right[text]] for text in right}
    second = {text: [right[text], *others[text][1:]] for text in right}
    a, b = listed_run(suite, first, store), listed_run(suite, second, store)
    grades = {item: int(item[1].endswith("right")) for item in all_items(a, b)}
    return a, b, grades


def test_a_clear_verdict_needs_a_part_of_the_judgments_and_is_that_of_all() -> None:
    a, b, grades = clear_winner(80)
    count, queue = judged_until_settled(a, b, grades, OutlookOptions())
    state = queue.decisive_state()
    assert state is not None
    assert state.outlook is not None
    assert state.outlook.kind is VerdictKind.BETTER is verdict_of(a, b, grades)
    assert not state.outlook.is_certain
    assert count < len(grades) / 2
    assert state.settled_queries >= 20


def test_without_a_tolerated_error_it_goes_on_until_nothing_can_change_the_verdict() -> None:
    a, b, grades = clear_winner(40)
    probable, _ = judged_until_settled(a, b, grades, OutlookOptions())
    certain, queue = judged_until_settled(a, b, grades, CERTAIN)
    state = queue.decisive_state()
    assert state is not None
    assert state.outlook is not None
    assert state.outlook.is_certain
    assert state.outlook.kind is VerdictKind.BETTER
    assert probable < certain < len(grades)


def test_an_error_that_no_number_of_outcomes_shows_is_refused() -> None:
    with pytest.raises(CranfieldError, match=r"0\.0005 of rounds.*tolerate 0\.001 or more, or 0"):
        OutlookOptions(error=0.0005)


def test_hits_that_cannot_change_a_difference_are_not_asked_for() -> None:
    suite = unjudged_suite(12)
    store = open_store()
    same = {query.text: [f"{query.id}-a", f"{query.id}-b"] for query in suite.queries}
    a, b = listed_run(suite, same, store), listed_run(suite, same, store)
    plan = DecisivePlan(a, b, make_pool([a, b]), CERTAIN)
    state = plan.state()
    assert state.hits_left == 0
    assert state.is_settled


def test_a_measure_without_a_highest_value_is_refused() -> None:
    from dataclasses import replace

    suite = replace(unjudged_suite(3), query_class="judged", measures=("DCG@5",))
    run = listed_run(suite, {"question 0": ["a"]})
    with pytest.raises(CranfieldError, match=r"DCG@5 has no highest value.*-m"):
        DecisivePlan(run, run, make_pool([run]), CERTAIN)


def test_answers_that_are_equal_from_the_start_are_no_sample_of_those_that_differ() -> None:
    """Most queries have the same hits in both runs: nothing is foreseen from their zeros."""
    suite = unjudged_suite(120)
    store = open_store()
    same = {query.text: [f"{query.id}-a", f"{query.id}-b"] for query in suite.queries}
    turned = {text: hits[::-1] for text, hits in list(same.items())[:60]}
    a, b = listed_run(suite, same, store), listed_run(suite, same | turned, store)
    plan = DecisivePlan(a, b, make_pool([a, b]), OutlookOptions())
    state = plan.state()
    assert state.settled_queries == 60
    assert state.outlook is None
    assert not state.is_settled
    grades = {item: int(item[1].endswith("-b")) for item in all_items(a, b)}
    _, queue = judged_until_settled(a, b, grades, OutlookOptions())
    found = queue.decisive_state()
    assert found is not None
    assert found.outlook is not None
    assert found.outlook.kind is VerdictKind.BETTER is verdict_of(a, b, grades)
    assert 80 <= found.settled_queries < 120


def test_a_round_that_is_opened_again_goes_on_where_it_stopped() -> None:
    a, b, grades = clear_winner(80)
    pool, store = make_pool([a, b]), JudgmentStore(open_store())
    whole, _ = judged_until_settled(a, b, grades, OutlookOptions())
    count = 0
    while True:
        plan = DecisivePlan(a, b, pool, OutlookOptions())
        queue = JudgingQueue(pool, store, QueueOptions(seed=3), plan)
        shown = queue.next("ann")
        if shown is None:
            break
        grade = grades[shown.query.query.id, shown.hit.document]
        queue.judge("ann", JudgedItem(shown.query.key, shown.hit.item), grade)
        count += 1
    assert count == whole
