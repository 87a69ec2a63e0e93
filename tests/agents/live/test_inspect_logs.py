"""Logs of Inspect as recorded answers, also those that `inspect eval` made."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cranfield.agents.live.inspect_logs import read_logs
from cranfield.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.agents.live.chat_server import ChatServer

    from cranfield.agents.answers import AgentAnswer

    Ask = Callable[..., list[AgentAnswer]]

ROOT = Path(__file__).parents[3]

pytestmark = [
    pytest.mark.server,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture
def inspect_eval(project: Path, chat: ChatServer) -> Callable[..., None]:
    """Run `inspect eval` on one of our tasks, in this process."""

    def evaluate(
        name: str, model: str, epochs: int = 1, *, score: bool = False, **arguments: object
    ) -> None:
        from inspect_ai import eval as evaluate_tasks

        from cranfield.agents.live import inspect_tasks

        tasks = str(project / "tasks" / "first.toml")
        evaluate_tasks(
            getattr(inspect_tasks, name)(tasks=tasks, **arguments),
            model=f"openai-api/local/{model}",
            log_dir=str(project / "own"),
            epochs=epochs,
            display="none",
            score=score,
        )

    return evaluate


def test_a_folder_of_logs_is_read_as_it_was_asked(ask: Ask, project: Path) -> None:
    answers = ask("searching", "pages", repeats=2)

    assert sorted(read_logs(project / "logs"), key=str) == sorted(answers, key=str)


def test_logs_of_inspect_eval_have_the_arm_and_the_searches(
    inspect_eval: Callable[..., None], project: Path
) -> None:
    inspect_eval("ungrounded", "searching")
    inspect_eval("grounded", "searching", epochs=2, system="pages")

    first, *others = sorted(read_logs(project / "own"), key=lambda each: each.arm != "ungrounded")
    assert (first.arm, first.searches) == ("ungrounded", ())
    assert [(each.arm, each.repeat) for each in others] == [("grounded", 0), ("grounded", 1)]
    assert others[1].searches[0].hits[1] == "python/tomllib/loads"


@pytest.mark.process
def test_our_checks_are_its_scores(inspect_eval: Callable[..., None], project: Path) -> None:
    from inspect_ai.log import read_eval_log

    inspect_eval("ungrounded", "bad", score=True)
    (path,) = (project / "own").glob("*.eval")
    log = read_eval_log(str(path))

    assert log.samples is not None
    score = (log.samples[0].scores or {})["checks"]
    assert isinstance(score.value, dict)
    assert score.value["parses"] == 1.0
    assert score.value["exists"] == 0.0
    assert "tomllib has no name 'parse'" in (score.explanation or "")


def test_arms_of_several_systems_and_models_are_told_apart(ask: Ask, project: Path) -> None:
    ask("good", "pages", mode="grounded")
    ask("good", "others", mode="grounded")
    names = {each.arm for each in read_logs(project / "logs")}
    assert names == {"grounded (pages)", "grounded (others)"}

    ask("bad", mode="ungrounded")
    assert "ungrounded, openai-api/local/bad" in {each.arm for each in read_logs(project / "logs")}


def test_answers_that_were_asked_for_differently_are_not_mixed(ask: Ask, project: Path) -> None:
    ask("good", mode="ungrounded")
    ask("good", mode="ungrounded", temperature=1.0)

    with pytest.raises(InputError, match="logs of the arm 'ungrounded' with other options"):
        read_logs(project / "logs")


def test_a_log_twice_in_a_folder_counts_once(ask: Ask, project: Path) -> None:
    ask("good", mode="ungrounded")
    (log,) = (project / "logs").glob("*.eval")
    shutil.copy(log, project / "logs" / f"later-{log.name}")

    assert len(read_logs(project / "logs")) == 1


def test_a_folder_without_a_log_is_refused(project: Path) -> None:
    with pytest.raises(InputError, match="has no log of Inspect"):
        read_logs(project / "tasks")


@pytest.mark.parametrize("content", [b"", b"no log", b"PK\x03\x04"])
def test_a_file_that_is_no_log_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.eval").write_bytes(content)
    with pytest.raises(InputError, match="is not a log of Inspect"):
        read_logs(tmp_path / "x.eval")


def test_inspect_finds_our_tasks_by_the_entry_point() -> None:
    from cranfield.agents.live import inspect_tasks

    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    assert declared["inspect_ai"] == {"cranfield": inspect_tasks.__name__}
    assert {"checks", "grounded", "ungrounded"} <= set(inspect_tasks.__all__)
