"""A round of a model that is killed: what was answered is stored, and is not asked for again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.judging.models.helpers import KEY, make_round, make_run, make_suite
from tests.judging.models.model_server import ModelServer, reply, serve_model

from cranfield.judging.models.answer_store import AnswerStore
from cranfield.judgments import JudgmentStore
from cranfield.runs.runner import Run
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from cranfield.judging.models.request_loop import ModelTally
    from cranfield.model import Suite

pytestmark = [pytest.mark.server, pytest.mark.process]

HITS = 12
"""Six queries with two hits each that the rules do not find right."""
CHILD = """\
import os, signal, sys
from pathlib import Path
from cranfield.judgments import JudgmentStore
from tests.judging.models.test_killed_round import ask_all, open_suite

store, endpoint, run, jobs, lethal = sys.argv[1:]
add, left = JudgmentStore.add, [int(lethal)]

def add_or_die(*given, **more):
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return add(*given, **more)

JudgmentStore.add = add_or_die
ask_all(Path(store), open_suite(Path(store).parent, endpoint, int(jobs)), run)
"""


def open_suite(folder: Path, endpoint: str, jobs: int) -> Suite:
    return make_suite(folder, endpoint, jobs=jobs)


def ask_all(place: Path, suite: Suite, run: str) -> ModelTally:
    with closing(open_store(place)) as store:
        judging = make_round(suite, Run(store.header(run), store))
        return judging.run(judging.plan(), {"MODEL_KEY": KEY})


def start(place: Path, server: ModelServer, run: str, *, jobs: int = 1, lethal: int = 0) -> Any:
    arguments = [str(place), f"{server.address}/v1", run, str(jobs), str(lethal)]
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, *arguments], cwd=Path(__file__).parents[3]
    )


def stored(place: Path) -> tuple[int, int, int]:
    """Return how many answers and judgments there are, and the tokens that they cost."""
    with closing(open_store(place)) as store:
        spent = AnswerStore(store).spending("judge-1@1")
        return spent.calls, len(JudgmentStore(store).judgments()), spent.input_tokens


def prepare(folder: Path, server: ModelServer) -> tuple[Path, str, Suite]:
    place = folder / "store.db"
    suite = open_suite(folder, f"{server.address}/v1", 1)
    with closing(open_store(place)) as store:
        return place, make_run(suite, store).header.id, suite


@pytest.mark.parametrize(
    "answered", [7, *(pytest.param(each, marks=pytest.mark.thorough) for each in (0, 1, 11))]
)
def test_killed_while_it_waits_it_has_all_that_was_answered(answered: int, tmp_path: Path) -> None:
    reached, held = threading.Event(), threading.Event()

    def hold(*_: Any) -> None:
        reached.set()
        held.wait(30)

    with serve_model(script=[*[reply(None)] * answered, hold]) as server:
        place, run, suite = prepare(tmp_path, server)
        process = start(place, server, run)
        assert reached.wait(60)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        held.set()
        assert stored(place) == (answered, answered, answered * 100)
        before = len(server.requests)
        tally = ask_all(place, suite, run)
        assert (tally.graded, tally.from_store) == (HITS - answered, answered)
        assert len(server.requests) - before == HITS - answered
        assert stored(place) == (HITS, HITS, HITS * 100)
        asked = [json.dumps(body, sort_keys=True) for _, body in server.requests]
        assert len(asked) - len(set(asked)) == 1, "only what was under way is asked again"


@pytest.mark.parametrize("lethal", [5, pytest.param(1, marks=pytest.mark.thorough)])
def test_killed_between_an_answer_and_its_judgment_it_asks_nothing_twice(
    lethal: int, tmp_path: Path
) -> None:
    with serve_model() as server:
        place, run, suite = prepare(tmp_path, server)
        assert start(place, server, run, lethal=lethal).wait(60) == -signal.SIGKILL
        assert stored(place) == (lethal, lethal - 1, lethal * 100)
        tally = ask_all(place, suite, run)
        assert (tally.graded, tally.from_store) == (HITS - lethal, lethal)
        assert stored(place) == (HITS, HITS, HITS * 100)
        assert len(server.requests) == HITS


def test_of_several_requests_at_once_no_more_are_lost_than_were_under_way(tmp_path: Path) -> None:
    with serve_model() as server:
        place, run, suite = prepare(tmp_path, server)
        assert start(place, server, run, jobs=3, lethal=6).wait(60) == -signal.SIGKILL
        kept, sent = stored(place)[0], len(server.requests)
        assert kept == 6
        assert sent - kept <= 3
        ask_all(place, suite, run)
        assert stored(place) == (HITS, HITS, HITS * 100)
        assert len(server.requests) - sent == HITS - kept
