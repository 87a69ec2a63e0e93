"""Workers of a Ray cluster: what they are asked comes back, an error with its kind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cranfield.errors import CranfieldError, InputError, LostWorkersError, SystemUnusableError
from cranfield.executors import find_workers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.executors import Workers

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("ray")]

ROOT = Path(__file__).parents[2]


class Clerk:
    """Does what it is asked in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark = folder / f"opened-{os.getpid()}"
        self.mark.touch()

    def close(self) -> None:
        self.mark.unlink()

    def double(self, number: int) -> int:
        return 2 * number

    def die(self, times: int) -> str:
        """End the process so many times."""
        for number in range(times):
            mark = self.folder / f"died-{number}"
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return "alive"

    def refuse(self, kind: str) -> None:
        if kind == "file":
            raise InputError("is wrong", file="a.toml", line=3)
        raise SystemUnusableError("it is gone")


@pytest.fixture
def workers(tmp_path: Path, cluster: None) -> Iterator[Workers]:
    start = find_workers("ray")
    assert start is not None
    started = start(partial(Clerk, tmp_path))
    yield started
    started.close()


def test_every_call_is_answered_by_few_workers(workers: Workers, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(lambda each: workers.call("double", each), range(20)))
    assert answers == [2 * number for number in range(20)]
    assert 1 <= len(list(tmp_path.glob("opened-*"))) <= 2
    assert workers.count == 2


def test_the_call_of_a_lost_worker_is_repeated_and_given_up_in_the_end(workers: Workers) -> None:
    assert workers.call("die", 2) == "alive"
    with pytest.raises(LostWorkersError, match="3 workers of the Ray cluster were lost"):
        workers.call("die", 9)
    assert workers.call("double", 4) == 8


def test_workers_that_are_let_go_close_their_objects(workers: Workers, tmp_path: Path) -> None:
    workers.call("double", 1)
    assert list(tmp_path.glob("opened-*"))
    workers.close()
    assert not list(tmp_path.glob("opened-*"))


def test_an_error_keeps_its_message_and_whether_something_is_unusable(workers: Workers) -> None:
    with pytest.raises(SystemUnusableError, match="it is gone"):
        workers.call("refuse", "system")
    with pytest.raises(CranfieldError, match=r"a\.toml:3: is wrong"):
        workers.call("refuse", "file")


STOPPED = """\
import os, signal, sys
from functools import partial
from pathlib import Path

from cranfield.executors import find_workers
from cranfield_shared.signals import Stopped, stoppable
from tests.executors.test_ray_workers import Clerk

try:
    with stoppable():
        find_workers("ray")(partial(Clerk, Path(sys.argv[1])))
        from ray.experimental import tqdm_ray
        tqdm_ray.instance()  # as Ray does when a worker reports its progress
        assert print.__module__ == "builtins", print
        os.kill(os.getpid(), signal.SIGTERM)
        signal.pause()
except Stopped as stopped:
    sys.exit(stopped.code)
"""


def test_a_command_that_has_workers_is_stopped_as_any_other(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="the extra ray is not installed")
    command = [sys.executable, "-c", STOPPED, str(tmp_path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 128 + signal.SIGTERM, ended.stderr
