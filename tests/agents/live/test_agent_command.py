"""`cranfield agent --model`: what it says before and after, and its exit codes."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield

if TYPE_CHECKING:
    from pathlib import Path

    from tests.agents.live.chat_server import ChatServer

pytestmark = [
    pytest.mark.server,
    pytest.mark.process,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def model(name: str) -> list[str]:
    return ["agent", "tasks", "--retries", "0", "--model", f"openai-api/local/{name}"]


def add_tasks(project: Path, count: int) -> None:
    text = (project / "tasks" / "first.toml").read_text()
    for number in range(count):
        (project / "tasks" / f"t{number}.toml").write_text(text.replace("first", f"t{number}"))


def test_it_asks_checks_and_compares(chat: ChatServer, project: Path) -> None:
    done = cranfield(project, *model("searching"), "--system", "pages", "--format", "json")

    assert done.returncode == 0
    assert (
        "4 answers: 4 answered, 0 out of budget, 0 refused, 0 not reached; 90 tokens" in done.stderr
    )
    report = json.loads(done.stdout)
    (comparison,) = report["comparisons"]
    assert (comparison["a"], comparison["b"]) == ("ungrounded", "grounded")
    assert comparison["buckets"]["helped"] == ["first", "second"]
    (retrieval,) = report["retrieval"]
    assert retrieval["groups"][0]["tasks"] == 2

    chat.requests.clear()
    again = cranfield(project, *model("searching"), "--system", "pages", "--format", "json")
    assert (again.stdout, chat.requests) == (done.stdout, [])
    logs = ["--recorded", ".cranfield/agents", "--against", "ungrounded", "-f", "json"]
    assert cranfield(project, "agent", "tasks", *logs).stdout == done.stdout


def test_a_dry_run_says_what_would_be_asked_and_what_it_can_show(
    chat: ChatServer, project: Path
) -> None:
    add_tasks(project, 38)
    options = ["--system", "pages", "--repeat", "3", "--tokens", "1000", "--dry-run"]
    done = cranfield(project, *model("good"), *options)

    assert (done.returncode, chat.requests) == (0, [])
    assert "40 tasks, 2 arms (ungrounded, grounded), 3 repetitions: 240 answers of" in done.stdout
    assert "0 in the logs, 240 to ask, with 240,000 tokens at most" in done.stdout
    assert "40 tasks, 3 repetitions can show a difference of" in done.stdout
    assert done.stdout.endswith("nothing was asked\n")


def test_an_arm_that_is_worse_fails(chat: ChatServer, project: Path) -> None:
    add_tasks(project, 12)
    done = cranfield(project, *model("misled"), "--system", "pages", "--show", "overview")

    assert "worse: grounded against ungrounded: 14 hurt" in done.stdout
    assert done.returncode == 1


def test_a_model_that_cannot_be_reached_is_no_verdict(chat: ChatServer, project: Path) -> None:
    done = cranfield(project, *model("forbidden"), "--mode", "ungrounded")

    assert done.returncode == 3
    assert "no answer could be had" in done.stderr
    assert "Traceback" not in done.stderr


def test_answers_that_could_not_be_had_are_counted_apart(chat: ChatServer, project: Path) -> None:
    done = cranfield(project, *model("half"), "--mode", "ungrounded", "--show", "overview")

    assert done.returncode == 4
    assert "ungrounded: 1 answer could not be had, left out of every figure" in done.stdout


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--model", "nobody/x", "--mode", "ungrounded"], "the model 'nobody/x' cannot be used"),
        (["--model", "mockllm/model"], "there is no system to ground the agent"),
        (["--model", "mockllm/model", "--system", "page"], "did you mean pages?"),
        ([], "there is nobody to ask"),
        (["--recorded", "x.jsonl", "--repeat", "3"], "--repeat would have no effect"),
        (["--model", "mockllm/model", "--system", "pages", "--mode", "all"], "--mode is one of"),
        (
            ["--model", "mockllm/model", "--system", "pages", "--mode", "ungrounded"],
            "grounds no agent, so --system would have no effect",
        ),
    ],
)
def test_a_mistake_is_explained_before_anything_is_asked(
    project: Path, typed: list[str], said: str
) -> None:
    done = cranfield(project, "agent", "tasks", *typed)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_without_inspect_it_names_the_extra_and_still_checks_recorded_answers(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("inspect_ai", "inspect_ai.log", "inspect_ai.model"):
        monkeypatch.setitem(sys.modules, name, None)
    done = cranfield(project, *model("good"), "--mode", "ungrounded")
    assert done.returncode == 2
    assert "pip install 'cranfield[agents]'" in done.stderr
    (project / "x.eval").touch()
    done = cranfield(project, "agent", "tasks", "--recorded", "x.eval")
    assert done.returncode == 2
    assert "needs Inspect: pip install 'cranfield[agents]'" in done.stderr

    (project / "answers.jsonl").write_text(
        '{"task": "first", "arm": "plain", "answer": "import tomllib"}\n'
    )
    assert cranfield(project, "agent", "tasks", "--recorded", "answers.jsonl").returncode == 0
