"""`cranfield judge model --executor ray`, killed and run again, as a user sees it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.process, pytest.mark.thorough]

pytest.importorskip("ray", reason="the extra ray is not installed")

ENGINE = """
def search(text, limit):
    return [{"id": f"{text}-{n}", "text": f"{text} number {n}"} for n in range(2)]
"""
JUDGE = """
import json, sys, time
for line in sys.stdin:
    time.sleep(0.2)
    word = "HIGH" if "number 1" in json.loads(line)["user"] else "NOT_RELEVANT"
    print(json.dumps({"answer": word, "input_tokens": 50, "output_tokens": 1}), flush=True)
"""
CONFIG = f"""
suites = ["suite.toml"]
[systems.engine]
kind = "python"
call = "engine.py:search"
[judging]
highest = 2
[judging.model]
kind = "command"
run = [{json.dumps(sys.executable)}, "judge.py"]
model = "mine"
prompt = "prompt.txt"
per_minute = 60000
jobs = 2
"""
HITS = 30


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "engine.py").write_text(ENGINE)
    (tmp_path / "judge.py").write_text(JUDGE)
    (tmp_path / "prompt.txt").write_text("version: 1\nYou are evaluating search results.\n")
    (tmp_path / "cranfield.toml").write_text(CONFIG)
    entries = (
        f'[[query]]\nid = "q{n}"\ntext = "word{n}"\nexpect = {{ids = "none"}}\n'
        for n in range(HITS // 2)
    )
    (tmp_path / "suite.toml").write_text('id = "words"\nclass = "root"\n' + "".join(entries))
    subprocess.run(command("run", "--label", "first"), cwd=tmp_path, check=True)
    shutil.copy(tmp_path / ".cranfield" / "cranfield.db", tmp_path / "here.db")
    return tmp_path


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "cranfield", *arguments]


def answers(store: Path) -> list[tuple[Any, ...]]:
    """Return what is stored of every answer and its judgment but the time."""
    with closing(sqlite3.connect(store)) as opened:
        return opened.execute(
            "SELECT a.key, a.rater, a.query, a.item, a.answer, a.grade, a.input_tokens, j.grade, "
            "j.document FROM model_answers a JOIN judgments j ON j.query = a.query "
            "AND j.content = a.item ORDER BY a.key"
        ).fetchall()


def test_a_killed_round_goes_on_and_equals_one_made_here(project: Path) -> None:
    store = project / ".cranfield" / "cranfield.db"
    words = command("judge", "model", "first", "--executor", "ray")
    with subprocess.Popen(
        words, cwd=project, stderr=subprocess.DEVNULL, start_new_session=True
    ) as started:
        while len(answers(store)) < 3 and started.poll() is None:
            time.sleep(0.05)
        os.killpg(started.pid, signal.SIGKILL)
    assert 3 <= len(answers(store)) < HITS
    for arguments in (words, command("judge", "model", "first", "--store", "here.db")):
        subprocess.run(arguments, cwd=project, check=True, capture_output=True)
    assert len(answers(store)) == HITS
    assert answers(store) == answers(project / "here.db")
