"""Children that behave badly: each ends within its time, and leaves nobody behind."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from cranfield.systems.child_process import ExitReason, FinishedProcess, ProcessRunner
from tests.systems.helpers import ENVIRONMENT, ends, open_handles, wait_for, write_program

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process


def run(folder: Path, code: str, timeout: float = 30) -> FinishedProcess:
    command = write_program(folder, code)
    return ProcessRunner().run(
        command, folder=folder, environment=ENVIRONMENT, timeout=timeout, most_output=1 << 20
    )


def test_both_outputs_and_the_code_are_kept(tmp_path: Path) -> None:
    finished = run(tmp_path, "print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert finished == FinishedProcess(ExitReason.EXITED, 3, b"out\n", b"err\n")


def test_a_child_killed_by_a_signal_says_which(tmp_path: Path) -> None:
    finished = run(tmp_path, "os.kill(os.getpid(), signal.SIGSEGV)")
    assert (finished.reason, finished.code) == (ExitReason.EXITED, -signal.SIGSEGV)


def test_a_child_that_prints_nothing_has_printed_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, "") == FinishedProcess(ExitReason.EXITED, 0, b"", b"")


@pytest.mark.corpus
def test_a_child_that_ignores_the_polite_signal_is_ended(tmp_path: Path) -> None:
    finished = run(
        tmp_path,
        """
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        print("begun", flush=True)
        open("pid", "w").write(str(os.getpid()))
        time.sleep(600)
        """,
        timeout=6,
    )
    assert finished.reason is ExitReason.TIMEOUT
    assert finished.output == b"begun\n"
    assert ends(int((tmp_path / "pid").read_text()))


def test_a_grandchild_that_keeps_the_output_open_does_not_keep_us(tmp_path: Path) -> None:
    finished = run(
        tmp_path,
        """
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open("pid", "w").write(str(child.pid))
        print("answer")
        """,
    )
    assert finished == FinishedProcess(ExitReason.EXITED, 0, b"answer\n", b"")
    assert ends(int((tmp_path / "pid").read_text()))


def test_a_grandchild_that_goes_on_printing_does_not_make_it_a_time_out(tmp_path: Path) -> None:
    finished = run(
        tmp_path,
        """
        noise = "import time\\nwhile True: print('x', flush=True); time.sleep(0.01)"
        child = subprocess.Popen([sys.executable, "-c", noise])
        open("pid", "w").write(str(child.pid))
        """,
    )
    assert (finished.reason, finished.code) == (ExitReason.EXITED, 0)
    assert ends(int((tmp_path / "pid").read_text()))


@pytest.mark.corpus
def test_a_time_limit_ends_the_grandchildren_too(tmp_path: Path) -> None:
    finished = run(
        tmp_path,
        """
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open("pid", "w").write(str(child.pid))
        child.wait()
        """,
        timeout=6,
    )
    assert finished.reason is ExitReason.TIMEOUT
    assert ends(int((tmp_path / "pid").read_text()))


def test_a_flood_is_stopped_and_bounded(tmp_path: Path) -> None:
    finished = run(tmp_path, "while True: print('x' * 10000)")
    assert finished.reason is ExitReason.FLOODED
    assert len(finished.output) < 2 << 20


def test_a_flood_of_complaints_is_read_and_not_kept(tmp_path: Path) -> None:
    finished = run(tmp_path, "sys.stderr.write('x' * (4 << 20)); print('answer')")
    assert (finished.reason, finished.output) == (ExitReason.EXITED, b"answer\n")
    assert len(finished.errors) < 1 << 20


@pytest.mark.corpus
def test_a_child_that_closes_its_output_and_lives_on_runs_into_its_limit(tmp_path: Path) -> None:
    finished = run(
        tmp_path,
        """
        print("answer", flush=True)
        os.close(1), os.close(2)
        time.sleep(600)
        """,
        timeout=6,
    )
    assert (finished.reason, finished.output) == (ExitReason.TIMEOUT, b"answer\n")


def test_what_was_printed_just_before_the_end_is_there(tmp_path: Path) -> None:
    finished = run(tmp_path, "sys.stdout.write('x' * 900_000); sys.stdout.flush(); os._exit(0)")
    assert len(finished.output) == 900_000


def test_running_processes_can_be_stopped_from_elsewhere(tmp_path: Path) -> None:
    command = write_program(tmp_path, "open('pid', 'w').write('x'); time.sleep(600)")
    running = ProcessRunner()

    def stop() -> None:
        wait_for(tmp_path / "pid")
        running.stop()

    threading.Thread(target=stop).start()
    kept = {"folder": tmp_path, "environment": ENVIRONMENT}
    assert running.run(command, timeout=600, **kept).code == -signal.SIGKILL  # type: ignore[arg-type]
    assert running.run(command, timeout=600, **kept).code == -signal.SIGKILL  # type: ignore[arg-type]


def test_a_program_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ProcessRunner().run(["./nowhere"], folder=tmp_path, environment=ENVIRONMENT, timeout=1)


@pytest.mark.corpus
def test_many_at_once_leave_no_handle_open(tmp_path: Path) -> None:
    command = write_program(tmp_path, "print(sys.argv[1])")
    running = ProcessRunner()
    before = open_handles()

    def one(number: int) -> bytes:
        told = [*command, str(number)]
        kept = {"folder": tmp_path, "environment": ENVIRONMENT, "timeout": 60}
        return running.run(told, **kept).output  # type: ignore[arg-type]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(60))) == [b"%d\n" % number for number in range(60)]
    assert open_handles() == before
