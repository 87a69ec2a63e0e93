"""A model asked by the workers of a cluster: the same judgments, whatever becomes of a worker."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select
from tests.judging.models.helpers import make_round, make_run, make_suite

from cranfield.errors import SystemUnusableError
from cranfield.executors import find_workers
from cranfield.judging.models.model_judge import FailedRequestError, JudgeContext, ModelJudge
from cranfield.judging.models.model_settings import read_model_settings
from cranfield.judging.models.prompts import Messages
from cranfield.judging.models.remote_judge import open_judge
from cranfield.runs import store_schema
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cranfield.judging.models.request_loop import ModelTally
    from cranfield.model import Suite

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("ray")]

TABLES = (store_schema.model_answers, store_schema.judgments, store_schema.judged_contents)

JUDGE = """\
import json, os, signal, sys
from pathlib import Path

for line in sys.stdin:
    user = json.loads(line)["user"]
    lost = Path("lost")
    if "engine3 was built" in user and lost.exists():
        lost.unlink()
        os.kill(os.getppid(), signal.SIGKILL)
    if "kill every worker" in user:
        os.kill(os.getppid(), signal.SIGKILL)
    reply = {"answer": "PARTIAL" if "was built" in user else "NOT_RELEVANT", "input_tokens": 9}
    if "fail" in user:
        reply = {"error": "no answer"}
    print(json.dumps(reply), flush=True)
"""


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    (tmp_path / "judge.py").write_text(JUDGE)
    command = (sys.executable, "judge.py")
    return make_suite(tmp_path, "", kind="command", run=command, jobs=2, key="")


def judge_all(suite: Suite, place: Path, executor: str) -> tuple[ModelTally, list[Any]]:
    """Return the tally, and everything that is stored but times and the order of answers."""
    with closing(open_store(place)) as store:
        judging = make_round(suite, make_run(suite, store))
        tally = judging.run(judging.plan(), {}, start=find_workers(executor))
        with store.reading("the test") as connection:
            rows = [
                dict(row._mapping) | {"given": None, "number": None}
                for table in TABLES
                for row in connection.execute(select(table))
            ]
    return tally, sorted(json.dumps(row, default=str, sort_keys=True) for row in rows)


def test_a_lost_worker_changes_nothing(suite: Suite, cluster: None, tmp_path: Path) -> None:
    here = judge_all(suite, tmp_path / "here.db", "local")
    (tmp_path / "lost").touch()
    there = judge_all(suite, tmp_path / "there.db", "ray")
    assert not (tmp_path / "lost").exists()
    assert there == here
    assert (there[0].graded, there[0].failed) == (12, 0)


@pytest.fixture
def judge(suite: Suite, cluster: None, tmp_path: Path) -> Iterator[ModelJudge]:
    context = JudgeContext("", {}, tmp_path)
    with open_judge(read_model_settings(suite), context, find_workers("ray")) as opened:
        yield opened


def test_a_request_that_failed_fails_alone(judge: ModelJudge) -> None:
    with pytest.raises(FailedRequestError, match="the command says: no answer") as caught:
        judge.ask(Messages("", "fail"))
    assert not caught.value.is_fatal
    with pytest.raises(FailedRequestError, match="3 workers of the Ray cluster were lost"):
        judge.ask(Messages("", "kill every worker"))
    assert judge.ask(Messages("", "it was built")).text == "PARTIAL"


def test_a_worker_with_another_program_is_refused(judge: ModelJudge, tmp_path: Path) -> None:
    (tmp_path / "judge.py").write_text(JUDGE + "# another build\n")
    with pytest.raises(SystemUnusableError, match=r"another build of judge-1: .*judge\.py"):
        judge.ask(Messages("", "it was built"))
