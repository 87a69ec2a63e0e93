"""`cranfield run --executor ray`, killed and resumed, as a user sees it."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

pytest.importorskip("ray", reason="the extra ray is not installed")

ENGINE = """
import time

def search(text, limit):
    time.sleep(0.2)
    return [f"{text}-{number}" for number in range(limit)]
"""
QUERIES = 30


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "engine.py").write_text(ENGINE)
    (tmp_path / "cranfield.toml").write_text(
        '[systems.engine]\nkind = "python"\ncall = "engine.py:search"\n'
        '[systems.same]\nkind = "python"\ncall = "engine.py:search"\n'
    )
    entries = (
        f'[[query]]\nid = "q{n}"\ntext = "word{n}"\nexpect = {{ids = "word{n}-{n % 3}"}}\n'
        for n in range(QUERIES)
    )
    (tmp_path / "suite.toml").write_text('id = "words"\nclass = "root"\n' + "".join(entries))
    return tmp_path


def command(project: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "cranfield", *arguments, "--config", str(project)]


def stored(project: Path) -> int:
    store = project / ".cranfield" / "cranfield.db"
    if not store.exists():
        return 0
    with sqlite3.connect(store) as opened:
        try:
            [[count]] = opened.execute("SELECT count(*) FROM answers")
        except sqlite3.OperationalError:
            return 0
    return int(count)


def test_a_killed_run_is_resumed_and_equals_one_made_here(project: Path) -> None:
    words = ("run", "suite.toml", "-s", "engine", "--executor", "ray", "--jobs", "2")
    with subprocess.Popen(
        command(project, *words), cwd=project, stderr=subprocess.DEVNULL, start_new_session=True
    ) as started:
        while stored(project) < 3 and started.poll() is None:
            time.sleep(0.05)
        os.killpg(started.pid, signal.SIGKILL)
    assert 3 <= stored(project) < QUERIES
    for arguments in ((*words, "--resume"), ("run", "suite.toml", "-s", "same")):
        subprocess.run(command(project, *arguments), cwd=project, check=True, capture_output=True)
    assert answers(project, "engine") == answers(project, "same")


def answers(project: Path, system: str) -> list[tuple[object, ...]]:
    """Return what is stored of every answer but its time."""
    with sqlite3.connect(project / ".cranfield" / "cranfield.db") as opened:
        rows = opened.execute(
            "SELECT place, repeat, status, first_rank, figures, reasons, response FROM answers "
            "WHERE run = (SELECT id FROM runs WHERE system = ? AND state = 'complete') "
            "ORDER BY place",
            [system],
        ).fetchall()
    assert len(rows) == QUERIES
    return [(*row[:-1], json.loads(row[-1]) | {"seconds": None}) for row in rows]
