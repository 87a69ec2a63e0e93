"""Start the sandbox, wait for its report, and end it: on time, on too much output, or when done."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from cranfield.agents.python.resolver import find_packages
from cranfield.errors import SandboxRefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.agents.tasks import TaskTarget

__all__ = [
    "Interpreter",
    "SandboxLimits",
    "SandboxReport",
    "find_interpreter",
    "run_tests",
]

_HERE = Path(__file__).parent
_FOLDER = "answer"
"""The folder inside that holds the answer and its tests."""
_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/etc/ld.so.cache", "/etc/alternatives")
_MOST_REPORT = 1 << 20
_SECONDS_TO_DIE = 10.0
_FIRST_USER, _USERS = 1_000_000, 1_000_000
"""Numbers of users that nobody has: each sandbox counts its own processes."""


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """What the code in a sandbox may use."""

    seconds: float = 20.0
    cpu_seconds: int = 10
    memory_bytes: int = 1 << 30
    disk_bytes: int = 64 << 20
    file_bytes: int = 32 << 20
    output_bytes: int = 1 << 20
    processes: int = 32
    open_files: int = 128


class TestOutcome(NamedTuple):
    """One test: the line of the answer that raised, and the reason; empty if it passed."""

    name: str
    line: int | None
    reason: str


class SandboxReport(NamedTuple):
    """What happened inside: the tests that ended, or why they did not, and what was printed."""

    outcomes: tuple[TestOutcome, ...]
    problem: str
    output: str


class _Heard(NamedTuple):
    report: bytes
    output: bytes
    problem: str
    code: int


def run_tests(
    files: Mapping[str, str],
    interpreter: Interpreter,
    limits: SandboxLimits | None = None,
) -> SandboxReport:
    """Run the `test_*` functions of `task_tests.py`, one of the files, and report on each.

    Raises SandboxRefusedError if the walls cannot be built; then nothing was run.
    """
    limits = limits or SandboxLimits()
    nonce = secrets.token_hex(16)
    with tempfile.TemporaryDirectory(prefix="cranfield-sandbox-") as root:
        heard = _run(_plan(files, interpreter, limits, nonce, root), limits)
    output = heard.output.decode(errors="replace")
    report = _read(heard.report)
    if "refused" in report:
        raise SandboxRefusedError(f"the sandbox cannot be built here: {report['refused']}")
    if report.get("nonce") != nonce:
        return SandboxReport((), heard.problem or _ending(heard.code, output), output)
    outcomes = tuple(
        TestOutcome(str(each["name"]), each["line"], str(each["reason"]))
        for each in report["results"]
    )
    return SandboxReport(outcomes, "" if outcomes else "there is no test_* function", output)


def _plan(
    files: Mapping[str, str],
    interpreter: Interpreter,
    limits: SandboxLimits,
    nonce: str,
    root: str,
) -> dict[str, Any]:
    runner = (_HERE / "test_runner.py").read_text()
    shown = [*_SYSTEM, *interpreter.folders]
    return {
        "root": root,
        "nonce": nonce,
        "user": _FIRST_USER + secrets.randbelow(_USERS),
        "folder": _FOLDER,
        "files": {**files, "run_tests.py": runner},
        "python": interpreter.executable,
        "arguments": ["-I", "-B", f"/{_FOLDER}/run_tests.py", ",".join(interpreter.roots)],
        "readable": [place for place in shown if Path(place).exists()],
        "disk_bytes": limits.disk_bytes,
        "limits": {
            "CPU": limits.cpu_seconds,
            "AS": limits.memory_bytes,
            "FSIZE": limits.file_bytes,
            "NPROC": limits.processes,
            "NOFILE": limits.open_files,
            "CORE": 0,
        },
    }


def _run(plan: dict[str, Any], limits: SandboxLimits) -> _Heard:
    readable, writable = os.pipe()
    plan = {**plan, "report": writable, "arguments": [*plan["arguments"], str(writable)]}
    process = subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-I", "-S", str(_HERE / "launcher.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=[writable],
        start_new_session=True,
        cwd="/",
        env={},
    )
    os.close(writable)
    try:
        with contextlib.closing(cast("IO[bytes]", process.stdin)) as stream:
            stream.write(json.dumps(plan).encode())
        return _listen(process, readable, limits)
    except BrokenPipeError:
        return _Heard(b"", b"", "the sandbox ended before it began", process.wait())
    finally:
        _end(process)
        os.close(readable)


def _listen(process: subprocess.Popen[bytes], report: int, limits: SandboxLimits) -> _Heard:
    """Read report and output until both end; stop at the time or the amount that is allowed."""
    output = cast("IO[bytes]", process.stdout).fileno()
    heard = {report: bytearray(), output: bytearray()}
    most = {report: _MOST_REPORT, output: limits.output_bytes}
    deadline = time.monotonic() + limits.seconds
    problem = ""
    with selectors.DefaultSelector() as selector:
        for each in heard:
            selector.register(each, selectors.EVENT_READ)
        while selector.get_map() and not problem:
            left = deadline - time.monotonic()
            if left <= 0:
                problem = f"the tests did not end in {limits.seconds:g} seconds"
            for key, _ in selector.select(max(left, 0)):
                chunk = os.read(key.fd, 65536)
                heard[key.fd] += chunk
                if not chunk:
                    selector.unregister(key.fd)
                elif len(heard[key.fd]) > most[key.fd]:
                    problem = f"the tests printed more than {most[key.fd]:,} bytes"
    _end(process)
    _wait_for_end(report)
    return _Heard(bytes(heard[report]), bytes(heard[output][:4096]), problem, process.wait())


def _wait_for_end(report: int) -> None:
    """Wait until nobody inside holds the report open: all that was started is gone then."""
    with selectors.DefaultSelector() as selector:
        selector.register(report, selectors.EVENT_READ)
        deadline = time.monotonic() + _SECONDS_TO_DIE
        while (left := deadline - time.monotonic()) > 0:
            if selector.select(left) and not os.read(report, 65536):
                return


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the launcher: the kernel ends the process namespace with it."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _read(report: bytes) -> dict[str, Any]:
    try:
        found = json.loads(report)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _ending(code: int, output: str) -> str:
    last = output.strip().splitlines()[-1:] or [""]
    return f"the tests ended early, with exit code {code}: {last[0][:200]}".rstrip(": ")


# The interpreter of a target, and what of it the sandbox has to show.

_QUESTION = (
    "import json, sys; "
    "print(json.dumps([sys.executable, sys.base_prefix, list(sys.version_info[:2])]))"
)


class Interpreter(NamedTuple):
    """A Python: its program, the folders that it reads, and the packages that it may import.

    `roots` are the top-level modules of those packages, beside the standard library.
    """

    executable: str
    folders: tuple[str, ...]
    roots: tuple[str, ...] = ()


def find_interpreter(target: TaskTarget) -> Interpreter | str:
    """Find a Python of a target's version; a text says why there is none.

    Packages are those of the Python that runs here: a target with packages needs its version.
    """
    running = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if target.python == running:
        return _running(target.packages)
    if target.packages:
        return f"the target is Python {target.python} with packages, and {running} runs here"
    return _other(target.python) or f"Python {target.python} is not installed here"


def _running(packages: tuple[str, ...]) -> Interpreter:
    folders = {sys.base_prefix, sys.prefix, str(Path(sys.executable).resolve().parents[1])}
    roots = find_packages(packages).roots
    return Interpreter(sys.executable, _outermost(folders), roots)


@lru_cache(maxsize=16)
def _other(version: str) -> Interpreter | None:
    program = shutil.which(f"python{version}")
    if program is None:
        return None
    try:
        finished = subprocess.run(  # noqa: S603 - a Python found on the path
            [program, "-I", "-c", _QUESTION], capture_output=True, timeout=20, check=True
        )
        executable, prefix, found = json.loads(finished.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    if ".".join(map(str, found)) != version:
        return None
    folders = {prefix, str(Path(executable).resolve().parents[1])}
    return Interpreter(executable, _outermost(folders))


def _outermost(folders: set[str]) -> tuple[str, ...]:
    """Leave out what the system's folders or another folder shows already, and the root itself."""
    kept = sorted(each for each in folders if each not in ("/", "/usr"))
    return tuple(
        each for each in kept if not any(Path(each).is_relative_to(o) for o in kept if o != each)
    )
