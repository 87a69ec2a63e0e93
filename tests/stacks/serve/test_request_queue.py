"""The queue: so many work, so many wait in their order, the rest is refused."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from stacks.errors import OverloadError, QueryError
from stacks.serve import QueueLimits, RequestQueue


def wait_for(queue: RequestQueue, waiting: int) -> None:
    end = time.monotonic() + 30
    while queue.load.waiting != waiting:
        assert time.monotonic() < end, queue.load
        time.sleep(0.001)


def test_no_more_than_the_workers_work_at_a_time() -> None:
    queue = RequestQueue(QueueLimits(workers=3, waiting=100))
    lock = threading.Lock()
    working = most = 0

    def work(_: int) -> None:
        nonlocal working, most
        with queue.turn():
            with lock:
                working += 1
                most = max(most, working)
            time.sleep(0.001)
            with lock:
                working -= 1

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(work, range(100)))
    assert most == 3
    load = queue.load
    assert (load.working, load.waiting, load.answered, load.refused) == (0, 0, 100, 0)


def test_those_who_wait_have_their_turns_in_the_order_of_arrival() -> None:
    queue = RequestQueue(QueueLimits(workers=1, waiting=10, seconds=30))
    order: list[int] = []

    def work(number: int) -> None:
        with queue.turn():
            order.append(number)

    with ThreadPoolExecutor(10) as pool:
        with queue.turn():
            for number in range(10):
                pool.submit(work, number)
                wait_for(queue, number + 1)
        pool.shutdown()
    assert order == list(range(10))


def test_beyond_the_queue_a_request_is_refused_at_once_with_the_reason() -> None:
    queue = RequestQueue(QueueLimits(workers=1, waiting=0))
    with (
        queue.turn(),
        pytest.raises(OverloadError, match="1 requests are being answered and 0 are waiting") as no,
        queue.turn(),
    ):
        pytest.fail("there is no second turn")
    assert no.value.retry_after == 1
    with queue.turn():
        assert queue.load.refused == 1


def test_who_waits_too_long_is_refused_and_leaves_the_queue() -> None:
    queue = RequestQueue(QueueLimits(workers=1, waiting=5, seconds=0.01))
    with queue.turn():
        with pytest.raises(OverloadError, match=r"waited 0\.01 s for its turn"), queue.turn():
            pytest.fail("there is no second turn")
        assert queue.load.waiting == 0
    with queue.turn():
        assert queue.load.working == 1


def test_a_failure_gives_its_turn_back() -> None:
    queue = RequestQueue(QueueLimits(workers=1, waiting=0))
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), queue.turn():
            raise ZeroDivisionError
    assert queue.load.working == 0


def test_when_to_retry_follows_from_the_queue_and_the_usual_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr("stacks.serve.request_queue.time.monotonic", lambda: now[0])
    queue = RequestQueue(QueueLimits(workers=2, waiting=0))
    with queue.turn():
        now[0] += 7.0
    with ExitStack() as both:
        both.enter_context(queue.turn())
        both.enter_context(queue.turn())
        with pytest.raises(OverloadError, match="try again in 7 s") as refused, queue.turn():
            pytest.fail("there is no third turn")
    assert refused.value.retry_after == 7


@pytest.mark.parametrize(("workers", "waiting"), [(0, 1), (-1, 1), (1, -1)])
def test_limits_that_are_none_are_refused(workers: int, waiting: int) -> None:
    with pytest.raises(QueryError, match="at least 1 worker and a queue of 0 or more"):
        QueueLimits(workers, waiting)


def test_hammered_by_many_no_turn_is_lost() -> None:
    queue = RequestQueue(QueueLimits(workers=2, waiting=3, seconds=0.002))
    outcomes: list[bool] = []

    def work(_: int) -> None:
        try:
            with queue.turn():
                time.sleep(0.001)
        except OverloadError:
            outcomes.append(False)
        else:
            outcomes.append(True)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(work, range(400)))
    load = queue.load
    assert (load.working, load.waiting) == (0, 0)
    assert (load.answered, load.refused) == (outcomes.count(True), outcomes.count(False))
    assert load.answered + load.refused == 400
