"""The line that a stopped command prints: pasted into a shell, it finishes the run."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_project, make_python_project

from cranfield.cli.output import repeat_command, run_command

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = pytest.mark.process


def stop(folder: Path, arguments: Sequence[str], after: int = 1) -> str:
    """Start a command, interrupt it after some lines of progress, and return what it said then."""
    running = subprocess.Popen(
        [sys.executable, "-m", "cranfield", *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    for _ in range(after):
        running.stderr.readline()
    running.send_signal(signal.SIGINT)
    said = running.stderr.read()
    running.stderr.close()
    assert running.wait() == 130
    assert "Traceback" not in said
    return said


def paste(folder: Path, said: str) -> subprocess.CompletedProcess[str]:
    line = said.split("Continue with:\n")[1].strip()
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "my project").mkdir()
    return make_project(tmp_path / "my project", queries=40)


@pytest.mark.parametrize(
    "options",
    [
        ["run", "-s", "marks"],
        ["run", "my project/small.toml", "--config", "my project/cranfield.toml", "-s", "marks",
         "--label", "it's a 'try'; rm -rf $HOME", "--k", "12", "-m", "P@1", "--category", "even"],
        ["compare", "marks", "new", "--config", "my project/cranfield.toml", "--repeat", "2",
         "-S", "my project/small.toml", "--category", "odd"],
        ["gate", "-s", "marks", "--config", "my project", "--store", "other store.db"],
    ],
)  # fmt: skip
def test_the_printed_line_finishes_the_run(project: Path, options: list[str]) -> None:
    folder = project.parent if "--config" in options else project
    said = stop(folder, options)
    pasted = paste(folder, said)
    assert pasted.returncode == 0, (said, pasted.stderr)
    assert "stored in" in pasted.stdout
    store = ["--store", "other store.db"] if "--store" in options else []
    listed = cranfield(folder, "runs", "list", "--config", str(project), *store, "-f", "csv")
    [run] = listed.stdout.splitlines()[1:]
    assert ",complete," in run


def test_a_resumed_run_that_is_stopped_again_says_the_same(project: Path) -> None:
    said = stop(project, ["run", "-s", "marks"])
    again = stop(project, ["run", "-s", "marks", "--resume"])
    assert sorted(said.splitlines()[-1].split()) == sorted(again.splitlines()[-1].split())


def test_a_stopped_run_is_never_said_to_have_passed(project: Path) -> None:
    stop(project, ["run", "-s", "marks"])
    shown = cranfield(project, "runs", "show", "latest")
    assert "the run is not finished: " in shown.stdout
    assert "gate FAILED" in shown.stdout
    data = json.loads(cranfield(project, "runs", "show", "latest", "-f", "json").stdout)
    [run] = data["runs"]
    assert not run["gate"]["passed"]
    assert "the run is not finished" in run["doubts"][0]
    exported = cranfield(project, "runs", "export", "latest", "-f", "trec")
    assert "warning: the run is not finished" in exported.stderr


def test_a_quiet_run_still_says_how_to_continue(project: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "cranfield", "run", "--quiet", "-s", "marks"],
        cwd=project,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (project / "asked.txt").exists():
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate()
    assert said.startswith("\nstopped; all answers so far are stored. Continue with:\n")
    assert paste(project, said).returncode == 0


def test_quiet_commands_show_the_report_alone(tmp_path: Path) -> None:
    project = make_python_project(tmp_path, queries=40)
    for command in (["run", "-s", "new"], ["compare", "old", "new"], ["gate", "-s", "new"]):
        loud = cranfield(project, *command)
        quiet = cranfield(project, *command, "--quiet")
        assert "[40/40]" in loud.stderr
        assert quiet.stderr == ""
        assert len(quiet.stdout.splitlines()) == len(loud.stdout.splitlines())


def test_the_program_is_named_as_a_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "cranfield"
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(program), "run", "--", "-odd.toml"])
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert repeat_command("") == "cranfield run --resume -- -odd.toml"
    monkeypatch.setenv("PATH", "")
    assert repeat_command("") == f"{program} run --resume -- -odd.toml"
    line = run_command(["a b.toml"], {"--k": 3, "--qrels": None, "--category": ["x", "y z"]})("s")
    assert shlex.split(line) == [
        str(program), "run", "--resume", "--system", "s", "--k", "3", "--category", "x",
        "--category", "y z", "a b.toml",
    ]  # fmt: skip


def test_the_printed_line_has_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "postgresql://ada:hunter2@db.example/cranfield"
    monkeypatch.setattr(sys, "argv", ["cranfield", "run", "--store", address])
    for line in (repeat_command("new"), run_command([], {"--store": address})("new")):
        assert "hunter2" not in line
        assert "postgresql://ada:***@db.example/cranfield" in line
