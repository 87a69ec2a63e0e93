"""`cranfield sweep`, killed and repeated: it asks only what is not stored, and says the same."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield
from tests.sweeps.samples import make_sweep_project

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

SLOWLY = """
import os
import time

quickly = search


def search(text, limit, **arguments):
    time.sleep(float(os.environ.get("PAUSE", "0")))
    return quickly(text, limit, **arguments)
"""


def make_project(folder: Path) -> Path:
    folder.mkdir()
    make_sweep_project(folder, queries=40)
    with (folder / "search.py").open("a") as code:
        code.write(SLOWLY)
    return folder


def asked(folder: Path) -> list[str]:
    """Return what was asked, in its order: the query and the parameters."""
    file = folder / "asked.txt"
    return file.read_text().splitlines() if file.exists() else []


def stored(folder: Path) -> set[str]:
    """Return what is stored, in the words of `asked`."""
    with closing(sqlite3.connect(folder / ".cranfield" / "sweeps.db")) as opened:
        rows = opened.execute(
            "SELECT content, header, place FROM answers JOIN runs ON runs.id = run "
            "JOIN suites ON suites.hash = suite_hash"
        ).fetchall()
    found = set()
    for content, header, place in rows:
        query = json.loads(content)["suite"]["queries"][place]
        arguments = json.loads(header)["spec"]["arguments"]
        found.add(f"{query['text']} {arguments['boost']} {arguments['noise']}")
    return found


def kill_after(count: int, folder: Path, *words: str) -> None:
    """Begin the sweep, and kill it as soon as so many queries have been asked in all."""
    command = [sys.executable, "-m", "cranfield", "sweep", "boosts.toml", *words]
    environment = {**os.environ, "PAUSE": "0.02"}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as started:
        while len(asked(folder)) < count and started.poll() is None:
            time.sleep(0.05)
        started.send_signal(signal.SIGKILL)
    assert started.returncode == -signal.SIGKILL


def report(folder: Path, *words: str) -> str:
    """Run the sweep to its end, and return its report but for times and counts of runs."""
    done = cranfield(folder, "sweep", "boosts.toml", *words, "-f", "json", "--quiet")
    assert done.returncode == 0, done.stderr
    return json.dumps({**json.loads(done.stdout), "volatile": ""})


def test_a_killed_sweep_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    killed, whole = make_project(tmp_path / "killed"), make_project(tmp_path / "whole")
    known: set[str] = set()
    before = 0
    for count in (50, 130):  # among the trials, and about where held-out queries begin
        kill_after(count, killed, "--jobs", "2")
        assert not known & set(asked(killed)[before:])
        before, known = len(asked(killed)), stored(killed)
        assert known
    outcome = report(killed, "--jobs", "2")
    assert not known & set(asked(killed)[before:])
    assert outcome == report(whole, "--jobs", "2")
    assert set(asked(killed)) == stored(killed)
