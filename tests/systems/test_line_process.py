"""A process that is spoken to in lines, and may stop listening at any time."""

from __future__ import annotations

import itertools
import threading
import time
from typing import TYPE_CHECKING

import pytest

from cranfield.systems.line_process import LineProcess, LineProcessError
from tests.systems.helpers import ENVIRONMENT, ends, open_handles, write_program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.process


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[str], LineProcess]]:
    started: list[LineProcess] = []

    def begin(code: str) -> LineProcess:
        command = write_program(tmp_path, code)
        started.append(LineProcess(command, folder=tmp_path, environment=ENVIRONMENT))
        return started[-1]

    yield begin
    for process in started:
        process.close()


def soon(seconds: float = 60) -> float:
    return time.monotonic() + seconds


def test_lines_go_there_and_back(start: Callable[[str], LineProcess]) -> None:
    process = start("for line in sys.stdin: print(line.strip().upper(), flush=True)")
    for word in (b"one", "zwölf".encode(), b""):
        process.send(word, soon())
        assert process.receive(soon()) == word.decode().upper().encode()
    assert not process.has_more()


def test_a_long_line_arrives_whole_even_if_the_other_side_talks_meanwhile(
    start: Callable[[str], LineProcess],
) -> None:
    """Both sides write more than a pipe holds before they read."""
    process = start(
        """
        sys.stdout.write("x" * 3_000_000 + "\\n"); sys.stdout.flush()
        print(len(sys.stdin.readline()), flush=True)
        """
    )
    process.send(b"y" * 3_000_000, soon())
    assert process.receive(soon()) == b"x" * 3_000_000
    assert process.receive(soon()) == b"3000001"


def test_silence_is_a_time_out(start: Callable[[str], LineProcess]) -> None:
    process = start("time.sleep(600)")
    with pytest.raises(TimeoutError):
        process.receive(soon(0.2))


def test_a_process_that_never_reads_is_a_time_out(start: Callable[[str], LineProcess]) -> None:
    process = start("time.sleep(600)")
    with pytest.raises(TimeoutError):
        process.send(b"x" * 10_000_000, soon(0.5))


def test_an_end_is_told_with_what_it_complained(start: Callable[[str], LineProcess]) -> None:
    process = start("print('no index here', file=sys.stderr); sys.exit(4)")
    with pytest.raises(LineProcessError, match="it ended with code 4") as ended:
        process.receive(soon())
    assert ended.value.errors == "no index here\n"


def test_an_end_by_a_signal_is_told(start: Callable[[str], LineProcess]) -> None:
    process = start("os.abort()")
    with pytest.raises(LineProcessError, match="it was ended by signal 6"):
        process.receive(soon())


def test_a_process_that_only_closes_its_output_is_of_no_use(
    start: Callable[[str], LineProcess],
) -> None:
    process = start("os.close(1); time.sleep(600)")
    with pytest.raises(LineProcessError, match="it closed its output"):
        process.receive(soon())


def test_a_line_without_end_is_given_up(start: Callable[[str], LineProcess]) -> None:
    process = start("while True: sys.stdout.write('x' * 100_000)")
    with pytest.raises(LineProcessError, match="more than 16 MiB at once"):
        process.receive(soon())


def test_a_byte_at_a_time_is_a_time_out(start: Callable[[str], LineProcess]) -> None:
    process = start("while True: print('x', end='', flush=True); time.sleep(0.01)")
    with pytest.raises(TimeoutError):
        process.receive(soon(1))


def test_lines_without_end_do_not_outlast_the_deadline(
    start: Callable[[str], LineProcess],
) -> None:
    process = start("while True: print('noise')")
    until = soon(1)
    with pytest.raises(TimeoutError):
        all(process.receive(until) == b"noise" for _ in itertools.count())


def test_complaints_without_end_hold_nobody_up(start: Callable[[str], LineProcess]) -> None:
    process = start(
        """
        for line in sys.stdin:
            sys.stderr.write("x" * 1_000_000)
            print("answer", flush=True)
        """
    )
    for _ in range(3):
        process.send(b"ask", soon())
        assert process.receive(soon()) == b"answer"


def test_closing_wakes_up_who_waits(start: Callable[[str], LineProcess]) -> None:
    process = start("print(os.getpid(), flush=True); time.sleep(600)")
    child = int(process.receive(soon()))
    closing = threading.Timer(0.2, process.close)
    closing.start()
    with pytest.raises(LineProcessError):
        process.receive(soon(600))
    closing.join()
    with pytest.raises(LineProcessError, match="it was closed"):
        process.send(b"x", soon())
    process.close()
    assert ends(child)


def test_closing_ends_grandchildren_and_handles(tmp_path: Path) -> None:
    command = write_program(
        tmp_path,
        """
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        print(child.pid, flush=True)
        time.sleep(600)
        """,
    )
    before = open_handles()
    process = LineProcess(command, folder=tmp_path, environment=ENVIRONMENT)
    grandchild = int(process.receive(soon()))
    process.close()
    assert ends(grandchild)
    assert open_handles() == before
