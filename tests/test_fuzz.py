"""The driver of `make fuzz`: what it reports, and that what it reports can be repeated."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[1] / "fuzz"
FAILING = """
def attack(random, folder):
    number = random.random()
    if number < 0.5:
        raise ValueError(f"bad {number}")
"""
CRASHING = """
import os, signal

def attack(random, folder):
    os.kill(os.getpid(), signal.SIGSEGV)
"""

READERS = ["configuration", "http", "indexes", "mcp", "pages", "stores", "suites", "trec"]

pytestmark = [pytest.mark.process, pytest.mark.corpus]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(folder / "driver.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(FUZZ / "driver.py", tmp_path)
    return tmp_path


def test_a_failure_is_repeated_by_the_command_that_is_printed(folder: Path) -> None:
    (folder / "fuzz_bad.py").write_text(FAILING)
    first = run(folder, "--seconds", "2", "--seed", "7")
    assert first.returncode == 1
    assert first.stdout.startswith("seed 7, 2 s for bad\n")
    failed = re.findall(r"ValueError: (bad .*)", first.stderr)
    again = re.findall(rf"again: .venv/bin/python {folder.name}/driver.py (.*)", first.stdout)
    assert len(failed) == len(again) == 5, "a fuzzer ends after five failures"
    for message, arguments in zip(failed, again, strict=True):
        assert message in run(folder, *arguments.split()).stderr


def test_a_crash_of_the_interpreter_is_a_failure_of_its_case(folder: Path) -> None:
    (folder / "fuzz_crash.py").write_text(CRASHING)
    (folder / "fuzz_good.py").write_text("CASES = 3\ndef attack(random, folder): ...\n")
    done = run(folder, "--seconds", "1", "--seed", "7")
    assert done.returncode == 1
    assert "crash: SIGSEGV in case 0" in done.stdout
    assert "good: 3 cases, 0 failed" in done.stdout
    assert done.stdout.endswith("failed: crash; seed 7\n")


def test_an_unknown_fuzzer_is_refused(folder: Path) -> None:
    (folder / "fuzz_good.py").write_text("")
    assert "there is no fuzzer bad; there are good" in run(folder, "bad").stderr


@pytest.mark.server
@pytest.mark.parametrize("name", READERS)
def test_every_fuzzer_survives_a_first_attack(name: str) -> None:
    done = run(FUZZ, name, "--seconds", "1", "--seed", "1")
    assert done.returncode == 0, done.stdout + done.stderr
