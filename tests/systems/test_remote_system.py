"""Systems searched elsewhere answer as they do here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.errors import SystemUnusableError
from cranfield.model import Query, Suite
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.systems import SystemSpec, find_opener

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.model import Hit
    from cranfield.runs.runner import Run

SEARCH = """
import os, signal
from pathlib import Path

def search(text, limit):
    lost = Path(__file__).with_name("lost")
    if text == "kill the worker" and not lost.exists():
        lost.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if text == "kill every worker":
        os.kill(os.getpid(), signal.SIGKILL)
    if text == "fail":
        raise ValueError("no answer")
    return [f"{word}-{number}" for number in range(2) for word in text.split()][:limit]
"""


@pytest.fixture
def spec(tmp_path: Path) -> SystemSpec:
    (tmp_path / "engine.py").write_text(SEARCH)
    settings = {"call": "engine.py:search", "files": ["engine.py"]}
    return SystemSpec("engine", "python", settings, tmp_path)


def run(spec: SystemSpec, executor: str, *texts: str) -> Run:
    queries = tuple(
        Query(f"q{place}", text, {"ids": f"{text.split()[0]}-0"})
        for place, text in enumerate(texts)
    )
    system = find_opener(executor)(spec, {})
    try:
        return run_suite(Suite("asked", "root", queries), system, RunOptions(jobs=2), spec=spec)
    finally:
        system.close()


def responses(run: Run) -> list[tuple[str, tuple[Hit, ...], str]]:
    answers = sorted(run.store.answers(run.header.id), key=lambda each: each.place)
    return [
        (str(each.response.status), each.response.hits, each.response.message) for each in answers
    ]


@pytest.mark.xdist_group("ray")
@pytest.mark.process
def test_a_cluster_answers_as_this_process_does(spec: SystemSpec, cluster: None) -> None:
    texts = [*(f"word{number} other" for number in range(12)), "fail"]
    here, there = run(spec, "local", *texts), run(spec, "ray", *texts)
    assert responses(there) == responses(here)
    assert (there.outcomes().values == here.outcomes().values).all()
    assert there.header.files == here.header.files


@pytest.mark.xdist_group("ray")
@pytest.mark.process
def test_the_query_of_a_lost_worker_is_asked_again(
    spec: SystemSpec, cluster: None, tmp_path: Path
) -> None:
    texts = ["one", "kill the worker", "two", "three"]
    there = run(spec, "ray", *texts)
    assert (tmp_path / "lost").exists()
    assert responses(there) == responses(run(spec, "local", *texts))


@pytest.mark.xdist_group("ray")
@pytest.mark.process
def test_a_query_that_kills_every_worker_fails_alone(spec: SystemSpec, cluster: None) -> None:
    found = responses(run(spec, "ray", "one", "kill every worker", "two"))
    assert [status for status, *_ in found] == ["ok", "error", "ok"]
    assert "3 workers of the Ray cluster were lost" in found[1][2]


@pytest.mark.xdist_group("ray")
@pytest.mark.process
def test_a_system_that_workers_cannot_use_is_refused(
    spec: SystemSpec, cluster: None, tmp_path: Path
) -> None:
    system = find_opener("ray")(spec, {})
    (tmp_path / "engine.py").write_text(SEARCH + "# another build\n")
    with pytest.raises(SystemUnusableError, match="another build of engine: "):
        system.check()
    system.close()
