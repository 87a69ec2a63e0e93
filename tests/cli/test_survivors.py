"""Nothing that a run started outlives it, whatever signal ended the run."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from itertools import product
from typing import TYPE_CHECKING

import pytest
from tests.systems.helpers import ends, wait_for, write_program

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process


SUITE = """\
id = "small"
class = "canonical"
[[query]]
id = "a"
text = "cats"
expect.matches = '^x$'
[[query]]
id = "b"
text = "dogs"
expect.matches = '^x$'
"""

# It starts a process that ignores polite signals, notes both, and hangs.
HANGING = """
stubborn = "import signal, time\\n" + "".join(
    f"signal.signal({int(number)}, signal.SIG_IGN)\\n"
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
)
stubborn += "print(1, flush=True)\\ntime.sleep(600)"
child = subprocess.Popen([sys.executable, "-c", stubborn], stdout=subprocess.PIPE)
child.stdout.readline()
if "polite" in sys.argv:
    signal.signal(signal.SIGTERM, lambda *_: [open("cleaned", "w").close(), sys.exit()])
name = f"pids-{os.getpid()}"
open(name + ".new", "w").write(f"{os.getpid()} {child.pid}")
os.rename(name + ".new", name)
time.sleep(600)
"""

PREPARED = 'run = ["cat", "{{query}}"]\nprepare = ["{python}", "{program}", "OPTION"]'
SYSTEMS = {
    "command": ("command", 'run = ["{python}", "{program}", "{{query}}"]', ["--jobs", "2"], 2),
    "kept alive": ("command", 'run = ["{python}", "{program}"]\nkeep_alive = true', [], 1),
    "mcp": ("mcp", 'run = ["{python}", "{program}"]\ntool = "s"\nquery_argument = "q"', [], 1),
    "polite prepare": ("command", PREPARED.replace("OPTION", "polite"), [], 1),
    "prepare": ("command", PREPARED.replace("OPTION", "rude"), [], 1),
}


def start(folder: Path, name: str) -> tuple[subprocess.Popen[str], list[int]]:
    """Start a run that hangs; return it, and the processes that it started."""
    kind, settings, options, expected = SYSTEMS[name]
    python, program = write_program(folder, HANGING)
    written = settings.format(python=python, program=program)
    (folder / "small.toml").write_text(SUITE)
    (folder / "cranfield.toml").write_text(
        f'[systems.hanging]\nkind = "{kind}"\ntimeout = 600\n{written}\n'
    )
    running = subprocess.Popen(
        [sys.executable, "-m", "cranfield", "run", "small.toml", "-s", "hanging", *options],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    return running, wait_for_started(folder, expected)


def wait_for_started(folder: Path, expected: int) -> list[int]:
    for _ in range(12_000):
        found = [path for path in folder.glob("pids-*") if not path.name.endswith(".new")]
        if len(found) >= expected:
            return [int(pid) for path in found for pid in wait_for(path).split()]
        time.sleep(0.01)
    raise AssertionError("the system was never started")


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *product(["command"], [signal.SIGTERM, signal.SIGKILL]),
        ("kept alive", signal.SIGTERM),
        ("mcp", signal.SIGKILL),
        ("prepare", signal.SIGTERM),
        *(
            pytest.param(*each, marks=pytest.mark.thorough)
            for each in (
                *product(["command"], [signal.SIGINT, signal.SIGHUP]),
                ("kept alive", signal.SIGKILL),
                ("mcp", signal.SIGTERM),
                ("prepare", signal.SIGKILL),
            )
        ),
    ],
    ids=str,
)
def test_no_process_outlives_a_run(tmp_path: Path, name: str, number: signal.Signals) -> None:
    running, started = start(tmp_path, name)
    running.send_signal(number)
    _, said = running.communicate(timeout=60)
    assert "Traceback" not in said
    assert all(ends(process) for process in started)
    expected = -number if number is signal.SIGKILL else 128 + number
    assert running.returncode == expected
    # Before the first query, there is nothing to continue.
    if number is not signal.SIGKILL and name in ("command", "kept alive"):
        assert "--resume" in said


@pytest.mark.parametrize(
    "first",
    [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.thorough)],
    ids=lambda number: number.name,
)
def test_impatience_leaves_no_process_behind(tmp_path: Path, first: signal.Signals) -> None:
    running, started = start(tmp_path, "command")
    for _ in range(50):
        running.send_signal(first)
        running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)
    assert all(ends(process) for process in started)


def test_a_run_that_ignores_hangups_goes_on(tmp_path: Path) -> None:
    """`nohup cranfield run` is what people type to let a run outlive its terminal."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        running, started = start(tmp_path, "command")
    finally:
        signal.signal(signal.SIGHUP, before)
    running.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        running.wait(0.5)
    running.terminate()
    running.communicate(timeout=60)
    assert running.returncode == 128 + signal.SIGTERM
    assert all(ends(process) for process in started)


def test_a_program_that_handles_no_signals_leaves_no_process_behind(tmp_path: Path) -> None:
    """A service that uses the library, stopped by its supervisor in its usual way."""
    hanging = write_program(tmp_path, HANGING, "hanging.py")
    asking = f"""
    from pathlib import Path
    from cranfield.model import Query
    from cranfield.systems import SystemSpec, open_system
    settings = {{"run": [*{hanging}, "{{query}}"], "timeout": 600}}
    system = open_system(SystemSpec("mine", "command", settings, Path(".")), dict(os.environ))
    system.search(Query("q", "q"), 10)
    """
    running = subprocess.Popen(write_program(tmp_path, asking, "asking.py"), cwd=tmp_path)
    started = wait_for_started(tmp_path, 1)
    running.terminate()
    assert running.wait(60) == -signal.SIGTERM
    assert all(ends(process) for process in started)


def test_a_build_that_is_stopped_may_clean_up(tmp_path: Path) -> None:
    running, started = start(tmp_path, "polite prepare")
    running.terminate()
    running.communicate(timeout=60)
    assert (tmp_path / "cleaned").exists()
    assert all(ends(process) for process in started)
