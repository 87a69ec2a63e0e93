"""Hostile answers cannot leave the sandbox, and honest ones run in it."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from pathlib import Path

import pytest

from cranfield.agents.sandbox.sandbox import (
    SandboxLimits,
    SandboxReport,
    find_interpreter,
    run_tests,
)
from cranfield.agents.tasks import TaskTarget
from cranfield.errors import SandboxRefusedError

pytestmark = pytest.mark.process

RUNNING = f"{sys.version_info[0]}.{sys.version_info[1]}"
IMPORT = "import answer\ndef test_it():\n    pass\n"
CALL = "import answer\ndef test_it():\n    answer.attack()\n"
QUICK = SandboxLimits(seconds=30, cpu_seconds=10)


def run(answer: str, tests: str = CALL, limits: SandboxLimits = QUICK) -> SandboxReport:
    interpreter = find_interpreter(TaskTarget(python=RUNNING))
    assert not isinstance(interpreter, str), interpreter
    try:
        return run_tests({"answer.py": answer, "task_tests.py": tests}, interpreter, limits)
    except SandboxRefusedError as problem:
        pytest.skip(str(problem))


def reason(report: SandboxReport) -> str:
    return report.problem or report.outcomes[0].reason


def test_an_honest_answer_passes() -> None:
    report = run(
        "def double(x):\n    return 2 * x\n",
        "import answer\ndef test_it():\n    assert answer.double(2) == 4\n",
    )
    assert [(each.name, each.reason) for each in report.outcomes] == [("test_it", "")]


def test_a_wrong_answer_fails_with_its_line_and_reason() -> None:
    report = run("def attack():\n    return [].nothing\n")
    [outcome] = report.outcomes
    assert outcome.line == 2
    assert "has no attribute 'nothing'" in outcome.reason


def test_an_assertion_that_fails_is_shown() -> None:
    report = run("x = 1\n", "import answer\ndef test_it():\n    assert answer.x == 2\n")
    assert reason(report) == "this does not hold: assert answer.x == 2"


def test_asynchronous_tests_are_awaited() -> None:
    report = run(
        "async def f():\n    return 1\n",
        "import answer\nasync def test_it():\n    assert await answer.f() == 2\n",
    )
    assert "does not hold" in reason(report)


def test_it_can_write_in_its_own_folder_only(tmp_path: Path) -> None:
    victim = tmp_path / "victim.txt"
    victim.write_text("whole")
    attack = f"""
import pathlib
def attack():
    pathlib.Path("own.txt").write_text("fine")
    assert not pathlib.Path({str(victim)!r}).exists()
    for place in ("/usr/x", "/etc/x", "/x", {sys.base_prefix!r} + "/x", {sys.prefix!r} + "/x"):
        try:
            pathlib.Path(place).write_text("bad")
        except OSError:
            continue
        raise RuntimeError("wrote " + place)
"""
    assert reason(run(attack)) == ""
    assert victim.read_text() == "whole"


def test_it_cannot_delete_files_outside(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("whole")
    attack = f"""
import os, shutil
def attack():
    for place in ({str(tmp_path)!r}, "/usr/bin", {sys.prefix!r}, {sys.base_prefix!r}):
        shutil.rmtree(place, ignore_errors=True)
    os.remove({sys.executable!r})
"""
    assert "Error" in reason(run(attack))
    assert (tmp_path / "a").read_text() == "whole"
    assert Path(sys.executable).exists()


def test_it_cannot_see_the_users_home() -> None:
    home = str(Path.home())
    attack = f"""
import os
def attack():
    seen = os.listdir({home!r}) if os.path.isdir({home!r}) else []
    allowed = [each for each in ({sys.prefix!r}, {sys.base_prefix!r}) if each.startswith({home!r})]
    for each in seen:
        assert any(part.startswith(os.path.join({home!r}, each)) for part in allowed), seen
    assert not os.path.exists("/home") and not os.path.exists("/etc/passwd")
"""
    assert reason(run(attack)) == ""


def test_it_has_an_empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_SECRET", "hunter2")
    attack = """
import os, pathlib
def attack():
    assert "CRANFIELD_SECRET" not in os.environ, "environment"
    assert not [each for each in os.environ if each not in ("LC_CTYPE",)], dict(os.environ)
    assert not pathlib.Path("/proc/1/environ").exists(), "proc"
"""
    assert reason(run(attack)) == ""


@pytest.mark.server
def test_it_reaches_no_socket_outside() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        met: list[bool] = []
        server.settimeout(0.1)
        threading.Thread(target=lambda: met.append(_accepts(server)), daemon=True).start()
        attack = f"""
import socket
def attack():
    socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), timeout=2)
"""
        found = reason(run(attack))
    assert "OSError" in found or "unreachable" in found or "refused" in found
    assert met != [True]


def _accepts(server: socket.socket) -> bool:
    for _ in range(100):
        try:
            server.accept()
        except TimeoutError:
            continue
        except OSError:
            return False
        return True
    return False


def test_names_are_not_resolved_over_a_network() -> None:
    attack = """
import urllib.request
def attack():
    urllib.request.urlopen("http://example.com", timeout=3)
"""
    found = reason(run(attack))
    assert "URLError" in found


def test_a_fork_bomb_is_bounded_and_ends() -> None:
    attack = """
import os
def attack():
    while True:
        try:
            os.fork()
        except OSError:
            pass
"""
    started = time.monotonic()
    found = reason(run(attack, limits=SandboxLimits(seconds=2, processes=16)))
    assert "did not end in 2 seconds" in found
    assert time.monotonic() - started < 60
    assert not _survivors()


def test_processes_that_were_left_behind_are_gone() -> None:
    attack = """
import subprocess, sys
def attack():
    waiting = "import time; time.sleep(1000)  # left-behind"
    subprocess.Popen([sys.executable, "-c", waiting], start_new_session=True)
"""
    run(attack)
    assert not _survivors()


def _survivors() -> list[str]:
    """List processes that run a script of our sandboxes; other tests may have theirs meanwhile."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = each.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            parents = _parents(each.parent)
        except (OSError, ValueError):
            continue
        is_ours = parents[0] == 1 or os.getpid() in parents
        if is_ours and ("/answer/run_tests.py" in line or "left-behind" in line):
            found.append(line)
    return found


def _parents(process: Path) -> list[int]:
    """List the parents of a process, up to this one or the first of all."""
    parents: list[int] = []
    while not parents or parents[-1] not in (0, 1, os.getpid()):
        after_name = process.joinpath("stat").read_text().rpartition(")")[2]
        parents.append(int(after_name.split()[1]))
        process = Path(f"/proc/{parents[-1]}")
    return parents


def test_a_gigabyte_of_output_is_cut_short() -> None:
    attack = "def attack():\n    for _ in range(1024):\n        print('x' * (1 << 20))\n"
    report = run(attack)
    assert "printed more than 1,048,576 bytes" in reason(report)
    assert len(report.output) <= 4096


def test_large_files_are_refused() -> None:
    attack = """
def attack():
    with open("large", "wb") as stream:
        for _ in range(1024):
            stream.write(bytes(1 << 20))
"""
    assert reason(run(attack))


def test_an_endless_loop_is_killed_on_time() -> None:
    found = reason(run("while True: pass\n", IMPORT, SandboxLimits(seconds=1)))
    assert found == "the tests did not end in 1 seconds"


def test_processor_time_is_limited() -> None:
    found = reason(run("while True: pass\n", IMPORT, SandboxLimits(seconds=60, cpu_seconds=1)))
    assert "ended early" in found


def test_memory_is_limited() -> None:
    found = reason(run("def attack():\n    return len(bytearray(8 << 30))\n"))
    assert "MemoryError" in found


def test_it_cannot_kill_its_parent_or_anybody() -> None:
    attack = f"""
import os, signal
def attack():
    assert os.getppid() == 0, os.getppid()
    for pid in ({os.getpid()}, {os.getppid()}):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            continue
        raise RuntimeError("killed")
    try:
        os.kill(-1, signal.SIGKILL)
    except OSError:
        pass
"""
    assert reason(run(attack)) == ""


def test_it_cannot_become_root_or_mount() -> None:
    attack = """
import ctypes, os
def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    assert os.getuid() != 0
    assert libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) != 0
    assert libc.chroot(b"/tmp") != 0
    for change in (os.setuid, os.setgid):
        try:
            change(0)
        except OSError:
            continue
        raise RuntimeError("root")
"""
    assert reason(run(attack)) == ""


@pytest.mark.parametrize(
    "leave", ["import os; os._exit(0)", "import sys; sys.exit(0)", "raise KeyboardInterrupt"]
)
def test_leaving_early_passes_no_test(leave: str) -> None:
    assert reason(run(leave + "\n", IMPORT))


def test_packages_outside_of_the_target_are_hidden() -> None:
    assert "No module named 'msgspec'" in reason(run("import msgspec\n", IMPORT))


def test_packages_of_the_target_can_be_imported() -> None:
    interpreter = find_interpreter(TaskTarget(python=RUNNING, packages=("msgspec",)))
    assert not isinstance(interpreter, str)
    try:
        report = run_tests({"answer.py": "import msgspec", "task_tests.py": IMPORT}, interpreter)
    except SandboxRefusedError as problem:
        pytest.skip(str(problem))
    assert reason(report) == ""


def test_without_the_permission_nothing_is_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A launcher that may not make namespaces refuses, and says why."""
    launcher = (Path(__file__).parents[3] / "src/cranfield/agents/sandbox/launcher.py").read_text()
    broken = launcher.replace('call("unshare", spaces', 'call("unshare", -1 | spaces')
    (tmp_path / "launcher.py").write_text(broken)
    (tmp_path / "test_runner.py").write_text("print('ran')")
    monkeypatch.setattr("cranfield.agents.sandbox.sandbox._HERE", tmp_path)
    interpreter = find_interpreter(TaskTarget(python=RUNNING))
    assert not isinstance(interpreter, str)
    with pytest.raises(SandboxRefusedError, match="unshare is not permitted here"):
        run_tests({"answer.py": "", "task_tests.py": IMPORT}, interpreter)


def test_a_version_that_is_not_installed_is_said() -> None:
    assert find_interpreter(TaskTarget(python="3.99")) == "Python 3.99 is not installed here"
    found = find_interpreter(TaskTarget(python="3.99", packages=("httpx",)))
    assert isinstance(found, str)
    assert "with packages" in found
