"""Who is handed what: least judged first, never more raters than asked for."""

from __future__ import annotations

import pytest
from tests.judging.samples import listed_run, unjudged_suite

from cranfield.errors import CranfieldError
from cranfield.judging.pool import make_pool
from cranfield.judging.queue import JudgingQueue
from cranfield.judging.queue_options import QueueOptions
from cranfield.judgments import JudgedItem, JudgmentStore
from cranfield.runs.store import open_store


def make_queue(options: QueueOptions, queries: int = 4) -> JudgingQueue:
    suite = unjudged_suite(queries)
    hits = {query.text: [f"{query.id}-a", f"{query.id}-b"] for query in suite.queries}
    return JudgingQueue(make_pool([listed_run(suite, hits)]), JudgmentStore(open_store()), options)


def judge_all(queue: JudgingQueue, rater: str) -> list[JudgedItem]:
    done = []
    while (shown := queue.next(rater)) is not None:
        done.append(JudgedItem(shown.query.key, shown.hit.item))
        queue.judge(rater, done[-1], 1)
    return done


def test_hits_in_the_overlap_go_to_as_many_people_as_asked_for_and_to_no_more() -> None:
    queue = make_queue(QueueOptions(overlap=1.0, raters=3))
    assert [len(judge_all(queue, name)) for name in ("ann", "bo", "cy", "dee")] == [8, 8, 8, 0]


def test_without_overlap_every_hit_is_judged_once() -> None:
    queue = make_queue(QueueOptions())
    assert len(judge_all(queue, "ann")) == 8
    assert judge_all(queue, "bo") == []


def test_a_share_of_the_hits_is_drawn_for_the_overlap() -> None:
    queue = make_queue(QueueOptions(overlap=0.25, raters=2), queries=100)
    assert len(judge_all(queue, "ann")) == 200
    assert 30 <= len(judge_all(queue, "bo")) <= 70


def test_what_has_the_fewest_judgments_comes_first() -> None:
    queue = make_queue(QueueOptions(overlap=1.0, raters=2))
    for _ in range(3):
        shown = queue.next("ann")
        assert shown is not None
        queue.judge("ann", JudgedItem(shown.query.key, shown.hit.item), 1)
    judged = {JudgedItem(each.query, each.item) for each in queue.judgments()}
    order = judge_all(queue, "bo")
    assert set(order[-3:]) == judged


def test_more_than_three_raters_are_refused() -> None:
    with pytest.raises(CranfieldError, match="from 1 to 3, not 4"):
        QueueOptions(raters=4)
