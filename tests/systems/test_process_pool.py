"""Processes that are lent, taken back and replaced."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from cranfield.systems.line_process import LineProcessError, ProcessPool


@dataclass(eq=False)
class Worker:
    """Stands for a process; dead ones cannot be asked."""

    number: int
    dead: bool = False
    closed: bool = False

    def answer(self) -> int:
        if self.dead:
            raise LineProcessError("it ended with code 1")
        return self.number

    def close(self) -> None:
        self.closed = True


@dataclass
class Factory:
    started: list[Worker] = field(default_factory=list)
    born_dead: bool = False

    def __call__(self) -> Worker:
        self.started.append(Worker(len(self.started), dead=self.born_dead))
        return self.started[-1]


def test_one_process_serves_one_after_the_other() -> None:
    factory = Factory()
    kept = ProcessPool(factory)
    assert [kept.run(Worker.answer) for _ in range(5)] == [0] * 5
    kept.close()
    assert factory.started[0].closed


def test_as_many_are_started_as_are_asked_at_once_whatever_threads_ask() -> None:
    factory = Factory()
    kept = ProcessPool(factory)
    together = threading.Barrier(4)

    def meet(_: Worker) -> None:
        together.wait(60)

    for _ in range(3):  # new threads each time
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: kept.run(meet), range(4)))
    assert len(factory.started) == 4
    kept.close()
    assert all(worker.closed for worker in factory.started)


def test_one_that_died_after_it_answered_is_replaced_without_a_word() -> None:
    factory = Factory()
    kept = ProcessPool(factory)
    assert kept.run(Worker.answer) == 0
    factory.started[0].dead = True
    assert kept.run(Worker.answer) == 1
    assert factory.started[0].closed


def test_a_new_one_that_dies_is_an_error() -> None:
    factory = Factory(born_dead=True)
    kept = ProcessPool(factory)
    with pytest.raises(LineProcessError):
        kept.run(Worker.answer)
    assert [worker.closed for worker in factory.started] == [True]


def test_one_that_kills_every_process_gets_its_error() -> None:
    """The question is asked of the kept one, and once more of a new one."""
    factory = Factory()
    kept = ProcessPool(factory)
    kept.run(Worker.answer)

    def deadly(worker: Worker) -> int:
        worker.dead = True
        return worker.answer()

    with pytest.raises(LineProcessError):
        kept.run(deadly)
    assert len(factory.started) == 2


@pytest.mark.parametrize("problem", [TimeoutError, KeyboardInterrupt])
def test_one_that_was_interrupted_is_not_lent_again(problem: type[BaseException]) -> None:
    factory = Factory()
    kept = ProcessPool(factory)

    def interrupted(_: Worker) -> None:
        raise problem

    with pytest.raises(problem):
        kept.run(interrupted)
    assert factory.started[0].closed
    assert kept.run(Worker.answer) == 1


def test_closing_reaches_those_that_are_lent_and_those_that_come_later() -> None:
    factory = Factory()
    kept = ProcessPool(factory)
    kept.run(lambda _: kept.close())
    assert factory.started[0].closed
    with pytest.raises(LineProcessError, match="the system is closed"):
        kept.run(Worker.answer)
