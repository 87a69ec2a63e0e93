"""Colour: on terminals only, never with NO_COLOR, never in pipes and files."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, cranfield_process, make_python_project

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process


def on_terminal(folder: Path, *arguments: str, **variables: str) -> str:
    """Run a command whose standard output is a terminal, and return what it wrote there."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "cranfield", *arguments],
        cwd=folder, env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **variables},
        stdout=theirs, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(theirs)
    written = b""
    while part := _read(ours):
        written += part
    os.close(ours)
    running.wait()
    return written.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""  # how a terminal ends


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_python_project(tmp_path_factory.mktemp("project"), queries=10)
    for name in ("old", "new"):
        cranfield(made, "run", "-s", name, "--label", f"{name}-build")
    return made


def test_outcomes_are_coloured_on_a_terminal(project: Path) -> None:
    assert "\x1b[31mFAILED\x1b[0m" in on_terminal(project, "gate", "--run", "old-build")
    assert "\x1b[32mPASSED\x1b[0m" in on_terminal(project, "gate", "--run", "new-build")
    checked = on_terminal(project, "check")
    assert checked.rstrip("\n").endswith("fit to run\x1b[0m")


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_nobody_gets_colour_who_does_not_want_it(project: Path, variables: dict[str, str]) -> None:
    assert "\x1b" not in on_terminal(project, "gate", "--run", "old-build", **variables)


def test_pipes_and_files_have_no_colour(project: Path, tmp_path: Path) -> None:
    piped = cranfield_process(project, "gate", "--run", "old-build")
    assert "FAILED" in piped.stdout
    assert "\x1b" not in piped.stdout
    file = tmp_path / "gate.txt"
    on_terminal(project, "gate", "--run", "old-build", "--out", str(file))
    assert file.read_text() == piped.stdout
    assert "\x1b" not in on_terminal(project, "gate", "--run", "old-build", "-f", "json")
